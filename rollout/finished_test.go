package rollout_test

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
	"github.com/verifyd/verifyd/rollout"
)

func TestFinishedGolden(t *testing.T) {
	for _, c := range goldentest.Values(t, "extra", "looks_finished") {
		var text string
		if err := json.Unmarshal(c.Input.Rest["text"], &text); err != nil {
			t.Fatal(err)
		}
		if got := rollout.LooksFinished(text); got != (string(c.Expected) == "true") {
			t.Errorf("%s: %q: %v", c.ID, text, got)
		}
	}
	for _, c := range goldentest.Values(t, "extra", "is_truncated") {
		r, err := rollout.Parse(c.Input.Rest["row"])
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Truncated(); got != (string(c.Expected) == "true") {
			t.Errorf("%s: %v", c.ID, got)
		}
	}
}

func TestTruncatedReadsItsReasons(t *testing.T) {
	for _, c := range []struct {
		name, row string
		want      bool
	}{
		{"stop", `{"finish_reason":"stop","final_text":"ok."}`, false},
		{"the judge says so", `{"final_text":"ok.","reason":"The reply is truncated"}`, true},
		{"a step that is whole", `{"steps":[{"truncated":false}],"final_text":"ok."}`, false},
		{"nothing", `{}`, false},
		{"a code block that is closed", `{"final_text":"` + "```a```" + `"}`, false},
	} {
		r, err := rollout.Parse([]byte(c.row))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Truncated(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
