package codecheck_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

const add = "def add(a, b):\n    return a + b\n"

func TestCheck(t *testing.T) {
	const bare = `"assert add(2, 3) == 5\nassert add(-1, 1) == 0\n"`
	tests := []struct {
		name      string
		answer    string
		tests     string
		setup     string
		score     codecheck.Score
		want      codecheck.Status
		reward    float64
		passed    int
		total     int
		integrity codecheck.Integrity
	}{
		{"a right program passes", add, bare, "", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"a wrong one does not", strings.Replace(add, "+", "-", 1), bare, "", "", codecheck.WrongAnswer, 0, 0, 2, codecheck.Split},
		{"half of the assertions is half of a fraction", "def add(a, b): return abs(a) + b\n", bare, "", codecheck.ScoreFraction, codecheck.WrongAnswer, 0.5, 1, 2, codecheck.Split},
		{"what came before the first failure", "def add(a, b): return abs(a) + b\n", bare, "", codecheck.ScoreFirstFailure, codecheck.WrongAnswer, 0.5, 1, 2, codecheck.Split},
		{"only the first ones are run", "def f(x): return x if x < 3 else 0\n", `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2], [3]], "outputs": [1, 2, 3], "first_n": 2}`, "", codecheck.ScoreFirstN, codecheck.Passed, 1, 2, 3, codecheck.Engine},
		{"prose is no program", "I cannot solve this.", bare, "", "", codecheck.SyntaxError, 0, 0, 0, codecheck.Split},
		{"an empty answer holds no code", " \n", bare, "", "", codecheck.NoCode, 0, 0, 0, codecheck.Split},
		{"exit before the tests is no pass", "import os\nos._exit(0)", bare, "", "", codecheck.EarlyExit, 0, 0, 0, codecheck.Split},
		{"exit inside the tested function is none either", "import os\ndef add(a, b): os._exit(0)", bare, "", "", codecheck.EarlyExit, 0, 0, 0, codecheck.Split},
		{"SystemExit is caught", "import sys\ndef add(a, b): sys.exit(0)", bare, "", "", codecheck.EarlyExit, 0, 0, 2, codecheck.Split},
		{"the program's own test functions are no tests", "def test_add(): pass\n" + strings.Replace(add, "+", "-", 1), `"def test_add():\n    assert add(1, 1) == 2"`, "", "", codecheck.WrongAnswer, 0, 0, 1, codecheck.Split},
		{"threads that are left do not count", "import threading, time\nthreading.Thread(target=time.sleep, args=[60]).start()\n" + add, bare, "", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"children that are left do not count", "import subprocess\nsubprocess.Popen(['sleep', '60'])\n" + add, bare, "", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"output does not count", "import sys\nsys.stdout.buffer.write(b'\\xff' * 1000)\n" + add, bare, "", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"set-up comes first", add, `"assert base == add(3, 4)"`, "base = 7", "", codecheck.Passed, 1, 1, 1, codecheck.Split},
		{"a future import may follow set-up", "from __future__ import annotations\n" + add, bare, "base = 7", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"a class of tests is run", add, `"import unittest\nclass X(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 1), 3)"`, "", "", codecheck.WrongAnswer, 0, 0, 1, codecheck.Split},
		{"an async test is awaited", add, `"async def test_a():\n    assert add(1, 1) == 3"`, "", "", codecheck.WrongAnswer, 0, 0, 1, codecheck.Split},
		{"a list of texts is one suite", add, `["assert add(1, 1) == 2", "assert add(2, 2) == 4"]`, "", "", codecheck.Passed, 1, 2, 2, codecheck.Split},
		{"tests that do not compile are broken", add, `"assert add(1,"`, "", "", codecheck.BrokenTests, 0, 0, 0, codecheck.Split},
		{"even when the program does not compile", "def", `"assert add(1,"`, "", "", codecheck.BrokenTests, 0, 0, 0, codecheck.Split},
		{"a test with an argument of nobody's is broken", add, `"def test_a(x):\n    assert True"`, "", "", codecheck.BrokenTests, 0, 0, 0, codecheck.Split},
		{"a module that is not there is the task's fault", add, `"import no_such_module_at_all\nassert add(1, 1) == 2"`, "", "", codecheck.MissingDependency, 0, 0, 0, codecheck.Split},
		{"comments are no tests", add, `"# nothing\nx = 1"`, "", "", codecheck.NoTests, 0, 0, 0, codecheck.Split},
		{"tests that patch the program share its interpreter", "def f(): return g()\ndef g(): return 1\n", `"from unittest.mock import patch\nimport solution\nwith patch('solution.g', return_value=5):\n    assert f() == 5"`, "", "", codecheck.Passed, 1, 1, 1, codecheck.Lineup},
		{"tests that share files do too", "def f(p): return open(p).read()\n", `"import os\nwith open('a.txt', 'w') as h: h.write('x')\nassert f('a.txt') == 'x'"`, "", "", codecheck.Passed, 1, 2, 2, codecheck.Lineup},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, tt.tests), Setup: tt.setup, Score: tt.score})
			if rep.Status != tt.want || rep.Reward != tt.reward || rep.Integrity != tt.integrity {
				t.Errorf("got %s, reward %v, %s (%s); want %s, %v, %s", rep.Status, rep.Reward, rep.Integrity, rep.Reason, tt.want, tt.reward, tt.integrity)
			}
			if rep.Tests.Passed != tt.passed || rep.Tests.Total != tt.total {
				t.Errorf("%d of %d tests passed, want %d of %d", rep.Tests.Passed, rep.Tests.Total, tt.passed, tt.total)
			}
		})
	}
}

