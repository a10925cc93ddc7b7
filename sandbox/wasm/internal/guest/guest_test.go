package guest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/memfs"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/rewrite"
	"github.com/verifyd/verifyd/sandbox/wasm/runtimes"
)

// python is an interpreter with its image, made once: 4 s where nothing is cached.
var python = sync.OnceValues(func() (func(Job) (Outcome, error), error) {
	wasm, err := runtimes.Python().Unpack()
	if err != nil {
		return nil, err
	}
	zip, err := runtimes.PythonLib().Unpack()
	if err != nil {
		return nil, err
	}
	lib, err := memfs.FromZip(zip)
	if err != nil {
		return nil, err
	}
	p, err := rewrite.Rewrite(wasm, Hook())
	if err != nil {
		return nil, err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	ctx := context.Background()
	i, err := New(ctx, p, filepath.Join(dir, "verifyd", "test-wasm"), lib)
	if err != nil {
		return nil, err
	}
	var buf, log bytes.Buffer
	if err := i.Prepare(ctx, nil, nil, nil, &buf, &log); err != nil {
		return nil, fmt.Errorf("%w: %s", err, log.Bytes())
	}
	f, err := os.CreateTemp("", "image")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	if _, err := f.Write(buf.Bytes()); err != nil {
		return nil, err
	}
	image, err := OpenImage(f)
	if err != nil {
		return nil, err
	}
	return func(j Job) (Outcome, error) { return i.Run(ctx, image, j) }, nil
})

func testLimits() Limits {
	return Limits{
		Wall: 5 * time.Second, CPU: 5 * time.Second, Outer: time.Minute, Memory: 256 << 20, Output: 10_000, Disk: 1 << 20, File: 1 << 19,
		OpenFiles: 20, Inodes: 50,
	}
}

func run(t testing.TB, source string, change func(*Job)) Outcome {
	t.Helper()
	py, err := python()
	if err != nil {
		t.Fatal(err)
	}
	j := Job{Args: []string{"-c", source}, Dir: "/work", Limits: testLimits()}
	if change != nil {
		change(&j)
	}
	o, err := py(j)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name, source string
		change       func(*Job)
		end          End
		exit         int
		stdout       string
	}{
		{name: "print", source: "print(1)", end: Exited, stdout: "1\n"},
		{name: "input", source: "print(input()[::-1])", change: func(j *Job) { j.Stdin = []byte("abc\n") }, end: Exited, stdout: "cba\n"},
		{name: "exit code", source: "import sys; sys.exit(7)", end: Exited, exit: 7},
		{name: "_exit", source: "import os; os._exit(3)", end: Exited, exit: 3},
		{name: "exception", source: "1/0", end: Exited, exit: 1},
		{name: "abort", source: "import os; os.abort()", end: Trapped, exit: -1},
		{name: "loop", source: "while True: pass", change: func(j *Job) { j.Limits.Wall = 200 * time.Millisecond }, end: OverTime, exit: -1},
		{name: "asleep", source: "import time; time.sleep(50)", change: func(j *Job) { j.Limits.Wall = 200 * time.Millisecond }, end: OverTime, exit: -1},
		{name: "sleep", source: "import time; time.sleep(0.1); print('up')", end: Exited, stdout: "up\n"},
		{name: "one C call", source: "10**(10**8)", change: func(j *Job) { j.Limits.Wall = 200 * time.Millisecond }, end: OverTime, exit: -1},
		{name: "an evil pattern", source: "import re; re.match('(a+)+$', 'a'*60+'b')", change: func(j *Job) { j.Limits.Wall = 200 * time.Millisecond }, end: OverTime, exit: -1},
		{name: "fuel", source: "while True: pass", change: func(j *Job) { j.Limits.Fuel = 3_000_000 }, end: OverFuel, exit: -1},
		{name: "memory", source: "b = bytearray(200 << 20)\nc = bytearray(200 << 20)", end: OverSize, exit: -1},
		{name: "more than there can be", source: "try: bytearray(1 << 40)\nexcept (MemoryError, OverflowError): print('no')", end: Exited, stdout: "no\n"},
		{name: "flood", source: "while True: print('x' * 1000)", end: OverWrite, exit: -1},
		{name: "files", source: "open('a', 'w').write('x'); import os; print(os.listdir('.'), os.getcwd())", end: Exited, stdout: "['a'] /work\n"},
		{name: "disk", source: "f = open('a', 'wb')\nf.write(bytes(600000))", end: Exited, exit: 1},
		{name: "recursion", source: "def f(n): return 0 if n == 0 else 1 + f(n-1)\nimport sys; sys.setrecursionlimit(10**6); print(f(20000))", end: Exited, stdout: "20000\n"},
		{name: "a link out of the folder", source: "import os\nfor f in (os.symlink, os.link):\n try: f('../../../../../../etc/hostname', '/work/a'); print(open('/work/a').read())\n except (OSError, NotImplementedError) as e: print('refused')", end: Exited, stdout: "refused\nrefused\n"},
		{name: "modules", source: "import xml.dom.minidom, sqlite3", end: Exited, exit: 1},
		{name: "environment", source: "import os; print(dict(os.environ))", change: func(j *Job) { j.Env = []string{"A=1", "B=2"} }, end: Exited, stdout: "{'A': '1', 'B': '2'}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			o := run(t, c.source, c.change)
			if o.End != c.end || o.Exit != c.exit || c.stdout != "" && string(o.Stdout.Data) != c.stdout {
				t.Errorf("%s, exit %d, stdout %.100q, stderr %.1000s", o.End, o.Exit, o.Stdout.Data, o.Stderr.Data)
			}
			t.Logf("%v: cpu %v own %v wall %v memory %d fuel %d", time.Since(began), o.CPU, o.Own, o.Wall, o.Memory>>20, o.Fuel)
		})
	}
}

