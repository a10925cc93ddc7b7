package namespace

import (
	"context"
	"errors"
	"fmt"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// Run implements sandbox.Sandbox. An error wraps sandbox.ErrUnsupported (the Spec asks for an image), ErrNoProgram,
// ErrMachine, or the context's error; any other is a fault of the machine or of this package.
func (n *Namespace) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	res, err := n.run(ctx, spec)
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("sandbox/namespace: %w", err)
	}
	return res, nil
}

func (n *Namespace) run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	if err := spec.Check(); err != nil {
		return sandbox.Result{}, err
	}
	if spec.Root.Image != "" {
		return sandbox.Result{}, fmt.Errorf("image %q: %w", spec.Root.Image, sandbox.ErrUnsupported)
	}
	if spec.Server != nil && !n.host.Caps.Warm {
		return sandbox.Result{}, fmt.Errorf("a warm server: %w", sandbox.ErrUnsupported)
	}
	if err := ctx.Err(); err != nil {
		return sandbox.Result{}, err
	}
	leave, err := n.gate.Admit(ctx, spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer leave()
	res, started, err := n.try(ctx, spec)
	if errors.Is(err, slot.ErrSlot) && !started && ctx.Err() == nil {
		res, _, err = n.try(ctx, spec) // a slot can be hit by what hits the machine; nothing of the job ran
	}
	return res, err
}

// Reserve implements sandbox.Reserver: no job that wants to be alone comes in between these, and where one of these does, no job
// but these runs. Its error is that of the context.
func (n *Namespace) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	within, leave, err := n.gate.Reserve(ctx, specs...)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox/namespace: waiting: %w", err)
	}
	return within, leave, nil
}

// try gives the job to a slot. started tells whether its program ran.
func (n *Namespace) try(ctx context.Context, spec sandbox.Spec) (res sandbox.Result, started bool, err error) {
	s, err := n.take(spec)
	if err != nil {
		return sandbox.Result{}, false, err
	}
	res, outcome, err := s.Run(ctx, spec)
	if outcome.Clean {
		n.give(s)
	} else {
		n.discard(s)
	}
	return res, outcome.Started, err
}
