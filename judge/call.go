package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/verifyd/verifyd/rollout"
)

// Call asks a judge for a verdict and holds it to the contract. It is the only place where an error, a panic or a missed
// deadline becomes a status, and where privileged golds are taken out of reasons.
//
// The deadline counts from the start of the call; 0 means none but the context's. Call returns on time even where the
// judge does not: such a judge goes on in a goroutine of its own, and what it says later is dropped.
func Call(ctx context.Context, j Judge, r *rollout.Row, deadline time.Duration) Verdict {
	v := call(ctx, j, r, deadline)
	if !v.valid() {
		v = Unjudged(InvalidResult, fmt.Sprintf("the judge broke the contract: status %q with a reward that does not go with it", v.Status))
	}
	v.Reason = Redact(r, v.Reason)
	return v
}

func call(ctx context.Context, j Judge, r *rollout.Row, deadline time.Duration) Verdict {
	if deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, deadline)
		defer cancel()
	}
	if ctx.Done() == nil || isPrompt(j) {
		return guarded(ctx, j, r)
	}
	done := make(chan Verdict, 1)
	go func() { done <- guarded(ctx, j, r) }()
	select {
	case v := <-done:
		return v
	case <-ctx.Done():
		select {
		case v := <-done: // both at once: the verdict counts
			return v
		default:
			return fromError(ctx.Err())
		}
	}
}

func isPrompt(j Judge) bool {
	p, ok := j.(Prompt)
	return ok && p.Prompt()
}

// guarded runs the judge behind the panic guard.
func guarded(ctx context.Context, j Judge, r *rollout.Row) (v Verdict) {
	defer func() {
		if p := recover(); p != nil {
			v = Unjudged(Error, fmt.Sprintf("the judge crashed: %v", p)).With("error", fmt.Sprintf("panic: %v", p))
		}
	}()
	v, err := j.Judge(ctx, r)
	if err != nil {
		return fromError(err)
	}
	return v
}

func fromError(err error) Verdict {
	status := statusOf(err)
	v := Unjudged(status, err.Error()).WithErr(err)
	var more interface{ Meta() map[string]any }
	if errors.As(err, &more) {
		v.Meta = more.Meta()
	}
	switch status {
	case Timeout:
		v.Reason = "the judge overran its deadline"
	case Error:
		v = v.With("error", errorKind(err))
	}
	return v
}

// errorKind is the entry judge_meta.error: a fixed word where programs branch on it, else the error's text.
func errorKind(err error) string {
	var spec *SpecError
	switch {
	case errors.As(err, &spec):
		return "invalid_spec"
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return err.Error()
}
