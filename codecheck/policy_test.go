package codecheck_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// policyRow is a program whose verdict hangs on a choice of the task: `strict` and `loose` are the options that differ.
type policyRow struct {
	ID     string                     `json:"id"`
	Prompt string                     `json:"prompt"`
	Answer string                     `json:"final_text"`
	Tests  map[string]json.RawMessage `json:"tests"`
	Strict map[string]json.RawMessage `json:"strict"`
	Loose  map[string]json.RawMessage `json:"loose"`
}

// Text that differs and is numerically equal, tuples for lists, floats that are near, completions that run on: each choice is an
// option, and by it the row fails or passes. One program is wrong either way (it rounds 9/3 up); there the option decides about a case.
func TestPolicyIsAnOption(t *testing.T) {
	data, err := os.ReadFile("../testdata/corpus/code/policy.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row policyRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		t.Run(row.ID, func(t *testing.T) {
			t.Parallel()
			judged := func(options map[string]json.RawMessage) codecheck.Report {
				tests := maps.Clone(row.Tests)
				maps.Copy(tests, options)
				text, err := json.Marshal(tests)
				if err != nil {
					t.Fatal(err)
				}
				return check(t, codecheck.Task{Answer: row.Answer, Prompt: row.Prompt, Tests: parse(t, string(text)), Score: codecheck.ScoreFraction})
			}
			strict, loose := judged(row.Strict), judged(row.Loose)
			if row.ID == "condefects-abc302_a-45902614-bug" {
				if case2 := 1; strict.Tests.Cases[case2].Passed || !loose.Tests.Cases[case2].Passed || loose.Reward <= strict.Reward || loose.Reward == 1 {
					t.Errorf("strict %v, loose %v", strict.Tests, loose.Tests)
				}
				return
			}
			if strict.Reward == 1 || loose.Reward != 1 {
				t.Errorf("strict: reward %v (%s); loose: reward %v (%s)", strict.Reward, strict.Reason, loose.Reward, loose.Reason)
			}
		})
	}
}

// No stub is paid, at any level that can judge it, by the corpus' own suites.
func TestStubsAreNotPaid(t *testing.T) {
	rows := corpus(t, "stubs.jsonl")
	if len(rows) < 80 {
		t.Fatalf("%d stubs", len(rows))
	}
	for _, row := range rows {
		t.Run(row.ID, func(t *testing.T) {
			t.Parallel()
			rep := check(t, codecheck.Task{Answer: row.Answer, Tests: parse(t, string(row.Privileged.Tests)), Score: codecheck.ScoreAll})
			if !rep.Status.Judged() || rep.Reward != 0 || rep.Status == codecheck.Tampering {
				t.Errorf("reward %v, %s (%s)", rep.Reward, rep.Status, rep.Reason)
			}
		})
	}
}