func TestFuelIsTheSameEachTime(t *testing.T) {
	var first int64
	for n := range 30 {
		o := run(t, "import random\nd = {str(i): random.random() for i in range(1000)}\nprint(sorted(d.items())[:2], len(set(d)))", nil)
		if n == 0 {
			first = o.Fuel
		}
		if o.Fuel != first || o.Fuel < 1000 {
			t.Fatalf("run %d used %d, the first %d: %s", n, o.Fuel, first, o.Stderr.Data)
		}
	}
	t.Log(first)
}

func TestRandomnessIsTheSeeds(t *testing.T) {
	const source = "import random, os, uuid\nprint(random.random(), os.urandom(4).hex(), uuid.uuid4())"
	one, again := run(t, source, nil), run(t, source, nil)
	other := run(t, source, func(j *Job) { j.Seed[0] = 1 })
	if !bytes.Equal(one.Stdout.Data, again.Stdout.Data) || bytes.Equal(one.Stdout.Data, other.Stdout.Data) || len(one.Stdout.Data) < 50 {
		t.Errorf("%s%s%s", one.Stdout.Data, again.Stdout.Data, other.Stdout.Data)
	}
}

func TestTalk(t *testing.T) {
	var got strings.Builder
	var c *Channel
	c = NewChannel(func(p []byte) {
		got.Write(p)
		c.Allow(len(p))
		if strings.HasSuffix(got.String(), "ask\n") {
			go c.Deliver([]byte("answer"))
		}
	}, func(int) {})
	o := run(t, "import os\nf = os.open('/dev/talk', os.O_RDWR)\nos.write(f, b'ask\\n')\nos.write(f, os.read(f, 100))", func(j *Job) { j.Control, j.Talk = c, true })
	if o.End != Exited || o.Exit != 0 || got.String() != "ask\nanswer" {
		t.Errorf("%s %d, %q, %s", o.End, o.Exit, got.String(), o.Stderr.Data)
	}
}

func BenchmarkPrint(b *testing.B) {
	for b.Loop() {
		run(b, "print(1)", nil)
	}
}
