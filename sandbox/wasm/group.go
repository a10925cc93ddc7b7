package wasm

import (
	"context"
	"os"
	"runtime"
	"sync"
)

// group are the workers of one image. Its methods are safe for concurrent use.
type group struct {
	setup setup
	image *os.File

	mu     sync.Mutex // guards the fields below
	idle   []*process
	closed bool
}

// jobsPerWorker bounds the life of a worker: what leaks in some part of it, however slowly, ends with it. Starting one costs as much
// as a hundred jobs.
const jobsPerWorker = 4000

// take gives a worker that nobody uses, or starts one. The caller gives it back, or kills it.
func (g *group) take(ctx context.Context) (*process, error) {
	g.mu.Lock()
	for len(g.idle) > 0 {
		p := g.idle[len(g.idle)-1]
		g.idle = g.idle[:len(g.idle)-1]
		select {
		case <-p.dead: // somebody killed it while it had nothing to do
			continue
		default:
		}
		g.mu.Unlock()
		return p, nil
	}
	g.mu.Unlock()
	return startProcess(ctx, g.setup, g.image)
}

// give takes a worker back.
func (g *group) give(p *process) {
	g.mu.Lock()
	keep := !g.closed && p.jobs < jobsPerWorker && len(g.idle) < 2*runtime.NumCPU()
	if keep {
		g.idle = append(g.idle, p)
	}
	g.mu.Unlock()
	if !keep {
		p.kill()
	}
}

func (g *group) close() {
	g.mu.Lock()
	idle := g.idle
	g.idle, g.closed = nil, true
	g.mu.Unlock()
	for _, p := range idle {
		p.kill()
	}
	_ = g.image.Close() // opened for reading
}
