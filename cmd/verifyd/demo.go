package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

//go:embed demo/*.jsonl
var demoFiles embed.FS

// demoOrder is the order of the table: from the quickest to what needs a sandbox.
var demoOrder = []string{"math", "choice", "json", "code"}

func newDemo(a *app) *cobra.Command {
	var flags engineFlags
	c := &cobra.Command{
		Use:   "demo",
		Short: "Grade bundled answers of real models and show the verdicts",
		Long: `Grade real rollouts that this binary carries (mathematics, multiple choice, JSON, programs), and print a line per
verifier and three verdicts explained. Programs need a sandbox and Python; where one is missing their rows say so.`,
		Example: "  verifyd demo",
		Args:    wants(0, 0, "no arguments"),
		RunE:    func(c *cobra.Command, _ []string) error { return a.demo(c.Context(), flags) },
	}
	flags.register(c)
	return c
}

// demoGroup is the rows of one verifier.
type demoGroup struct {
	kind  string
	rows  []*demoRow
	tally engine.Tally
	took  time.Duration
	agree int64 // rows whose reward is the one that was found before, by other means
	known int64
	fault error // the rows could not be judged at all
}

type demoRow struct {
	spec    *builtSpec
	row     *rollout.Row
	verdict judge.Verdict
}

func (a *app) demo(ctx context.Context, flags engineFlags) error {
	e, err := flags.engine(a)
	if err != nil {
		return err
	}
	groups, err := loadDemo(newSpecCache(a.registry()))
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := g.grade(ctx, e); err != nil {
			if ctx.Err() != nil {
				return &exitError{exitInterrupted, errInterrupted}
			}
			return err
		}
	}
	return a.showDemo(report.New(a.out, colour(a.out)), groups)
}

// loadDemo reads the bundled rows, which have the form of verify's lines, and sorts them by the kind of their verifier.
func loadDemo(specs *specCache) ([]*demoGroup, error) {
	var groups []*demoGroup
	byKind := map[string]*demoGroup{}
	for _, name := range demoOrder {
		text, err := demoFiles.ReadFile("demo/" + name + ".jsonl")
		if err != nil {
			return nil, err
		}
		reader, err := rollout.NewReader(bytes.NewReader(text), 0)
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		for {
			line, err := reader.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			ask, err := question{text: line, number: reader.Line(), err: err}.read()
			if err != nil {
				return nil, fmt.Errorf("demo/%s.jsonl: %w", name, err)
			}
			kind, _ := rollout.Member(ask.spec, "kind")
			g := byKind[string(kind)]
			if g == nil {
				g = &demoGroup{kind: rollout.ScalarText(kind)}
				byKind[string(kind)] = g
				groups = append(groups, g)
			}
			built, err := specs.build(ask.spec)
			if err != nil {
				g.fault = err
			}
			g.rows = append(g.rows, &demoRow{spec: built, row: ask.row})
		}
	}
	return groups, nil
}

// grade judges the rows of a group, several at once.
func (g *demoGroup) grade(ctx context.Context, e *engine.Engine) error {
	if g.fault != nil {
		return nil
	}
	at := -1
	next := func() (*demoRow, error) {
		if at++; at == len(g.rows) {
			return nil, io.EOF
		}
		return g.rows[at], nil
	}
	judgeRow := func(ctx context.Context, r *demoRow) (*demoRow, error) {
		r.verdict = e.Grade(ctx, r.spec.work, r.row)
		return r, ctx.Err()
	}
	started := time.Now()
	err := engine.Each(ctx, engine.Flow{Workers: e.Workers(), Window: 2 * e.Workers()}, next, judgeRow, func(r *demoRow) error {
		g.tally.Add(&r.verdict)
		if before, ok := r.row.Get("adjudicated"); ok {
			g.known++
			if sameReward(string(before), r.verdict.Reward) {
				g.agree++
			}
		}
		return nil
	})
	g.took = time.Since(started)
	return err
}

func sameReward(text string, reward *float64) bool {
	if reward == nil {
		return text == "null"
	}
	var want float64
	_, err := fmt.Sscan(text, &want)
	return err == nil && want == *reward
}

