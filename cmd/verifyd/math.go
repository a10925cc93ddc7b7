package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/mathcheck"
	"github.com/verifyd/verifyd/rollout"
)

func newMath(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "math [GOLD PRED]",
		Short: "Ask whether two mathematical answers are equal",
		Long: `With two arguments: show the reference, what was found in the candidate's text, and the rule that decided.
Without: read lines {"gold": TEXT, "pred": TEXT} and answer each with {"equal", "status", "kind", "extracted", "reason"},
at once and in order. Undecided and unreadable pairs are not equal, and say so in their status.`,
		Example: `  verifyd math '\frac12' '0.5'
  echo '{"gold": "x=5", "pred": "so the answer is \\boxed{5}"}' | verifyd math`,
		Args: func(c *cobra.Command, args []string) error {
			if n := len(args); n != 0 && n != 2 && !(n == 1 && args[0] == "-") {
				return fmt.Errorf("math takes GOLD and PRED, or lines on standard input; it got %d arguments", n)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return a.mathShow(args[0], args[1])
			}
			return a.mathLines(c.Context())
		},
	}
	c.Flags().Bool("json", true, "answer lines in JSON, the only form there is")
	return c
}

// mathShow explains one pair to a person.
func (a *app) mathShow(gold, pred string) error {
	v := mathcheck.Equal(gold, pred)
	p := report.New(a.out, colour(a.out))
	word := p.Red("not equal")
	switch {
	case v.Equal:
		word = p.Green("equal")
	case v.Status == mathcheck.Undecided || v.Status == mathcheck.Budget:
		word = p.Yellow("undecided, which counts as not equal")
	}
	extracted := v.Extracted
	if extracted == "" {
		extracted = p.Dim("nothing")
	}
	kind := v.Kind
	if kind == "" {
		kind = p.Dim("not readable")
	}
	p.Line(p.Bold(word))
	p.Line("  reference  " + gold + "  " + p.Dim("("+kind+")"))
	p.Line("  found      " + extracted)
	p.Line("  rule       " + string(v.Status) + ": " + v.Reason)
	return p.Err()
}

func (a *app) mathLines(ctx context.Context) error {
	in, err := a.openInputs(ctx, []string{"-"})
	if err != nil {
		return err
	}
	defer in.close()
	flags := engineFlags{}
	e, err := flags.engine(a)
	if err != nil {
		return err
	}
	next := func() (question, error) {
		text, err := in.AppendNext(nil)
		if syntax := (*rollout.SyntaxError)(nil); err != nil && !errors.As(err, &syntax) {
			return question{}, err
		}
		return question{text, in.Line(), err}, nil
	}
	answer := func(ctx context.Context, q question) ([]byte, error) { return mathAnswer(q), ctx.Err() }
	flow := engine.Flow{Workers: e.Workers(), Window: verifyAhead * e.Workers()}
	return engine.Each(ctx, flow, next, answer, func(line []byte) error {
		_, err := a.out.Write(line)
		return err
	})
}

// mathAnswer answers one line.
func mathAnswer(q question) []byte {
	v := mathcheck.Verdict{Status: "invalid_line"}
	if gold, pred, err := q.pair(); err != nil {
		v.Reason = err.Error()
	} else {
		v = mathcheck.Equal(gold, pred)
	}
	dst := fmt.Appendf(nil, `{"equal":%t,"status":`, v.Equal)
	dst = append(appendText(dst, string(v.Status)), `,"kind":`...)
	dst = append(appendText(dst, v.Kind), `,"extracted":`...)
	dst = append(appendText(dst, v.Extracted), `,"reason":`...)
	return append(appendText(dst, v.Reason), '}', '\n')
}

// pair reads gold and pred, which may be text or another scalar.
func (q question) pair() (gold, pred string, err error) {
	if q.err != nil {
		return "", "", q.err
	}
	row, err := rollout.Parse(q.text)
	if err != nil {
		return "", "", atLine(err, q.number)
	}
	var texts [2]string
	for i, key := range [...]string{"gold", "pred"} {
		v, ok := row.Get(key)
		if !ok {
			return "", "", &rollout.SyntaxError{Line: q.number, Msg: "the key " + key + " is missing"}
		}
		if k := v.Kind(); k == '{' || k == '[' || k == 'n' {
			return "", "", &rollout.SyntaxError{Line: q.number, Msg: "the key " + key + " must be text"}
		}
		texts[i] = rollout.ScalarText(v)
	}
	return texts[0], texts[1], nil
}
