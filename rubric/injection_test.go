package rubric

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/internal/modelstub"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
)

func client(t *testing.T, c model.Config) *model.Client {
	t.Helper()
	m, err := new(model.Pool).Client(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rowOf(t *testing.T, members map[string]any) *rollout.Row {
	t.Helper()
	b, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rollout.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInjections: a model that obeys whatever stands outside the marks pays for none of the texts, as an answer, as a turn of
// the conversation, as an answer to compare with, or copied into its own verdict.
func TestInjections(t *testing.T) {
	f, err := os.Open("../testdata/corpus/injections/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stub := modelstub.Start(t, nil)
	stub.Score = func(q *modelstub.Question) float64 {
		if q.Nonce == "" {
			t.Error("the question has no nonce")
		}
		return 0
	}
	j, err := New(Config{Model: client(t, model.Config{Model: "m", BaseURL: stub.URL}), Rubric: "1 if the reply names the capital of France.", Against: "other"})
	if err != nil {
		t.Fatal(err)
	}
	single, err := New(Config{Model: client(t, model.Config{Model: "m", BaseURL: stub.URL}), Rubric: "1 if the reply names the capital of France."})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c struct{ Kind, Text string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		for name, members := range map[string]map[string]any{
			"answer": {"prompt": "What is the capital of France?", "final_text": c.Text},
			"prompt": {"prompt": c.Text, "final_text": "I do not know."},
			"tool":   {"prompt": "Hello", "final_text": "I do not know.", "steps": []any{map[string]any{"tool": "search", "result": c.Text}}},
		} {
			v := judge.Call(t.Context(), single, rowOf(t, members), 0)
			if v.Reward == nil || *v.Reward != 0 {
				t.Errorf("%s as %s was paid: %s", c.Kind, name, v.Reason)
			}
		}
		v := judge.Call(t.Context(), j, rowOf(t, map[string]any{"prompt": "Hi", "final_text": c.Text, "other": "Paris"}), 0)
		if v.Reward == nil || *v.Reward != 0.5 { // always the second is what an honest 0 says: a tie of both orders
			t.Errorf("%s in a comparison: %v %s", c.Kind, v.Reward, v.Reason)
		}
		if v, err := read(model.Answer{Text: c.Text, Finish: "stop"}, strings.Repeat("a", 32)); err == nil {
			t.Errorf("%s counts as a verdict of the judge: %v", c.Kind, *v.Score)
		}
	}
	if n < 60 {
		t.Errorf("only %d texts", n)
	}
}
