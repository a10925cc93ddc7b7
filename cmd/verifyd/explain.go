package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/verifiers"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	judge  judgeFlags
	engine engineFlags
	row    int64
	id     string
	json   bool
}

func newExplain(a *app) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain ROWS (--judge FILE | --verifier KIND) [--row N | --id ID]",
		Short: "Judge one row and draw how its verdict came about",
		Long: `Judge one row of a file, the first unless --row or --id says otherwise, and draw the tree of its verdict: each check
with its reward or status, its reason, and what it read in the answer. The reference is not shown.`,
		Example: `  verifyd explain rows.jsonl --judge judge.yaml --row 3
  verifyd explain rows.jsonl --verifier multiple_choice --id q-17 --json`,
		Args: wants(1, 1, "ROWS, one file of rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("row") && f.id != "" {
				return usage("--row and --id exclude each other")
			}
			return a.explain(c.Context(), args[0], &f)
		},
	}
	f.judge.register(c)
	f.engine.register(c)
	c.Flags().Int64Var(&f.row, "row", 1, "the `N`-th row, from 1")
	c.Flags().StringVar(&f.id, "id", "", "the first row with this `ID`")
	c.Flags().BoolVar(&f.json, "json", false, "print the verdict as JSON")
	return c
}

func (a *app) explain(ctx context.Context, name string, f *explainFlags) error {
	e, err := f.engine.engine(a)
	if err != nil {
		return err
	}
	v, err := f.judge.build(ctx, a, []string{name})
	if err != nil {
		return err
	}
	row, err := f.find(a, ctx, name)
	if err != nil {
		return err
	}
	verdict := e.Grade(ctx, engine.Work{Judge: v}, row)
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errInterrupted}
	}
	if f.engine.noUsage {
		verdict = engine.WithoutUsage(verdict)
	}
	if f.json {
		g := judge.Graded{Row: row, Verdict: verdict, Name: v.Name()}
		_, err := a.out.Write(append(g.AppendVerdictJSON(nil), '\n'))
		return err
	}
	return explainText(report.New(a.out, colour(a.out)), screenWidth(a.out), v, row, &verdict)
}

// find reads up to the row that is asked for.
func (f *explainFlags) find(a *app, ctx context.Context, name string) (*rollout.Row, error) {
	in, err := a.openInputs(ctx, []string{name})
	if err != nil {
		return nil, err
	}
	defer in.close()
	for n := int64(1); ; n++ {
		line, err := in.AppendNext(nil)
		if errors.Is(err, io.EOF) {
			return nil, usage("%s has no row %s; it has %d", shown(name), f.wanted(), n-1)
		}
		var row *rollout.Row
		if err == nil {
			row, err = rollout.Parse(line)
		}
		wanted := f.id == "" && n == f.row || f.id != "" && row != nil && row.ID == f.id
		if syntax := (*rollout.SyntaxError)(nil); errors.As(err, &syntax) && !wanted {
			continue // a broken line is not the row that is looked for
		}
		if err != nil {
			if exit := (*exitError)(nil); errors.As(err, &exit) || ctx.Err() != nil {
				return nil, err
			}
			return nil, usage("%s: %w", shown(name), atLine(err, in.Line()))
		}
		if wanted {
			return row, nil
		}
	}
}

// wanted names the row that is asked for.
func (f *explainFlags) wanted() string {
	if f.id != "" {
		return fmt.Sprintf("with the id %q", f.id)
	}
	return strconv.FormatInt(f.row, 10)
}

// answerWidth is how much of an answer is shown: two lines of a wide terminal.
const answerWidth = 200

// explainText draws a verdict. Lines are broken at width; 0 leaves them whole.
func explainText(p *report.Printer, width int, v verifiers.Verifier, row *rollout.Row, verdict *judge.Verdict) error {
	if row.ID != "" {
		p.Line(p.Dim("row      ") + row.ID)
	}
	if row.Prompt != "" {
		p.Wrapped(p.Dim("prompt   "), "         ", report.Short(row.Prompt, answerWidth), width)
	}
	answer := tail(row.Candidate(), answerWidth)
	if answer == "" {
		answer = p.Dim("(empty; an answer is read from final_text, else from the last message of the assistant)")
	}
	p.Wrapped(p.Dim("answer   "), "         ", answer, width)
	if verdict.FailureClass != "" {
		p.Line(p.Dim("class    ") + string(verdict.FailureClass))
	}
	for _, name := range slices.Sorted(maps.Keys(verdict.Markers)) {
		p.Line(p.Dim("marker   ") + fmt.Sprintf("%s %g", name, verdict.Markers[name]))
	}
	tree := treeOf(v.Name(), v.Kind(), verdict)
	tree.draw(p, width, "", "")
	return p.Err()
}

// tail is the end of a text: an answer stands there.
func tail(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return report.Short(text, n)
	}
	return "…" + report.Short(string(runes[len(runes)-n+1:]), n)
}
