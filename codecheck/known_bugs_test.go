package codecheck_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

// Reports about other graders, each with the verdict that is right. The name holds the repository and the number of the report.
func TestKnownGraderBugs(t *testing.T) {
	const addTests = `"assert add(1, 2) == 3"`
	fraction, first := codecheck.ScoreFraction, codecheck.ScoreAll
	eleven := `{"format": "fn_call", "fn_name": "f", "inputs": [[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10]], "outputs": [0,1,2,3,4,5,6,7,8,9,10]}`
	slow := "import time\ntime.sleep(0.8)\nprint(1)"
	pi := `{"format": "stdin_stdout", "inputs": [""], "outputs": ["3.1415926\n"]`
	tests := []struct {
		name, answer, tests string
		score               codecheck.Score
		limits              sandbox.Limits
		want                codecheck.Status
		reward              float64
	}{
		{"openai/human-eval#16: nothing ran, all passed", "def add(a, b): return 0", addTests, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"openai/human-eval#57: a child that cannot start is no wrong answer", add, addTests, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"openai/human-eval#23: the tests decide, not the examples of the prompt", "def median(l): return sorted(l)[len(l) // 2]", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate([3, 1, 2]) == 2", "entry_point": "median"}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"openai/human-eval#60: candidate is the function by its name", "def solve(s): return s[::-1]", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate('ab') == 'ba'", "entry_point": "solve"}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"evalplus/evalplus#5: a floor of 50 ms fails right programs", "import time\ndef add(a, b):\n    time.sleep(0.1)\n    return a + b", addTests, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"evalplus/evalplus#106: out of time is told from wrong", "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)", `{"format": "fn_call", "fn_name": "f", "inputs": [[100]], "outputs": [354224848179261915075]}`, first, sandbox.Limits{Wall: time.Second}, codecheck.CPULimit, 0},
		{"evalplus/evalplus#47: tests that do not compile are the task's fault", add, `"def check(f):\nassert f(1, 2) == 3"`, first, sandbox.Limits{}, codecheck.BrokenTests, 0},
		{"evalplus/evalplus#225: a low limit is kept, not refused", add, addTests, first, sandbox.Limits{Memory: 64 * sandbox.MiB}, codecheck.Passed, 1},
		{"MasterVito/SvS#3: an endless program is ended", "while True: pass", addTests, first, sandbox.Limits{Wall: time.Second}, codecheck.CPULimit, 0},
		{"verl-project/verl#1921: all tests run once, whole", "def f(x): return x if x < 10 else 0", eleven, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"verl-project/verl#1921: and a fraction where that is asked", "def f(x): return x if x < 10 else 0", eleven, fraction, sandbox.Limits{}, codecheck.WrongAnswer, 10.0 / 11},
		{"bytedance/SandboxFusion#62: long output is whole", "print('x' * 200000)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["` + strings.Repeat("x", 200000) + `"]}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"DOMjudge/domjudge#207: too much output has a verdict of its own", "while True: print('x' * 1000)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["x"]}`, first, sandbox.Limits{}, codecheck.OutputLimit, 0},
		{"NVIDIA-NeMo/Skills#712: output is compared as it was printed", "print(2 + 2)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["4"]}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"SWE-bench/SWE-smith#24: tests that could not be imported did not pass", "def broken(:", `{"format": "pytest", "files": {"test_m.py": "from m import f\ndef test_a():\n    assert f() == 1\n"}, "test_file": "test_m.py", "solution_file": "m.py"}`, first, sandbox.Limits{}, codecheck.SyntaxError, 0},
		{"promptdriven/pdd#605: exit 0 is no pass", "import sys\nsys.exit(0)", addTests, first, sandbox.Limits{}, codecheck.EarlyExit, 0},
		{"EleutherAI/lm-evaluation-harness#3769: the tag does not eat a word of the code", "```def f(): return 1\n```", `"assert f() == 1"`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"microsoft/autogen#571: blanks round the tag, and CRLF", "``` python \r\ndef f(): return 1\r\n```\r\n", `"assert f() == 1"`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"JuliusBrussee/caveman#820: a fence in a list", "* so:\n    ```python\n    def f(): return 1\n    ```", `"assert f() == 1"`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"theSage21/openJudge#14: text is compared as text", "print(1.0)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"]}`, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"theSage21/openJudge#14: or as numbers, where the task says so", "print(1.0)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"], "compare": {"int_is_float": true}}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"judge0/judge0#291: without a tolerance", "print(3.142)", pi + `}`, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"judge0/judge0#291: with one", "print(3.142)", pi + `, "compare": {"float_tol": 0.001}}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"UKGovernmentBEIS/inspect_ai#5323: an empty answer has a status of its own", "", addTests, first, sandbox.Limits{}, codecheck.NoCode, 0},
		{"piskoviste/pisek#548: both streams are read", "import sys\nprint('y' * 200000, file=sys.stderr)\nprint(1)", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"]}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"DOMjudge/domjudge#1751: the first process decides, whatever it left", "import os, sys\nif os.fork():\n    print(1)\nelse:\n    os.close(1)\n    while True: pass", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"]}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"evalplus/evalplus#12: where text and tests differ, the tests decide", "def f(a): return a == 30 * 7", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate(210) is True", "entry_point": "f"}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"algorithmicsuperintelligence/openevolve#446: a truth value is no number", "def f(): return True", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [1]}`, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"algorithmicsuperintelligence/openevolve#446: nor in a sum", "def f(): return {'error': 0.0, 'timeout': True}", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [{"error": 0.0, "timeout": 1.0}]}`, first, sandbox.Limits{}, codecheck.WrongAnswer, 0},
		{"chigwell/mdextractor#6: the first line keeps its indent", "```\n    return n + 1\n```", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate(1) == 2", "entry_point": "inc", "assemble": "prompt_plus_completion"}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"LiveBench/LiveBench#52: slow but within the task's own limit", slow, `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"], "timeout_s": 9}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"LiveBench/LiveBench#52: and not within a shorter one", slow, `{"format": "stdin_stdout", "inputs": [""], "outputs": ["1"], "timeout_s": 0.3}`, first, sandbox.Limits{}, codecheck.Timeout, 0},
		{"AISBench/benchmark#182: a program that never ends has a verdict", "import time\ntime.sleep(1e8)", addTests, first, sandbox.Limits{Wall: time.Second}, codecheck.Timeout, 0},
		{"bigcode-project/bigcodebench#13: tests that miss a package say so", add, `"import no_such_package\nassert add(1, 2) == 3"`, first, sandbox.Limits{}, codecheck.MissingDependency, 0},
		{"LiveCodeBench/LiveCodeBench: any valid output, by a checker", "print(0, input())", `{"format": "stdin_stdout", "inputs": ["7"], "outputs": ["3 4"], "checker": {"code": "import json, sys\nd = json.load(sys.stdin)\nsys.exit(sum(map(int, d['output'].split())) != int(d['input']))\n"}}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"LiveCodeBench/LiveCodeBench: several right answers", "def f(): return [2, 1]", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [[[1, 2], [2, 1]]], "compare": {"any_of": true}}`, first, sandbox.Limits{}, codecheck.Passed, 1},
		{"a completion that runs on, whole", "    return n + 1\nprint(nonsense)\n", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate(1) == 2", "entry_point": "inc", "assemble": "prompt_plus_completion"}`, first, sandbox.Limits{}, codecheck.RuntimeError, 0},
		{"a completion that runs on, cut", "    return n + 1\nprint(nonsense)\n", `{"format": "check_fn", "check": "def check(candidate):\n    assert candidate(1) == 2", "entry_point": "inc", "assemble": "prompt_plus_completion", "cut": true}`, first, sandbox.Limits{}, codecheck.Passed, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: tt.answer, Prompt: "def inc(n):\n", Tests: parse(t, tt.tests), Score: tt.score, Limits: tt.limits})
			if rep.Status != tt.want || rep.Reward != tt.reward {
				t.Errorf("got %s, reward %v (%s); want %s, %v", rep.Status, rep.Reward, rep.Reason, tt.want, tt.reward)
			}
		})
	}
}

