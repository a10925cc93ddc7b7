package verifiers

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// instructionCase is a line of testdata/corpus/instructions.
type instructionCase struct {
	ID    string `json:"id"`
	Input struct {
		Verifier json.RawMessage `json:"verifier"`
		Row      json.RawMessage `json:"row"`
	} `json:"input"`
	Expected struct {
		Reward *float64     `json:"reward"`
		Status judge.Status `json:"judge_status"`
	} `json:"expected"`
	Why string `json:"why"`
}

func readInstructionCases(t testing.TB, name string) []instructionCase {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "corpus", "instructions", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []instructionCase
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var c instructionCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// judged is the verdict of a case; a spec that cannot be built is status error.
func (c instructionCase) judged(t testing.TB) judge.Verdict {
	t.Helper()
	v, err := NewRegistry(Config{}).Build([]byte(c.Input.Verifier))
	var spec *judge.SpecError
	if errors.As(err, &spec) {
		return judge.Unjudged(judge.Error, spec.Error())
	}
	if err != nil {
		t.Fatalf("%s: build: %v", c.ID, err)
	}
	row, err := rollout.Parse(c.Input.Row)
	if err != nil {
		t.Fatalf("%s: row: %v", c.ID, err)
	}
	return judge.Call(t.Context(), v, row, 0)
}

// TestInstructionCorpus holds each file of labelled cases to all of its verdicts; faults.jsonl are the public reports of
// wrong checkers.
func TestInstructionCorpus(t *testing.T) {
	for name, want := range map[string]int{
		"ifeval.jsonl": 170, "ifbench.jsonl": 168, "faults.jsonl": 97, "specs.jsonl": 36,
		"format.jsonl": 57, "tool_calls.jsonl": 72, "similarity.jsonl": 38,
	} {
		t.Run(name, func(t *testing.T) {
			cases := readInstructionCases(t, name)
			if len(cases) != want {
				t.Errorf("%d cases were read, want %d", len(cases), want)
			}
			for _, c := range cases {
				t.Run(c.ID, func(t *testing.T) {
					got := c.judged(t)
					if !sameReward(got.Reward, c.Expected.Reward) || got.Status != c.Expected.Status {
						t.Errorf("%s: %v %s (%s), want %v %s\n%s\n%s", c.Why, deref(got.Reward), got.Status, got.Reason,
							deref(c.Expected.Reward), c.Expected.Status, c.Input.Verifier, c.Input.Row)
					}
				})
			}
		})
	}
}
