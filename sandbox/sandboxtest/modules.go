package sandboxtest

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// modules runs, on backends that bring interpreters along instead of running native programs, what the other groups do with a shell.
func modules(t *testing.T, b Backend) {
	if !b.modules() {
		t.Skipf("backend %s brings no interpreters along", b.Sandbox.Caps().Backend)
	}
	small := sandbox.Limits{Output: 1000}
	guarded := []sandbox.File{{Name: "lib/trusted.txt", Data: []byte("truth\n"), ReadOnly: true}}
	big := strings.Repeat("0123456789abcde\n", 1<<15)
	runCases(t, b, []testCase{
		{name: "an exit code", python: "import sys; sys.exit(7)", want: sandbox.ExitError, exit: 7},
		{name: "exit code 137 is only an exit code", python: "import os; os._exit(137)", want: sandbox.ExitError, exit: 137},
		{name: "the environment is the given one", python: "import os; print(sorted(os.environ.items()))", env: []string{"A=1", "B=x y"}, want: sandbox.OK, stdout: "[('A', '1'), ('B', 'x y')]\n"},
		{name: "arguments arrive byte for byte", python: "import sys; print(ascii(sys.argv[1:]))", args: []string{"", "a b", "\n", "ü", "*"}, want: sandbox.OK, stdout: `['', 'a b', '\n', '\xfc', '*']` + "\n"},
		{name: "the working directory", python: "import os; print(os.getcwd())", want: sandbox.OK, stdout: sandbox.WorkDir + "\n"},
		{name: "another one", python: "import os; print(os.getcwd())", dir: "/tmp", want: sandbox.OK, stdout: "/tmp\n"},
		{name: "standard input arrives whole, then ends", python: "import sys; sys.stdout.write(sys.stdin.read())", stdin: big, want: sandbox.OK, stdout: big},
		{name: "both streams are kept apart", python: "import sys; print('out'); print('err', file=sys.stderr)", want: sandbox.OK, stdout: "out\n", check: wantStderr("err\n")},
		{name: "output of exactly the limit is whole", python: "print('x' * 1000, end='')", limits: small, want: sandbox.OK, check: wantSize(1000, false)},
		{name: "a byte more is output_limit", python: "print('x' * 1001, end='')", limits: small, want: sandbox.OutputLimit, check: wantSize(1000, true)},
		{name: "a flood of standard error", python: "import sys\nwhile True: sys.stderr.write('x' * 100)", limits: small, want: sandbox.OutputLimit},
		{name: "wall below, asleep", python: "import time; time.sleep(0.2)", limits: sandbox.Limits{Wall: 700 * time.Millisecond}, want: sandbox.OK},
		{name: "wall over, asleep", python: "import time; time.sleep(60)", limits: sandbox.Limits{Wall: 300 * time.Millisecond}, want: sandbox.Timeout},
		{name: "cpu over in one call", python: "10 ** (10 ** 8)", limits: sandbox.Limits{CPU: 300 * time.Millisecond, Wall: 20 * time.Second}, want: sandbox.CPULimit},
		{name: "cpu over in a pattern", python: "import re; re.match('(a+)+$', 'a' * 60 + 'b')", limits: sandbox.Limits{CPU: 300 * time.Millisecond, Wall: 20 * time.Second}, want: sandbox.CPULimit},
		{name: "memory over at once", python: "bytearray(300 << 20)", limits: sandbox.Limits{Memory: 96 * sandbox.MiB}, want: sandbox.MemoryLimit},
		{name: "memory over by and by, coped with", python: "b = []\ntry:\n while True: b.append(bytearray(1 << 20))\nexcept MemoryError: b = None", limits: sandbox.Limits{Memory: 96 * sandbox.MiB}, want: sandbox.MemoryLimit},
		{name: "disk over by one file", python: "open('x', 'wb').write(bytes(5000000))", limits: sandbox.Limits{Disk: 4 * sandbox.MiB}, want: sandbox.DiskLimit},
		{name: "disk over by two folders", python: "for d in ('.', '/tmp'): open(d + '/x', 'wb').write(bytes(2500000))", limits: sandbox.Limits{Disk: 4 * sandbox.MiB}, want: sandbox.DiskLimit},
		{name: "disk over and coped with is ok", python: "f = open('x', 'wb', 0)\ntry:\n while True: f.write(bytes(100000))\nexcept OSError: print('full')", limits: sandbox.Limits{Disk: sandbox.MiB}, want: sandbox.OK, stdout: "full\n"},
		{name: "given files do not use up the disk", files: []sandbox.File{{Name: "big", Data: make([]byte, 3<<20)}}, python: "open('x', 'wb').write(bytes(4000000))", limits: sandbox.Limits{Disk: 4 * sandbox.MiB}, want: sandbox.OK},
		{name: "a file over its limit by truncation", python: "open('x', 'wb').truncate(1 << 40)", limits: sandbox.Limits{File: sandbox.MiB}, want: sandbox.DiskLimit},
		{name: "a file is there, changed and removed", files: []sandbox.File{{Name: "a/b c/ü.txt", Data: []byte("text")}}, python: "import os\np = 'a/b c/ü.txt'\nopen(p, 'a').write('more')\nprint(open(p).read())\nos.remove(p)", want: sandbox.OK, stdout: "textmore\n"},
		{
			name: "a read-only file stays as it is", files: guarded, want: sandbox.OK, stdout: "truth\n\n",
			python: "import os, shutil\np = 'lib/trusted.txt'\nfor f in (lambda: open(p, 'w'), lambda: open(p, 'a'), lambda: os.remove(p), lambda: os.rename('lib', 'old'), lambda: shutil.rmtree('lib'), lambda: (open('n', 'w'), os.replace('n', p)), lambda: os.truncate(p, 0)):\n try: f(); print('done')\n except OSError: pass\nprint(open(p).read())",
		},
		{name: "files come back", python: "import os\nos.mkdir('d')\nopen('a', 'w').write('one')\nopen('d/b', 'w').write('two')", copy: []string{"a", "d/b", "missing", "d"}, want: sandbox.OK, check: wantFiles("a=one d/b=two")},
		{name: "files come back after a failure", python: "open('a', 'w').write('one')\n1/0", copy: []string{"a"}, want: sandbox.ExitError, exit: 1, check: wantFiles("a=one")},
		{name: "links cannot be made", python: "import os\nfor f in (os.symlink, os.link):\n try: f('../../../etc/hostname', 'a'); print(open('a').read())\n except OSError: print('refused')", want: sandbox.OK, stdout: "refused\nrefused\n"},
		{name: "nothing of the host is there", python: "import os\nprint(sorted(os.listdir('/')), os.path.exists('/etc/passwd'), os.path.exists('/work/../../etc/passwd'))", want: sandbox.OK, stdout: "['bin', 'dev', 'lib', 'tmp', 'work'] False False\n"},
		{name: "the root cannot be written", python: "import os\nfor d in ('/', '/lib', '/lib/python3.11', '/dev'):\n try: open(d + '/x', 'w'); print(d)\n except OSError: pass", want: sandbox.OK, check: wantNoOutput},
		{name: "a job finds nothing of the one before", python: "import os\nprint(os.listdir('/work'), os.listdir('/tmp'))\nopen('/work/r', 'w'); open('/tmp/r', 'w')", want: sandbox.OK, stdout: "[] []\n"},
		{name: "nor does the next one", python: "import os\nprint(os.listdir('/work'), os.listdir('/tmp'))\nopen('/work/r', 'w'); open('/tmp/r', 'w')", want: sandbox.OK, stdout: "[] []\n"},
	})
	t.Run("a program that is not there is an error and no verdict", func(t *testing.T) {
		for _, args := range [][]string{{"/no/such/program"}, {"sh", "-c", "exit 0"}} {
			if _, err := b.Sandbox.Run(t.Context(), sandbox.Spec{Args: args}); !errors.Is(err, sandbox.ErrNoProgram) {
				t.Errorf("%v: error %v, want ErrNoProgram", args, err)
			}
		}
	})
	t.Run("a folder of the host is refused", func(t *testing.T) {
		spec := testCase{python: "print(1)"}.on(t, b)
		spec.Root.Binds = []sandbox.Bind{{Host: "/etc", Job: "/etc"}}
		if _, err := b.Sandbox.Run(t.Context(), spec); !errors.Is(err, sandbox.ErrUnsupported) {
			t.Errorf("error %v, want ErrUnsupported", err)
		}
	})
	t.Run("one hundred runs, eight at once, all alike", func(t *testing.T) { modulesAlike(t, b) })
	t.Run("talk", func(t *testing.T) { modulesTalk(t, b) })
}

