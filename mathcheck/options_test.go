package mathcheck

import (
	"errors"
	"testing"
)

func TestOptionsChangeTheHouseRules(t *testing.T) {
	tests := []struct {
		name       string
		gold, pred string
		opt        Options
	}{
		{"a bare number answers a percentage", `28\%`, "28", Options{NoBarePercent: true}},
		{"an inequality answers an interval", `(2,\infty)`, "x>2", Options{NoSetRelation: true}},
		{"units convert", `1\text{ m}`, `100\text{ cm}`, Options{NoUnitConversion: true}},
		{"degrees convert", `90^\circ`, `\frac{\pi}{2}`, Options{NoUnitConversion: true}},
		{"the base may be missing", "1010_2", "1010", Options{StrictBase: true}},
		{"bases convert", "1010_2", "12_8", Options{StrictBase: true}},
		{"brackets of a tuple may be missing", "(1,2)", "1,2", Options{StrictTuples: true}},
		{"words name objects", `\emptyset`, "no solution", Options{NoSynonyms: true}},
		{"number words are numbers", "12", "twelve", Options{NoSynonyms: true}},
		{"forms differ", "1/2", "0.5", Options{StrictForm: true}},
		{"six digits suffice", "1/3", "0.333333", Options{RoundingDigits: 7}},
		{"an answer is extracted", "42", "The answer is 42.", Options{Bare: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := Equal(tt.gold, tt.pred); !v.Equal {
				t.Errorf("by the house rules %q and %q are not equal: %+v", tt.gold, tt.pred, v)
			}
			g, err := Compile(tt.gold, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if v := g.Check(tt.pred); v.Equal {
				t.Errorf("with %+v %q and %q are equal", tt.opt, tt.gold, tt.pred)
			}
		})
	}
}

func TestCoarseRoundingByOption(t *testing.T) {
	g, err := Compile(`\pi`, Options{RoundingDigits: 3})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Check("3.14"); !v.Equal {
		t.Errorf("3.14 is not π at three digits: %+v", v)
	}
	if v := g.Check("3.15"); v.Equal {
		t.Error("3.15 is π at three digits")
	}
}

func TestEmptyGoldIsAnError(t *testing.T) {
	for _, golds := range [][]string{{""}, {"  ", "\n"}, {}} {
		if _, err := CompileAny(golds, Options{}); !errors.Is(err, ErrEmptyGold) {
			t.Errorf("CompileAny(%q): %v", golds, err)
		}
	}
	if v := Equal("", ""); v.Equal {
		t.Error("nothing equals nothing")
	}
}

func TestStatusTellsWhy(t *testing.T) {
	tests := []struct {
		name, gold, pred string
		want             Status
	}{
		{"exact values", "1/2", "0.5", Proven},
		{"a different value", "1/2", "0.6", Proven},
		{"agreement to many digits", `\arctan 1`, `\frac{\pi}{4}`, Numeric},
		{"a gold that nobody can read", `\frac{}{}`, "5", UnparsedGold},
		{"an answer that nobody can read", "5", `\boxed{\frac{}{}}`, UnparsedPred},
		{"an empty box", "5", `\boxed{}`, NoAnswer},
		{"unfinished thinking", "5", "<think>5", NoAnswer},
		{"a denied answer", "5", "The answer is not 5.", NoAnswer},
		{"a tower that is not written alike", `9^{9^{9^{9}}}`, `9^{9^{9^{8}}}`, Undecided},
		{"too many terms", "1", `\sum_{k=1}^{2000}\sum_{j=1}^{2000}\sin(jk)`, Budget},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := Equal(tt.gold, tt.pred); v.Status != tt.want {
				t.Errorf("got %+v, want %s", v, tt.want)
			}
		})
	}
}
