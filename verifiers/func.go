package verifiers

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// CheckFunc is a check of one's own: it returns what judge.Coerce takes (a bool, a number in [0,1], a pair of score and
// reason, a map), or an error where the check is broken. It must be safe for concurrent use. reference is nil where the
// row has none; errors that wrap judge.ErrMissingReward say that it was needed.
type CheckFunc func(ctx context.Context, candidate string, reference jsontext.Value, r *rollout.Row) (any, error)

// Func makes a kind of a function, for Registry.Add. Its specs have the common arguments alone, and stand in trees like
// any other.
func Func(f CheckFunc) BuildFunc {
	return func(_ *Builder, spec jsontext.Value) (Verifier, error) {
		x := &ownFunc{check: f}
		if err := decode(spec, x); err != nil {
			return nil, err
		}
		return x, nil
	}
}

type ownFunc struct {
	Common
	check CheckFunc
}

// Spec returns the canonical spec.
func (x *ownFunc) Spec() jsontext.Value { return encode(x) }

// Prompt: nothing is known of the function's time.
func (x *ownFunc) Prompt() bool { return false }

// IDBlind: a function may read anything of the row.
func (x *ownFunc) IDBlind() bool { return false }

// Judge calls the function.
func (x *ownFunc) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	reference, _ := r.Reference(x.Field)
	returned, err := x.check(ctx, r.Candidate(), reference, r)
	if err != nil {
		return judge.Verdict{}, err
	}
	return judge.Coerce(returned, judge.Scale{}), nil
}
