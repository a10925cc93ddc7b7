package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

type passAtFlags struct {
	options evaluate.PassAtOptions
	json    bool
}

func newPassAt(a *app) *cobra.Command {
	var f passAtFlags
	c := &cobra.Command{
		Use:   "pass-at ROWS...",
		Short: "Measure pass@1, pass@k and pass^k of graded rows, with intervals",
		Long: `Measure graded rows: pass@1 is the mean over tasks of the share of rollouts that passed, pass@k the chance that one of
k rollouts passes, pass^k the chance that all do (unbiased estimates). Rollouts of one task share scenario_id, else task_id, else
the prompt. The intervals of 95 % come from resampling tasks, and there are none for fewer than three.

Partial rewards are counted and left out of the rates; unjudged rows are never failures.`,
		Example: `  verifyd pass-at graded.jsonl
  verifyd pass-at graded.jsonl --k 8 --json | jq .pass_pow_k`,
		Args: wants(1, -1, "ROWS, a file of graded rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("k") && f.options.K < 1 {
				return usage("--k: must be at least 1")
			}
			return a.passAt(c.Context(), args, &f)
		},
	}
	c.Flags().IntVar(&f.options.K, "k", 0, "rollouts that pass@k and pass^k are about (default: those of the smallest task with two or more)")
	c.Flags().IntVar(&f.options.MinK, "min-k", 4, "withhold pass@k and pass^k for a smaller k")
	c.Flags().BoolVar(&f.options.UnanimousShort, "unanimous-short", false, "count a task with fewer than k rollouts that all agree")
	c.Flags().BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

func (a *app) passAt(ctx context.Context, names []string, f *passAtFlags) error {
	var t evaluate.Tally
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { t.Add(r); return nil }); err != nil {
		return err
	}
	r, err := t.PassAt(f.options)
	if err != nil {
		return usage("%w", err)
	}
	if f.json {
		return a.printJSON(&r)
	}
	return a.passAtText(&r)
}

func (a *app) passAtText(r *evaluate.PassAtReport) error {
	p := report.New(a.out, colour(a.out))
	rate := func(name string, v *float64, i evaluate.Interval) []string {
		row := []string{name, "n/a", ""}
		if v != nil {
			row[1] = fmt.Sprintf("%.3f", *v)
		}
		if i != nil {
			row[2] = fmt.Sprintf("[%.3f, %.3f]", i[0], i[1])
		}
		return row
	}
	p.Table(report.Table{Head: []string{"", "rate", "95 % interval"}, Rows: [][]string{
		rate("pass@1", r.PassAt1, r.Interval),
		rate(fmt.Sprintf("pass@%d", r.K), r.PassAtK, r.AtKInterval),
		rate(fmt.Sprintf("pass^%d", r.K), r.PassHatK, r.HatInterval),
	}})
	p.Line(fmt.Sprintf("%s of %s", report.Plural(int64(r.Rows), "graded rollout", "graded rollouts"), report.Plural(int64(r.Groups), "task", "tasks")))
	for _, n := range []struct {
		count int
		what  string
	}{{r.Partial, "with a partial reward, in no rate"}, {r.Unjudged, "without a verdict, in no rate"}} {
		if n.count > 0 {
			p.Line(fmt.Sprintf("%s %s", report.Plural(int64(n.count), "row", "rows"), n.what))
		}
	}
	if r.Note != "" {
		p.Line(p.Yellow(r.Note))
	}
	for _, name := range slices.Sorted(slices.Values(r.Config.Mixed)) {
		p.Line(p.Yellow("rows differ in " + name + ": the rates mix them"))
	}
	return p.Err()
}
