package main

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/semaphore"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/verifiers"
)

// specCache keeps built specs by their text: a client sends the same one with each row. It holds two generations; when
// the young one is full it becomes the old one, and what is used again moves back. So it is bounded, and a spec that is in
// use stays. Safe for concurrent use.
type specCache struct {
	registry *verifiers.Registry

	mu         sync.Mutex
	young, old map[string]*builtSpec // guarded by mu
	bytes      int                   // of the keys of young
}

// A generation ends at either bound. A compiled schema is some ten times its text.
const (
	generationSpecs = 256
	generationBytes = 4 << 20
)

type builtSpec struct {
	once     sync.Once
	verifier verifiers.Verifier
	work     engine.Work
	err      error
}

func newSpecCache(r *verifiers.Registry) *specCache {
	return &specCache{registry: r, young: map[string]*builtSpec{}}
}

// build returns the built spec, or the fault that it has; both are kept.
func (c *specCache) build(spec jsontext.Value) (*builtSpec, error) {
	b := c.entry(spec)
	b.once.Do(func() {
		b.verifier, b.err = c.registry.Build(spec)
		if b.err == nil {
			b.work = engine.Work{Judge: b.verifier, Spec: string(b.verifier.Spec())}
		}
	})
	return b, b.err
}

func (c *specCache) entry(spec jsontext.Value) *builtSpec {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.young[string(spec)]; ok {
		return b
	}
	b, ok := c.old[string(spec)]
	if !ok {
		b = new(builtSpec)
	}
	if len(c.young) >= generationSpecs || c.bytes+len(spec) > generationBytes {
		c.young, c.old, c.bytes = map[string]*builtSpec{}, c.young, 0
	}
	c.young[string(spec)] = b
	c.bytes += len(spec)
	return b
}

// room bounds the bytes that are inside at a time. One that is larger than all the room may enter alone.
type room struct {
	size  int64
	space *semaphore.Weighted
}

func newRoom(size int64) *room { return &room{size, semaphore.NewWeighted(size)} }

func (r *room) enter(ctx context.Context, n int) error {
	return r.space.Acquire(ctx, min(int64(n), r.size))
}

func (r *room) leave(n int) { r.space.Release(min(int64(n), r.size)) }
