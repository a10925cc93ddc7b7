package evaluate

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
)

func TestPassAtGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "pass_at", "pass_at") {
		if _, ok := c.Expected["raises"]; ok {
			continue // k=0, which is the default here: the command line refuses it, and its script holds that
		}
		t.Run(c.ID, func(t *testing.T) {
			var o PassAtOptions
			c.Arg(t, "k", &o.K)
			c.Arg(t, "min_k", &o.MinK)
			c.Arg(t, "unanimous_short", &o.UnanimousShort)
			var tally Tally
			for _, r := range goldentest.Rows(t, c.Input.Rows) {
				tally.Add(r)
			}
			r, err := tally.PassAt(o)
			if err != nil {
				t.Fatal(err)
			}
			keys := "k pass_at_1 pass_pow_k pass_at_k headroom n_groups n_groups_at_k n_groups_imputed n_partial n_rows ci95 pass_pow_k_ci95 pass_at_k_ci95 config per_task"
			for _, d := range goldentest.Differences(t, &r, c.Expected, keys, 1e-9) {
				t.Error(d)
			}
			if note, _ := c.Expected["note"].(string); (note == "") != (r.Note == "") {
				t.Errorf("note %q, want %q", r.Note, note)
			}
		})
	}
}

func TestDeltaGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "delta_report", "delta_report") {
		t.Run(c.ID, func(t *testing.T) {
			o := deltaOptions(t, &c)
			var before, after Side
			for _, r := range goldentest.Rows(t, c.Input.Before) {
				before.Add(r)
			}
			for _, r := range goldentest.Rows(t, c.Input.After) {
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
			off := append(goldentest.Differences(t, &r, c.Expected, exact, 1e-9), goldentest.Differences(t, &r, c.Expected, "target_ci95 proxy_ci95", 0.03)...)
			metrics, _ := c.Expected["metrics"].(map[string]any)
			for name, want := range metrics {
				d := r.Metrics[name]
				off = append(off, goldentest.Differences(t, &d, want.(map[string]any), "verdict gain_verdict mean_a mean_b delta n_used n_paired n_only_a n_only_b paired paired_share lower_is_better", 1e-9)...)
				off = append(off, goldentest.Differences(t, &d, want.(map[string]any), "ci95 p_value", 0.03)...)
			}
			for _, d := range off {
				t.Error(d)
			}
		})
	}
}

func deltaOptions(t *testing.T, c *goldentest.Case) DeltaOptions {
	t.Helper()
	var o DeltaOptions
	c.Arg(t, "target", &o.Target)
	c.Arg(t, "must_not_regress", &o.MustNotRegress)
	c.Arg(t, "proxy", &o.Proxy)
	c.Arg(t, "alpha", &o.Alpha)
	var names []string
	if raw := c.Input.Args["lower_is_better"]; len(raw) > 0 && raw[0] == '[' {
		c.Arg(t, "lower_is_better", &names)
		o.LowerIsBetter = map[string]bool{}
		for _, name := range names {
			o.LowerIsBetter[name] = true
		}
	} else {
		c.Arg(t, "lower_is_better", &o.LowerIsBetter)
	}
	return o
}

func scanOf(t *testing.T, c *goldentest.Case, lines []json.RawMessage) HackReport {
	t.Helper()
	var o HackOptions
	c.Arg(t, "endorsed", &o.Endorsed)
	auto := true
	c.Arg(t, "auto", &auto)
	o.NoTerms = !auto
	s, rows := NewHackScan(o), goldentest.Rows(t, lines)
	for _, r := range rows {
		s.Look(r)
	}
	for _, r := range rows {
		s.Add(r)
	}
	return s.Report()
}

func TestHackScanGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "hack_scan_diff", "hack_scan_diff") {
		t.Run(c.ID, func(t *testing.T) {
			before, after := scanOf(t, &c, c.Input.Before), scanOf(t, &c, c.Input.After)
			d := CompareScans(&before, &after)
			for _, x := range goldentest.Differences(t, &d, c.Expected, "before after gained lost moved", 2e-4) {
				t.Error(x)
			}
		})
	}
}