func TestLimitsAreTheCandidatesFault(t *testing.T) {
	tests := []struct {
		name, answer string
		tests        string
		limits       sandbox.Limits
		want         []codecheck.Status
	}{
		{"a sleeper", "import time\ntime.sleep(60)", `"assert add(1, 1) == 2"`, sandbox.Limits{Wall: time.Second}, []codecheck.Status{codecheck.Timeout}},
		{"a spinner", "def add(a, b):\n    while True: pass", `"assert add(1, 1) == 2"`, sandbox.Limits{Wall: 4 * time.Second, CPU: time.Second}, []codecheck.Status{codecheck.CPULimit}},
		{"a glutton", "def add(a, b): return len(bytearray(1 << 30))", `"assert add(1, 1) == 2"`, sandbox.Limits{Memory: 64 * sandbox.MiB}, []codecheck.Status{codecheck.MemoryLimit, codecheck.RuntimeError}},
		{"a flood", "print('x' * (1 << 24))\ndef add(a, b): return 2", `"assert add(1, 1) == 2"`, sandbox.Limits{Output: sandbox.MiB}, []codecheck.Status{codecheck.OutputLimit}},
		{"an endless iterator", "def add(a, b):\n    while True: yield 1", `"assert list(add(1, 1)) == [1]"`, sandbox.Limits{Wall: time.Second}, []codecheck.Status{codecheck.Timeout, codecheck.CPULimit, codecheck.RuntimeError}},
		{"a sleeper in a case", "import time\ndef f(x): time.sleep(60)", `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2]], "outputs": [1, 2]}`, sandbox.Limits{Wall: time.Second}, []codecheck.Status{codecheck.Timeout}},
		{"a program that reads on", "input(); input()", `{"format": "stdin_stdout", "inputs": ["a\n"], "outputs": [""]}`, sandbox.Limits{}, []codecheck.Status{codecheck.RuntimeError}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, tt.tests), Limits: tt.limits})
			for _, want := range tt.want {
				if rep.Status == want && rep.Reward == 0 {
					return
				}
			}
			t.Errorf("got %s, reward %v (%s), want %v", rep.Status, rep.Reward, rep.Reason, tt.want)
		})
	}
}

