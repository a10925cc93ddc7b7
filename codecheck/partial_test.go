package codecheck_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

func TestGroups(t *testing.T) {
	const six = `"format": "fn_call", "fn_name": "f", "inputs": [[0],[1],[2],[3],[4],[5]], "outputs": [0,1,2,3,4,5]`
	tests := []struct {
		name, answer, tests string
		score               codecheck.Score
		want                float64
	}{
		{"all of a group, or nothing of its weight", "def f(x): return x if x != 4 else 0", `{` + six + `, "groups": [{"cases": [0, 1], "weight": 1}, {"cases": [2, 3], "weight": 2}, {"cases": [4, 5], "weight": 5}]}`, codecheck.ScoreFraction, 3.0 / 8},
		{"tests of no group do not count", "def f(x): return x if x < 2 else 9", `{` + six + `, "groups": [{"cases": ["case 1", 1], "weight": 3}, {"cases": [2], "weight": 1}]}`, codecheck.ScoreFraction, 0.75},
		{"every test counts for all", "def f(x): return x if x < 5 else 9", `{` + six + `, "groups": [{"cases": [0], "weight": 1}]}`, codecheck.ScoreAll, 0},
		{"all passed", "def f(x): return x", `{` + six + `, "groups": [{"cases": [0], "weight": 1}]}`, codecheck.ScoreFraction, 1},
		{"assertions by their place", add, `{"format": "asserts", "code": "assert add(1, 2) == 3\nassert add(1, 2) == 4", "groups": [{"cases": [0], "weight": 1}, {"cases": [1], "weight": 1}]}`, codecheck.ScoreFraction, 0.5},
		{"a program that forges earns none of them", "import os\ndef f(x):\n    if x == 5: os.write(3, b'\\x02\\x00\\x00\\x00Zx')\n    return x", `{` + six + `, "groups": [{"cases": [0], "weight": 1}]}`, codecheck.ScoreFraction, 0},
		{"a sample", "def f(x): return x", `{` + six + `, "sample": {"n": 3, "seed": 5}}`, codecheck.ScoreAll, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, tt.tests), Score: tt.score})
			if rep.Reward != tt.want {
				t.Errorf("reward %v, want %v (%s, %s)", rep.Reward, tt.want, rep.Status, rep.Reason)
			}
		})
	}
}

func TestSample(t *testing.T) {
	of := func(more string) codecheck.Tests {
		return parse(t, `{"format": "fn_call", "fn_name": "f", "inputs": [[0],[1],[2],[3],[4],[5],[6],[7]], "outputs": [0,1,2,3,4,5,6,7]`+more+`}`)
	}
	a, b, c := of(`, "sample": {"n": 4, "seed": 1}`), of(`, "sample": {"n": 4, "seed": 1}`), of(`, "sample": {"n": 4, "seed": 2}`)
	if !slices.Equal(a.Numbers, b.Numbers) || slices.Equal(a.Numbers, c.Numbers) || len(a.Inputs) != 4 || !slices.IsSorted(a.Numbers) {
		t.Errorf("samples %v, %v, %v", a.Numbers, b.Numbers, c.Numbers)
	}
	for i, n := range a.Numbers {
		var want int
		if json.Unmarshal(a.Outputs[i], &want) != nil || want != n {
			t.Errorf("output %d is %s, want that of input %d", i, a.Outputs[i], n)
		}
	}
	if all := of(`, "sample": {"n": 8}`); all.Numbers != nil || len(all.Inputs) != 8 {
		t.Errorf("a sample of all left %v", all.Numbers)
	}
	for _, bad := range []string{`{"format": "asserts", "code": "assert 1", "sample": {"n": 1}}`, `{"format": "asserts", "code": "assert 1", "sample": {"n": -1}}`, `{"format": "asserts", "code": "assert 1", "groups": [{"cases": [0], "weight": 0}]}`, `{"format": "asserts", "code": "assert 1", "groups": [{"cases": [-1], "weight": 1}]}`} {
		if _, err := codecheck.ParseTests(json.RawMessage(bad)); !errors.Is(err, codecheck.ErrBrokenTests) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}
