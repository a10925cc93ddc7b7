package wasm

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
)

// figures asks for the tests of this file: make bench-wasm, on an idle machine.
var figures = flag.Bool("figures", false, "measure, and fail where a bar is missed")

func needFigures(t *testing.T) {
	t.Helper()
	if !*figures {
		t.Skip("make bench-wasm measures")
	}
}

// like is a job of the shape of a HumanEval answer with its tests behind it.
const like = `from typing import List


def has_close_elements(numbers: List[float], threshold: float) -> bool:
    """ Check if in given list of numbers, are any two numbers closer to each other than given threshold. """
    for idx, elem in enumerate(numbers):
        for idx2, elem2 in enumerate(numbers):
            if idx != idx2:
                distance = abs(elem - elem2)
                if distance < threshold:
                    return True
    return False


def check(candidate):
    assert candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3) == True
    assert candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.05) == False
    assert candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.95) == True
    assert candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.8) == False
    assert candidate([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1) == True
    assert candidate([1.1, 2.2, 3.1, 4.1, 5.1], 1.0) == True
    assert candidate([1.1, 2.2, 3.1, 4.1, 5.1], 0.5) == False


check(has_close_elements)
`

// processorTime is that of this process and of all workers.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var own unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &own) // cannot fail for this clock
	sum := own.Nano()
	for _, p := range workersOf(t) {
		var w unix.Timespec
		if unix.ClockGettime(int32(^p.Pid<<3|2), &w) == nil { // the clock of another process: clock_getcpuclockid(3)
			sum += w.Nano()
		}
	}
	return time.Duration(sum)
}

func TestFigureOfAJob(t *testing.T) {
	needFigures(t)
	for _, c := range []struct {
		name, source string
		most         time.Duration
	}{{"print(1)", "print(1)", 2500 * time.Microsecond}, {"a job like HumanEval's", like, 5 * time.Millisecond}} {
		for range 50 {
			python(t, c.source, nil)
		}
		const n = 500
		began, cpu := time.Now(), processorTime(t)
		for range n {
			if r := python(t, c.source, nil); r.Status != sandbox.OK {
				t.Fatalf("%+v", r)
			}
		}
		each := (processorTime(t) - cpu) / n
		t.Logf("%s: %v of processor time, %v", c.name, each, time.Since(began)/n)
		if each > c.most {
			t.Errorf("%s: %v of processor time, want %v", c.name, each, c.most)
		}
	}
}

func TestFigureOfLimits(t *testing.T) {
	needFigures(t)
	for _, source := range []string{"while True: pass", "10**(10**8)", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"} {
		var took []time.Duration
		for range 20 {
			began := time.Now()
			r := python(t, source, func(s *sandbox.Spec) { s.Limits.Wall, s.Limits.CPU = 200*time.Millisecond, 200*time.Millisecond })
			took = append(took, time.Since(began))
			if r.Status != sandbox.CPULimit && r.Status != sandbox.Timeout {
				t.Fatalf("%s: %+v", source, r)
			}
		}
		slices.Sort(took)
		t.Logf("%s: median %v, most %v", source, took[10], took[19])
		if over := took[10] - 200*time.Millisecond; over > 30*time.Millisecond {
			t.Errorf("%s: %v over the limit", source, over)
		}
	}
}

// rollup is a figure of /proc/PID/smaps_rollup in KiB.
func rollup(pid int, name string) (n int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if _, rest, ok := strings.Cut(string(text), "\n"+name+":"); ok {
		_, _ = fmt.Sscan(rest, &n)
	}
	return n
}

