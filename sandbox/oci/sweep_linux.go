package oci

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// Each engine has a folder of its own, named as its cgroups are, with the runtime's records and the path of the runtime in it. A
// folder whose engine is gone is swept: the runtime takes its containers away, then the folder goes.

const (
	runtimeFolder = "runtime" // of the runtime's own records
	toolFile      = "path"    // holds the path of the runtime
)

// stateFolder is where engines keep their folders.
func stateFolder(configured string) string {
	switch {
	case configured != "":
		return filepath.Join(configured, "oci")
	case os.Geteuid() == 0:
		return "/run/verifyd/oci"
	case os.Getenv("XDG_RUNTIME_DIR") != "":
		return filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "verifyd", "oci")
	}
	return filepath.Join(os.TempDir(), "verifyd-oci")
}

// reachable refuses a folder that a container's root, who is nobody on the host, could not walk to.
func reachable(dir string) error {
	for at := dir; ; at = filepath.Dir(at) {
		st, err := os.Stat(at)
		if err != nil {
			return err
		}
		if st.Mode()&0o001 == 0 && os.Geteuid() == 0 {
			return fmt.Errorf("folder %s is closed to others, so containers cannot use what lies below it: name another state folder, or chmod o+x it", at)
		}
		if at == "/" || at == "." {
			return nil
		}
	}
}

// sweep removes what engines of the past left, and tells how many of them there were.
func sweep(parent string) int {
	entries, _ := os.ReadDir(parent) // not there before the first start
	swept := 0
	for _, e := range entries {
		state := filepath.Join(parent, e.Name())
		if !e.IsDir() || !cgroup.Abandoned(state) {
			continue
		}
		path, err := os.ReadFile(filepath.Join(state, toolFile))
		if err == nil {
			sweepContainers(strings.TrimSpace(string(path)), state)
		}
		if removeState(state) == nil {
			swept++
		}
	}
	return swept
}

// removeState removes the folder of an engine. runsc keeps an empty network namespace mounted among its records.
func removeState(state string) error {
	_ = syscall.Unmount(filepath.Join(state, runtimeFolder, "null-netns"), syscall.MNT_DETACH) // not there with other runtimes
	return os.RemoveAll(state)
}

func sweepContainers(path, state string) {
	t, err := askTool(path)
	if err != nil {
		return // a runtime that is gone has no containers running
	}
	left, _ := os.ReadDir(filepath.Join(state, runtimeFolder)) // nothing is left where it is not there
	for _, c := range left {
		if strings.HasPrefix(c.Name(), filepath.Base(state)) {
			remove(t, state, c.Name())
		}
	}
}
