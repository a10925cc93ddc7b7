package gate

import (
	"context"
	"slices"

	"github.com/verifyd/verifyd/sandbox"
)

// reserved is the key of a context whose jobs need not ask for their place.
type reserved struct{ *Gate }

// Admit is Enter for jobs that start together. Within a context of Reserve it lets them in at once. After a nil error the caller has
// to call leave.
func (g *Gate) Admit(ctx context.Context, specs ...sandbox.Spec) (leave func(), err error) {
	if ctx.Value(reserved{g}) != nil {
		return func() {}, nil
	}
	alone := slices.ContainsFunc(specs, func(s sandbox.Spec) bool { return s.Alone })
	if err := g.Enter(ctx, alone); err != nil {
		return nil, err
	}
	return g.Leave, nil
}

// Reserve is what a backend does as a sandbox.Reserver: no job that wants to be alone comes in between these, and where one of these
// does, no job but these runs. Its error is that of the context.
func (g *Gate) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	leave, err := g.Admit(ctx, specs...)
	if err != nil {
		return nil, nil, err
	}
	return context.WithValue(ctx, reserved{g}, true), leave, nil
}
