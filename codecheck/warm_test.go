package codecheck_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// A program cannot tell a child of a warm server from an interpreter of its own, but for the names in sys.modules.
func TestWarmAndColdAlike(t *testing.T) {
	const deep = "def down(n):\n    try: return down(n + 1)\n    except RecursionError: return n\nprint(down(0) > 980, down(0) < 1001)\n"
	tests := []struct {
		name, program, input, output string
		want                         codecheck.Status
	}{
		{"the module of a script", "import sys\nprint(__name__, __file__, sys.argv, sys.modules['__main__'].__dict__ is globals(), __builtins__.__name__)", "", "__main__ /work/solution.py ['/work/solution.py'] True builtins\n", codecheck.Passed},
		{"flags", "import sys\nf = sys.flags\nprint(f.isolated, f.no_site, f.utf8_mode, f.hash_randomization, f.dont_write_bytecode, f.optimize, f.safe_path)", "", "1 1 1 1 1 0 True\n", codecheck.Passed},
		{"the stack is as deep as ever", "import sys\nprint(sys.getrecursionlimit())\n" + deep, "", "1000\nTrue True\n", codecheck.Passed},
		{"signals", "import signal\nfor s in (signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGCHLD, signal.SIGXFSZ, signal.SIGHUP, signal.SIGALRM): print(getattr(signal.getsignal(s), 'name', 'own'), end=' ')\nprint(signal.pthread_sigmask(signal.SIG_BLOCK, []))", "", "own SIG_IGN SIG_DFL SIG_DFL SIG_IGN SIG_DFL SIG_DFL set()\n", codecheck.Passed},
		{"environment and folder", "import os\nprint(dict(os.environ), os.getcwd(), os.listdir('/work'))", "", "{'PATH': '/usr/local/bin:/usr/bin:/bin', 'PYTHONDONTWRITEBYTECODE': '1', 'LC_CTYPE': 'C.UTF-8'} /work ['solution.py']\n", codecheck.Passed},
		{"streams", "import sys\nfor s in (sys.stdin, sys.stdout, sys.stderr): print(s.name, s.fileno(), s.encoding, s.errors, s.line_buffering, s.seekable(), s.isatty(), s is getattr(sys, '__%s__' % s.name[1:-1]))", "", "<stdin> 0 utf-8 surrogateescape False False False True\n<stdout> 1 utf-8 surrogateescape False False False True\n<stderr> 2 utf-8 backslashreplace True False False True\n", codecheck.Passed},
		{"input", "import sys\na = input()\nb = sys.stdin.readline()\nprint([a, b, sys.stdin.read()])", "1\r\n2\nö", "['1\\r', '2\\n', 'ö']\n", codecheck.Passed},
		{"descriptors", "import os\nprint(sorted(int(f) for f in os.listdir('/proc/self/fd'))[:3], len(os.listdir('/proc/self/fd')))", "", "[0, 1, 2] 4\n", codecheck.Passed},
		{"one thread, in the interpreter's eyes too", "import threading, os\nprint(threading.active_count(), threading.current_thread() is threading.main_thread(), len(os.listdir('/proc/self/task')), threading.get_native_id() == os.getpid())", "", "1 True 1 True\n", codecheck.Passed},
		{"garbage is collected", "import gc\nclass A:\n    def __del__(self): print('gone')\na = A(); a.a = a; del a\nprint(gc.isenabled(), gc.get_threshold())\ngc.collect()", "", "True (700, 10, 10)\ngone\n", codecheck.Passed},
		{"functions for the end, last one first", "import atexit\natexit.register(print, 'one')\natexit.register(print, 'two')", "", "two\none\n", codecheck.Passed},
		{"threads are waited for", "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('done'))).start()", "", "done\n", codecheck.Passed},
		{"daemons are not", "import threading, time\nthreading.Thread(target=lambda: time.sleep(60), daemon=True).start()\nprint(1)", "", "1\n", codecheck.Passed},
		{"objects of the module end with it", "class A:\n    def __del__(self): print('gone')\na = A()\nb = [A()]\nb.append(b)", "", "gone\ngone\n", codecheck.Passed},
		{"an exit code", "import sys\nprint(1)\nsys.exit(3)", "", "1\n", codecheck.RuntimeError},
		{"no exit code", "import sys\nprint(1)\nsys.exit()", "", "1\n", codecheck.Passed},
		{"a text as exit code", "import sys\nprint(1)\nsys.exit('text')", "", "1\n", codecheck.RuntimeError},
		{"an exception", "print(1)\n1 / 0", "", "1\n", codecheck.RuntimeError},
		{"an interrupt", "print(1)\nraise KeyboardInterrupt", "", "1\n", codecheck.Signal},
		{"a hook for exceptions", "import sys\nsys.excepthook = lambda *a: print(a[0].__name__)\n1 / 0", "", "", codecheck.RuntimeError},
		{"output that cannot be written", "import os, sys\nprint(1)\nos.close(1)", "", "", codecheck.RuntimeError},
		{"no syntax", "print(", "", "", codecheck.SyntaxError},
		{"a module that was loaded ahead is not changed by another job", "import math\nprint(hasattr(math, 'mark'))\nmath.mark = 1", "", "False\n", codecheck.Passed},
	}
	for _, tt := range tests {
		for _, cold := range []bool{false, true} {
			t.Run(tt.name+map[bool]string{false: "/warm", true: "/cold"}[cold], func(t *testing.T) {
				t.Parallel()
				suite, err := json.Marshal(map[string]any{"format": "stdin_stdout", "inputs": []string{tt.input}, "outputs": []string{tt.output}, "compare": map[string]any{"whitespace": "exact"}})
				if err != nil {
					t.Fatal(err)
				}
				rep := check(t, codecheck.Task{Answer: "```python\n" + tt.program + "\n```", Tests: parse(t, string(suite)), Cold: cold})
				if rep.Status != tt.want {
					t.Errorf("got %s (%s), want %s", rep.Status, rep.Reason, tt.want)
				}
			})
		}
	}
}

// Chance is not the same in every child of a server: of twenty tosses, not all fall alike.
func TestWarmJobsDoNotShareChance(t *testing.T) {
	passed := 0
	const n = 20
	for range n {
		rep := check(t, codecheck.Task{Answer: "import random\ndef f(): return random.random() < 0.5", Tests: parse(t, `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [true]}`)})
		passed += rep.Tests.Passed
	}
	if passed == 0 || passed == n {
		t.Errorf("%d of %d tosses fell alike", max(passed, n-passed), n)
	}
}

// What tests hold is in no memory that a program could come from: neither server has seen them.
func TestServersKnowNoTests(t *testing.T) {
	const snoop = `
import gc, sys
def f(x):
    found = []
    for o in gc.get_objects():
        if type(o) in (list, tuple, dict) and 'MARK' + '42' in repr(o)[:100000]: found.append(o)
    g = sys._getframe()
    while g:
        if any('MARK' + '42' in str(v) for v in list(g.f_locals.values()) + list(g.f_code.co_consts)): found.append(g)
        g = g.f_back
    return 'MARK' + '42' if found else 0
`
	for range 6 { // several children of each server
		rep := check(t, codecheck.Task{Answer: strings.ReplaceAll(snoop, "'MARK' + '42'", "''.join(('MAR', 'K42'))"), Tests: parse(t, `"assert f(1) == 'MARK42'\nassert f(2) == 'MARK42'"`)})
		if rep.Status != codecheck.WrongAnswer || rep.Integrity != codecheck.Split {
			t.Fatalf("got %s, %s (%s)", rep.Status, rep.Integrity, rep.Reason)
		}
	}
}
