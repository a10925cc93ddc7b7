package oci

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// open makes a sandbox on one runtime, and skips the test where it is not there or does not start, with its own words.
func open(t testing.TB, runtime string) *OCI {
	t.Helper()
	if _, err := exec.LookPath(runtime); err != nil {
		t.Skipf("no %s on this machine", runtime)
	}
	state := t.TempDir()
	if err := os.Chmod(filepath.Dir(state), 0o711); err != nil {
		t.Fatal(err)
	}
	o, err := New(Config{Runtime: runtime, State: state})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func TestSuiteOnRunc(t *testing.T) {
	sandboxtest.Run(t, sandboxtest.Backend{Sandbox: open(t, "runc"), Boundary: true})
}

func TestAttacksOnRunc(t *testing.T) {
	sandboxtest.Attacks(t, sandboxtest.Backend{Sandbox: open(t, "runc"), Boundary: true}, "../../testdata/corpus/attacks")
}

func TestOne(t *testing.T) {
	o := open(t, os.Getenv("RT"))
	r, err := o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/sh", "-c", "id; cat /proc/self/status | grep -i cap; ls -la / /dev /work; cat /proc/self/cgroup; ls /.verifyd"}})
	t.Logf("%+v\n%s\n%s\n%v", r, r.Stdout.Data, r.Stderr.Data, err)
	t.Logf("%+v", o.Caps())
}
