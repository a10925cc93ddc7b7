package sandboxtest

import (
	_ "embed"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

//go:embed server/server.py
var serverText []byte

// WarmPython is a fork server of the suite's own, and the root that it needs.
func WarmPython(t testing.TB) (*sandbox.Server, sandbox.Root) {
	t.Helper()
	py := Python(t)
	return WarmServer(py), py.Root
}

// WarmServer is a fork server of one interpreter.
func WarmServer(py Runtime) *sandbox.Server {
	return &sandbox.Server{
		Args: []string{py.Path, "-I", "-B", sandbox.ServerDir + "/server.py"}, Env: []string{"LC_ALL=C.UTF-8"},
		Files: []sandbox.File{{Name: "server.py", Data: serverText}},
	}
}

// warm runs the suite's Python programs again, forked from a server.
func warm(t *testing.T, b Backend) {
	if !b.Sandbox.Caps().Warm {
		t.Skipf("backend %s has no warm servers here", b.Sandbox.Caps().Backend)
	}
	require(t, b, "native")
	server, root := WarmPython(t)
	t.Run("all alike", func(t *testing.T) { warmAlike(t, b, server, root) })
	for _, c := range []testCase{
		{name: "exit code", python: "import sys; sys.exit(7)", want: sandbox.ExitError, exit: 7},
		{name: "an exception", python: "1/0", want: sandbox.ExitError, exit: 1},
		{name: "a signal", python: "import os; os.abort()", want: sandbox.Signalled, signal: 6},
		{name: "no root, no rights, a filter", python: "import os\nprint(os.getuid(), *[l.split()[1] for l in open('/proc/self/status') if l[:l.find(':')] in ('CapEff', 'CapBnd', 'Seccomp', 'NoNewPrivs')])", want: sandbox.OK, stdout: "1000 0000000000000000 0000000000000000 1 2\n"},
		{name: "descriptors above standard error are closed", python: "import os\nprint([f for f in range(1024) if os.path.exists('/proc/self/fd/%d' % f) and f != 3])", want: sandbox.OK, stdout: "[0, 1, 2]\n"},
		{name: "the server cannot be seen or signalled", python: "import os\nprint([p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()])\nfor p in range(1, 20):\n try: p != os.getpid() and os.kill(p, 9) is None and print('killed', p)\n except OSError: pass", want: sandbox.OK, stdout: "[]\n"},
		{name: "its files cannot be changed", python: "try: open('/server/server.py', 'a'); print('open')\nexcept OSError: print('refused')", want: sandbox.OK, stdout: "refused\n"},
		{name: "killing everything kills only the job", python: "import os\nfor p in (-1, 1, 0):\n try: os.kill(p, 9)\n except OSError: pass", want: sandbox.Signalled},
		{name: "memory over", python: fmt.Sprintf(pyTouch, 200), limits: sandbox.Limits{Memory: 96 * sandbox.MiB}, want: sandbox.MemoryLimit},
		{name: "memory below", python: fmt.Sprintf(pyTouch, 60), limits: sandbox.Limits{Memory: 96 * sandbox.MiB}, want: sandbox.OK},
		{name: "processes at the limit", python: fmt.Sprintf(pyForks, 9), limits: sandbox.Limits{Processes: 10}, want: sandbox.OK},
		{name: "processes over", python: fmt.Sprintf(pyForks, 10), limits: sandbox.Limits{Processes: 10}, want: sandbox.ProcessLimit},
		{name: "asleep", python: "import time; time.sleep(60)", limits: sandbox.Limits{Wall: 300 * time.Millisecond}, want: sandbox.Timeout},
		{name: "computing", python: "while True: pass", limits: sandbox.Limits{CPU: 300 * time.Millisecond}, want: sandbox.CPULimit},
		{name: "flooding", python: "while True: print('x' * 1000)", limits: sandbox.Limits{Output: 5000}, want: sandbox.OutputLimit},
		{name: "forking for ever", python: "import os\nwhile True:\n try: os.fork()\n except OSError: pass", limits: sandbox.Limits{CPU: 300 * time.Millisecond}, want: sandbox.CPULimit},
		{name: "a daemon", python: "import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  while True: pass\n os._exit(0)\nprint('done')", want: sandbox.OK, stdout: "done\n"},
		{name: "disk over", python: "f = open('x', 'wb')\nwhile True: f.write(bytes(65536))", limits: sandbox.Limits{Disk: 4 * sandbox.MiB}, want: sandbox.DiskLimit},
		{name: "files in and out", files: []sandbox.File{{Name: "d/in", Data: []byte("text"), ReadOnly: true}}, python: "open('out', 'w').write(open('d/in').read())", copy: []string{"out"}, want: sandbox.OK, check: wantFiles("out=text")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec := c.spec(t)
			spec.Server, spec.Root = server, root
			spec.Args = []string{"main.py"}
			spec.Files = append(spec.Files, sandbox.File{Name: "main.py", Data: []byte(c.python)})
			r, err := b.Sandbox.Run(t.Context(), spec)
			if err != nil {
				t.Fatalf("run: %v", err)
			}
			verify(t, c, r)
		})
	}
}

// warmAlike runs many jobs on few servers; each sees its own input and nothing of the one before.
func warmAlike(t *testing.T, b Backend, server *sandbox.Server, root sandbox.Root) {
	const program = "import os, sys, builtins\nn = input()\nprint(n, len(os.listdir('/tmp')), hasattr(builtins, 'mark'))\nbuiltins.mark = 1\nopen('/tmp/' + n, 'w')\nif os.fork() == 0: import time; time.sleep(60)\n"
	var wg sync.WaitGroup
	work := make(chan int)
	for range 4 {
		wg.Go(func() {
			for i := range work {
				r, err := b.Sandbox.Run(t.Context(), sandbox.Spec{
					Server: server, Root: root, Args: []string{"main.py"}, Stdin: fmt.Appendln(nil, i),
					Files: []sandbox.File{{Name: "main.py", Data: []byte(program)}},
				})
				if want := fmt.Sprintln(i, 0, "False"); err != nil || r.Status != sandbox.OK || string(r.Stdout.Data) != want {
					t.Errorf("got %q, %v: %s", r.Status, err, describe(r))
				}
			}
		})
	}
	for i := range 60 {
		work <- i
	}
	close(work)
	wg.Wait()
}
