package verifiers

import (
	"fmt"
	"testing"

	"github.com/verifyd/verifyd/judge"
)

func TestMathEqualOptions(t *testing.T) {
	for _, tt := range []struct{ option, gold, answer string }{
		{`"bare_percent":false`, `28\\%`, "28"},
		{`"set_relation":false`, "(0,1)", "0 < x < 1"},
		{`"convert_units":false`, "1 m", "100 cm"},
		{`"bare_base":false`, "1010_2", "1010"},
		{`"bare_tuples":false`, "(1,2)", "1,2"},
		{`"synonyms":false`, `\\emptyset`, "no solution"},
		{`"rounding_digits":9`, `\\frac13`, "0.333333"},
		{`"form":"strict"`, `\\frac12`, "0.5"},
		{`"extract":false`, "42", `the answer is \\boxed{42}`},
	} {
		t.Run(tt.option, func(t *testing.T) {
			line := fmt.Sprintf(`{"final_text":"%s","answer":"%s"}`, tt.answer, tt.gold)
			if got := call(t, `{"kind":"math_equal"}`, line); show(got.Reward, got.Status) != "1" {
				t.Errorf("by the house rule: %s, %s", show(got.Reward, got.Status), got.Reason)
			}
			if got := call(t, `{"kind":"math_equal",`+tt.option+`}`, line); show(got.Reward, got.Status) != "0" {
				t.Errorf("with the option: %s, %s", show(got.Reward, got.Status), got.Reason)
			}
		})
	}
}

func TestMathEqualNamesWhyThereIsNoReward(t *testing.T) {
	for _, tt := range []struct {
		name, line, want string
		class            judge.FailureClass
	}{
		{"a gold that cannot be read", `{"final_text":"\\boxed{4}","answer":"\\frac{1}{"}`, "missing_reward", ""},
		{"an empty gold", `{"final_text":"4","answer":""}`, "missing_reward", ""},
		{"no answer", `{"final_text":"I do not know.","answer":"4"}`, "0", judge.NoAnswer},
		{"a wrong answer", `{"final_text":"5","answer":"4"}`, "0", judge.WrongAnswer},
		{"any of several golds", `{"final_text":"5","answer":["4","5"]}`, "1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t, `{"kind":"math_equal"}`, tt.line)
			if show(got.Reward, got.Status) != tt.want || got.FailureClass != tt.class {
				t.Errorf("got %s %q, want %s %q: %s", show(got.Reward, got.Status), got.FailureClass, tt.want, tt.class, got.Reason)
			}
		})
	}
}

func TestUndecidedIsAFailOrUnjudgedByOption(t *testing.T) {
	for option, want := range map[string]string{"fail": "0", "unjudged": "error"} {
		m := &mathEqual{Undecided: option}
		got := m.undecided(judge.Undecided, "cannot tell")
		if show(got.Reward, got.Status) != want || got.Markers["decided"] != 0 || len(got.Markers) != 1 {
			t.Errorf("%s: got %s, markers %v", option, show(got.Reward, got.Status), got.Markers)
		}
	}
}
