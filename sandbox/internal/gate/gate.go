// Package gate keeps a job that wants to be alone apart from the others of its sandbox.
package gate

import (
	"context"
	"slices"
	"sync"
)

// Gate lets jobs in together, or one group of them alone. Who waits is let in first come, first served, so a job that wants to be
// alone holds up those behind it and not those that are inside, and a stream of others cannot keep it out for ever. It is a
// read-write lock whose waiting ends with a context. The zero value is open; it is safe for concurrent use.
type Gate struct {
	mu     sync.Mutex // guards the fields below
	inside int        // how many are in; one where it is alone
	alone  bool       // the one that is in wants nobody beside it
	queue  []*waiter  // oldest first
}

type waiter struct {
	alone    bool
	admitted chan struct{} // closed when it is in
}

// Enter waits until the caller may go in, or the context ends; its error is the context's cause. After nil the caller has to call
// Leave.
func (g *Gate) Enter(ctx context.Context, alone bool) error {
	g.mu.Lock()
	w := &waiter{alone: alone, admitted: make(chan struct{})}
	g.queue = append(g.queue, w)
	g.admit()
	g.mu.Unlock()
	select {
	case <-w.admitted:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := slices.Index(g.queue, w); at >= 0 {
		g.queue = slices.Delete(g.queue, at, at+1)
	} else { // let in at the same moment
		g.out()
	}
	g.admit() // those behind it may fit
	return context.Cause(ctx)
}

// Leave is called once by whoever is in.
func (g *Gate) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.out()
	g.admit()
}

// out takes one away that is in. The caller holds g.mu.
func (g *Gate) out() {
	g.inside--
	g.alone = false
}

// admit lets in from the head of the queue. The caller holds g.mu.
func (g *Gate) admit() {
	for len(g.queue) > 0 {
		w := g.queue[0]
		if g.alone || w.alone && g.inside > 0 {
			return
		}
		g.queue = slices.Delete(g.queue, 0, 1)
		g.inside++
		g.alone = w.alone
		close(w.admitted)
	}
}
