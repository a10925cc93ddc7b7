package main

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/pool"
)

// admitted is a pool before the strongest backend of this machine that counts memory.
func admitted(t *testing.T, b pool.Budget) *pool.Pool {
	t.Helper()
	if testing.Short() {
		t.Skip("short")
	}
	for _, candidate := range backends {
		if candidate.trusted {
			continue
		}
		s, err := candidate.open(false)
		if err != nil {
			t.Logf("%s: %v", candidate.name, err)
			continue
		}
		if s.Caps().Memory {
			p := pool.New(s, b)
			t.Cleanup(func() { _ = p.Close() }) // its slots end in any case
			return p
		}
		_ = s.Close() // not used
	}
	t.Skip("no backend here limits memory")
	return nil
}

func TestManySubmissionsForTwoSlotsAreAllAnswered(t *testing.T) {
	p := admitted(t, pool.Budget{Jobs: 2})
	var wg sync.WaitGroup
	var answered, most atomic.Int64
	for range 512 {
		wg.Go(func() {
			r, err := p.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/sh", "-c", "exit 7"}})
			if err != nil || r.ExitCode != 7 {
				t.Errorf("%+v, %v", r, err)
				return
			}
			answered.Add(1)
			for running := int64(p.Load().Running); ; {
				if old := most.Load(); running <= old || most.CompareAndSwap(old, running) {
					return
				}
			}
		})
	}
	wg.Wait()
	l := p.Load()
	if answered.Load() != 512 || most.Load() > 2 || l.Running != 0 || l.Waiting != 0 || l.Admitted != 512 {
		t.Errorf("%d answered, at most %d at once, load afterwards %+v", answered.Load(), most.Load(), l)
	}
	t.Logf("%d of 512 waited, at most %v", l.Waited, l.Longest)
}

// A job that the kernel's killer took would be memory_limit: all must end well.
func TestLargeJobsOnASmallBudgetNeverMeetTheKernelsKiller(t *testing.T) {
	p := admitted(t, pool.Budget{Memory: 2 * sandbox.GiB})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			const program = `dd if=/dev/zero of=/dev/null bs=300M count=1`
			r, err := p.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/sh", "-c", program}, Limits: sandbox.Limits{Memory: 512 * sandbox.MiB}})
			if err != nil || r.Status != sandbox.OK || r.Usage.PeakMemory < 256*sandbox.MiB {
				t.Errorf("status %q, exit %d, peak %v, %q, %v", r.Status, r.ExitCode, r.Usage.PeakMemory, r.Stderr.Data, err)
			}
			if l := p.Load(); l.Memory > 2*sandbox.GiB || l.Running > 4 {
				t.Errorf("load %+v", l)
			}
		})
	}
	wg.Wait()
}
