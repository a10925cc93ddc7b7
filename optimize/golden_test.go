package optimize

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
	"github.com/verifyd/verifyd/rollout"
)

func TestOptimizeGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "optimize", "optimize") {
		t.Run(c.ID, func(t *testing.T) {
			o := DefaultOptions()
			c.Arg(t, "mode", &o.Mode)
			c.Arg(t, "target", &o.Target)
			c.Arg(t, "enforce_band", &o.EnforceBand)
			c.Arg(t, "truncated", &o.Truncated)
			c.Arg(t, "select", &o.Select)
			c.Arg(t, "band", &o.Band)
			rows := goldentest.Rows(t, c.Input.Rows)
			var x Index
			for _, r := range rows {
				x.Add(r)
			}
			s, err := x.Select(o)
			if _, raises := c.Expected["raises"]; raises {
				if err == nil {
					t.Error("not refused")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkKept(t, &c, &s, rows, o.Select == "random_per_prompt")
			report := c.Expected["report"].(map[string]any)
			off := goldentest.Differences(t, &s.Report, report, reportKeys, 1e-9)
			duplicates, _ := report["duplicates"].(map[string]any)
			off = append(off, goldentest.Differences(t, &s.Report.Duplicates, duplicates, "n n_kept n_dropped groups_affected duplicate_rate conflicting_rewards", 1e-9)...)
			signal, _ := report["signal"].(map[string]any)
			for _, d := range append(off, goldentest.Differences(t, &s.Report.Signal, signal, "n_groups n_single n_mixed n_all_zero n_all_one n_in_band mixed_rate", 1e-9)...) {
				t.Error(d)
			}
		})
	}
}

const reportKeys = `mode n n_after_gates gates n_after_trim unanimous_groups_dropped collapsed_groups_dropped n_selected groups_selected fault_kinds target band
	enforce_band band_groups_dropped band_dropped privileged_leaks_dropped truncated_dropped truncated_kept truncated_penalized truncated_policy
	eval_sourced_input n_eligible n_not_pass n_junk unique_behaviors selection min_reward`

// checkKept compares the kept rows and what was written into them.
func checkKept(t *testing.T, c *goldentest.Case, s *Selection, rows []*rollout.Row, random bool) {
	t.Helper()
	want := c.Expected["rows_kept"].([]any)
	if len(want) != len(s.Rows) {
		t.Fatalf("%d rows kept, want %d", len(s.Rows), len(want))
	}
	extra, _ := c.Expected["kept_extra"].([]any)
	for k, i := range s.Rows {
		var index any
		if v, ok := rows[i].Get("rollout_index"); ok {
			_ = json.Unmarshal(v, &index) // nil where it is no JSON
		}
		if w := want[k].([]any); !random && (rows[i].Group != w[0] || index != w[1]) {
			t.Errorf("row %d is %s %v, want %v", k, rows[i].Group, index, w)
		}
		var got map[string]any
		line := s.AppendRow(nil, i, rows[i])
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if k < len(extra) {
			for _, d := range goldentest.Differences(t, got, extra[k].(map[string]any), "reward overlong reward_before_penalty markers judge_name calibration", 1e-9) {
				t.Errorf("row %d: %s", k, d)
			}
		}
	}
}

// TestEachDroppedRowHasOneReason adds the reasons up.
func TestEachDroppedRowHasOneReason(t *testing.T) {
	for _, c := range goldentest.Cases(t, "optimize", "optimize") {
		var x Index
		for _, r := range goldentest.Rows(t, c.Input.Rows) {
			x.Add(r)
		}
		for _, mode := range []string{"rl", "sft"} {
			for _, cut := range []string{"drop", "keep", "penalize"} {
				o := DefaultOptions()
				o.Mode, o.Truncated, o.Target = mode, cut, 5
				s, err := x.Select(o)
				if err != nil {
					t.Fatal(err)
				}
				n := len(s.Rows)
				for _, k := range s.Report.Dropped {
					n += k
				}
				if n != s.Report.N {
					t.Errorf("%s, %s, %s: %d rows have a fate, of %d: %v", c.ID, mode, cut, n, s.Report.N, s.Report.Dropped)
				}
			}
		}
	}
}
