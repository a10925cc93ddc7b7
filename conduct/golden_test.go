package conduct

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// TestGoldenCases: rewards and markers are those of the golden cases.
func TestGoldenCases(t *testing.T) {
	for system, grade := range map[string]func(*rollout.Row, []string) judge.Verdict{"conduct_grade": Grade, "task_checklist": Checklist} {
		for _, c := range goldentest.Cases(t, "conduct_checklist", system) {
			r, err := rollout.Parse(c.Input.Rest["row"])
			if err != nil {
				t.Fatal(err)
			}
			var declared []string
			if raw := c.Input.Rest["declared_tools"]; raw != nil {
				if err := json.Unmarshal(raw, &declared); err != nil {
					t.Fatal(err)
				}
			}
			v := grade(r, declared)
			if *v.Reward != c.Expected["reward"] {
				t.Errorf("%s (%s): got %v (%s), want %v", c.ID, c.Note, *v.Reward, v.Reason, c.Expected["reward"])
			}
			if want, _ := c.Expected["fault_detected"].(bool); want != (v.Meta["fault_detected"] == true) && system == "conduct_grade" {
				t.Errorf("%s: fault_detected %v, want %v", c.ID, v.Meta["fault_detected"], want)
			}
			want, ok := c.Expected["markers"].(map[string]any)
			if !ok {
				continue
			}
			for name, value := range want {
				if got, there := v.Markers[name]; !there || got != value {
					t.Errorf("%s (%s): marker %s is %v, want %v", c.ID, c.Note, name, got, value)
				}
			}
			if len(want) != len(v.Markers) {
				t.Errorf("%s (%s): markers %v, want %v", c.ID, c.Note, v.Markers, want)
			}
		}
	}
}