func TestFunctionCases(t *testing.T) {
	tests := []struct {
		name, answer, inputs, outputs string
		more                          string
		want                          codecheck.Status
	}{
		{"numbers of any size", "def f(n): return 10 ** n", "[[5], [400]]", "[100000, 1" + strings.Repeat("0", 400) + "]", "", codecheck.Passed},
		{"an integer is no float", "def f(n): return n * 1.0", "[[5]]", "[5]", "", codecheck.WrongAnswer},
		{"unless asked", "def f(n): return n * 1.0", "[[5]]", "[5]", `"compare": {"int_is_float": true}`, codecheck.Passed},
		{"a tolerance", "def f(n): return n + 1e-9", "[[0.5]]", "[0.5]", `"compare": {"float_tol": 1e-6}`, codecheck.Passed},
		{"a text is no number", "def f(n): return str(n)", "[[5]]", "[5]", "", codecheck.WrongAnswer},
		{"a bool is no number", "def f(n): return True", "[[5]]", "[1]", "", codecheck.WrongAnswer},
		{"a tuple is a list", "def f(n): return (n, (n,))", "[[5]]", "[[5, [5]]]", "", codecheck.Passed},
		{"unless refused", "def f(n): return (n,)", "[[5]]", "[[5]]", `"compare": {"tuple_is_list": false}`, codecheck.WrongAnswer},
		{"any order", "def f(n): return [3, 1, 2]", "[[5]]", "[[1, 2, 3]]", `"compare": {"unordered": true}`, codecheck.Passed},
		{"one of several", "def f(n): return 2", "[[5]]", "[[1, 2]]", `"compare": {"any_of": true}`, codecheck.Passed},
		{"maps in any order", "def f(n): return {'b': [n], 'a': None}", "[[5]]", `[{"a": null, "b": [5]}]`, "", codecheck.Passed},
		{"an always-equal object", "class A(list):\n    def __eq__(self, o): return True\ndef f(n): return A()", "[[5]]", "[[1]]", "", codecheck.WrongAnswer},
		{"a deep list", "def f(n):\n    x = []\n    for _ in range(100000): x = [x]\n    return x", "[[5]]", "[[1]]", "", codecheck.WrongAnswer},
		{"a method of a new object each time", "class S:\n    n = 0\n    def f(self, x): self.n += x; return self.n", "[[5], [5]]", "[5, 5]", `"class": "S"`, codecheck.Passed},
		{"state does not travel from case to case", "n = []\ndef f(x): n.append(x); return len(n)", "[[5], [5]]", "[1, 1]", "", codecheck.Passed},
		{"a killed case", "import os\ndef f(x): os.kill(os.getpid(), 9)", "[[5]]", "[1]", "", codecheck.Signal},
		{"an exception", "def f(x): return 1 / 0", "[[5]]", "[1]", "", codecheck.RuntimeError},
		{"an exit", "def f(x): exit()", "[[5]]", "[1]", "", codecheck.EarlyExit},
		{"no such function", "def g(x): return 1", "[[5]]", "[1]", "", codecheck.RuntimeError},
		{"frames of the program's own", "import os\nos.write(3, b'\\x05\\x00\\x00\\x00Z{}  ')\ndef f(x): return 0", "[[5]]", "[1]", "", codecheck.Tampering},
		{"children are not waited for", "import os\nif os.fork() == 0:\n    import time; time.sleep(60)\ndef f(x): return x", "[[5]]", "[5]", "", codecheck.Passed},
		{"SIGCHLD ignored by the program", "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\ndef f(x): return x", "[[5], [6]]", "[5, 6]", "", codecheck.Passed},
		{"a child that the program waits for", "import os\ndef f(x):\n    p = os.fork()\n    if p == 0: os._exit(x)\n    return os.waitstatus_to_exitcode(os.waitpid(p, 0)[1])", "[[5]]", "[5]", "", codecheck.Passed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.more != "" {
				tt.more = ", " + tt.more
			}
			suite := `{"format": "fn_call", "fn_name": "f", "inputs": ` + tt.inputs + `, "outputs": ` + tt.outputs + tt.more + `}`
			rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, suite)})
			if rep.Status != tt.want || rep.Integrity != codecheck.Engine {
				t.Errorf("got %s (%s), want %s", rep.Status, rep.Reason, tt.want)
			}
		})
	}
}

func TestReasonsHoldNoSecret(t *testing.T) {
	for _, answer := range []string{"def f(x): return 0", "def f(x): raise ValueError(x)", "def f(x): raise type('SECRET41Error', (Exception,), {})", "import sys\nfor line in sys.stdin: sys.exit(line)"} {
		for _, tests := range []string{
			`"assert f('SECRET41') == 'SECRET42', 'SECRET43'"`,
			`{"format": "fn_call", "fn_name": "f", "inputs": [["SECRET41"]], "outputs": ["SECRET42"]}`,
			`{"format": "stdin_stdout", "inputs": ["SECRET41"], "outputs": ["SECRET42"]}`,
		} {
			rep := check(t, codecheck.Task{Answer: answer, Tests: parse(t, tests)})
			if strings.Contains(rep.Reason, "SECRET") || rep.Reward != 0 {
				t.Errorf("%q with %s: reward %v, reason %q", answer, tests, rep.Reward, rep.Reason)
			}
		}
	}
}