// Where the tests sit in the memory of the server that programs fork from, a program finds them there: gc.get_objects of a
// child shows what its parent held. And a server that ignores SIGCHLD gives its children's children no exit status. The design
// that made both mistakes is known; neither may come back.
func TestMistakesOfForkServers(t *testing.T) {
	tests := []struct {
		name, answer, tests string
		want                codecheck.Status
	}{
		{"tests in reach of gc after the fork", `
import gc
def f(x):
    for o in gc.get_objects():
        if isinstance(o, (dict, list, tuple)):
            for v in (o.values() if isinstance(o, dict) else o):
                if isinstance(v, str) and "SECRET" + "42" in v and "assert" in v: return "SECRET" + "42"
    return 0
`, `"assert f(1) == 'SECRET42'\nassert f(2) == 'SECRET42'"`, codecheck.WrongAnswer},
		{"and of a case's expected value", `
import gc
def f(x):
    for o in gc.get_objects():
        if isinstance(o, dict) and "outputs" in o: return o["outputs"][0]
    return 0
`, `{"format": "fn_call", "fn_name": "f", "inputs": [[1]], "outputs": ["SECRET42"]}`, codecheck.WrongAnswer},
		{"SIGCHLD ignored: a child's exit status is lost", `
import signal, subprocess
def f(x):
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
    return subprocess.run(["/bin/sh", "-c", "exit 7"]).returncode
`, `"assert f(1) == 7"`, codecheck.Passed},
		{"in a case too", `
import os
def f(x):
    p = os.fork()
    if p == 0: os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(p, 0)[1])
`, `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2]], "outputs": [7, 7]}`, codecheck.Passed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for range 3 { // several children of each server
				rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, tt.tests)})
				if rep.Status != tt.want || rep.Integrity == codecheck.InProcess {
					t.Fatalf("got %s, %s (%s), want %s", rep.Status, rep.Integrity, rep.Reason, tt.want)
				}
			}
		})
	}
}