// A live instance is the memory that it has of its own: the pages of the image that it has written, and what it got behind them. What its
// worker keeps beside is told, too.
func TestFigureOfMemory(t *testing.T) {
	needFigures(t)
	w := backend(t)
	python(t, like, nil)
	type measure struct{ instance, worker int }
	measured := make(chan measure, 1)
	_, err := w.Run(t.Context(), sandbox.Spec{
		Args: []string{"python3", "-c", like + "\nimport os\nf = os.open('/dev/talk', os.O_RDWR)\nos.write(f, b'x')\nos.read(f, 1)"},
		Talk: func(c sandbox.Conn) {
			_, _ = c.Read(make([]byte, 1))
			var m measure
			for _, p := range workersOf(t) {
				n := instanceMemory(t, p.Pid)
				m.instance += n
				m.worker += rollup(p.Pid, "Pss") - n
			}
			measured <- m
			_, _ = c.Write([]byte("x"))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := <-measured
	t.Logf("a live instance takes %d KiB, its worker %d KiB beside", m.instance, m.worker)
	if m.instance == 0 || m.instance > 2048 {
		t.Errorf("%d KiB", m.instance)
	}
}

// instanceMemory is what a worker has copied of the image's pages, and what it has in the map that follows.
func instanceMemory(t *testing.T, pid int) (kib int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil {
		t.Skip(err) // a worker is closed to others of its user; root may look
	}
	var inside, image bool
	end := ""
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if from, to, ok := strings.Cut(fields[0], "-"); ok && !strings.HasSuffix(fields[0], ":") {
			image = strings.Contains(line, "verifyd-image")
			inside = image || from == end && end != ""
			if inside {
				end = to
			} else {
				end = ""
			}
		}
		if inside && fields[0] == "Anonymous:" {
			var n int
			_, _ = fmt.Sscan(fields[1], &n)
			kib += n
		}
	}
	return kib
}

// Fuel is equal on reruns, with the machine idle and full, in another environment of the engine, from another cache folder.
func TestFigureOfFuel(t *testing.T) {
	needFigures(t)
	const source = "import random, json, collections\nd = {str(i): random.random() for i in range(2000)}\nprint(len(json.dumps(d)), collections.Counter(map(int, d.values())), sorted(d)[:3])"
	fuel := func(w *Wasm) int64 {
		r, err := w.Run(context.Background(), sandbox.Spec{Args: []string{"python3", "-c", source}})
		if err != nil || r.Status != sandbox.OK {
			t.Fatalf("%v: %+v", err, r)
		}
		return r.Usage.Fuel
	}
	want := fuel(backend(t))
	for range 100 {
		if got := fuel(backend(t)); got != want {
			t.Fatalf("idle: %d, want %d", got, want)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 12 {
				if got := fuel(backend(t)); got != want {
					t.Errorf("full: %d, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
	t.Setenv("LANG", "tr_TR.UTF-8")
	t.Setenv("TZ", "Asia/Kathmandu")
	t.Chdir(t.TempDir())
	other, err := New(Config{CacheDir: filepath.Join(t.TempDir(), "cache")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }() // the test is over
	if got := fuel(other); got != want {
		t.Errorf("elsewhere: %d, want %d", got, want)
	}
	t.Logf("%d each time", want)
}

func TestFigureOfTheStart(t *testing.T) {
	needFigures(t)
	dir := filepath.Join(t.TempDir(), "cache")
	for _, c := range []struct {
		name string
		most time.Duration
	}{{"first", 10 * time.Second}, {"later", 500 * time.Millisecond}} {
		began := time.Now()
		w, err := New(Config{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Run(t.Context(), sandbox.Spec{Args: []string{"python3", "-c", "print(1)"}})
		took := time.Since(began)
		_ = w.Close() // the next one starts from the folder
		if err != nil || string(r.Stdout.Data) != "1\n" {
			t.Fatalf("%v: %+v", err, r)
		}
		t.Logf("%s start and job: %v", c.name, took)
		if took > c.most {
			t.Errorf("%s start: %v, want %v", c.name, took, c.most)
		}
	}
}

// soak is how many jobs TestFigureOfEndurance runs.
var soak = flag.Int("soak", 20_000, "jobs")

// Memory stays flat and no worker is left over many jobs, of which some meet limits, and some lose their worker.
func TestFigureOfEndurance(t *testing.T) {
	needFigures(t)
	w, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	before := len(workersOf(t))
	sources := []string{"print(1)", like, "1/0", "open('x', 'w').write('x' * 100000)", "b = [0] * 300000", "import os; os._exit(3)"}
	var wg sync.WaitGroup
	var early, late int
	memory := func() (n int) {
		for _, p := range append(workersOf(t), &os.Process{Pid: os.Getpid()}) {
			n = max(n, rollup(p.Pid, "Pss"))
		}
		return n
	}
	for lap := range 10 {
		for worker := range 2 {
			wg.Go(func() {
				for i := range *soak / 20 {
					spec := sandbox.Spec{Args: []string{"python3", "main.py"}, Files: []sandbox.File{{Name: "main.py", Data: []byte(sources[(i+worker)%len(sources)])}}}
					if i%500 == 499 {
						spec.Files[0].Data, spec.Limits.CPU = []byte("while True: pass"), 20*time.Millisecond
					}
					if _, err := w.Run(t.Context(), spec); err != nil {
						t.Errorf("lap %d: %v", lap, err)
					}
				}
			})
		}
		wg.Wait()
		if lap == 1 {
			early = memory()
		}
		late = memory()
	}
	t.Logf("the largest process: %d KiB after a fifth, %d at the end of %d jobs; %d workers", early, late, *soak, len(workersOf(t))-before)
	if late > early+early/5 {
		t.Errorf("memory grew from %d to %d KiB", early, late)
	}
	_ = w.Close() // what is left is counted
	for end := time.Now().Add(5 * time.Second); len(workersOf(t)) >= before && time.Now().Before(end) && before > 0; {
		time.Sleep(10 * time.Millisecond) // they end by themselves
	}
	if left := len(workersOf(t)); left > max(before-1, 0) {
		var names bytes.Buffer
		for _, p := range workersOf(t) {
			fmt.Fprintln(&names, p.Pid)
		}
		t.Errorf("%d workers are left: %s", left, names.Bytes())
	}
}