func TestIntegrityThatCannotJudgeIsAnError(t *testing.T) {
	r := runner(t)
	for _, integrity := range []codecheck.Integrity{codecheck.Engine, "vibes"} {
		_, err := r.Check(t.Context(), codecheck.Task{Answer: add, Tests: parse(t, `"assert add(1, 1) == 2"`), Integrity: integrity})
		if !errors.Is(err, codecheck.ErrIntegrity) {
			t.Errorf("%s: error %v, want ErrIntegrity", integrity, err)
		}
	}
}

func TestRun(t *testing.T) {
	r := runner(t)
	tests := []struct {
		name, language, source string
		want                   string
		exit                   int
		stdout                 string
	}{
		{"python reads its input", "python", "print(int(input()) + 1)", "ok", 0, "42\n"},
		{"a non-zero exit", "py", "import sys; sys.exit(3)", "exit_error", 3, ""},
		{"bash with the usual programs", "bash", "read n; echo $n | sed 's/4/5/'", "ok", 0, "51\n"},
		{"C is compiled", "c", "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; printf(\"%d\\n\", n + 1); return 0; }", "ok", 0, "42\n"},
		{"C++ is compiled", "c++", "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1 << std::endl; }", "ok", 0, "42\n"},
		{"what does not compile", "c", "int main({", "compile_error", 1, ""},
		{"the compiler sees no file of the host's", "c", "#include \"/etc/shadow\"\nint main(void) { return 0; }", "compile_error", 1, ""},
		{"a signal", "python", "import os; os.kill(os.getpid(), 15)", "signal", -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.Toolchain(tt.language); err != nil {
				t.Skip(err)
			}
			rep, err := r.Run(t.Context(), codecheck.Program{Language: tt.language, Source: tt.source, Stdin: []byte("41\n")})
			if errors.Is(err, sandbox.ErrMachine) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if rep.Status != tt.want || rep.ExitCode != tt.exit || string(rep.Stdout.Data) != tt.stdout {
				t.Errorf("got %s, exit %d, %q (%s); want %s, %d, %q", rep.Status, rep.ExitCode, rep.Stdout.Data, rep.Stderr.Data, tt.want, tt.exit, tt.stdout)
			}
			if strings.Contains(string(rep.Stderr.Data), "root:") {
				t.Errorf("the host's file was read: %s", rep.Stderr.Data)
			}
		})
	}
}

// Who shares the interpreter can write to the channel; what it writes blindly is never a pass, and never no verdict.
func TestForgedReportsInOneInterpreter(t *testing.T) {
	const head = "import os\ndef say(kind, text):\n    b = (kind + text).encode()\n    os.write(3, len(b).to_bytes(4, 'little') + b)\ndef add(a, b): return 0\n"
	for name, frames := range map[string]string{
		"a pass and the end":  `say("C", '{"name": "a", "status": "passed", "error": ""}'); say("E", '{"total": 1}'); os._exit(0)`,
		"the end alone":       `say("E", '{"total": 0, "nonce": ""}'); os._exit(0)`,
		"broken tests":        `say("B", '{"status": "broken_tests", "reason": "x"}'); os._exit(0)`,
		"a result of no kind": `say("C", '{"name": "a", "status": "no_tests", "error": ""}'); os._exit(0)`,
		"a pass more":         `say("C", '{"name": "a", "status": "passed", "error": ""}')`,
		"noise":               `os.write(3, b"x" * 4096); os._exit(0)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: head + frames, Tests: parse(t, `"assert add(1, 1) == 2"`), Integrity: codecheck.InProcess})
			if !rep.Status.Judged() || rep.Reward != 0 {
				t.Errorf("got %s, reward %v (%s)", rep.Status, rep.Reward, rep.Reason)
			}
		})
	}
}
