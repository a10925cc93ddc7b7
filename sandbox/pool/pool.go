// Package pool admits jobs to a sandbox by what they may use at most, so that all that run at once fit into the machine.
//
// Theory. Limits say what one job may take; nothing says that many of them fit. Without admission fifty jobs of 512 MB on a
// machine with 2 GB end by the kernel's out-of-memory killer, which takes whom it likes. So a job is let in when its memory
// limit, its process limit and a slot fit into what is left of the budget, and waits otherwise. Waiting is first come, first
// served: a large job at the head is not overtaken by small ones behind it, else it might wait for ever. A job that is larger
// than the whole budget is refused at once. Time in the queue is nobody's own time: a job's clocks start with its program.
package pool

import (
	"container/list"
	"context"
	"fmt"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
)

// Budget is what all running jobs may use together. A zero field is no bound.
type Budget struct {
	Jobs      int
	Memory    sandbox.Size
	Processes int
}

// Load is what a Pool is doing.
type Load struct {
	Running, Waiting int
	Memory           sandbox.Size // limits of the running jobs together
	Processes        int
}

// Pool is a sandbox.Sandbox that admits jobs to another one. It is safe for concurrent use.
type Pool struct {
	sandbox.Sandbox
	budget Budget

	mu      sync.Mutex // guards the fields below
	load    Load
	waiting *list.List // of *ticket, oldest first
}

type ticket struct {
	memory    sandbox.Size
	processes int
	admitted  chan struct{} // closed when the job may run
}

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

// Run waits until the job fits, or the context ends, and runs it. A job that never fits is an error that wraps
// sandbox.ErrUnsupported.
func (p *Pool) Run(ctx context.Context, spec sandbox.Spec) (sandbox.Result, error) {
	limits, err := spec.Limits.OrDefaults()
	if err != nil {
		return sandbox.Result{}, err
	}
	t := &ticket{memory: limits.Memory, processes: limits.Processes, admitted: make(chan struct{})}
	if b := p.budget; b.Memory > 0 && t.memory > b.Memory || b.Processes > 0 && t.processes > b.Processes {
		return sandbox.Result{}, fmt.Errorf("sandbox/pool: a job of %v and %d processes never fits into %v and %d: %w",
			t.memory, t.processes, b.Memory, b.Processes, sandbox.ErrUnsupported)
	}
	if err := p.wait(ctx, t); err != nil {
		return sandbox.Result{}, fmt.Errorf("sandbox/pool: waiting: %w", err)
	}
	defer p.leave(t)
	return p.Sandbox.Run(ctx, spec)
}

func (p *Pool) wait(ctx context.Context, t *ticket) error {
	p.mu.Lock()
	place := p.waiting.PushBack(t)
	p.admit()
	p.mu.Unlock()
	select {
	case <-t.admitted:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-t.admitted: // in the same moment: give it back
		p.release(t)
	default:
		p.waiting.Remove(place)
	}
	p.admit() // the one behind may fit
	return context.Cause(ctx)
}

// admit lets in from the head of the queue what fits. The caller holds p.mu.
func (p *Pool) admit() {
	for head := p.waiting.Front(); head != nil; head = p.waiting.Front() {
		t := head.Value.(*ticket)
		if !p.fits(t) {
			return
		}
		p.waiting.Remove(head)
		p.load.Running++
		p.load.Memory += t.memory
		p.load.Processes += t.processes
		close(t.admitted)
	}
}

func (p *Pool) fits(t *ticket) bool {
	b, l := p.budget, p.load
	return (b.Jobs == 0 || l.Running < b.Jobs) &&
		(b.Memory == 0 || l.Memory+t.memory <= b.Memory) &&
		(b.Processes == 0 || l.Processes+t.processes <= b.Processes)
}

func (p *Pool) release(t *ticket) {
	p.load.Running--
	p.load.Memory -= t.memory
	p.load.Processes -= t.processes
}

func (p *Pool) leave(t *ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.release(t)
	p.admit()
}