func modulesAlike(t *testing.T, b Backend) {
	var wg sync.WaitGroup
	work := make(chan int)
	for range 8 {
		wg.Go(func() {
			for i := range work {
				r, err := b.Sandbox.Run(t.Context(), testCase{python: "import builtins\nprint(input(), hasattr(builtins, 'mark'))\nbuiltins.mark = 1\nraise SystemExit(3)", stdin: fmt.Sprintln(i)}.on(t, b))
				if want := fmt.Sprintln(i, "False"); err != nil || r.ExitCode != 3 || string(r.Stdout.Data) != want {
					t.Errorf("%v, got %q: %s", err, r.Status, describe(r))
				}
			}
		})
	}
	for i := range 100 {
		work <- i
	}
	close(work)
	wg.Wait()
}

// modulesTalk speaks with programs by the device that stands for descriptor 3.
func modulesTalk(t *testing.T, b Backend) {
	const open = "import os\nf = os.open('/dev/talk', os.O_RDWR)\n"
	talkTo := func(t *testing.T, program string, l sandbox.Limits, talk func(sandbox.Conn)) sandbox.Result {
		t.Helper()
		spec := testCase{python: program, limits: l}.on(t, b)
		spec.Talk = talk
		r, err := b.Sandbox.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("questions and answers, and time that is the engine's", func(t *testing.T) {
		r := talkTo(t, open+"while True:\n x = os.read(f, 100)\n if x == b'end': break\n os.write(f, b'got ' + x + b'\\n')", sandbox.Limits{Wall: 500 * time.Millisecond}, func(c sandbox.Conn) {
			in := bufio.NewReader(c)
			for _, word := range []string{"one", "two", "three"} {
				c.Pause()
				time.Sleep(300 * time.Millisecond) // the engine's turn: this is what is measured
				c.Resume()
				_, _ = fmt.Fprint(c, word)
				if line, err := in.ReadString('\n'); line != "got "+word+"\n" {
					t.Errorf("read %q, %v", line, err)
				}
			}
			_, _ = fmt.Fprint(c, "end")
		})
		if r.Status != sandbox.OK || r.Usage.Wall < 800*time.Millisecond || r.Usage.Own > 500*time.Millisecond {
			t.Errorf("%q: %s", r.Status, describe(r))
		}
	})
	t.Run("waiting for nobody is own time", func(t *testing.T) {
		if r := talkTo(t, open+"os.read(f, 1)", sandbox.Limits{Wall: 300 * time.Millisecond}, func(sandbox.Conn) {}); r.Status != sandbox.Timeout {
			t.Errorf("%q: %s", r.Status, describe(r))
		}
	})
	t.Run("a program that never reads ends a pending write", func(t *testing.T) {
		r := talkTo(t, "import time; time.sleep(60)", sandbox.Limits{Wall: 300 * time.Millisecond}, func(c sandbox.Conn) { _, _ = c.Write(make([]byte, 16<<20)) })
		if r.Status != sandbox.Timeout {
			t.Errorf("%q: %s", r.Status, describe(r))
		}
	})
	t.Run("an engine that never reads ends a pending write, too", func(t *testing.T) {
		r := talkTo(t, open+"while True: os.write(f, bytes(100000))", sandbox.Limits{Wall: 300 * time.Millisecond}, func(sandbox.Conn) {})
		if r.Status != sandbox.Timeout {
			t.Errorf("%q: %s", r.Status, describe(r))
		}
	})
	t.Run("megabytes in both directions", func(t *testing.T) {
		got := 0
		r := talkTo(t, open+"n = 0\nwhile n < 5000000: n += len(os.read(f, 1 << 20))\nv = memoryview(bytes(5000000))\nwhile v: v = v[os.write(f, v):]", sandbox.Limits{}, func(c sandbox.Conn) {
			_, _ = c.Write(make([]byte, 5_000_000))
			buf := make([]byte, 1<<16)
			for {
				n, err := c.Read(buf)
				if got += n; err != nil {
					return
				}
			}
		})
		if r.Status != sandbox.OK || got != 5_000_000 {
			t.Errorf("%q, %d bytes: %s", r.Status, got, describe(r))
		}
	})
}
