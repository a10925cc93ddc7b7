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
	for _, c := range loadCases(t) {
		t.Run(c.name, func(t *testing.T) { c.run(t, n) })
	}
}

// loadCase is a program whose status must be the same as on an idle machine; in is wall-clock time for all tries together, 0
// where it depends on the load: an honest program takes as long as it takes.
type loadCase struct {
	name   string
	python string
	args   []string
	files  []sandbox.File
	limits sandbox.Limits
	want   sandbox.Status
	in     time.Duration
}

func loadCases(t *testing.T) []loadCase {
	const (
		wakers = "import threading, time\ndef f():\n while True: time.sleep(0.001)\nfor i in range(50): threading.Thread(target=f, daemon=True).start()\n"
		spin   = "import time\nwhile time.process_time() < 1: pass"
		burner = "while True: pass"
		forks  = "import os\nfor i in range(6): os.fork()\nwhile True: pass"
		crowd  = "import threading\ndef f():\n while True: pass\nfor i in range(40): threading.Thread(target=f, daemon=True).start()\nf()"
		decoy  = "import threading, time\ndef f():\n while True: pass\nthreading.Thread(target=f, daemon=True).start()\ntime.sleep(60)"
		dead   = "import os, time\nwhile True:\n try:\n  if os.fork() == 0: os._exit(0)\n except OSError: time.sleep(0.01)"
		rows   = "import os\nfor i in range(200):\n if os.fork() == 0:\n  x = sum(range(200000)); os._exit(0)\n os.wait()"
	)
	wall := func(d time.Duration) sandbox.Limits { return sandbox.Limits{Wall: d, CPU: 20 * time.Second} }
	both := sandbox.Limits{Wall: 5 * time.Second, CPU: 3 * time.Second, Processes: 128}
	late := both.Wall + 2*time.Second
	threads := sandboxtest.Compile(t, cThreads)
	return []loadCase{
		{name: "spinner 1 s of 2 s", python: spin, limits: wall(2 * time.Second), want: sandbox.OK},
		{name: "spinner 1 s of 0.7 s", python: spin, limits: wall(700 * time.Millisecond), want: sandbox.Timeout},
		{name: "sleeper", python: "import time\ntime.sleep(60)", limits: wall(time.Second), want: sandbox.Timeout, in: 3 * time.Second},
		{name: "sleeper with 50 wakers", python: wakers + "time.sleep(60)", limits: wall(time.Second), want: sandbox.Timeout},
		{name: "8 threads, 2 s of cpu", args: []string{"./p", "8", "250"}, files: []sandbox.File{{Name: "p", Data: threads, Exec: true}}, limits: wall(2500 * time.Millisecond), want: sandbox.OK},
		{name: "200 children in a row", python: rows, limits: wall(4 * time.Second), want: sandbox.OK},
		{name: "a burner is answered in time", python: burner, limits: both, want: sandbox.CPULimit, in: late},
		{name: "64 burners are", python: forks, limits: both, want: sandbox.CPULimit, in: late},
		{name: "41 burning threads are", python: crowd, limits: both, want: sandbox.CPULimit, in: late},
		{name: "a sleeper among its dead children is", python: dead, limits: sandbox.Limits{Wall: 5 * time.Second, CPU: 3 * time.Second, Processes: 64}, want: sandbox.Timeout, in: late},
		{name: "a sleeper behind a burner is", python: decoy, limits: both, want: sandbox.CPULimit, in: late},
	}
}

func (c loadCase) run(t *testing.T, n *Namespace) {
	spec := sandbox.Spec{Args: c.args, Files: c.files, Limits: c.limits}
	if c.python != "" {
		py := sandboxtest.Python(t)
		spec.Args, spec.Root = []string{py.Path, "-I", "-S", "-c", c.python}, py.Root
	}
	began := time.Now()
	for _, spec.Alone = range []bool{false, true} {
		r, err := n.Run(t.Context(), spec)
		t.Logf("alone %v: status %q unsure %v, own %v of wall %v, cpu %v, %v", spec.Alone, r.Status, r.Unsure, r.Usage.Own, r.Usage.Wall, r.Usage.CPU, err)
		if spec.Alone || !r.Unsure && err == nil { // this verdict stands, as in RunSure
			if r.Status != c.want {
				t.Errorf("status %q, want %q", r.Status, c.want)
			}
			break
		}
	}
	if took := time.Since(began); c.in > 0 && took > c.in {
		t.Errorf("took %v, want at most %v", took, c.in)
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
