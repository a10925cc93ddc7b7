package mathcheck

import "testing"

func TestUnitsHaveScaleAndDimension(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"km", "m", true}, {"km/h", "m / s", true}, {"mph", "km/h", true}, {"cm^2", "m^2", true}, {"square feet", "in^2", true}, {"ml", "cm^3", true},
		{"miles per hour", "mph", true}, {"N", "kg m/s^2", true}, {"kWh", "J", true}, {"cents", "dollars", true},
		{"m", "m^2", false}, {"kg", "lb/s", false}, {"dollars", "euros", false}, {"degC", "degF", false}, {"months", "days", false},
	}
	for _, tt := range tests {
		_, da, okA := readUnit(tt.a)
		_, db, okB := readUnit(tt.b)
		if !okA || !okB {
			t.Errorf("%q or %q is no unit", tt.a, tt.b)
			continue
		}
		if sameDim(da, db) != tt.same {
			t.Errorf("%q and %q: same dimension %v, want %v", tt.a, tt.b, !tt.same, tt.same)
		}
	}
	for _, s := range []string{"", "apples", "m^x", "km of road"} {
		if _, _, ok := readUnit(s); ok {
			t.Errorf("%q is read as a unit", s)
		}
	}
}

func TestMomentsAreReadInAnyNotation(t *testing.T) {
	tests := []struct {
		a, b  string
		equal bool
	}{
		{"3:00 pm", "15:00", true}, {"3:00 p.m", "3:00pm", true}, {"20:34", "20:34:00", true}, {"july 4, 1776", "4 july 1776", true}, {"2021-12-25", "12/25/2021", true},
		{"may 4th", "may 4", true}, {"3 o'clock", "3:00", true}, {"3:00 am", "3:00 pm", false}, {"9:05", "9:50", false}, {"may 4", "may 5", false}, {"2020-01-02", "2020-02-01", false},
	}
	for _, tt := range tests {
		a, b := momentOf(tt.a), momentOf(tt.b)
		if a == nil || b == nil {
			t.Errorf("%q or %q is no moment", tt.a, tt.b)
			continue
		}
		if a.equal(b) != tt.equal {
			t.Errorf("%q and %q: equal %v, want %v", tt.a, tt.b, !tt.equal, tt.equal)
		}
	}
	for _, s := range []string{"12:75", "25:00 pm", "3/4", "12", "may", "1/2/3", "99-99-9999"} {
		if m := momentOf(s); m != nil {
			t.Errorf("%q is read as %+v", s, *m)
		}
	}
}

func TestNumberWordsAreWholeTexts(t *testing.T) {
	for s, want := range map[string]int{"twelve": 12, "forty-two": 42, "three hundred and five": 305, "two thousand": 2000, "zero": 0} {
		if got, ok := wordNumber(s); !ok || got != want {
			t.Errorf("%q: %d, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "twelve apples", "one two", "and", "hundred", "twenty thirty"} {
		if got, ok := wordNumber(s); ok {
			t.Errorf("%q is read as %d", s, got)
		}
	}
}
