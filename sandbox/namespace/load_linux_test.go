package namespace

import (
	"flag"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

var loadFactor = flag.Int("load", 0, "spinners a processor beside TestUnderLoad; 0 leaves the test out")

// TestUnderLoad measures own time of programs with a known need, beside endless spinners in sessions of their own.
func TestUnderLoad(t *testing.T) {
	if *loadFactor == 0 {
		t.Skip("asked for with -load=N")
	}
	n := open(t)
	if !n.Caps().OwnTime {
		t.Skip("no own time here")
	}
	spinners(t, *loadFactor)
	py := sandboxtest.Python(t)
	const wakers = "import threading, time\ndef f():\n while True: time.sleep(0.001)\nfor i in range(50): threading.Thread(target=f, daemon=True).start()\n"
	threads := sandboxtest.Compile(t, cThreads)
	for _, c := range []struct {
		name   string
		python string
		args   []string
		files  []sandbox.File
		wall   time.Duration
		want   sandbox.Status
	}{
		{name: "spinner 1 s of 2 s", python: "import time\nwhile time.process_time() < 1: pass", wall: 2 * time.Second, want: sandbox.OK},
		{name: "spinner 1 s of 0.7 s", python: "import time\nwhile time.process_time() < 1: pass", wall: 700 * time.Millisecond, want: sandbox.Timeout},
		{name: "sleeper", python: "import time\ntime.sleep(60)", wall: time.Second, want: sandbox.Timeout},
		{name: "sleeper with 50 wakers", python: wakers + "time.sleep(60)", wall: time.Second, want: sandbox.Timeout},
		{name: "8 threads, 2 s of cpu", args: []string{"./p", "8", "250"}, files: []sandbox.File{{Name: "p", Data: threads, Exec: true}}, wall: 2500 * time.Millisecond, want: sandbox.OK},
		{name: "200 children in a row", python: "import os\nfor i in range(200):\n if os.fork() == 0:\n  x = sum(range(200000)); os._exit(0)\n os.wait()", wall: 4 * time.Second, want: sandbox.OK},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := sandbox.Spec{Args: c.args, Files: c.files, Limits: sandbox.Limits{Wall: c.wall, CPU: 20 * time.Second}}
			if c.python != "" {
				spec.Args, spec.Root = []string{py.Path, "-I", "-S", "-c", c.python}, py.Root
			}
			r, err := n.Run(t.Context(), spec)
			t.Logf("status %q unsure %v, own %v of wall %v, cpu %v, %v", r.Status, r.Unsure, r.Usage.Own, r.Usage.Wall, r.Usage.CPU, err)
			if r.Status != c.want && !r.Unsure {
				t.Errorf("status %q, want %q", r.Status, c.want)
			}
			if r.Unsure || err != nil {
				spec.Alone = true
				r, err = n.Run(t.Context(), spec)
				t.Logf("alone: status %q, own %v of wall %v, cpu %v, %v", r.Status, r.Usage.Own, r.Usage.Wall, r.Usage.CPU, err)
				if r.Status != c.want {
					t.Errorf("alone: status %q, want %q", r.Status, c.want)
				}
			}
		})
	}
}

// cThreads runs argv[1] threads that use argv[2] ms of processor time each.
const cThreads = `
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static int ms;
static void *work(void *x) {
	struct timespec t;
	do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
	return x;
}
int main(int n, char **v) {
	pthread_t t[64];
	ms = atoi(v[2]);
	n = atoi(v[1]);
	for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < n; i++) pthread_join(t[i], 0);
	return 0;
}
`

func spinners(t *testing.T, perCPU int) {
	t.Helper()
	for range perCPU * runtime.NumCPU() {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill() // it never ends by itself
			_ = cmd.Wait()         // killed
		})
	}
}
