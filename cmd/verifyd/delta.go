package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

type deltaFlags struct {
	options evaluate.DeltaOptions
	lower   []string
	by      string
	runStd  float64
	json    bool
}

func newDelta(a *app) *cobra.Command {
	var f deltaFlags
	c := &cobra.Command{
		Use:   "delta BEFORE AFTER",
		Short: "Tell whether training helped, what it cost, and whether the two sides can be compared",
		Long: `Compare the graded rows of a policy before and after training, task by task: pass_at_1 and each marker that both
files carry, with intervals by resampling tasks and a sign-flip test. --target names the metric that was to rise,
--must-not-regress those that must not fall, --proxy the reward that was trained on where it is another: a proxy that rises
while the target does not is called over-optimised.

A gain that one evaluation run a side shows is moved_unreplicated: rows stamped lineage.eval_run tell runs apart, or --run-std
says by how much runs of one policy differ.`,
		Example: `  verifyd delta before.jsonl after.jsonl --target pass_at_1 --must-not-regress grounded
  verifyd delta before.jsonl after.jsonl --proxy marker:length --json`,
		Args: wants(2, 2, "BEFORE and AFTER, two files of graded rows"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("run-std") {
				f.options.RunStd = &f.runStd
			}
			if c.Flags().Changed("alpha") && f.options.Alpha == 0 || c.Flags().Changed("power") && f.options.Power == 0 {
				return usage("alpha and power are probabilities strictly between 0 and 1")
			}
			return a.delta(c.Context(), args, &f)
		},
	}
	o, flags := &f.options, c.Flags()
	flags.StringVar(&o.Target, "target", "", "`METRIC` that was to rise: pass_at_1, or a marker")
	flags.StringSliceVar(&o.MustNotRegress, "must-not-regress", nil, "`METRIC` that must not fall; may be repeated")
	flags.StringSliceVar(&f.lower, "lower-is-better", nil, "`METRIC` that is better when lower, or a file with an object of names and booleans; may be repeated")
	flags.StringSliceVar(&o.Markers, "markers", nil, "`MARKER` to compare (default: all that both files carry)")
	flags.StringVar(&o.Proxy, "proxy", "", "`METRIC` that was trained on")
	flags.StringVar(&f.by, "by", "", "`FIELD` that slices rows (default: category or slice)")
	flags.Float64Var(&f.runStd, "run-std", 0, "standard deviation between evaluation runs of one policy")
	flags.IntVar(&o.RunStdRuns, "run-std-runs", 0, "evaluation runs behind --run-std")
	flags.Float64Var(&o.Alpha, "alpha", 0.05, "share of false alarms a metric")
	flags.Float64Var(&o.Power, "power", 0.8, "power that the smallest provable gain is stated for")
	flags.Int64Var(&o.Seed, "seed", 0, "seed of the resamples")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

func (a *app) delta(ctx context.Context, names []string, f *deltaFlags) error {
	if err := f.directions(a, ctx); err != nil {
		return err
	}
	sides := [2]evaluate.Side{{By: f.by}, {By: f.by}}
	for i := range sides {
		if _, err := a.eachRow(ctx, names[i:i+1], func(r *rollout.Row) error { sides[i].Add(r); return nil }); err != nil {
			return err
		}
	}
	r, err := evaluate.Delta(&sides[0], &sides[1], f.options)
	if err != nil {
		return usage("%w", err)
	}
	if f.json {
		return a.printJSON(&r)
	}
	return a.deltaText(&r)
}

// directions reads --lower-is-better: names, and files of names with booleans.
func (f *deltaFlags) directions(a *app, ctx context.Context) error {
	f.options.LowerIsBetter = map[string]bool{}
	for _, name := range f.lower {
		if !strings.HasSuffix(name, ".json") {
			f.options.LowerIsBetter[name] = true
			continue
		}
		b, err := a.readFile(ctx, name)
		if err == nil {
			err = json.Unmarshal(b, &f.options.LowerIsBetter)
		}
		if err != nil {
			return usage("--lower-is-better: %s: %w", name, err)
		}
	}
	return nil
}

func (a *app) deltaText(r *evaluate.DeltaReport) error {
	p := report.New(a.out, colour(a.out))
	number := func(format string, v *float64) string {
		if v == nil {
			return "n/a"
		}
		return fmt.Sprintf(format, *v)
	}
	table := report.Table{Head: []string{"metric", "before", "after", "change", "95 % interval", "p", "tasks", "verdict"}}
	for _, name := range r.Names() {
		d := r.Metrics[name]
		interval := "n/a"
		if d.Interval != nil {
			interval = fmt.Sprintf("[%+.3f, %+.3f]", d.Interval[0], d.Interval[1])
		}
		table.Rows = append(table.Rows, []string{name, number("%.3f", d.MeanBefore), number("%.3f", d.MeanAfter), number("%+.3f", d.Delta), interval,
			number("%.3g", d.P), fmt.Sprint(d.Used), d.GainVerdict})
	}
	head := p.Green("ok")
	if !r.OK {
		head = p.Red("not ok")
	}
	p.Line(head + ": " + r.Headline)
	p.Table(table)
	for _, w := range r.Warnings {
		p.Line(p.Yellow(w))
	}
	return p.Err()
}
