// Package pool admits jobs to a sandbox by what they may use at most, so that all that run at once fit into the machine.
//
// Theory. Limits say what one job may take; nothing says that many of them fit. Without admission fifty jobs of 512 MB on a
// machine with 2 GB end by the kernel's out-of-memory killer, which takes whom it likes. So a job is let in when its memory
// limit, its process limit and a slot fit into what is left of the budget, and waits otherwise. Waiting is first come, first
// served: a large job at the head is not overtaken by small ones behind it, else it might wait for ever. A job that is larger
// than the whole budget is refused at once. Jobs that wait for each other are let in together, or not yet (Reserve). Time in the queue is nobody's own time: a job's clocks start with its program.
package pool

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Budget is what all running jobs may use together. A zero field is no bound.
type Budget struct {
	Jobs      int
	Memory    sandbox.Size
	Processes int
}

// Load is what a Pool is doing, and how long it let jobs wait.
type Load struct {
	Running, Waiting int
	Memory           sandbox.Size // limits of the running jobs together
	Processes        int

	Admitted, Waited int64         // jobs since the beginning, and those of them that did not fit at once
	Longest          time.Duration // wait of any
}

// Pool is a sandbox.Sandbox that admits jobs to another one. It is safe for concurrent use.
type Pool struct {
	sandbox.Sandbox
	budget Budget

	mu      sync.Mutex // guards the fields below
	load    Load
	waiting *list.List // of *ticket, oldest first
}

// ticket is for one job, or for several that run at once.
type ticket struct {
	jobs, processes int
	memory          sandbox.Size
	admitted        chan struct{} // closed when they may run
}

// reserved is the key of a context whose jobs have room in the Pool.
type reserved struct{ *Pool }

// New puts a Pool before a sandbox. Close of the Pool closes it.
func New(inner sandbox.Sandbox, b Budget) *Pool {
	return &Pool{Sandbox: inner, budget: b, waiting: list.New()}
}

// Load tells how full the pool is.
func (p *Pool) Load() Load {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.load
	l.Waiting = p.waiting.Len()
	return l
}

// Budget is what the pool was made with.
func (p *Pool) Budget() Budget { return p.budget }

// Run waits until the job fits, or the context ends, and runs it. A job that never fits is an error that wraps
// sandbox.ErrUnsupported.
func (p *Pool) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	if ctx.Value(reserved{p}) != nil {
		return p.Sandbox.Run(ctx, spec)
	}
	t, err := p.enter(ctx, spec)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer p.leave(t)
	return p.Sandbox.Run(ctx, spec)
}

// Reserve implements sandbox.Reserver, also towards the sandbox behind the pool. Its errors are those of Run.
func (p *Pool) Reserve(ctx context.Context, specs ...sandbox.Spec) (context.Context, func(), error) {
	t, err := p.enter(ctx, specs...)
	if err != nil {
		return nil, nil, err
	}
	inner, release, err := sandbox.Together(ctx, p.Sandbox, specs...)
	if err != nil {
		p.leave(t)
		return nil, nil, err
	}
	return context.WithValue(inner, reserved{p}, true), func() {
		release()
		p.leave(t)
	}, nil
}

// enter waits for room for all of specs at once.
func (p *Pool) enter(ctx context.Context, specs ...sandbox.Spec) (*ticket, error) {
	t := &ticket{jobs: len(specs), admitted: make(chan struct{})}
	for _, spec := range specs {
		limits, err := spec.Limits.OrDefaults()
		if err != nil {
			return nil, err
		}
		t.memory += limits.Memory
		t.processes += limits.Processes
	}
	if b := p.budget; b.Jobs > 0 && t.jobs > b.Jobs || b.Memory > 0 && t.memory > b.Memory || b.Processes > 0 && t.processes > b.Processes {
		return nil, fmt.Errorf("sandbox/pool: %d at once of %v and %d processes never fit into %d of %v and %d: %w",
			t.jobs, t.memory, t.processes, b.Jobs, b.Memory, b.Processes, sandbox.ErrUnsupported)
	}
	if err := p.wait(ctx, t); err != nil {
		return nil, fmt.Errorf("sandbox/pool: waiting: %w", err)
	}
	return t, nil
}

func (p *Pool) wait(ctx context.Context, t *ticket) error {
	p.mu.Lock()
	place := p.waiting.PushBack(t)
	p.admit()
	if isClosed(t.admitted) {
		p.mu.Unlock()
		return nil
	}
	p.load.Waited += int64(t.jobs)
	p.mu.Unlock()
	began := time.Now()
	select {
	case <-t.admitted:
	case <-ctx.Done():
	}
	p.mu.Lock()
	p.load.Longest = max(p.load.Longest, time.Since(began))
	if ctx.Err() == nil {
		p.mu.Unlock()
		return nil
	}
	defer p.mu.Unlock()
	if isClosed(t.admitted) { // in the same moment: give it back
		p.release(t)
	} else {
		p.waiting.Remove(place)
	}
	p.admit() // the one behind may fit
	return context.Cause(ctx)
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// admit lets in from the head of the queue what fits. The caller holds p.mu.
func (p *Pool) admit() {
	for head := p.waiting.Front(); head != nil; head = p.waiting.Front() {
		t := head.Value.(*ticket)
		if !p.fits(t) {
			return
		}
		p.waiting.Remove(head)
		p.load.Running += t.jobs
		p.load.Admitted += int64(t.jobs)
		p.load.Memory += t.memory
		p.load.Processes += t.processes
		close(t.admitted)
	}
}

func (p *Pool) fits(t *ticket) bool {
	b, l := p.budget, p.load
	return (b.Jobs == 0 || l.Running+t.jobs <= b.Jobs) &&
		(b.Memory == 0 || l.Memory+t.memory <= b.Memory) &&
		(b.Processes == 0 || l.Processes+t.processes <= b.Processes)
}

func (p *Pool) release(t *ticket) {
	p.load.Running -= t.jobs
	p.load.Memory -= t.memory
	p.load.Processes -= t.processes
}

func (p *Pool) leave(t *ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.release(t)
	p.admit()
}
