package codecheck_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/wasm"
)

// onWasm is one runner on the WebAssembly backend for all tests.
var onWasm = sync.OnceValues(func() (*codecheck.Runner, error) {
	box, err := wasm.New(wasm.Config{})
	if err != nil {
		return nil, err
	}
	return codecheck.New(box, codecheck.Config{})
})

func wasmRunner(t testing.TB) *codecheck.Runner {
	t.Helper()
	r, err := onWasm()
	if errors.Is(err, sandbox.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checkOnWasm(t testing.TB, task codecheck.Task) codecheck.Report {
	t.Helper()
	return checkBy(t, wasmRunner(t), task)
}

// slow are programs of the corpus that compute for seconds in a native interpreter, and meet their limit in one that is six times slower.
var slow = map[string]bool{"apps-sol-4184-0": true}

// The corpus has the same rewards where interpreters are images of memory.
func TestCorpusOnWasm(t *testing.T) {
	for _, file := range []string{"split.jsonl", "python-rows.jsonl"} {
		for _, row := range corpus(t, file) {
			if slow[row.ID] {
				continue
			}
			t.Run(file+"/"+row.ID, func(t *testing.T) {
				t.Parallel()
				rep := checkOnWasm(t, codecheck.Task{Answer: row.Answer, Prompt: row.Prompt, Tests: parse(t, string(row.Privileged.Tests))})
				if !rep.Status.Judged() || rep.Reward != row.Expected.Reward {
					t.Errorf("reward %v (%s, %s, %s), want %v", rep.Reward, rep.Status, rep.Reason, rep.Integrity, row.Expected.Reward)
				}
			})
		}
	}
}

func TestWasm(t *testing.T) {
	const right, wrong = "def add(a, b):\n    return a + b\n", "def add(a, b):\n    return a - b\n"
	for _, c := range []struct {
		name, answer, tests string
		want                codecheck.Status
		integrity           codecheck.Integrity
		unsupported         bool
	}{
		{"asserts pass", right, `"assert add(2, 3) == 5\nassert add(-1, 1) == 0\n"`, codecheck.Passed, codecheck.Split, false},
		{"asserts fail", wrong, `"assert add(2, 3) == 5"`, codecheck.WrongAnswer, codecheck.Split, false},
		{"calls pass", right, `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [3, 7]}`, codecheck.Passed, codecheck.Engine, false},
		{"calls fail", wrong, `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [3, 7]}`, codecheck.WrongAnswer, codecheck.Engine, false},
		{"a case knows nothing of the one before", "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n", `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2]], "outputs": [1, 1]}`, codecheck.Passed, codecheck.Engine, false},
		{"input and output", "print(int(input()) * 2)", `{"format": "stdin_stdout", "inputs": ["4\n", "5\n"], "outputs": ["8\n", "10\n"]}`, codecheck.Passed, codecheck.Engine, false},
		{"a line-up", "def f(): return g()\ndef g(): return 1\n", `"from unittest.mock import patch\nimport solution\nwith patch('solution.g', return_value=5):\n    assert f() == 5"`, codecheck.Passed, codecheck.Lineup, false},
		{"tests that need threads", right, `"import threading\nt = threading.Thread(target=add, args=(1, 2))\nt.start()\nt.join()\nassert add(1, 2) == 3"`, codecheck.MissingDependency, codecheck.Split, false},
		{"tests that need a package", right, `"import numpy\nassert add(1, 2) == 3"`, codecheck.MissingDependency, codecheck.Split, false},
		{"a program that needs a package", "import numpy\n" + right, `"assert add(1, 2) == 3"`, codecheck.RuntimeError, codecheck.Split, true},
		{"a program that needs threads", "import threading\ndef add(a, b):\n    out = []\n    t = threading.Thread(target=lambda: out.append(a + b))\n    t.start(); t.join()\n    return out[0]\n", `"assert add(1, 2) == 3"`, codecheck.RuntimeError, codecheck.Split, true},
		{"one that asks for processes and goes another way, wrongly", "import os\ntry: os.fork()\nexcept OSError: pass\n" + wrong, `"assert add(1, 2) == 3"`, codecheck.RuntimeError, codecheck.Split, true},
		{"one that does so rightly", "import os\ntry: os.fork()\nexcept OSError: pass\n" + right, `"assert add(1, 2) == 3"`, codecheck.Passed, codecheck.Split, false},
		{"a program that makes the tester look for a package", "class X:\n    pass\ndef add(a, b):\n    import socket\n    return socket\n", `"assert add(1, 2) == 3"`, codecheck.WrongAnswer, codecheck.Split, false},
		{"a case that needs processes", "import subprocess\ndef add(a, b): return subprocess.run(['true']).returncode\n", `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2]], "outputs": [3]}`, codecheck.RuntimeError, codecheck.Engine, true},
		{"exit is no pass", "import os\nos._exit(0)", `"assert add(2, 3) == 5"`, codecheck.EarlyExit, codecheck.Split, false},
		{"a loop without end", "def add(a, b):\n    while True: pass\n", `{"format": "asserts", "code": "assert add(1, 2) == 3", "timeout_s": 1}`, codecheck.CPULimit, codecheck.Split, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rep := checkOnWasm(t, codecheck.Task{Answer: c.answer, Tests: parse(t, c.tests)})
			if rep.Status != c.want || rep.Integrity != c.integrity || rep.Unsupported != c.unsupported {
				t.Errorf("%s (%s, %s, unsupported %v), want %s", rep.Status, rep.Reason, rep.Integrity, rep.Unsupported, c.want)
			}
		})
	}
}

// No attack is paid there either, and honest siblings pass, but for those that need what WebAssembly does not have: these fail for that.
func TestAttacksAreNotPaidOnWasm(t *testing.T) {
	for _, a := range attacks(t) {
		if a.Language != "python" {
			continue
		}
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			rep := checkOnWasm(t, codecheck.Task{Language: a.Language, Answer: a.Code, Tests: a.suite(t)})
			switch {
			case a.Role == "benign" && (rep.Unsupported || rep.Status == codecheck.MissingDependency):
				t.Logf("needs what is not there: %s", rep.Reason)
			case !rep.Status.Judged() || rep.Integrity == codecheck.InProcess:
				t.Errorf("%s, %s (%s)", rep.Status, rep.Integrity, rep.Reason)
			case (a.Role == "benign") != (rep.Reward == 1):
				t.Errorf("reward %v: %s, %s (%s)", rep.Reward, rep.Status, rep.Integrity, rep.Reason)
			}
		})
	}
}

