package wasm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/gate"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
)

// Config says how a Wasm is made. Its zero value is usable.
type Config struct {
	// CacheDir is where compiled code and images are kept; empty means verifyd/wasm in the user's cache folder. It has to be the user's own.
	CacheDir string

	// Progress, where set, is told in a sentence what takes its time: the first start makes an image, later ones find it. It is called from
	// any goroutine.
	Progress func(string)
}

// Wasm is a sandbox.Sandbox of WebAssembly. It is safe for concurrent use.
type Wasm struct {
	store     *store
	languages []*language
	caps      sandbox.Caps
	gate      gate.Gate

	mu     sync.Mutex // guards the fields below; it is never held while something starts
	groups map[any]*opening
	closed bool
}

// opening is a group that is being made, or was.
type opening struct {
	once  sync.Once
	group *group
	err   error
}

// New opens the backend and starts a first worker, which makes Python's image where it is not in the cache (10 s). It fails where
// the processor has no compiler in the runtime (it has for amd64 and arm64), where the cache folder cannot be used, and where
// sandbox.Init was not called.
func New(c Config) (*Wasm, error) {
	if !compilable() {
		return nil, fmt.Errorf("sandbox/wasm: this processor: %w", sandbox.ErrUnsupported)
	}
	store, err := openStore(c.CacheDir, c.Progress)
	if err != nil {
		return nil, fmt.Errorf("sandbox/wasm: %w", err)
	}
	w := &Wasm{store: store, languages: languages(), groups: map[any]*opening{}}
	w.caps = sandbox.Caps{
		Backend: "wasm", Isolation: "webassembly", Talk: true, Warm: true, Snapshots: true,
		Memory: true, Processes: true, CPU: true, Disk: true, Inodes: true, OwnTime: true, Fuel: true,
	}
	for _, l := range w.languages {
		w.caps.Modules = append(w.caps.Modules, l.name)
	}
	g, err := w.open(context.Background(), w.languages[0], nil)
	if err != nil {
		return nil, fmt.Errorf("sandbox/wasm: %w", err)
	}
	first, err := g.take(context.Background())
	if err != nil {
		return nil, fmt.Errorf("sandbox/wasm: %w", err)
	}
	w.caps.Walls = []string{"webassembly", "process", "rlimits"}
	for _, wall := range []string{"seccomp", "landlock"} {
		if !slices.Contains(first.missing, wall) {
			w.caps.Walls = append(w.caps.Walls, wall)
		}
	}
	g.give(first)
	return w, nil
}

// Caps tells what holds here.
func (w *Wasm) Caps() sandbox.Caps { return w.caps }

// Close ends all workers that have no job; the others end with theirs.
func (w *Wasm) Close() error {
	w.mu.Lock()
	groups := w.groups
	w.groups, w.closed = map[any]*opening{}, true
	w.mu.Unlock()
	for _, o := range groups {
		o.once.Do(func() { o.err = errClosed })
		if o.group != nil {
			o.group.close()
		}
	}
	return nil
}

var errClosed = errors.New("sandbox/wasm: it was closed")

// open gives the workers of a language's own image, or of a server's.
func (w *Wasm) open(ctx context.Context, l *language, server *sandbox.Server) (*group, error) {
	key := any(l)
	if server != nil {
		key = server
	}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, errClosed
	}
	o := w.groups[key]
	if o == nil {
		o = &opening{}
		w.groups[key] = o
	}
	w.mu.Unlock()
	o.once.Do(func() { o.group, o.err = w.make(context.WithoutCancel(ctx), l, server) })
	if o.err != nil { // the next job tries again
		w.mu.Lock()
		if w.groups[key] == o {
			delete(w.groups, key)
		}
		w.mu.Unlock()
	}
	return o.group, o.err
}

func (w *Wasm) make(ctx context.Context, l *language, server *sandbox.Server) (*group, error) {
	s, err := w.store.setup(l)
	if err != nil {
		return nil, err
	}
	var image string
	if server == nil {
		image, err = w.store.base(ctx, l)
	} else {
		files := map[string][]byte{}
		for _, f := range server.Files {
			files[path.Join(sandbox.ServerDir, f.Name)] = f.Data
		}
		image, err = w.store.derived(ctx, l, server.Snapshot.Prepare, files)
	}
	if err != nil {
		return nil, err
	}
	held, err := hold(image)
	if err != nil {
		return nil, err
	}
	return &group{setup: s, image: held}, nil
}

