package verifiers

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Rows that differ only in their id share one verdict, so a check that may read the id must say so, at any depth.
func TestWhatMayReadTheIDIsNotBlindToIt(t *testing.T) {
	cases := []struct {
		name, spec string
		blind      bool
	}{
		{"a leaf", `{"kind":"exact_match"}`, true},
		{"a leaf whose reference is the id", `{"kind":"exact_match","field":"id"}`, false},
		{"a rule", `{"kind":"rule","expr":"true"}`, false},
		{"a tree of leaves", `{"kind":"all","of":[{"kind":"exact_match"},{"kind":"not","check":{"kind":"exact_match"}}]}`, true},
		{"a tree with a rule", `{"kind":"any","of":[{"kind":"exact_match"},{"kind":"not","check":{"kind":"rule","expr":"true"}}]}`, false},
		{"weights with a rule", `{"kind":"weighted","of":[{"weight":1,"check":{"kind":"rule","expr":"true"}}]}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, err := NewRegistry(Config{}).Build(jsontext.Value(c.spec))
			if err != nil {
				t.Fatal(err)
			}
			if got := allBlind([]child{newChild(v)}); got != c.blind {
				t.Errorf("IDBlind is %t, want %t", got, c.blind)
			}
		})
	}
}
