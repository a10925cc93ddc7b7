package conduct

import (
	"testing"

	"github.com/verifyd/verifyd/rollout"
)

// FuzzGrade: whatever a row holds, there is a verdict with a reward, twice the same.
func FuzzGrade(f *testing.F) {
	f.Add(`{"prompt": "Refund 5512", "final_text": "I have refunded it? Done, but not.", "steps": [{"tool": "a_b", "arguments": {"id": ["x", {"email": "<y>"}]}, "result": {"status": 404}}]}`)
	f.Add(`{"messages": [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "x", "arguments": "{"}}]}, "odd", {"role": "tool", "tool_call_id": "1", "content": "[1"}], "scenario_dimensions": {"tool": "x"}}`)
	f.Fuzz(func(t *testing.T, line string) {
		r, err := rollout.Parse([]byte(line))
		if err != nil {
			return
		}
		for range 2 {
			if v := Grade(r, []string{"x"}); v.Reward == nil {
				t.Fatal(v)
			}
			if one, two := Checklist(r, nil), Checklist(r, nil); *one.Reward != *two.Reward || one.Reason != two.Reason {
				t.Fatalf("%v, then %v", one, two)
			}
		}
	})
}
