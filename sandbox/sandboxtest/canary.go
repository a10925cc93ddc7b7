package sandboxtest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// canaries are what the attacks look for on the host: a file, a variable, listeners, and a process that must not be ended.
func canaries(t *testing.T) {
	t.Helper()
	t.Setenv("VX_CANARY_ENV", "LEAK_ENV")
	const name = "/tmp/vx-canary-host"
	if err := os.WriteFile(name, []byte("LEAK_HOSTFILE"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(name) }) // of this test
	listen(t, "tcp", "127.0.0.1:18999")
	listen(t, "unix", "@vx-canary")
	listen(t, "unix", "/tmp/vx-canary.sock")
	bystander := exec.Command("sleep", "3600")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ended.Go(func() {
		if state, err := bystander.Process.Wait(); err == nil && state.String() != "signal: interrupt" {
			t.Errorf("a bystander on the host ended: %v", state)
		}
	})
	t.Cleanup(func() {
		_ = bystander.Process.Signal(os.Interrupt) // the one end that is expected
		ended.Wait()
	})
}

// surround does what a line asks for while it runs: a second job with files of its own, attempts to reach its port.
func (l Line) surround(t *testing.T, b Backend) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	if l.Setup.ParallelJob != "" {
		beside.Go(func() {
			spec := testCase{sh: "echo VX_OTHER_JOB | tee /tmp/other > other; sleep 20"}.spec(t)
			if b.modules() {
				spec = testCase{python: "import time\nfor n in ('/tmp/other', 'other'): open(n, 'w').write('VX_OTHER_JOB')\ntime.sleep(20)"}.on(t, b)
			}
			_, _ = b.Sandbox.Run(ctx, spec) // ended by stop
		})
	}
	if slices.Contains(l.MustNot, "port_open_on_host") {
		beside.Go(func() {
			for ctx.Err() == nil {
				if c, err := net.DialTimeout("tcp", "127.0.0.1:18998", 100*time.Millisecond); err == nil {
					_ = c.Close() // seen
					t.Error("the job's port answers on the host")
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	return func() {
		cancel()
		beside.Wait()
	}
}

// nextJob runs a harmless job after an attack.
func nextJob(t *testing.T, b Backend) {
	t.Helper()
	spec := testCase{sh: "read x; echo $x > f; cat f; ls -A /tmp", stdin: "word\n"}.spec(t)
	if b.modules() {
		spec = testCase{python: "import os\nopen('f', 'w').write(input())\nprint(open('f').read(), *os.listdir('/tmp'))", stdin: "word\n"}.on(t, b)
	}
	r, err := b.Sandbox.Run(t.Context(), spec)
	if err != nil || r.Status != sandbox.OK || string(r.Stdout.Data) != "word\n" {
		t.Errorf("the next job: %q, %v: %s", r.Status, err, describe(r))
	}
}

// listen opens a canary: a listener of the host that no job may reach. An address that is taken already is left to its owner.
func listen(t *testing.T, network, address string) {
	t.Helper()
	if strings.HasPrefix(address, "/") {
		_ = os.Remove(address) // of an earlier run that was killed
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Logf("no canary at %s: %v", address, err)
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Errorf("a job reached the canary at %s", address)
			_ = c.Close() // seen
		}
	}()
	t.Cleanup(func() {
		_ = l.Close() // ends Accept
		<-done
	})
}
