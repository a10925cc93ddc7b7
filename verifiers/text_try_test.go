package verifiers

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/judge"
)

// outcome is what an answer is worth against a gold.
type outcome int

const (
	wrong    outcome = iota // reward 0
	right                   // reward 1
	unusable                // the gold cannot be read: missing_reward
)

// textTry is an answer, a gold and the verdict.
type textTry struct {
	answer, gold string
	want         outcome
}

// textTries are tries of one clause.
type textTries struct {
	name  string
	tries []textTry
}

// textRow is a row with an answer and a gold.
func textRow(t testing.TB, answer string, gold any) string {
	t.Helper()
	row, err := json.Marshal(map[string]any{"final_text": answer, "privileged": map[string]any{"reference": gold}})
	if err != nil {
		t.Fatal(err)
	}
	return string(row)
}

func outcomeOf(v judge.Verdict) outcome {
	switch {
	case v.Status == judge.MissingReward:
		return unusable
	case v.Reward != nil && *v.Reward == 1:
		return right
	}
	return wrong
}

func runTries(t *testing.T, spec string, groups []textTries) {
	t.Helper()
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			for _, try := range group.tries {
				v := verdictOf(t, spec, textRow(t, try.answer, try.gold))
				if got := outcomeOf(v); got != try.want {
					t.Errorf("%q against %q: outcome %d, want %d (extracted %v; %s)", try.answer, try.gold, got, try.want, v.Meta["extracted"], v.Reason)
				}
				if v.Status == judge.OK && (*v.Reward == 0) != (v.FailureClass != "") {
					t.Errorf("%q against %q: reward %v with failure class %q", try.answer, try.gold, *v.Reward, v.FailureClass)
				}
			}
		})
	}
}
