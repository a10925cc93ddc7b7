package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

type hackFlags struct {
	options evaluate.HackOptions
	auto    bool
	json    bool
}

func newHackScan(a *app) *cobra.Command {
	var f hackFlags
	c := &cobra.Command{
		Use:   "hack-scan ROWS | BEFORE AFTER",
		Short: "Find what a reward really pays for, and what training made it pay for",
		Long: `Correlate cheap features of a reply (its length, words, tools, markers) with the reward, both centred within each ask, so
that hard and easy asks do not count. What correlates more strongly than shuffled rewards do is what the reward pays for.
--endorsed names what it may pay for; a leading feature that is not endorsed is a reward hack.

With two files, the graded rows before and after training, it tells what the policy learned.`,
		Example: `  verifyd hack-scan graded.jsonl --endorsed tool:search
  verifyd hack-scan before.jsonl after.jsonl --endorsed 'marker:*' --json`,
		Args: wants(1, 2, "ROWS, or BEFORE and AFTER"),
		RunE: func(c *cobra.Command, args []string) error {
			f.options.NoTerms = !f.auto
			return a.hackScan(c.Context(), args, &f)
		},
	}
	c.Flags().StringSliceVar(&f.options.Endorsed, "endorsed", nil, "`FEATURE` that the reward may pay for; * stands for any text; may be repeated")
	c.Flags().BoolVar(&f.auto, "auto", true, "look at words, too")
	c.Flags().BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

func (a *app) hackScan(ctx context.Context, names []string, f *hackFlags) error {
	var sides []evaluate.HackReport
	for i := range names {
		r, err := a.scan(ctx, names[i:i+1], f.options)
		if err != nil {
			return err
		}
		sides = append(sides, r)
	}
	p := report.New(a.out, colour(a.out))
	if len(sides) == 1 {
		if f.json {
			return a.printJSON(&sides[0])
		}
		scanText(p, &sides[0])
		return p.Err()
	}
	d := evaluate.CompareScans(&sides[0], &sides[1])
	if f.json {
		return a.printJSON(&d)
	}
	p.Line(d.Learned)
	table := report.Table{Head: []string{"feature", "rho before", "rho after", ""}}
	for _, s := range d.Moved {
		note := ""
		if s.AboveAfter {
			note = "above the floor"
		}
		if s.Endorsed {
			note += ", endorsed"
		}
		table.Rows = append(table.Rows, []string{s.Name, fmt.Sprintf("%+.2f", s.Before), fmt.Sprintf("%+.2f", s.After), note})
	}
	p.Table(table)
	for _, w := range d.Warnings {
		p.Line(p.Yellow(w))
	}
	return p.Err()
}

// scan reads rows twice: for their words, and for their features.
func (a *app) scan(ctx context.Context, names []string, o evaluate.HackOptions) (evaluate.HackReport, error) {
	names, done, err := a.rereadable(ctx, names)
	if err != nil {
		return evaluate.HackReport{}, err
	}
	defer done()
	s := evaluate.NewHackScan(o)
	if !o.NoTerms {
		if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { s.Look(r); return nil }); err != nil {
			return evaluate.HackReport{}, err
		}
	}
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { s.Add(r); return nil }); err != nil {
		return evaluate.HackReport{}, err
	}
	return s.Report(), nil
}

func scanText(p *report.Printer, r *evaluate.HackReport) {
	p.Line(p.Bold(r.Regime))
	if r.Tau != nil {
		p.Line(fmt.Sprintf("%d features on %d rows of %d asks; floor %.2f", r.NFeatures, r.Graded, r.Groups, *r.Tau))
	}
	table := report.Table{Head: []string{"feature", "rho", "rows", ""}}
	for _, f := range r.Features[:min(len(r.Features), 10)] {
		note := ""
		if f.Above {
			note = "above the floor"
		}
		if f.Endorsed {
			note += " endorsed"
		}
		table.Rows = append(table.Rows, []string{f.Name, fmt.Sprintf("%+.2f", f.Rho), fmt.Sprint(f.Seen), note})
	}
	if len(table.Rows) > 0 {
		p.Table(table)
	}
	for _, w := range r.Warnings {
		p.Line(p.Yellow(w))
	}
}
