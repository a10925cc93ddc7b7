package wasm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	code := m.Run()
	if w, err := shared(); err == nil {
		_ = w.Close()
	}
	os.Exit(code)
}

// shared is one backend for all tests, in the user's own cache: the images are made once on a machine.
var shared = sync.OnceValues(func() (*Wasm, error) {
	return New(Config{Progress: func(s string) { fmt.Fprintln(os.Stderr, s) }})
})

func backend(t testing.TB) *Wasm {
	t.Helper()
	w, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func python(t testing.TB, source string, change func(*sandbox.Spec)) sandbox.Result {
	t.Helper()
	spec := sandbox.Spec{Args: []string{"python3", "main.py"}, Files: []sandbox.File{{Name: "main.py", Data: []byte(source)}}}
	if change != nil {
		change(&spec)
	}
	r, err := backend(t).Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	t.Logf("%+v", backend(t).Caps())
	r := python(t, "print(input())\nimport sys; sys.exit(3)", func(s *sandbox.Spec) { s.Stdin = []byte("word\n") })
	if r.Status != sandbox.ExitError || r.ExitCode != 3 || string(r.Stdout.Data) != "word\n" {
		t.Errorf("%+v: %s", r, r.Stderr.Data)
	}
}

func TestAWorkerThatIsKilledCostsARetry(t *testing.T) {
	w := backend(t)
	done := make(chan sandbox.Result, 1)
	go func() {
		r, err := w.Run(context.Background(), sandbox.Spec{Args: []string{"python3", "-c", "for i in range(4_000_000): pass\nprint('done')"}})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	_ = busiest(t).Kill() // one alone: a second kill would meet the retry
	if r := <-done; r.Status != sandbox.OK || string(r.Stdout.Data) != "done\n" {
		t.Errorf("%+v", r)
	}
}

// busiest waits for a worker that computes.
func busiest(t *testing.T) *os.Process {
	t.Helper()
	first := map[int]int{}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) { // what computes can only be watched
		for _, p := range workersOf(t) {
			now := ticks(p.Pid)
			before, seen := first[p.Pid]
			if !seen {
				first[p.Pid] = now
			} else if now >= before+10 {
				return p
			}
		}
	}
	t.Fatal("no worker computes")
	return nil
}

// ticks is a process's time in user mode.
func ticks(pid int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	n, _ := strconv.Atoi(fields[11]) // proc(5): utime is the fourteenth
	return n
}

func TestTalkIsNotRepeated(t *testing.T) {
	w := backend(t)
	calls := 0
	_, err := w.Run(t.Context(), sandbox.Spec{
		Args: []string{"python3", "-c", "import os; f = os.open('/dev/talk', os.O_RDWR); os.write(f, b'x'); os.read(f, 1)"},
		Talk: func(c sandbox.Conn) {
			calls++
			_, _ = io.ReadFull(c, make([]byte, 1))
			for _, p := range workersOf(t) {
				_ = p.Kill() // it may have ended
			}
			_, _ = io.ReadAll(c)
		},
	})
	if !errors.Is(err, sandbox.ErrMachine) || calls != 1 {
		t.Errorf("error %v, %d calls", err, calls)
	}
}

// workersOf are the processes that were started from this one.
func workersOf(t *testing.T) (list []*os.Process) {
	t.Helper()
	names, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("no /proc here")
	}
	for _, n := range names {
		var pid int
		if _, err := fmt.Sscan(n.Name(), &pid); err != nil {
			continue
		}
		status, _ := os.ReadFile("/proc/" + n.Name() + "/status")
		if bytes.Contains(status, fmt.Appendf(nil, "\nPPid:\t%d\n", os.Getpid())) {
			if p, err := os.FindProcess(pid); err == nil {
				list = append(list, p)
			}
		}
	}
	return list
}

func TestSnapshots(t *testing.T) {
	server := &sandbox.Server{
		Files: []sandbox.File{{Name: "harness.py", Data: []byte("word = 'from the harness'")}},
		Snapshot: &sandbox.Snapshot{
			Prepare: "import sys\nnames = {}\nexec(open('/server/harness.py').read(), names)\nsys.modules['harness'] = type(sys)('harness')\nsys.modules['harness'].word = names['word']",
			Run:     []string{"python3", "-I", "-c", "import sys, harness; print(harness.word, sys.argv[1:])"},
		},
	}
	for range 3 {
		r := python(t, "", func(s *sandbox.Spec) { s.Server, s.Args = server, []string{"a", "b"} })
		if r.Status != sandbox.OK || string(r.Stdout.Data) != "from the harness ['a', 'b']\n" {
			t.Errorf("%+v: %s", r, r.Stderr.Data)
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for source, want := range map[string]string{
		"import threading; threading.Thread(target=print).start()": "[threads]",
		"import subprocess; subprocess.run(['ls'])":                "[processes]",
		"import os; os.fork()":                                     "[processes]",
		"import socket; socket.socket()":                           "[sockets]",
		"import numpy as np":                                       "[native packages]",
		"import ctypes":                                            "[native modules]",
		"try: import numpy\nexcept ImportError: print(1)":          "[native packages]",
		"import os; os.dup(1)":                                     "[descriptors]",
		"import os; os.statvfs('/')":                               "[file systems]",
		"import select; select.epoll()":                            "[descriptors]",
		"import nothing_of_this_name":                              "[]",
		"from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(print)": "[threads]",
	} {
		if r := python(t, source, nil); fmt.Sprint(r.Lacks) != want {
			t.Errorf("%s: lacks %v, want %s; %s", source, r.Lacks, want, r.Stderr.Data)
		}
	}
}

func TestTheVersionIsThatOfTheModule(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("github.com/tetratelabs/wazero "+wazeroVersion)) {
		t.Errorf("go.mod names another wazero than %s", wazeroVersion)
	}
}
