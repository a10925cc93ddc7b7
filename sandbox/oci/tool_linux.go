package oci

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// kind is what sets a runtime apart.
type kind struct {
	name      string
	isolation string   // for a verdict
	global    []string // arguments before the command
	ownKernel bool     // the job's kernel is not the host's: cgroups, descriptors and mounts of the host mean nothing in it
	passFD    string   // argument that gives the container descriptor 3
	proc      []string // options of /proc beyond the usual ones
	readOnly  string   // mount option that makes a tree read-only, with all that is mounted below
}

var kinds = []kind{
	{name: "runc", isolation: "container", passFD: "--preserve-fds=1", proc: []string{"hidepid=invisible", "subset=pid"}, readOnly: "rro"},
	// crun makes no cgroups: the engine's are all that is needed, and systemd is not to be asked for any.
	{name: "crun", isolation: "container", global: []string{"--cgroup-manager=disabled"}, passFD: "--preserve-fds=1", proc: []string{"hidepid=invisible", "subset=pid"}, readOnly: "rro"},
	{name: "runsc", isolation: "gvisor", global: []string{"--ignore-cgroups", "--network=none", "--host-uds=none"}, passFD: "--pass-fd=3:3", ownKernel: true, readOnly: "ro"},
}

// tool is a runtime that was found.
type tool struct {
	kind
	path, version string
}

// findTool looks for a runtime by name or path, or for the first of kinds.
func findTool(name string) (tool, error) {
	if name != "" {
		return askTool(name)
	}
	for _, k := range kinds {
		if t, err := askTool(k.name); err == nil {
			return t, nil
		}
	}
	return tool{}, errors.New("no OCI runtime on PATH: install runc, crun or runsc, or name one")
}

func askTool(name string) (tool, error) {
	if strings.HasPrefix(name, "-") {
		return tool{}, fmt.Errorf("runtime %q: not the name of a program", name)
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return tool{}, fmt.Errorf("runtime %q: %w", name, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if err != nil {
		return tool{}, fmt.Errorf("runtime %s --version: %w: %.200s", path, err, out)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	for _, k := range kinds {
		if strings.HasPrefix(first, k.name+" ") {
			return tool{k, path, first}, nil
		}
	}
	return tool{kinds[0], path, first}, nil // an unknown one is taken to be like the reference implementation
}

// refusal is what a runtime said with the way out.
type refusal struct {
	error
	fix string
}

func (r *refusal) Error() string   { return r.error.Error() + ". " + r.fix }
func (r *refusal) Unwrap() []error { return []error{r.error, sandbox.ErrNoWalls} }

// explain adds the way out to what a runtime said, where it is known. Runtimes say nothing by number.
func explain(err error) error {
	text := err.Error()
	for _, known := range []struct{ says, fix string }{
		{"cgroups in hybrid mode not supported", "crun does not start where the tree of cgroup v2 offers controllers beside those of v1. Give v1 the rest, which cgroup.controllers of the v2 tree names (mkdir /sys/fs/cgroup/hugetlb && mount -t cgroup -o hugetlb none /sys/fs/cgroup/hugetlb), or unmount the v2 tree, or boot with one version, or use runc"},
		{"rootless containers", "this runtime wants to be root here: start the engine as root, or use another runtime"},
		{"newuidmap", "install the package uidmap, or start the engine as root"},
	} {
		if strings.Contains(text, known.says) {
			return &refusal{err, known.fix}
		}
	}
	return err
}
