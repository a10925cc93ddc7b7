package oci

import (
	"context"
	"sync"
)

// gate lets jobs in together, or one of them alone. Who waits can be called off, and a job that wants to be alone is not overtaken by
// those that come after it. The zero value is open.
type gate struct {
	mu      sync.Mutex // guards the fields below
	inside  int        // jobs that are in; -1 for one that is alone
	waiting []*waiter  // oldest first
}

type waiter struct {
	alone    bool
	admitted chan struct{} // closed when it is in
}

// enter waits for its turn, or for the end of the context, whose cause is then the error.
func (g *gate) enter(ctx context.Context, alone bool) (leave func(), err error) {
	w := &waiter{alone, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.admit()
	g.mu.Unlock()
	select {
	case <-w.admitted:
		return g.leaver(alone), nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting {
		if other == w {
			g.waiting = append(g.waiting[:i:i], g.waiting[i+1:]...)
			g.admit()
			return nil, context.Cause(ctx)
		}
	}
	g.out(alone) // let in at the same moment
	return nil, context.Cause(ctx)
}

func (g *gate) leaver(alone bool) func() {
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.out(alone)
	}
}

// out is called with g.mu held, as is admit.
func (g *gate) out(alone bool) {
	if alone {
		g.inside = 0
	} else {
		g.inside--
	}
	g.admit()
}

func (g *gate) admit() {
	for len(g.waiting) > 0 {
		w := g.waiting[0]
		switch {
		case g.inside < 0 || w.alone && g.inside > 0:
			return
		case w.alone:
			g.inside = -1
		default:
			g.inside++
		}
		g.waiting = g.waiting[1:]
		close(w.admitted)
	}
}
