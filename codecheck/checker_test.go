package codecheck_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// A special judge decides where several outputs are right.
func TestSpecialJudges(t *testing.T) {
	const sums = `import json, sys\nd = json.load(sys.stdin)\nn = int(d['input'])\na = [int(x) for x in d['output'].split()]\nsys.exit(0 if len(a) == 2 and sum(a) == n else 1)\n`
	stdin := func(more string) string {
		return `{"format": "stdin_stdout", "inputs": ["7", "9"], "outputs": ["3 4", "4 5"]` + more + `}`
	}
	withChecker := stdin(`, "checker": {"code": "` + sums + `"}`)
	call := `{"format": "fn_call", "fn_name": "f", "inputs": [[7], [9]], "checker": {"code": "import json, sys\nd = json.load(sys.stdin)\nsys.exit(sum(d['output']) != d['input'][0])\n"}`
	tests := []struct {
		name, answer, tests string
		score               codecheck.Score
		want                codecheck.Status
		reward              float64
	}{
		{"the task's own output", "n = int(input())\nprint(n // 2, n - n // 2)", withChecker, "", codecheck.Passed, 1},
		{"another right one", "print(0, input())", withChecker, "", codecheck.Passed, 1},
		{"a wrong one", "print(1, input())", withChecker, "", codecheck.WrongAnswer, 0},
		{"one that breaks the checker is wrong", "print('x')", withChecker, "", codecheck.WrongAnswer, 0},
		{"without a checker the text decides", "print(0, input())", stdin(""), "", codecheck.WrongAnswer, 0},
		{"a checker that refuses everything", "print(0, input())", stdin(`, "checker": {"code": "import nothing_here\n1/0"}`), "", codecheck.WrongAnswer, 0},
		{"a checker that breaks on everything", "print(0, input())", stdin(`, "checker": {"code": "import os\nos._exit(9)"}`), "", codecheck.BrokenTests, 0},
		{"a share of the cases", "n = input()\nprint(0, 7)", withChecker, codecheck.ScoreFraction, codecheck.WrongAnswer, 0.5},
		{"a function's value", "def f(n): return (n, 0)", call + "}", "", codecheck.Passed, 1},
		{"a wrong value", "def f(n): return [n, 1]", call + "}", "", codecheck.WrongAnswer, 0},
		{"an exception is none", "def f(n): return [n, 0] if n < 9 else 1 / 0", call + "}", codecheck.ScoreFraction, codecheck.RuntimeError, 0.5},
		{"several right outputs", "print('b')", `{"format": "stdin_stdout", "inputs": [""], "outputs": [["a", "b"]], "compare": {"any_of": true}}`, "", codecheck.Passed, 1},
		{"none of them", "print('c')", `{"format": "stdin_stdout", "inputs": [""], "outputs": [["a", "b"]], "compare": {"any_of": true}}`, "", codecheck.WrongAnswer, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: "```python\n" + tt.answer + "\n```", Tests: parse(t, tt.tests), Score: tt.score})
			if rep.Status != tt.want || rep.Reward != tt.reward {
				t.Errorf("got %s, reward %v (%s); want %s, %v", rep.Status, rep.Reward, rep.Reason, tt.want, tt.reward)
			}
		})
	}
	t.Run("whoever asks", func(t *testing.T) {
		special := func(_ context.Context, c codecheck.SpecialCase) (bool, error) {
			return string(c.Input) == "[7]" && string(c.Output) == "[7.0,[]]" && string(c.Expected) == "1", nil
		}
		suite := parse(t, `{"format": "fn_call", "fn_name": "f", "inputs": [[7]], "outputs": [1]}`)
		if rep := check(t, codecheck.Task{Answer: "def f(n): return 7.0, set()", Tests: suite, Special: special}); rep.Status != codecheck.Passed {
			t.Errorf("got %s (%s)", rep.Status, rep.Reason)
		}
	})
	if _, err := codecheck.ParseTests(json.RawMessage(`{"format": "stdin_stdout", "inputs": [""], "checker": {"language": "nothing", "code": "x"}}`)); err == nil {
		t.Error("a checker in an unknown language is taken")
	}
}
