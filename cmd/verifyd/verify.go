package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func newVerify(a *app) *cobra.Command {
	var flags engineFlags
	c := &cobra.Command{
		Use:   "verify --json [FILE | -]...",
		Short: "Answer lines of a verifier and a row with a verdict each",
		Long: `Read lines {"verifier": SPEC, "row": ROW} and write one verdict a line, in the order of the lines. Lines are judged
at once, up to --concurrency; an answer is written as soon as it and those before it are decided, so a program can send
one line and wait for its answer. A line that cannot be read or whose spec cannot be built is answered in its place.
Beside the row, or instead of it, a line may hold candidate (the answer), reference and deadline_ms; another key is refused.`,
		Example: `  echo '{"verifier":{"kind":"exact_match"},"row":{"final_text":"4","answer":"4"}}' | verifyd verify --json -`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := onlyJSON(c); err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{"-"}
			}
			return a.verify(c.Context(), args, flags)
		},
	}
	c.Flags().Bool("json", true, "answer in JSON, the only form there is")
	flags.register(c)
	return c
}

// A program that asks line by line needs a window above the workers, so that a slow line does not stop those behind it
// from being judged. Bounded, since each holds a row.
const (
	verifyAhead    = 16       // lines in flight for each worker
	verifyInFlight = 64 << 20 // bytes of lines in flight, or one line
)

func (a *app) verify(ctx context.Context, names []string, flags engineFlags) error {
	in, err := a.openInputs(ctx, names)
	if err != nil {
		return err
	}
	defer in.close()
	e, err := flags.engine(a)
	if err != nil {
		return err
	}
	v := verifier{engine: e, specs: newSpecCache(a.registry()), noUsage: flags.noUsage}
	room := newRoom(verifyInFlight)
	next := func() (question, error) {
		q := question{}
		text, err := in.AppendNext(nil)
		if syntax := (*rollout.SyntaxError)(nil); err != nil && !errors.As(err, &syntax) {
			return q, err
		}
		q.text, q.err, q.number = text, err, in.Line()
		return q, room.enter(ctx, len(q.text))
	}
	answer := func(ctx context.Context, q question) (reply, error) {
		out := v.answer(ctx, q)
		return reply{out, len(q.text)}, ctx.Err()
	}
	flow := engine.Flow{Workers: e.Workers(), Window: verifyAhead * e.Workers()}
	return engine.Each(ctx, flow, next, answer, func(r reply) error {
		defer room.leave(r.size)
		if _, err := a.out.Write(r.out); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		return nil
	})
}

type question struct {
	text   []byte
	number int64
	err    error // the line could not be read
}

type reply struct {
	out  []byte
	size int // of the question
}

type verifier struct {
	engine  *engine.Engine
	specs   *specCache
	noUsage bool
}

// answer judges one line; the result ends with a line end.
func (v *verifier) answer(ctx context.Context, q question) []byte {
	g := judge.Graded{}
	r, err := q.read()
	if err == nil {
		var built *builtSpec
		if built, err = v.specs.build(r.spec); err == nil {
			g.Name, g.Row = built.verifier.Name(), r.row
			g.Verdict = v.grade(ctx, built.work, r)
		}
	}
	if err != nil {
		g.Verdict = judge.Unjudged(judge.Error, err.Error()).With("error", errorWord(err))
	}
	if v.noUsage {
		g.Verdict = engine.WithoutUsage(g.Verdict)
	}
	return append(g.AppendVerdictJSON(make([]byte, 0, 256)), '\n')
}

// grade judges within the deadline that the line asks for.
func (v *verifier) grade(ctx context.Context, w engine.Work, r request) judge.Verdict {
	if r.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.deadline)
		defer cancel()
	}
	return v.engine.Grade(ctx, w, r.row)
}

// errorWord is judge_meta.error of a line that was not judged.
func errorWord(err error) string {
	var spec *judge.SpecError
	var none *noBackendError
	var bad *requestError
	switch {
	case errors.As(err, &bad):
		return "invalid_request"
	case errors.As(err, &none): // the spec is right, and this machine cannot serve it
		return "unavailable"
	case errors.As(err, &spec):
		return "invalid_spec"
	}
	return "invalid_row"
}
