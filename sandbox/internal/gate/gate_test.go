package gate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// queued waits until n callers stand in the queue.
func (g *Gate) queued(t *testing.T, n int) {
	t.Helper()
	for range 10_000 {
		g.mu.Lock()
		length := len(g.queue)
		g.mu.Unlock()
		if length == n {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatalf("never %d in the queue", n)
}

func TestWaitingAtTheGateEndsWithTheContext(t *testing.T) {
	for _, c := range []struct {
		name          string
		inside, waits bool // who is in, and who waits, wants to be alone
	}{
		{"for others to end", false, true},
		{"for one that is alone to end", true, false},
		{"one alone for another", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g Gate
			if err := g.Enter(t.Context(), c.inside); err != nil {
				t.Fatal(err)
			}
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			got := make(chan error)
			go func() { got <- g.Enter(ctx, c.waits) }()
			g.queued(t, 1)
			cancel(cause)
			if err := <-got; !errors.Is(err, cause) {
				t.Errorf("error %v, want %v", err, cause)
			}
			g.Leave()
			if err := g.Enter(t.Context(), true); err != nil { // nobody is left in
				t.Error(err)
			}
		})
	}
}

func TestWhoGivesUpLetsThoseBehindIn(t *testing.T) {
	var g Gate
	if err := g.Enter(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	alone, behind := make(chan error, 1), make(chan error, 1)
	go func() { alone <- g.Enter(ctx, true) }()
	g.queued(t, 1)
	go func() { behind <- g.Enter(t.Context(), false) }()
	g.queued(t, 2)
	cancel()
	if err := <-alone; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := <-behind; err != nil {
		t.Error(err)
	}
}

func TestNobodyIsBesideOneAlone(t *testing.T) {
	var g Gate
	var wg sync.WaitGroup
	var inside atomic.Int32
	for i := range 8 {
		wg.Go(func() {
			for round := range 200 {
				alone := (i+round)%5 == 0
				if err := g.Enter(t.Context(), alone); err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); alone && n != 1 {
					t.Errorf("%d inside beside one alone", n-1)
				}
				inside.Add(-1)
				g.Leave()
			}
		})
	}
	wg.Wait()
}

func TestReservedJobsNeedNoPlace(t *testing.T) {
	var g, other Gate
	within, leave, err := g.Reserve(t.Context(), sandbox.Spec{}, sandbox.Spec{Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as often as there are jobs
		done, err := g.Admit(within, sandbox.Spec{})
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	ended, cancel := context.WithCancel(within)
	cancel()
	if err := other.Enter(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Admit(ended, sandbox.Spec{}); !errors.Is(err, context.Canceled) {
		t.Errorf("at another gate: error %v, want that of the context", err)
	}
	if _, _, err := g.Reserve(ended); err != nil {
		t.Errorf("within: error %v", err)
	}
	leave()
	if err := g.Enter(t.Context(), true); err != nil { // nobody is left in
		t.Error(err)
	}
}