func (a *app) showDemo(p *report.Printer, groups []*demoGroup) error {
	p.Line(p.Bold("Real answers of language models, graded by programs"))
	p.Line("")
	table := report.Table{
		Head:  []string{"verifier", "n", "pass rate", "95 % interval", "unjudged", "as adjudicated", "rows/s"},
		Right: []bool{false, true, true, true, true, true, true},
	}
	for _, g := range groups {
		table.Rows = append(table.Rows, g.cells(p))
	}
	p.Table(table)
	for _, g := range groups {
		if why := g.notRun(); why != "" {
			p.Line("")
			p.Line(p.Yellow(g.kind+" was not run: ") + report.Short(why, faultWidth))
			p.Line("  verifyd doctor tells what is missing and how to get it.")
		}
	}
	p.Line("")
	p.Line(p.Bold("Three verdicts explained"))
	for _, r := range chooseDemo(groups) {
		p.Line("")
		if err := explainText(p, screenWidth(a.out), r.spec.verifier, r.row, &r.verdict); err != nil {
			return err
		}
	}
	p.Line("")
	p.Line(p.Dim("Next: verifyd grade ROWS --verifier KIND -o OUT grades your own; verifyd help lists the rest."))
	return p.Err()
}

// faultWidth keeps the reason why a group was not run to two lines.
const faultWidth = 180

// notRun says why no row of the group was judged, or nothing.
func (g *demoGroup) notRun() string {
	none := (*noBackendError)(nil)
	switch {
	case errors.As(g.fault, &none):
		return flat(none.cause)
	case g.fault != nil:
		return flat(g.fault)
	case g.tally.Judged == 0 && len(g.rows) > 0: // no interpreter
		return g.rows[0].verdict.Reason
	}
	return ""
}

func (g *demoGroup) cells(p *report.Printer) []string {
	n := report.Count(int64(len(g.rows)))
	if g.notRun() != "" {
		return []string{p.Bold(g.kind), n, p.Yellow("not run"), "", n, "", ""}
	}
	t := &g.tally
	lo, hi := stats.Wilson(t.Passed, t.Judged, stats.Z95)
	share := 0.0
	if t.Judged > 0 {
		share = float64(t.Passed) / float64(t.Judged)
	}
	unjudged := report.Count(t.Unjudged())
	if t.Unjudged() > 0 {
		unjudged = p.Yellow(unjudged)
	}
	agreed := ""
	if g.known > 0 {
		agreed = fmt.Sprintf("%d of %d", g.agree, g.known)
	}
	return []string{
		p.Bold(g.kind), n, report.Percent(share), fmt.Sprintf("%.0f to %.0f %%", 100*lo, 100*hi), unjudged, agreed,
		report.Count(int64(rate(t.Rows, g.took))),
	}
}

// chooseDemo picks a pass, a failure and a row without a reward, each from another verifier where there is one, so that
// the reader sees what a verdict can be.
func chooseDemo(groups []*demoGroup) []*demoRow {
	is := []func(*judge.Verdict) bool{
		func(v *judge.Verdict) bool { return v.Reward != nil && *v.Reward == 1 },
		func(v *judge.Verdict) bool { return v.Reward != nil && *v.Reward < 1 },
		func(v *judge.Verdict) bool { return v.Reward == nil },
	}
	var chosen []*demoRow
	used := map[string]bool{}
	for i, wanted := range is {
		order := groups
		if i == 1 { // failures of programs tell most: look from the end
			order = make([]*demoGroup, 0, len(groups))
			for j := len(groups) - 1; j >= 0; j-- {
				order = append(order, groups[j])
			}
		}
		if r := findDemo(order, used, wanted); r != nil {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// findDemo looks for a verdict first among verifiers that were not shown yet, then among all.
func findDemo(groups []*demoGroup, used map[string]bool, wanted func(*judge.Verdict) bool) *demoRow {
	for _, again := range []bool{false, true} {
		for _, g := range groups {
			if g.fault != nil || used[g.kind] != again {
				continue
			}
			for _, r := range g.rows {
				if wanted(&r.verdict) {
					used[g.kind] = true
					return r
				}
			}
		}
	}
	return nil
}
