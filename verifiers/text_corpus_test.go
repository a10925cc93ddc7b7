package verifiers

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// textCase is a line of testdata/corpus/text.
type textCase struct {
	ID        string          `json:"id"`
	Class     string          `json:"class"`
	Spec      json.RawMessage `json:"spec"`
	Row       json.RawMessage `json:"row"`
	Reward    *float64        `json:"reward"`
	Status    judge.Status    `json:"status"`
	Extracted any             `json:"extracted"`
}

// verdictOf judges a row by a spec, both as JSON.
func verdictOf(t testing.TB, spec, row string) judge.Verdict {
	t.Helper()
	v, err := NewRegistry(Config{}).Build(jsontext.Value(spec))
	if err != nil {
		t.Fatalf("build %s: %v", spec, err)
	}
	r, err := rollout.Parse([]byte(row))
	if err != nil {
		t.Fatalf("row %s: %v", row, err)
	}
	return judge.Call(t.Context(), v, r, 0)
}

func readCases(t testing.TB, name string) []textCase {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "corpus", "text", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []textCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c textCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

func sameReward(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// TestTextCorpus counts agreement with labelled answers. The counts may only rise.
func TestTextCorpus(t *testing.T) {
	for _, file := range []struct {
		name string
		want int
	}{
		{"multiple-choice.jsonl", 342},
		{"numeric.jsonl", 326},
		{"exact-match.jsonl", 121},
		{"includes.jsonl", 61},
		{"golden.jsonl", 173},
	} {
		t.Run(file.name, func(t *testing.T) {
			right, cases := 0, readCases(t, file.name)
			for _, c := range cases {
				got := verdictOf(t, string(c.Spec), string(c.Row))
				if !sameReward(got.Reward, c.Reward) || got.Status != c.Status {
					t.Logf("%s: reward %v, status %s, want %v, %s (extracted %v)", c.ID, deref(got.Reward), got.Status, deref(c.Reward), c.Status, got.Meta["extracted"])
					continue
				}
				if c.Extracted != nil && !sameExtract(c.Extracted, got.Meta["extracted"]) {
					t.Logf("%s: extracted %v, want %v", c.ID, got.Meta["extracted"], c.Extracted)
					continue
				}
				right++
			}
			if right < file.want {
				t.Errorf("%d of %d cases agree, want %d", right, len(cases), file.want)
			}
		})
	}
}

func deref(f *float64) any {
	if f == nil {
		return nil
	}
	return *f
}

// sameExtract compares what was read: a letter as it is, a number by its value.
func sameExtract(want, got any) bool {
	text, ok := got.(string)
	if number, isNumber := want.(float64); ok && isNumber {
		lit, found := nextNumber(text, 0)
		if !found {
			return false
		}
		v, err := lit.value.rat()
		if err != nil {
			return false
		}
		f, _ := v.Float64()
		return f == number
	}
	return text == want
}
