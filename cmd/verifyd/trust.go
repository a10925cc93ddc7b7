package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/trust"
)

func newTrust(a *app) *cobra.Command {
	o := trust.DefaultOptions()
	var asJSON bool
	c := &cobra.Command{
		Use:   "trust ROWS...",
		Short: "Tell whether the judge of graded rows can be believed, by labels of people",
		Long: `Compare the rewards of ROWS with gold labels in them (gold_reward 0 or 1, gold_kind human, program or model): agreement
with Wilson's interval, kappa, how often failures pass, two halves of the tasks, and whether the judge reads length.

PASS needs a lower bound of the agreement above --min-agreement, kappa above --min-kappa, few failures that pass, and no length
gap. Without labels, with labels of one class, or with a model's labels the judge is NOT MEASURED, which is never PASS.
The exit status is 0 whatever the word.`,
		Example: `  verifyd trust graded.jsonl
  verifyd trust graded.jsonl --json | jq .ok`,
		Args: wants(1, -1, "ROWS, a file of graded and labelled rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.trust(c.Context(), args, o, asJSON) },
	}
	agreementFlags(c, &o.AgreementOptions)
	f := c.Flags()
	f.StringVar(&o.Gold, "gold", "", "`FIELD` with the label (default gold_reward)")
	f.Float64Var(&o.MinAgreement, "min-agreement", o.MinAgreement, "floor of the lower bound of the agreement")
	f.Float64Var(&o.MinKappa, "min-kappa", o.MinKappa, "floor of kappa")
	f.Float64Var(&o.MaxSkippedShare, "max-skipped-share", o.MaxSkippedShare, "share of labelled rows that may have a partial reward")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func agreementFlags(c *cobra.Command, o *trust.AgreementOptions) {
	c.Flags().StringVar(&o.Reward, "reward", "", "`FIELD` with the judge's reward (default reward)")
	c.Flags().BoolVar(&o.AllowModelGold, "allow-model-gold", false, "let labels of a model or of unknown origin count")
}

func (a *app) trust(ctx context.Context, names []string, o trust.Options, asJSON bool) error {
	m := trust.NewMeasure(o)
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { m.Add(r); return nil }); err != nil {
		return err
	}
	r := m.Report()
	if asJSON {
		return a.printJSON(&r)
	}
	p := report.New(a.out, colour(a.out))
	word := p.Yellow(r.Word)
	switch {
	case r.OK:
		word = p.Green(r.Word)
	case r.Word == "FAIL":
		word = p.Red(r.Word)
	}
	p.Line(word)
	agreementText(p, &r.Agreement)
	if r.Agreement.N > 0 {
		p.Line(fmt.Sprintf("length gap %.0f%%; %s to look at (--json)", 100*r.Length.MaxGap,
			report.Plural(int64(len(r.Disagreements)), "disagreement", "disagreements")))
	}
	for _, w := range r.Warnings {
		p.Line(p.Yellow(w))
	}
	return p.Err()
}

func agreementText(p *report.Printer, r *trust.Agreement) {
	if r.N == 0 {
		return
	}
	p.Line(fmt.Sprintf("agreement %.1f%% (95%% %.0f%%..%.0f%%, n=%d), kappa %.2f, labels by %s", 100**r.Agreement, 100*r.Interval[0], 100*r.Interval[1], r.N, *r.Kappa, *r.GoldKind))
	c := r.Confusion
	p.Table(report.Table{Head: []string{"", "gold passes", "gold fails"}, Rows: [][]string{
		{"judge passes", fmt.Sprint(c.TruePass), fmt.Sprint(c.FalsePass)},
		{"judge fails", fmt.Sprint(c.FalseFail), fmt.Sprint(c.TrueFail)},
	}})
}

func newAgreement(a *app) *cobra.Command {
	var o trust.AgreementOptions
	var gold string
	var asJSON bool
	c := &cobra.Command{
		Use:   "agreement ROWS... --gold FIELD|ROWS2",
		Short: "Compare a judge's rewards with gold labels, or two judges with one another",
		Long: `Count how far the rewards of ROWS agree with the labels in FIELD of the same rows, or with the rewards of ROWS2, the
same rollouts judged otherwise: rows are matched by rollout_id, scenario_id and rollout_index, or prompt and reply.`,
		Example: `  verifyd agreement graded.jsonl --gold gold_reward
  verifyd agreement mine.jsonl --gold theirs.jsonl --json`,
		Args: wants(1, -1, "ROWS, a file of graded rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := a.goldRows(c.Context(), gold)
			if err != nil {
				return err
			}
			if rows == nil {
				o.Gold = gold
			}
			cmp := trust.NewComparison(o, rows)
			if _, err := a.eachRow(c.Context(), args, func(r *rollout.Row) error { cmp.Add(r); return nil }); err != nil {
				return err
			}
			r := cmp.Report()
			if asJSON {
				return a.printJSON(&r)
			}
			p := report.New(a.out, colour(a.out))
			agreementText(p, &r)
			for _, w := range r.Warnings {
				p.Line(p.Yellow(w))
			}
			return p.Err()
		},
	}
	agreementFlags(c, &o)
	c.Flags().StringVar(&gold, "gold", "gold_reward", "`FIELD|ROWS2`: field with the label, or a file of rows judged otherwise (JSON lines, or one JSON array)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

// goldRows reads --gold where it names a file; nil where it does not.
func (a *app) goldRows(ctx context.Context, name string) (*trust.GoldRows, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	gold := &trust.GoldRows{}
	add := func(r *rollout.Row) error { gold.Add(r); return nil }
	if !isArray(name) {
		_, err := a.eachRow(ctx, []string{name}, add)
		return gold, err
	}
	b, err := a.readFile(ctx, name)
	var lines []json.RawMessage
	if err == nil {
		err = json.Unmarshal(b, &lines)
	}
	if err != nil {
		return nil, usage("--gold %s: %w", name, err)
	}
	for i, line := range lines {
		r, err := rollout.Parse(line)
		if err != nil {
			return nil, usage("--gold %s: element %d: %w", name, i, err)
		}
		_ = add(r) // never fails
	}
	return gold, nil
}

// isArray says whether a file begins as a JSON array; a file that cannot be read does not.
func isArray(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // read only
	head := make([]byte, 64)
	n, _ := f.Read(head) // of nothing, nothing is an array
	return bytes.HasPrefix(bytes.TrimLeft(head[:n], " \t\r\n\ufeff"), []byte("["))
}
