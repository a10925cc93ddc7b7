package verifiers

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// TestRulesCorpus: answers and specs made up clause by clause from the rules, each verdict thought through by them.
func TestRulesCorpus(t *testing.T) {
	registry := NewRegistry(Config{})
	for _, c := range readCases(t, "rules.jsonl") {
		r, err := rollout.Parse(c.Row)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		got := judge.Verdict{Status: judge.Error}
		if v, err := registry.Build(jsontext.Value(c.Spec)); err == nil {
			got = judge.Call(t.Context(), v, r, 0)
		}
		if !sameReward(got.Reward, c.Reward) || got.Status != c.Status {
			t.Errorf("%s (%s): %s judges %s: reward %v, status %s, want %v, %s", c.ID, c.Class, c.Spec, c.Row, deref(got.Reward), got.Status, deref(c.Reward), c.Status)
		}
	}
}