// language finds the interpreter that a command line begins with.
func (w *Wasm) language(program string) (*language, error) {
	base := path.Base(program)
	for _, l := range w.languages {
		if base == l.name || slices.Contains(l.aliases, base) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("sandbox/wasm: %q is none of %s: %w", program, strings.Join(w.caps.Modules, ", "), sandbox.ErrNoProgram)
}

// reserved is the key of a context whose jobs have been let in.
type reserved struct{ *Wasm }

// Run implements sandbox.Sandbox.
func (w *Wasm) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	j, err := w.job(spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return sandbox.Result{}, err
	}
	if ctx.Value(reserved{w}) == nil {
		if err := w.gate.Enter(ctx, spec.Alone); err != nil {
			return sandbox.Result{}, err
		}
		defer w.gate.Leave()
	}
	res, err := j.run(ctx)
	if err != nil && context.Cause(ctx) == nil {
		err = fmt.Errorf("sandbox/wasm: %w", err)
	}
	return res, err
}

// Reserve implements sandbox.Reserver.
func (w *Wasm) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	alone := slices.ContainsFunc(specs, func(s sandbox.Spec) bool { return s.Alone })
	if err := w.gate.Enter(ctx, alone); err != nil {
		return nil, nil, err
	}
	return context.WithValue(ctx, reserved{w}, true), sync.OnceFunc(w.gate.Leave), nil
}

// job makes a job of a Spec, refusing what cannot be had here.
func (w *Wasm) job(spec sandbox.Spec) (*job, error) {
	fuel := spec.Limits.Fuel
	spec.Limits.Fuel = min(fuel, 0) // it is counted here
	if err := spec.Check(); err != nil {
		return nil, err
	}
	limits, err := spec.Limits.OrDefaults()
	if err != nil {
		return nil, err
	}
	limits.Fuel = fuel
	j := &job{w: w, spec: spec, limits: limits}
	program, args := spec.Args[0], spec.Args[1:]
	switch {
	case spec.Root.Image != "" || len(spec.Root.Binds) > 0:
		return nil, fmt.Errorf("sandbox/wasm: a root of the host or of an image: %w", sandbox.ErrUnsupported)
	case spec.Server != nil && (spec.Server.Snapshot == nil || len(spec.Server.Snapshot.Run) == 0):
		return nil, fmt.Errorf("sandbox/wasm: a server without a snapshot: %w", sandbox.ErrUnsupported)
	case spec.Server != nil:
		line := spec.Server.Snapshot.Run
		program, args = line[0], slices.Concat(line[1:], spec.Args)
	}
	if j.language, err = w.language(program); err != nil {
		return nil, err
	}
	j.guest = guestJob(spec, limits, args)
	return j, nil
}

// guestJob is a Spec in the words of package guest.
func guestJob(spec sandbox.Spec, l sandbox.Limits, args []string) guest.Job {
	g := guest.Job{
		Args: args, Env: spec.Env, Dir: spec.Dir, Stdin: spec.Stdin,
		Limits: guest.Limits{
			Wall: l.Wall, CPU: l.CPU, Outer: l.Outer(), Memory: int64(min(l.Memory, 4*sandbox.GiB) &^ (64<<10 - 1)), Output: int64(l.Output), Disk: int64(l.Disk),
			File: int64(l.File), Stack: int64(l.Stack), OpenFiles: l.OpenFiles, Inodes: l.Inodes, Fuel: l.Fuel,
		},
	}
	if g.Dir == "" {
		g.Dir = sandbox.WorkDir
	}
	hash := sha256.New()
	for _, f := range spec.Files {
		rel, _ := sandbox.JobPath(f.Name) // Check has seen it
		g.Files = append(g.Files, guest.File{Name: sandbox.WorkDir + "/" + rel, Data: f.Data, Exec: f.Exec, ReadOnly: f.ReadOnly})
		fmt.Fprintf(hash, "%q %d ", rel, len(f.Data))
		hash.Write(f.Data)
	}
	for _, name := range spec.CopyOut {
		rel, _ := sandbox.JobPath(name) // Check has seen it
		g.CopyOut = append(g.CopyOut, sandbox.WorkDir+"/"+rel)
	}
	fmt.Fprintf(hash, "%q %q %q %q", g.Args, g.Env, g.Dir, g.Stdin)
	hash.Sum(g.Seed[:0])
	return g
}
