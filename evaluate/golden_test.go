package evaluate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/rollout"
)

// goldenCase is a line of testdata/corpus/golden.
type goldenCase struct {
	ID, System, Note string
	Input            struct {
		Rows, Before, After []json.RawMessage
		Args                map[string]json.RawMessage
	}
	Expected map[string]any
}

// goldenCases are the cases of a system.
func goldenCases(t *testing.T, file, system string) []goldenCase {
	t.Helper()
	b, err := os.ReadFile("../testdata/corpus/golden/" + file + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for line := range bytes.Lines(b) {
		var c goldenCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.System == system {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Fatalf("no cases of %s", system)
	}
	return cases
}

func parsed(t *testing.T, rows []json.RawMessage) []*rollout.Row {
	t.Helper()
	var list []*rollout.Row
	for _, line := range rows {
		r, err := rollout.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// arg reads an argument of a case into v, where it is there.
func (c *goldenCase) arg(t *testing.T, name string, v any) (ok bool) {
	t.Helper()
	raw, ok := c.Input.Args[name]
	if ok {
		if err := json.Unmarshal(raw, v); err != nil {
			t.Fatal(err)
		}
	}
	return ok
}

// differences names the members of want, among keys (blank-separated), that differ from got's JSON by more than tol.
func differences(t *testing.T, got any, want map[string]any, keys string, tol float64) []string {
	t.Helper()
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var has map[string]any
	if err := json.Unmarshal(b, &has); err != nil {
		t.Fatal(err)
	}
	var off []string
	for _, k := range strings.Fields(keys) {
		if w, ok := want[k]; ok && !near(has[k], w, tol) {
			off = append(off, fmt.Sprintf("%s: %v, want %v", k, has[k], w))
		}
	}
	return off
}

func near(got, want any, tol float64) bool {
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		return ok && math.Abs(g-w) <= tol
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !near(g[i], w[i], tol) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for k := range w {
			if !near(g[k], w[k], tol) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

func TestPassAtGolden(t *testing.T) {
	for _, c := range goldenCases(t, "pass_at", "pass_at") {
		if _, ok := c.Expected["raises"]; ok {
			continue // k=0, which is the default here: the command line refuses it, and its script holds that
		}
		t.Run(c.ID, func(t *testing.T) {
			var o PassAtOptions
			c.arg(t, "k", &o.K)
			c.arg(t, "min_k", &o.MinK)
			c.arg(t, "unanimous_short", &o.UnanimousShort)
			var tally Tally
			for _, r := range parsed(t, c.Input.Rows) {
				tally.Add(r)
			}
			r, err := tally.PassAt(o)
			if err != nil {
				t.Fatal(err)
			}
			keys := "k pass_at_1 pass_pow_k pass_at_k headroom n_groups n_groups_at_k n_groups_imputed n_partial n_rows ci95 pass_pow_k_ci95 pass_at_k_ci95 config per_task"
			for _, d := range differences(t, &r, c.Expected, keys, 1e-9) {
				t.Error(d)
			}
			if note, _ := c.Expected["note"].(string); (note == "") != (r.Note == "") {
				t.Errorf("note %q, want %q", r.Note, note)
			}
		})
	}
}
