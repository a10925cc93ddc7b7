package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestBindsFor(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := errors.Join(os.MkdirAll(real+"/sub", 0o755), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		prefixes []string
		want     []Bind
	}{
		{"nothing", nil, nil},
		{"the default root holds it", []string{"/usr", "/usr/local/lib", "/bin", "/lib64"}, nil},
		{"the whole root is never shown", []string{"/"}, nil},
		{"a relative prefix means nothing", []string{"x"}, nil},
		{"a folder", []string{real}, []Bind{{real, real}}},
		{"one below another", []string{real + "/sub", real}, []Bind{{real, real}}},
		{"a link is shown under both names", []string{link}, []Bind{{real, link}, {real, real}}},
		{"twice the same", []string{real, real + "/"}, []Bind{{real, real}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := BindsFor(c.prefixes...).Binds; !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestResolveRuntime(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "opt/bin")
	program, shim := filepath.Join(bin, "prog"), filepath.Join(dir, "shim")
	err = errors.Join(os.MkdirAll(bin, 0o755), os.WriteFile(program, []byte("\x7fELF"), 0o755),
		os.Symlink(program, filepath.Join(dir, "link")), os.WriteFile(shim, []byte("#!/usr/bin/env bash\nexec x\n"), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	root, real, err := ResolveRuntime("link")
	if err != nil || real != program || !slices.Equal(root.Binds, []Bind{{dir + "/opt", dir + "/opt"}}) {
		t.Errorf("link: %v, %q, %v", root, real, err)
	}
	if _, _, err := ResolveRuntime("shim"); !errors.Is(err, ErrScript) {
		t.Errorf("shim: %v", err)
	}
	if _, _, err := ResolveRuntime("missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if root, _, err := ResolveRuntime("/bin/sh"); err != nil || len(root.Binds) != 0 {
		t.Errorf("/bin/sh: %v, %v", root, err)
	}
}
