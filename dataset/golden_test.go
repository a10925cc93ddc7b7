package dataset

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/internal/goldentest"
)

func TestTrainingRowsGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "misc", "training_rows") {
		t.Run(c.ID, func(t *testing.T) {
			var o TrainingOptions
			c.Arg(t, "system_prompt", &o.SystemPrompt)
			c.Arg(t, "mask_mode", &o.MaskMode)
			c.Arg(t, "unroll", &o.Unroll)
			c.Arg(t, "max_tool_output_chars", &o.MaxToolChars)
			if raw, ok := c.Input.Args["tools"]; ok {
				o.Tools = []byte(raw)
			}
			var objects []json.RawMessage
			for _, line := range c.Input.Rows {
				if strings.HasPrefix(string(line), "{") { // what is no object is no row: the reader of lines leaves it out
					objects = append(objects, line)
				}
			}
			rows, groups := goldentest.Rows(t, objects), &Groups{}
			for _, r := range rows {
				groups.Add(r)
			}
			var got []any
			for _, r := range rows {
				lines, err := TrainingRows(r, groups, o)
				if err != nil {
					if _, raises := c.Expected["raises"]; !raises {
						t.Fatal(err)
					}
					return
				}
				for _, line := range lines {
					var v any
					if err := json.Unmarshal(line, &v); err != nil {
						t.Fatal(err)
					}
					got = append(got, v)
				}
			}
			want, _ := c.Expected["rows"].([]any)
			if len(got) != len(want) {
				t.Fatalf("%d rows, want %d", len(got), len(want))
			}
			for i := range want {
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("row %d\n got %v\nwant %v", i, got[i], want[i])
				}
			}
		})
	}
}

func TestPublishGateGolden(t *testing.T) {
	for _, c := range goldentest.Cases(t, "publish_gate", "publish_gate") {
		t.Run(c.ID, func(t *testing.T) {
			var o GateOptions
			c.Arg(t, "mode", &o.Mode)
			c.Arg(t, "strict_hacks", &o.StrictHacks)
			g := NewGate(o)
			for _, r := range goldentest.Rows(t, c.Input.Rows) {
				g.Add(r)
			}
			r := g.Report("")
			if _, raises := c.Expected["raises"]; raises {
				if want, _ := c.Expected["message"].(string); r.OK || !strings.HasPrefix(want, r.Refused) {
					t.Errorf("refused %q, want %s", r.Refused, want)
				}
				return
			}
			report := c.Expected["report"].(map[string]any)
			off := goldentest.Differences(t, &r, report, "ok rl_shaped mode band", 0)
			off = append(off, goldentest.Differences(t, &r.Signal, report["signal"].(map[string]any), "n_groups n_single n_mixed n_all_zero n_all_one n_in_band mixed_rate", 1e-9)...)
			for _, d := range off {
				t.Error(d)
			}
		})
	}
}
