package oci

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// stateOf is a state folder that a test shares with the victim that it starts.
func stateOf(t *testing.T) string {
	t.Helper()
	const variable = "VERIFYD_TEST_VICTIM_STATE"
	if os.Getenv(variable) == "" {
		t.Setenv(variable, stateDir(t))
	}
	return os.Getenv(variable)
}

// TestNothingOutlivesAKilledEngine: the victim's jobs end with its sockets; what its runtime could not remove goes with the next start.
func TestNothingOutlivesAKilledEngine(t *testing.T) {
	c := Config{Runtime: "runc", State: stateOf(t)}
	if err := openWith(t, c).Close(); err != nil { // skips before a victim is started
		t.Fatal(err)
	}
	pid := sandboxtest.KilledEngine(t, func(t *testing.T) sandbox.Sandbox { return openWith(t, c) })
	wantSwept(t, openWith(t, c), pid)
}

// TestNothingOutlivesAKilledEngineOnRunsc looks for gVisor's own processes, since those of a job are its kernel's.
func TestNothingOutlivesAKilledEngineOnRunsc(t *testing.T) {
	c := Config{Runtime: "runsc", State: stateOf(t)}
	const victim = "VERIFYD_TEST_RUNSC_VICTIM"
	o := openWith(t, c)
	if os.Getenv(victim) != "" {
		_, _ = o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/sh", "-c", "sleep 60"}, Limits: sandbox.Limits{Wall: time.Minute}}) // it is killed
		t.Fatal("the victim was not killed")
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), victim+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	alive := func() []string { // but for the process that tells of them
		return slices.DeleteFunc(sandboxtest.ProcessesWith(c.State+"/oci"), func(p string) bool { return !strings.Contains(p, "sandbox") })
	}
	started := within(20*time.Second, func() bool { return len(alive()) > 0 })
	time.Sleep(500 * time.Millisecond) // for the job's own start, which cannot be seen from here
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if !started {
		t.Fatal("the victim's job did not start")
	}
	if !within(5*time.Second, func() bool { return len(alive()) == 0 }) {
		t.Errorf("alive five seconds after the engine: %q", alive())
	}
	wantSwept(t, openWith(t, c), cmd.Process.Pid)
}

func within(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return ok()
}

// wantSwept checks that an engine's start has left nothing of an earlier one.
func wantSwept(t *testing.T, next *OCI, pid int) {
	t.Helper()
	left, _ := filepath.Glob(fmt.Sprintf("%s/verifyd-*-%d-*", filepath.Dir(next.state), pid)) // well-formed
	for _, parent := range []string{next.host.Layout.V2, next.host.Layout.V1["memory"], next.host.Layout.V1["pids"], next.host.Layout.V1["cpu"]} {
		groups, _ := filepath.Glob(fmt.Sprintf("%s/verifyd-*-%d-*", parent, pid)) // well-formed
		left = append(left, groups...)
	}
	if len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestAContainerServesOneJob(t *testing.T) {
	o := open(t, "runc")
	if err := o.Prepare(t.Context(), sandbox.Root{}, nil, 3); err != nil {
		t.Fatal(err)
	}
	if len(o.idle) != 3 {
		t.Errorf("%d prepared", len(o.idle))
	}
	made := o.made.Load()
	for range 3 {
		if r, err := o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}}); err != nil || r.Status != sandbox.OK {
			t.Fatal(r, err)
		}
	}
	if len(o.idle) != 0 || o.made.Load() != made {
		t.Errorf("%d left of three, %d made beside them", len(o.idle), o.made.Load()-made)
	}
	if err := o.Prepare(t.Context(), sandbox.Root{}, nil, o.config.MaxIdle+1); err == nil {
		t.Error("more than are kept: no error")
	}
}

func TestAWarmContainerServesManyJobs(t *testing.T) {
	o := open(t, "runc")
	if !o.Caps().Warm {
		t.Skip("no warm servers here")
	}
	server, root := sandboxtest.WarmPython(t)
	if err := o.Prepare(t.Context(), root, server, 1); err != nil {
		t.Fatal(err)
	}
	made := o.made.Load()
	for range 20 {
		r, err := o.Run(t.Context(), sandbox.Spec{Server: server, Root: root, Args: []string{"main.py"}, Files: []sandbox.File{{Name: "main.py", Data: []byte("print(1)")}}})
		if err != nil || string(r.Stdout.Data) != "1\n" {
			t.Fatal(r, err)
		}
	}
	if o.made.Load() != made {
		t.Errorf("%d containers for 20 jobs", o.made.Load()-made)
	}
}

// discardIdle ends the containers that wait.
func (o *OCI) discardIdle() {
	o.mu.Lock()
	idle := o.idle
	o.idle = nil
	o.mu.Unlock()
	for _, b := range idle {
		o.discard(b)
	}
}

// TestAStartThatHangsIsCalledOff takes a runtime that never makes a container.
func TestAStartThatHangsIsCalledOff(t *testing.T) {
	o := open(t, "runc")
	fake := filepath.Join(t.TempDir(), "runtime")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\ncase \"$*\" in *delete*) exit 0;; esac\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	o.discardIdle()
	o.tool.path = fake
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := o.Run(ctx, sandbox.Spec{Args: []string{"/bin/true"}}); err == nil {
		t.Error("no error")
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
