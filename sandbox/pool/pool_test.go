package pool

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// fake is a sandbox whose jobs last as long as their wall limit, and that watches what runs at once.
type fake struct {
	mu                sync.Mutex // guards the fields below
	jobs, maxJobs     int
	memory, maxMemory sandbox.Size
	order             []string
}

func (f *fake) Run(ctx context.Context, s sandbox.Spec) (sandbox.Result, error) {
	f.mu.Lock()
	f.jobs++
	f.memory += s.Limits.Memory
	f.maxJobs, f.maxMemory = max(f.maxJobs, f.jobs), max(f.maxMemory, f.memory)
	f.order = append(f.order, s.Args[0])
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.jobs--
		f.memory -= s.Limits.Memory
	}()
	select {
	case <-time.After(s.Limits.Wall):
		return sandbox.Result{Status: sandbox.OK}, nil
	case <-ctx.Done():
		return sandbox.Result{}, ctx.Err()
	}
}

func (*fake) Caps() sandbox.Caps { return sandbox.Caps{} }
func (*fake) Close() error       { return nil }

func spec(name string, memory sandbox.Size, wall time.Duration) sandbox.Spec {
	return sandbox.Spec{Args: []string{name}, Limits: sandbox.Limits{Memory: memory, Wall: wall, Processes: 1}}
}

func TestFiveHundredJobsForTwoSlotsAreAllAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := New(f, Budget{Jobs: 2})
		var wg sync.WaitGroup
		var answered atomic.Int32
		for range 512 {
			wg.Go(func() {
				if r, err := p.Run(t.Context(), spec("x", sandbox.MiB, time.Second)); err == nil && r.Status == sandbox.OK {
					answered.Add(1)
				}
			})
		}
		synctest.Wait()
		if l := p.Load(); l.Running != 2 || l.Waiting != 510 {
			t.Errorf("load %+v", l)
		}
		wg.Wait()
		if answered.Load() != 512 || f.maxJobs != 2 {
			t.Errorf("%d answered, at most %d at once", answered.Load(), f.maxJobs)
		}
		if l := p.Load(); l != (Load{Admitted: 512, Waited: 510, Longest: 255 * time.Second}) {
			t.Errorf("load afterwards %+v", l)
		}
	})
}

func TestMemoryOfAllJobsFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := New(f, Budget{Memory: 2 * sandbox.GiB})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, err := p.Run(t.Context(), spec("x", 512*sandbox.MiB, time.Second)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if f.maxMemory != 2*sandbox.GiB {
			t.Errorf("at most %v at once, want all of the budget and no more", f.maxMemory)
		}
	})
}

func TestALargeJobIsNotOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := New(f, Budget{Memory: 10})
		var wg sync.WaitGroup
		for _, j := range []struct {
			name   string
			memory sandbox.Size
		}{{"first", 6}, {"large", 10}, {"small", 1}} {
			wg.Go(func() { _, _ = p.Run(t.Context(), spec(j.name, j.memory, time.Second)) })
			synctest.Wait()
		}
		wg.Wait()
		if got := f.order; len(got) != 3 || got[0] != "first" || got[1] != "large" || got[2] != "small" {
			t.Errorf("order %v", got)
		}
	})
}

func TestWhoGivesUpMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(&fake{}, Budget{Memory: 10})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = p.Run(t.Context(), spec("first", 6, time.Minute)) })
		synctest.Wait()
		wg.Go(func() {
			if _, err := p.Run(ctx, spec("large", 10, time.Second)); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
		synctest.Wait()
		began := time.Now()
		wg.Go(func() {
			if _, err := p.Run(t.Context(), spec("small", 1, time.Second)); err != nil || time.Since(began) > 10*time.Second {
				t.Errorf("error %v after %v", err, time.Since(began))
			}
		})
		synctest.Wait()
		cancel()
		wg.Wait()
	})
}

func TestAJobThatNeverFitsIsRefused(t *testing.T) {
	p := New(&fake{}, Budget{Memory: 10, Processes: 4})
	for _, s := range []sandbox.Spec{spec("x", 11, 1), {Args: []string{"x"}, Limits: sandbox.Limits{Memory: 1, Processes: 5}}} {
		if _, err := p.Run(t.Context(), s); !errors.Is(err, sandbox.ErrUnsupported) {
			t.Errorf("error %v", err)
		}
	}
}

func TestPairsAreLetInTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := New(f, Budget{Jobs: 3})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { // two jobs that only end together: with three slots, single admission would stall
				one, two := spec("a", sandbox.MiB, time.Second), spec("b", sandbox.MiB, time.Second)
				ctx, release, err := sandbox.Together(t.Context(), p, one, two)
				if err != nil {
					t.Error(err)
					return
				}
				defer release()
				var pair sync.WaitGroup
				pair.Go(func() { _, _ = p.Run(ctx, one) })
				pair.Go(func() { _, _ = p.Run(ctx, two) })
				pair.Wait()
			})
		}
		wg.Wait()
		l := p.Load()
		if f.maxJobs != 2 || l.Running != 0 || l.Waiting != 0 || l.Admitted != 40 || l.Waited != 38 || l.Longest != 19*time.Second {
			t.Errorf("at once %d, load %+v", f.maxJobs, l)
		}
	})
}

func TestAPairThatNeverFitsIsRefused(t *testing.T) {
	p := New(&fake{}, Budget{Memory: 3 * sandbox.MiB})
	_, _, err := sandbox.Together(t.Context(), p, spec("a", 2*sandbox.MiB, 1), spec("b", 2*sandbox.MiB, 1))
	if !errors.Is(err, sandbox.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
	if l := p.Load(); l != (Load{}) {
		t.Errorf("load %+v", l)
	}
}