// Reports that need more than one verdict, or another question than that for a verdict.
func TestKnownGraderBugsAround(t *testing.T) {
	r := runner(t)
	t.Run("openai/human-eval#40, open-compass/opencompass#2203, verl-project/verl#3290: 64 at once, all right", func(t *testing.T) {
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				rep := check(t, codecheck.Task{Answer: "def add(a, b):\n    for _ in range(300000): pass\n    return a + b", Tests: parse(t, `"assert add(1, 2) == 3"`), Limits: sandbox.Limits{Wall: 2 * time.Second}})
				if rep.Status != codecheck.Passed {
					t.Errorf("got %s (%s)", rep.Status, rep.Reason)
				}
			})
		}
		all.Wait()
	})
	t.Run("verl-project/verl#6673: a long degenerate answer is judged at once", func(t *testing.T) {
		for _, answer := range []string{strings.Repeat("so the answer is ", 60_000), strings.Repeat("`", 1<<20), strings.Repeat("```\n", 1<<18)} {
			start := time.Now()
			codecheck.Extract(answer, codecheck.Languages()[0])
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("looking for the program took %v", took)
			}
		}
	})
	t.Run("bytedance/SandboxFusion#65: a missing toolchain is no failed program", func(t *testing.T) {
		box, err := namespace.New(namespace.Config{})
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { _ = box.Close() })
		bare, err := codecheck.New(box, codecheck.Config{Tools: map[string]string{"c": "/nowhere/cc"}})
		if err != nil {
			t.Fatal(err)
		}
		if rep, err := bare.Check(t.Context(), codecheck.Task{Language: "c", Answer: "int main(){}", Tests: parse(t, `{"format": "stdin_stdout", "inputs": [""], "outputs": [""]}`)}); !errors.Is(err, codecheck.ErrNoToolchain) {
			t.Errorf("got %s, %v", rep.Status, err)
		}
	})
	t.Run("rllm-org/rllm#87: wrong references are found before they are used", func(t *testing.T) {
		s, err := r.Lint(t.Context(), codecheck.Task{Answer: "def add(a, b): return a - b", Tests: parse(t, `"assert add(1, 2) == 3"`)})
		if err != nil || len(s.Findings) == 0 || s.Findings[0].Kind != codecheck.ReferenceFails {
			t.Errorf("got %v, %v", s.Findings, err)
		}
	})
	t.Run("evalplus/evalplus#23: inputs that come twice count twice, and no more", func(t *testing.T) {
		suite := `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [1], [2]], "outputs": [1, 1, 5]}`
		if rep := check(t, codecheck.Task{Answer: "def f(x): return x", Tests: parse(t, suite), Score: codecheck.ScoreFraction}); rep.Reward != 2.0/3 || rep.Tests.Total != 3 {
			t.Errorf("reward %v of %d", rep.Reward, rep.Tests.Total)
		}
	})
	t.Run("actions/github-script#207: a failed console.assert fails", func(t *testing.T) {
		if _, err := r.Toolchain("javascript"); err != nil {
			t.Skip(err)
		}
		for answer, want := range map[string]float64{"function f() { return 1 }": 1, "function f() { return 2 }": 0} {
			rep := check(t, codecheck.Task{Language: "javascript", Answer: answer, Tests: parse(t, `"console.assert(f() === 1)"`)})
			if rep.Reward != want || !rep.Status.Judged() {
				t.Errorf("%s: reward %v, %s (%s)", answer, rep.Reward, rep.Status, rep.Reason)
			}
		}
	})
}
