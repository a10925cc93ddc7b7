package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/internal/modelstub"
	"github.com/verifyd/verifyd/internal/yamljson"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/verifiers"
)

// rowDeadline is far above what an example takes.
const rowDeadline = time.Minute

// codeRegistry builds specs as the commands do; where there is no sandbox, a spec of programs skips its test.
func codeRegistry(t *testing.T, needed bool) *verifiers.Registry {
	t.Helper()
	if !needed {
		return verifiers.NewRegistry(verifiers.Config{Model: stubModel(t)})
	}
	if ok, err := condition("sandbox"); err != nil || !ok {
		t.Skip("needs a sandbox and Python")
	}
	a := new(app)
	t.Cleanup(a.close)
	return a.registry()
}

// stubModel stands in for the endpoints that examples name: its grader likes politeness, its reward model likes length.
func stubModel(t *testing.T) func(model.Config) (*model.Client, error) {
	t.Helper()
	stub := modelstub.Start(t, nil)
	stub.Score = func(q *modelstub.Question) float64 {
		if strings.Contains(q.Data, "please") {
			return 1
		}
		return 0
	}
	return func(c model.Config) (*model.Client, error) {
		c.BaseURL = stub.URL
		return new(model.Pool).Client(c)
	}
}

// TestExamplesOfSpecs grades the rows of each folder of examples/specs and compares with what is expected.
func TestExamplesOfSpecs(t *testing.T) {
	folders, err := filepath.Glob("../../examples/specs/*/judge.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < 20 {
		t.Errorf("%d examples", len(folders))
	}
	for _, name := range folders {
		folder := filepath.Dir(name)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			spec, err := yamljson.ToJSON(text)
			if err != nil {
				t.Fatal(err)
			}
			v, err := codeRegistry(t, bytes.Contains(spec, []byte("code_exec"))).Build(spec)
			if err != nil {
				t.Fatal(err)
			}
			rows, want := readLines(t, folder+"/rows.jsonl"), readLines(t, folder+"/expected.jsonl")
			if len(rows) != len(want) || len(rows) < 3 {
				t.Fatalf("%d rows, %d verdicts", len(rows), len(want))
			}
			for i, line := range rows {
				row, err := rollout.Parse([]byte(line))
				if err != nil {
					t.Fatal(err)
				}
				got := judge.Call(t.Context(), v, row, rowDeadline)
				var expected struct {
					ID     string             `json:"id"`
					Reward *float64           `json:"reward"`
					Status judge.Status       `json:"judge_status"`
					Class  judge.FailureClass `json:"failure_class"`
				}
				if err := json.Unmarshal([]byte(want[i]), &expected); err != nil {
					t.Fatal(err)
				}
				if expected.ID != row.ID || got.Status != expected.Status || got.FailureClass != expected.Class || !equalReward(got.Reward, expected.Reward) {
					t.Errorf("%s: %s, want %s (%s)", row.ID, judge.Graded{Verdict: got}.AppendVerdictJSON(nil), want[i], got.Reason)
				}
			}
		})
	}
}

func equalReward(a, b *float64) bool {
	return a == nil && b == nil || a != nil && b != nil && math.Abs(*a-*b) < 1e-9
}

func readLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// TestExamplesOfPrograms tries the examples of code_exec that docs/VERIFIERS.md shows; those of the other kinds are tried in
// package verifiers.
func TestExamplesOfPrograms(t *testing.T) {
	reg := codeRegistry(t, true)
	for _, d := range verifiers.Describe() {
		if d.Kind != "code_exec" {
			continue
		}
		for _, e := range d.Examples {
			v, err := reg.Build(e.Spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range e.Rows {
				row, err := rollout.Parse(r.Row)
				if err != nil {
					t.Fatal(err)
				}
				got := judge.Call(t.Context(), v, row, rowDeadline)
				if got.Status != r.Status || got.FailureClass != r.Class || got.Reward != nil && *got.Reward != r.Reward {
					t.Errorf("%s: %s, want %v %s %s", r.Row, judge.Graded{Verdict: got}.AppendVerdictJSON(nil), r.Reward, r.Status, r.Class)
				}
			}
		}
	}
}
