package sandbox

import (
	"context"
	"errors"
)

// RunSure runs a job until its verdict does not hang on the machine: a Timeout that is Unsure, and a try that ended with
// ErrMachine, are followed by one more try with Spec.Alone, whose verdict stands. Where that one ends with ErrMachine, too, the
// error is returned. A Talk is called once a try and has to start over.
func RunSure(ctx context.Context, s Sandbox, spec Spec) (Result, error) {
	r, err := s.Run(ctx, spec)
	if spec.Alone || !r.Unsure && !errors.Is(err, ErrMachine) || ctx.Err() != nil {
		return r, err
	}
	spec.Alone = true
	return s.Run(ctx, spec)
}
