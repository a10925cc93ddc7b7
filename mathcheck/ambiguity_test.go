package mathcheck

import "testing"

func TestAmbiguousReferences(t *testing.T) {
	for gold, want := range map[string]bool{
		"10:15": true, "3,5": true, "05/06/2020": true, "1/2x": true, `\boxed{3} apples and \boxed{4} pears`: true,
		"10:15 AM": false, "3, 5": false, `\frac12x`: false, "7:32:11 PM": false, "25/12/2020": false, "42": false, "1/2": false, "5 km/h": false, "": false,
	} {
		if got := Ambiguous(gold); (got != "") != want {
			t.Errorf("%q: got %q, want a second reading: %v", gold, got, want)
		}
	}
}
