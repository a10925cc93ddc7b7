package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// gated judges when it is let, and counts.
type gated struct {
	calls atomic.Int64
	open  chan struct{}
	blind bool
}

func (g *gated) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	n := g.calls.Add(1)
	select {
	case <-g.open:
		return judge.Pass(fmt.Sprint("call ", n)), nil
	case <-ctx.Done():
		return judge.Verdict{}, ctx.Err()
	}
}

func (g *gated) IDBlind() bool { return g.blind }

// settle waits until done holds, and then a little longer.
func settle(t *testing.T, done func() bool) {
	t.Helper()
	for range 5000 {
		if done() {
			time.Sleep(5 * time.Millisecond) // lets those who wait get as far as waiting; too short only makes the test weaker
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("it did not come to that")
}

func TestGradeSharesIdenticalWorkInFlight(t *testing.T) {
	cases := []struct {
		name  string
		spec  string
		blind bool
		rows  []string
		calls int64
	}{
		{"the same row", "s", false, []string{`{"id":1,"x":2}`, `{"id":1,"x":2}`, `{"id":1,"x":2}`}, 1},
		{"rows that differ in the id, which the judge does not read", "s", true, []string{`{"id":1,"x":2}`, `{"id":2,"x":2}`}, 1},
		{"rows that differ in the id, which the judge may read", "s", false, []string{`{"id":1,"x":2}`, `{"id":2,"x":2}`}, 2},
		{"rows that differ elsewhere", "s", true, []string{`{"id":1,"x":2}`, `{"id":1,"x":3}`}, 2},
		{"without a spec", "", true, []string{`{"id":1}`, `{"id":1}`}, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := &gated{open: make(chan struct{}), blind: c.blind}
			seen := new(recorder)
			e := newEngine(t, Config{Workers: 8, Observer: seen})
			var wait sync.WaitGroup
			for _, line := range c.rows {
				row := parse(t, line)
				wait.Go(func() {
					if v := e.Grade(t.Context(), Work{Judge: g, Spec: c.spec}, row); v.Status != judge.OK {
						t.Errorf("verdict %+v", v)
					}
				})
			}
			settle(t, func() bool { return g.calls.Load() == c.calls })
			close(g.open)
			wait.Wait()
			shared := 0
			for _, ev := range seen.events {
				if ev.Shared {
					shared++
				}
			}
			if n := g.calls.Load(); n != c.calls || shared != len(c.rows)-int(c.calls) {
				t.Errorf("judged %d times and shared %d of %d rows, want judged %d times", n, shared, len(c.rows), c.calls)
			}
			if len(e.shared.now) != 0 {
				t.Errorf("%d flights are left", len(e.shared.now))
			}
		})
	}
}

// A caller that goes away must not take the verdict of those who wait with it.
func TestGradeOutlivesACancelledLeader(t *testing.T) {
	g := &gated{open: make(chan struct{})}
	e := newEngine(t, Config{Workers: 8})
	row := parse(t, `{"id":1}`)
	work := Work{Judge: g, Spec: "s"}
	leader, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() {
		if v := e.Grade(leader, work, row); v.Status != judge.Error {
			t.Errorf("the cancelled leader got %+v", v)
		}
	})
	settle(t, func() bool { return g.calls.Load() == 1 })
	impatient, leave := context.WithCancel(t.Context())
	wait.Go(func() {
		if v := e.Grade(impatient, work, row); v.Status != judge.Error {
			t.Errorf("who stopped waiting got %+v", v)
		}
	})
	wait.Go(func() {
		if v := e.Grade(t.Context(), work, row); v.Status != judge.OK {
			t.Errorf("who waited got %+v", v)
		}
	})
	settle(t, func() bool { return true })
	leave()
	cancel()
	settle(t, func() bool { return g.calls.Load() == 2 })
	close(g.open)
	wait.Wait()
}
