package trust

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
)

func TestAgreementGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "judge_trust", "judge_agreement") {
		t.Run(c.ID, func(t *testing.T) {
			var o AgreementOptions
			c.Arg(t, "reward", &o.Reward)
			c.Arg(t, "allow_model_gold", &o.AllowModelGold)
			var gold *GoldRows
			var lines []json.RawMessage
			if err := json.Unmarshal(c.Input.Rest["gold"], &lines); err == nil {
				gold = &GoldRows{}
				for _, r := range goldentest.Rows(t, lines) {
					gold.Add(r)
				}
			} else if err := json.Unmarshal(c.Input.Rest["gold"], &o.Gold); err != nil {
				t.Fatal(err)
			}
			cmp := NewComparison(o, gold)
			for _, r := range goldentest.Rows(t, c.Input.Rows) {
				cmp.Add(r)
			}
			a := cmp.Report()
			for _, d := range goldentest.Differences(t, &a, c.Expected, agreementKeys+" ok", 1e-4) {
				t.Error(d)
			}
		})
	}
}

const agreementKeys = "n n_skipped n_unmatched agreement kappa confusion pass_when_gold_fail fail_when_gold_pass judge_pass_rate gold_pass_rate gold_kind ci95"

func TestTrustGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "judge_trust", "judge_trust") {
		t.Run(c.ID, func(t *testing.T) {
			var o Options
			c.Arg(t, "allow_model_gold", &o.AllowModelGold)
			m := NewMeasure(o)
			for _, r := range goldentest.Rows(t, c.Input.Rows) {
				m.Add(r)
			}
			r := m.Report()
			keys := "n_rows n_labeled gold_kind gold_degenerate floors skipped length_sensitivity disagreements"
			if string(c.Input.Rest["judge"]) == "null" { // else it is asked again, which a stream of rows cannot do
				keys += " ok"
			}
			off := goldentest.Differences(t, &r, c.Expected, keys, 1e-9)
			agreement, _ := c.Expected["agreement"].(map[string]any)
			for _, d := range append(off, goldentest.Differences(t, &r.Agreement, agreement, agreementKeys+" ok", 1e-4)...) {
				t.Error(d)
			}
		})
	}
}
