package namespace

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

var soakJobs = flag.Int("soak", 500, "jobs of TestSoak")

// leftovers are the things of which no job may leave one behind.
type leftovers struct {
	processes, mounts, groups, temp, descriptors, goroutines int // of this process, but for mounts
}

func count(n *Namespace) leftovers {
	list := func(pattern string) int {
		names, _ := filepath.Glob(pattern) // the patterns are well-formed
		return len(names)
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo") // there is always one; others mount, too, but nothing with a slot's names
	l := leftovers{
		mounts: bytes.Count(mounts, []byte(" - tmpfs root ")) + bytes.Count(mounts, []byte(" - tmpfs job ")), temp: list(os.TempDir() + "/*"), descriptors: list("/proc/self/fd/*"),
		goroutines: runtime.NumGoroutine(),
	}
	for _, parent := range append([]string{n.host.Layout.V2}, n.host.Layout.V1["memory"], n.host.Layout.V1["pids"], n.host.Layout.V1["cpu"]) {
		l.groups += list(parent + "/" + n.host.Owner + "*")
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // well-formed
	for _, name := range stats {
		text, _ := os.ReadFile(name) // it may have ended
		if f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])); len(f) > 1 && f[1] == strconv.Itoa(os.Getpid()) {
			l.processes++
		}
	}
	return l
}

// hostile are programs of which a soak runs one in ten jobs.
var hostile = []string{
	"import os\nwhile True:\n try: os.fork()\n except OSError: pass",
	"b = []\nwhile True: b.append(bytearray(b'x') * (1 << 22))",
	"while True: print('flood')",
	"import os\nif os.fork() == 0:\n os.setsid()\n while True: pass",
	"import os, signal\nos.kill(0, signal.SIGSTOP)",
	"import os\nfor i in range(10**6): open('/tmp/%d' % i, 'w').write('x' * 4096)",
	"import os\nos.kill(-1, 9)",
}

// TestSoak runs many jobs, a tenth of them hostile, half of them forked from a warm interpreter, eight at once, and looks for what is left. -soak=10000 is the long form.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	t.Setenv("TMPDIR", t.TempDir())
	n := open(t)
	one := soakJob(t, n)
	soak(8, 64, one) // fills the slots
	before, memory := count(n), residentMemory()
	soak(8, *soakJobs, one)
	after := count(n)
	for range 50 { // goroutines and descriptors of the last slots that were thrown away
		if after == before {
			break
		}
		time.Sleep(20 * time.Millisecond)
		after = count(n)
	}
	t.Logf("before %+v, after %+v, memory %d to %d KiB", before, after, memory>>10, residentMemory()>>10)
	slots := func(l leftovers) leftovers { // slots differ in number by chance; what belongs to each does not
		return leftovers{mounts: l.mounts, temp: l.temp}
	}
	if slots(before) != slots(after) {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if grown := residentMemory() - memory; grown > 32<<20 {
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
	if end := count(n); end.groups != 0 || end.processes != 0 {
		t.Errorf("after Close: %+v", end)
	}
}

// soakJob gives what runs the job of a number, and looks at what came of it.
func soakJob(t *testing.T, n *Namespace) func(i int) {
	py := sandboxtest.Python(t)
	limits := sandbox.Limits{Wall: 2 * time.Second, CPU: 300 * time.Millisecond, Memory: 64 * sandbox.MiB, Processes: 16, Output: 4096, Disk: 4 * sandbox.MiB, Inodes: 100}
	server, root := sandboxtest.WarmPython(t)
	return func(i int) {
		spec := sandbox.Spec{Args: []string{"/bin/sh", "-c", "read x; echo $x"}, Stdin: fmt.Appendln(nil, i), Limits: limits}
		bad, warm := i%10 == 9, i/20%2 == 1 && n.Caps().Warm
		program := "print(input())"
		if bad {
			program = hostile[i/10%len(hostile)]
		}
		switch {
		case warm:
			spec.Server, spec.Root, spec.Args = server, root, []string{"main.py"}
			spec.Files = []sandbox.File{{Name: "main.py", Data: []byte(program)}}
		case bad:
			spec.Args, spec.Root = []string{py.Path, "-I", "-S", "-c", program}, py.Root
		}
		r, err := n.Run(t.Context(), spec)
		switch {
		case err != nil:
			t.Errorf("job %d: %v", i, err)
		case !bad && (r.Status != sandbox.OK || string(r.Stdout.Data) != fmt.Sprintln(i)):
			t.Errorf("job %d: %+v", i, r)
		}
	}
}

func soak(workers, jobs int, one func(int)) {
	var wg sync.WaitGroup
	work := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range work {
				one(i)
			}
		})
	}
	for i := range jobs {
		work <- i
	}
	close(work)
	wg.Wait()
}

func residentMemory() int64 {
	debug.FreeOSMemory()
	text, _ := os.ReadFile("/proc/self/statm") // there is always one
	f := strings.Fields(string(text))
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func TestNothingOutlivesAKilledEngine(t *testing.T) {
	pid := sandboxtest.KilledEngine(t, func(t *testing.T) sandbox.Sandbox { return open(t) })
	next := open(t) // sweeps
	for _, parent := range []string{next.host.Layout.V2, next.host.Layout.V1["memory"], next.host.Layout.V1["pids"], next.host.Layout.V1["cpu"]} {
		if left, _ := filepath.Glob(fmt.Sprintf("%s/verifyd-*-%d-*", parent, pid)); len(left) > 0 && parent != "" {
			t.Errorf("groups left: %q", left)
		}
	}
}
