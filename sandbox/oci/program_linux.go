package oci

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// program is this binary as a container's first process. It stands in the container under the name of its stage, since a runtime
// makes the first argument the path that it looks for. A binary that was linked with the C library brings its loader and libraries
// along, because an image may have others or none.
type program struct {
	args  []string
	binds []specs.Mount
}

// programFolder is where it stands in the container.
const programFolder = "/.verifyd"

func prepareProgram(state string) (program, error) {
	args, err := sandbox.StageArgs(slot.Stage)
	if err != nil {
		return program{}, err
	}
	exe, err := ownBinary(state)
	if err != nil {
		return program{}, err
	}
	at := filepath.Join(programFolder, args[0])
	p := program{args: args, binds: []specs.Mount{bindFile(exe, at)}}
	loader, libraries, err := dynamic(exe)
	if err != nil {
		return program{}, fmt.Errorf("read %s: %w", exe, err)
	}
	if loader == "" {
		return p, nil
	}
	p.args = append([]string{programFolder + "/ld", "--library-path", programFolder + "/lib", "--argv0", args[0], at}, args[1:]...)
	p.binds = append(p.binds, bindFile(loader, p.args[0]))
	for _, lib := range libraries {
		p.binds = append(p.binds, bindFile(lib, programFolder+"/lib/"+filepath.Base(lib)))
	}
	return p, nil
}

func bindFile(host, at string) specs.Mount {
	return specs.Mount{Destination: at, Type: "bind", Source: host, Options: []string{"bind", "ro", "nosuid", "nodev"}}
}

// ownBinary is the path of this binary, or of a copy where its file is gone.
func ownBinary(state string) (string, error) {
	exe, err := os.Executable()
	if err == nil {
		own, err1 := os.Stat("/proc/self/exe")
		there, err2 := os.Stat(exe)
		if err1 == nil && err2 == nil && os.SameFile(own, there) {
			return exe, nil
		}
	}
	in, err := os.Open("/proc/self/exe")
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }() // opened for reading
	out, err := os.OpenFile(filepath.Join(state, "verifyd"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	return out.Name(), errors.Join(err, out.Close())
}

// dynamic gives the loader and the libraries of a program that has any.
func dynamic(exe string) (loader string, libraries []string, err error) {
	f, err := elf.Open(exe)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name, err := io.ReadAll(p.Open())
			if err != nil {
				return "", nil, err
			}
			loader = strings.TrimRight(string(name), "\x00")
		}
	}
	if loader == "" {
		return "", nil, nil
	}
	if loader, err = filepath.EvalSymlinks(loader); err != nil {
		return "", nil, err
	}
	names, err := f.ImportedLibraries()
	if err != nil {
		return "", nil, err
	}
	for _, name := range names {
		for _, dir := range []string{filepath.Dir(loader), "/usr/lib64", "/lib64", "/usr/lib", "/lib"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				libraries = append(libraries, filepath.Join(dir, name))
				break
			}
		}
	}
	return loader, libraries, nil
}
