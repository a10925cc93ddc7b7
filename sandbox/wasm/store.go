package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/rewrite"
	"github.com/verifyd/verifyd/sandbox/wasm/runtimes"
)

// wazeroVersion is the version in go.mod, which a test compares: compiled code of another one is not used.
const wazeroVersion = "v1.12.0"

// format changes when what is kept does: the rewriter, or the layout of files.
const format = "2"

// language is an interpreter as the store knows it.
type language struct {
	name    string   // "python": Caps.Modules
	aliases []string // further names of its program
	module  func() runtimes.Artefact
	library func() runtimes.Artefact // nil: none
	prepare string                   // source that every image has run: see prepare/
}

// store keeps what is made once: rewritten modules, compiled code, images.
type store struct {
	dir      string
	progress func(string)

	mu     sync.Mutex // guards the map; making one file is guarded by its own lock
	making map[string]*sync.Mutex
}

// openStore makes the folder below root, the user's cache folder where root is empty.
func openStore(root string, progress func(string)) (*store, error) {
	if root == "" {
		root = cacheRoot()
	}
	manifest := ""
	for _, a := range []runtimes.Artefact{runtimes.Python(), runtimes.PythonLib(), runtimes.QuickJS()} {
		manifest += a.SHA256
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %s %s %s %+v %+v", format, wazeroVersion, builtWith(), runtime.GOOS, runtime.GOARCH, manifest, cpu.X86, cpu.ARM64))
	s := &store{dir: filepath.Join(root, hex.EncodeToString(sum[:8])), progress: progress, making: map[string]*sync.Mutex{}}
	if err := os.MkdirAll(filepath.Join(s.dir, compiledFolder), 0o700); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	if err := ownFolder(s.dir); err != nil {
		return nil, err
	}
	_ = os.Chtimes(s.dir, time.Now(), time.Now()) // it is in use
	sweep(root)
	return s, nil
}

const compiledFolder = "compiled"

// builtWith is the version by which the runtime tells its own compiled code from others': a test binary knows none.
func builtWith() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/tetratelabs/wazero" {
				return dep.Version
			}
		}
	}
	return "unknown"
}

// compiled tells whether there is any compiled code: a worker can read it, and not make it.
func (s *store) compiled() bool {
	found, err := filepath.Glob(filepath.Join(s.path(compiledFolder), "*", "*"))
	return err == nil && len(found) > 0
}

// cacheRoot is in the user's cache folder, or where there is none (a service without a home) in a folder of the user's own among the
// temporary ones.
func cacheRoot() string {
	if cache, err := os.UserCacheDir(); err == nil {
		root := filepath.Join(cache, "verifyd", "wasm")
		if os.MkdirAll(root, 0o700) == nil {
			return root
		}
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("verifyd-%d", os.Getuid()), "wasm")
}

// sweep removes what other versions left and nobody has opened for a month.
func sweep(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > 30*24*time.Hour {
			_ = os.RemoveAll(filepath.Join(root, e.Name())) // the next one tries again
		}
	}
}

func (s *store) path(name string) string { return filepath.Join(s.dir, name) }

// once makes a file where it is not there yet, in one goroutine; another process may make it too, and the last one stays.
func (s *store) once(name string, make_ func(path string) error) (string, error) {
	s.mu.Lock()
	lock := s.making[name]
	if lock == nil {
		lock = &sync.Mutex{}
		s.making[name] = lock
	}
	s.mu.Unlock()
	lock.Lock()
	defer lock.Unlock()
	path := s.path(name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := make_(path); err != nil {
		return "", err
	}
	return path, nil
}

// write fills a file that appears whole or not at all.
func write(path string, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone already where all went well
	err = fill(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// program is the path of a language's rewritten module.
func (s *store) program(l *language) (string, error) {
	return s.once(l.name+".program", func(path string) error {
		wasm, err := l.module().Unpack()
		if err != nil {
			return err
		}
		p, err := rewrite.Rewrite(wasm, guest.Hook())
		if err != nil {
			return err
		}
		return write(path, func(f *os.File) error { return writeProgram(f, p) })
	})
}

// lib is the path of its library, empty where it has none.
func (s *store) lib(l *language) (string, error) {
	if l.library == nil {
		return "", nil
	}
	return s.once(l.name+".lib", func(path string) error {
		data, err := l.library().Unpack()
		if err != nil {
			return err
		}
		return write(path, func(f *os.File) error { _, err := f.Write(data); return err })
	})
}

// setup is what every worker of a language needs.
func (s *store) setup(l *language) (setup, error) {
	program, err := s.program(l)
	if err != nil {
		return setup{}, err
	}
	library, err := s.lib(l)
	if err != nil {
		return setup{}, err
	}
	return setup{Program: program, Library: library, Cache: s.path(compiledFolder)}, nil
}

// base is the path of a language's image.
func (s *store) base(ctx context.Context, l *language) (string, error) {
	sum := sha256.Sum256([]byte(l.prepare))
	if !s.compiled() { // somebody removed it: the image is made again, for the code
		_ = os.Remove(s.path(l.name + "-" + hex.EncodeToString(sum[:8]) + ".image")) // mostly not there
	}
	return s.once(l.name+"-"+hex.EncodeToString(sum[:8])+".image", func(path string) error {
		s.tell("preparing " + l.name + " for WebAssembly: once, some seconds")
		began := time.Now()
		from, err := s.setup(l)
		if err != nil {
			return err
		}
		from.Make = path
		if l.prepare != "" {
			from.Sources = []string{l.prepare}
		}
		if err := makeImage(ctx, from); err != nil {
			return err
		}
		s.tell(fmt.Sprintf("%s is ready after %.1f s; the next start takes none of it", l.name, time.Since(began).Seconds()))
		return nil
	})
}

// derived is the path of an image that goes on from a language's own.
func (s *store) derived(ctx context.Context, l *language, source string, files map[string][]byte) (string, error) {
	base, err := s.base(ctx, l)
	if err != nil {
		return "", err
	}
	about, err := json.Marshal([]any{filepath.Base(base), source, files})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(about)
	return s.once(l.name+"-"+hex.EncodeToString(sum[:8])+".image", func(path string) error {
		from, err := s.setup(l)
		if err != nil {
			return err
		}
		from.Image, from.Make, from.Sources, from.Files = base, path, []string{source}, files
		return makeImage(ctx, from)
	})
}

func (s *store) tell(text string) {
	if s.progress != nil {
		s.progress(text)
	}
}
