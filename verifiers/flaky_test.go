package verifiers

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// fickle judges by turns.
type fickle struct {
	turns []codecheck.Status
	asked int
	cold  []bool
}

func (f *fickle) Check(_ context.Context, t codecheck.Task) (codecheck.Report, error) {
	s := f.turns[f.asked%len(f.turns)]
	f.asked, f.cold = f.asked+1, append(f.cold, t.Cold)
	if s == "" {
		return codecheck.Report{}, errors.New("the machine failed")
	}
	return codecheck.Report{Status: s, Extracted: t.Answer}, nil
}

func TestFlakyProgramsAreMarked(t *testing.T) {
	const pass, fail = codecheck.Passed, codecheck.WrongAnswer
	tests := []struct {
		name  string
		spec  string
		turns []codecheck.Status
		rows  []string // final texts
		flaky []bool
	}{
		{"judged alike", "", []codecheck.Status{pass}, []string{"a", "a", "a"}, []bool{false, false, false}},
		{"judged differently when it comes again", "", []codecheck.Status{pass, fail, pass}, []string{"a", "a", "a"}, []bool{false, true, true}},
		{"another program is not", "", []codecheck.Status{pass, fail}, []string{"a", "b"}, []bool{false, false}},
		{"found by the second run", `, "recheck": 1`, []codecheck.Status{pass, fail}, []string{"a"}, []bool{true}},
		{"the second run agrees", `, "recheck": 1`, []codecheck.Status{pass, pass}, []string{"a"}, []bool{false}},
		{"a second run that failed tells nothing", `, "recheck": 1`, []codecheck.Status{pass, ""}, []string{"a"}, []bool{false}},
		{"what has no reward tells nothing", "", []codecheck.Status{codecheck.BrokenTests, pass}, []string{"a", "a"}, []bool{false, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runner := &fickle{turns: tt.turns}
			reg := NewRegistry(Config{Code: func(string) (CodeRunner, error) { return runner, nil }})
			for i, text := range tt.rows {
				v, err := reg.Build(jsontext.Value(`{"kind": "code_exec"` + tt.spec + `}`)) // the memory outlives a spec
				if err != nil {
					t.Fatal(err)
				}
				row := &rollout.Row{FinalText: text, Privileged: rollout.Privileged{Tests: jsontext.Value(`"assert a"`)}}
				got := judge.Call(t.Context(), v, row, 0)
				if got.Repeatable() == tt.flaky[i] {
					t.Errorf("row %d: flaky %v, want %v", i, !got.Repeatable(), tt.flaky[i])
				}
			}
			for i, cold := range runner.cold {
				if cold != (tt.spec != "" && i == 1) {
					t.Errorf("run %d: cold %v", i, cold)
				}
			}
		})
	}
}

func TestShareOfRechecks(t *testing.T) {
	drawn := 0
	for i := range 4000 {
		if workOf([]byte(fmt.Sprint(i))).drawn(0.25) {
			drawn++
		}
	}
	if drawn < 900 || drawn > 1100 {
		t.Errorf("%d of 4000 drawn at 0.25", drawn)
	}
	if w := workOf(nil); w.drawn(0) || !w.drawn(1) {
		t.Error("a share of 0 draws, or one of 1 does not")
	}
}

func TestMemoryOfFatesIsBounded(t *testing.T) {
	var f fates
	for i := range maxFates + 100 {
		f.note(workOf([]byte(fmt.Sprint(i))), fate{})
	}
	if len(f.known) > maxFates {
		t.Errorf("%d are known, bound %d", len(f.known), maxFates)
	}
}

func TestCheckerSpecs(t *testing.T) {
	const spec = `{"kind": "code_exec", "checker": {"kind": "numeric"}}`
	reg := NewRegistry(Config{Code: func(string) (CodeRunner, error) { return special{}, nil }})
	v, err := reg.Build(jsontext.Value(spec))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reg.Build(jsontext.Value(`{"kind": "code_exec", "checker": {"kind": "nothing"}}`)); err == nil {
		t.Error("an unknown kind is taken")
	}
	for answer, want := range map[string]float64{"4": 1, "4.0": 1, "5": 0, "": 0} {
		row := &rollout.Row{FinalText: answer, Privileged: rollout.Privileged{Tests: jsontext.Value(`"assert a"`)}}
		if got := judge.Call(t.Context(), v, row, 0); got.Reward == nil || *got.Reward != want {
			t.Errorf("%q: got %+v, want reward %v", answer, got, want)
		}
	}
}

// special is a runner that asks the special judge about the answer, expecting 4.
type special struct{}

func (special) Check(ctx context.Context, t codecheck.Task) (codecheck.Report, error) {
	right, err := t.Special(ctx, codecheck.SpecialCase{Input: []byte(`"2 2"`), Output: []byte(`"` + t.Answer + `"`), Expected: []byte("4")})
	rep := codecheck.Report{Status: codecheck.WrongAnswer}
	if right {
		rep = codecheck.Report{Status: codecheck.Passed, Reward: 1}
	}
	return rep, err
}
