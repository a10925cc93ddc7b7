package namespace

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
func (g *gate) queued(t *testing.T, n int) {
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
			var g gate
			if err := g.enter(t.Context(), c.inside); err != nil {
				t.Fatal(err)
			}
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			got := make(chan error)
			go func() { got <- g.enter(ctx, c.waits) }()
			g.queued(t, 1)
			cancel(cause)
			if err := <-got; !errors.Is(err, cause) {
				t.Errorf("error %v, want %v", err, cause)
			}
			g.leave()
			if err := g.enter(t.Context(), true); err != nil { // nobody is left in
				t.Error(err)
			}
		})
	}
}

func TestWhoGivesUpLetsThoseBehindIn(t *testing.T) {
	var g gate
	if err := g.enter(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	alone, behind := make(chan error, 1), make(chan error, 1)
	go func() { alone <- g.enter(ctx, true) }()
	g.queued(t, 1)
	go func() { behind <- g.enter(t.Context(), false) }()
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
	var g gate
	var wg sync.WaitGroup
	var inside atomic.Int32
	for i := range 8 {
		wg.Go(func() {
			for round := range 200 {
				alone := (i+round)%5 == 0
				if err := g.enter(t.Context(), alone); err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); alone && n != 1 {
					t.Errorf("%d inside beside one alone", n-1)
				}
				inside.Add(-1)
				g.leave()
			}
		})
	}
	wg.Wait()
}

func TestAJobThatWaitsToBeAloneCanBeCancelled(t *testing.T) {
	n := open(t)
	release, running := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, err := n.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}, Talk: func(sandbox.Conn) {
			close(running)
			<-release
		}})
		first <- err
	}()
	<-running
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() {
		_, err := n.Run(ctx, sandbox.Spec{Args: []string{"/bin/true"}, Alone: true})
		second <- err
	}()
	n.gate.queued(t, 1)
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		_, _, err := n.Reserve(ctx, sandbox.Spec{}, sandbox.Spec{Alone: true})
		second <- err
	}()
	n.gate.queued(t, 1)
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("reserve: error %v, want that of the context", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
