package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

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
  verifyd math 5 -5
  echo '{"gold": "x=5", "pred": "so the answer is \\boxed{5}"}' | verifyd math`,
		DisableFlagParsing: true, // -5 and -x are answers
		RunE: func(c *cobra.Command, args []string) error {
			pair, help, err := mathArgs(c, args)
			switch {
			case err != nil:
				return &exitError{exitUsage, polish(c, err)}
			case help:
				return c.Help()
			}
			if err := a.boxes.check(); err != nil {
				return err
			}
			if len(pair) == 2 {
				return a.mathShow(pair[0], pair[1], c.Flags().Changed("json") && onlyJSON(c) == nil)
			}
			if err := onlyJSON(c); err != nil {
				return err
			}
			return a.mathLines(c.Context())
		},
	}
	c.Flags().Bool("json", true, "answer in JSON, the only form for lines; two arguments are answered so where it is given")
	return c
}

// mathArgs takes the flags out of the arguments and reads them. What begins with one dash is an answer, and so is all
// behind --.
func mathArgs(c *cobra.Command, args []string) (pair []string, help bool, err error) {
	c.InheritedFlags() // adds those of the root to the command's
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, _, hasValue := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		switch {
		case arg == "--":
			pair = append(pair, args[i+1:]...)
			i = len(args)
		case arg == "-h" || arg == "--help":
			return nil, true, nil
		case !strings.HasPrefix(arg, "--") || name == "" || !unicode.IsLetter(rune(name[0])):
			pair = append(pair, arg)
		default:
			given := []string{arg}
			if f := c.Flags().Lookup(name); f != nil && !hasValue && f.NoOptDefVal == "" && i+1 < len(args) {
				i++
				given = append(given, args[i])
			}
			if err := c.Flags().Parse(given); err != nil {
				return nil, false, err
			}
		}
	}
	if n := len(pair); n != 0 && n != 2 && !(n == 1 && pair[0] == "-") {
		return nil, false, fmt.Errorf("math takes GOLD and PRED, or lines on standard input; it got %s", report.Plural(int64(n), "argument", "arguments"))
	}
	return pair, false, nil
}

// mathShow explains one pair to a person, or answers it as a line is answered.
func (a *app) mathShow(gold, pred string, asJSON bool) error {
	v := mathcheck.Equal(gold, pred)
	if asJSON {
		_, err := a.out.Write(mathLine(&v))
		return err
	}
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
	return mathLine(&v)
}

func mathLine(v *mathcheck.Verdict) []byte {
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