func TestJavaScriptOnWasm(t *testing.T) {
	const right, wrong = "function add(a, b) { return a + b; }\n", "function add(a, b) { return a - b; }\n"
	if _, err := wasmRunner(t).Toolchain("javascript"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		name, answer, tests string
		passes              bool
	}{
		{"calls", right, `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [3, 7]}`, true},
		{"wrong calls", wrong, `{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [3, 7]}`, false},
		{"input and output", "const n = Number(require('fs').readFileSync(0, 'utf8'));\nconsole.log(n * 2);", `{"format": "stdin_stdout", "inputs": ["4\n", "5\n"], "outputs": ["8\n", "10\n"]}`, true},
		{"wrong output", "console.log(1)", `{"format": "stdin_stdout", "inputs": ["4\n"], "outputs": ["8\n"]}`, false},
		{"asserts", right, `"assert.strictEqual(add(1, 2), 3);\nassert.deepStrictEqual([add(2, 2)], [4]);"`, true},
		{"asserts of a wrong program", wrong, `"assert.strictEqual(add(1, 2), 3);"`, false},
		{"an exit before the asserts", "process.exit(0);" + right, `"assert.strictEqual(add(1, 2), 3);"`, false},
		{"a loop without end", "function add(a, b) { for (;;); }", `{"format": "asserts", "code": "assert.strictEqual(add(1, 2), 3);", "timeout_s": 1}`, false},
		{"a program that asks for processes", "require('child_process').execSync('ls');" + right, `"assert.strictEqual(add(1, 2), 3);"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rep := checkOnWasm(t, codecheck.Task{Language: "javascript", Answer: c.answer, Tests: parse(t, c.tests)})
			if !rep.Status.Judged() || (rep.Reward == 1) != c.passes {
				t.Errorf("reward %v: %s (%s, %s)", rep.Reward, rep.Status, rep.Reason, rep.Integrity)
			}
			t.Logf("%s, %s, %s, unsupported %v", rep.Status, rep.Reason, rep.Integrity, rep.Unsupported)
		})
	}
}
