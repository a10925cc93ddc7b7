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

func TestDeltaGolden(t *testing.T) {
	for _, c := range goldenCases(t, "delta_report", "delta_report") {
		t.Run(c.ID, func(t *testing.T) {
			o := deltaOptions(t, &c)
			var before, after Side
			for _, r := range parsed(t, c.Input.Before) {
				before.Add(r)
			}
			for _, r := range parsed(t, c.Input.After) {
				after.Add(r)
			}
			r, err := Delta(&before, &after, o)
			_, raises := c.Expected["raises"]
			if must, _ := c.Expected["or_raises"].(bool); raises || must {
				if err == nil {
					t.Errorf("not refused: %v", c.Note)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			exact := "ok not_comparable target target_verdict headline_verdict target_delta n_metrics alpha level family_error n_paired_tasks n_unpaired_tasks improved regressions slipped lower_is_better within_noise over_optimized proxy proxy_verdict proxy_delta run_std noise_band ceiling eval_runs replicated config"
			off := append(differences(t, &r, c.Expected, exact, 1e-9), differences(t, &r, c.Expected, "target_ci95 proxy_ci95", 0.03)...)
			metrics, _ := c.Expected["metrics"].(map[string]any)
			for name, want := range metrics {
				d := r.Metrics[name]
				off = append(off, differences(t, &d, want.(map[string]any), "verdict gain_verdict mean_a mean_b delta n_used n_paired n_only_a n_only_b paired paired_share lower_is_better", 1e-9)...)
				off = append(off, differences(t, &d, want.(map[string]any), "ci95 p_value", 0.03)...)
			}
			for _, d := range off {
				t.Error(d)
			}
		})
	}
}

func deltaOptions(t *testing.T, c *goldenCase) DeltaOptions {
	t.Helper()
	var o DeltaOptions
	c.arg(t, "target", &o.Target)
	c.arg(t, "must_not_regress", &o.MustNotRegress)
	c.arg(t, "proxy", &o.Proxy)
	c.arg(t, "alpha", &o.Alpha)
	var names []string
	if raw := c.Input.Args["lower_is_better"]; len(raw) > 0 && raw[0] == '[' {
		c.arg(t, "lower_is_better", &names)
		o.LowerIsBetter = map[string]bool{}
		for _, name := range names {
			o.LowerIsBetter[name] = true
		}
	} else {
		c.arg(t, "lower_is_better", &o.LowerIsBetter)
	}
	return o
}
