package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
)

// Flow bounds a pipeline. The zero value is one worker and a window of two items.
type Flow struct {
	Workers int // goroutines that work; at least 1
	Window  int // items read and not yet emitted; at least Workers + 1
}

// slot carries one item through the pipeline. There are Window of them, made once: a free slot is the permission to read
// one more item, so a slow head of the line stops the reading and memory stays constant.
type slot[T, R any] struct {
	in   T
	out  R
	err  error
	done chan struct{} // one token, when out and err stand
}

// Each reads items with next until io.EOF, works on them in parallel, and emits the results in the order of the items.
//
// next and emit are each called by one goroutine at a time; work by Flow.Workers at once. emit for an item is called as
// soon as it and all items before it are worked. An error of next, work or emit ends the run: the results before that
// item are emitted, those behind it are not, and Each returns the error. When the context is cancelled, the results that
// stand in an unbroken row are still emitted, and Each returns the context's cause. A panic in work or next is such an
// error, with its stack. All goroutines have ended when Each returns; so next must return when the context is cancelled.
func Each[T, R any](ctx context.Context, f Flow, next func() (T, error), work func(context.Context, T) (R, error), emit func(R) error) error {
	workers := max(f.Workers, 1)
	window := max(f.Window, workers+1)
	inner, stop := context.WithCancel(ctx)
	defer stop()
	p := pipeline[T, R]{
		free: make(chan *slot[T, R], window), jobs: make(chan *slot[T, R], window), order: make(chan *slot[T, R], window),
		next: next, work: work,
	}
	for range window {
		p.free <- &slot[T, R]{done: make(chan struct{}, 1)}
	}
	var running sync.WaitGroup
	running.Go(func() { p.feed(inner) })
	for range workers {
		running.Go(func() { p.labour(inner) })
	}
	err := p.drain(emit, stop)
	running.Wait()
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}

type pipeline[T, R any] struct {
	free, jobs, order chan *slot[T, R]
	next              func() (T, error)
	work              func(context.Context, T) (R, error)
}

// feed reads items in order until there are no more.
func (p *pipeline[T, R]) feed(ctx context.Context) {
	defer close(p.order)
	defer close(p.jobs)
	for {
		var s *slot[T, R]
		select {
		case s = <-p.free:
		case <-ctx.Done():
			s = &slot[T, R]{done: make(chan struct{}, 1)}
		}
		if s.err = ctx.Err(); s.err == nil {
			s.in, s.err = guard(p.next)
		}
		if errors.Is(s.err, io.EOF) {
			return
		}
		if s.err != nil { // takes its place in the order, so that what was read before it is emitted
			s.done <- struct{}{}
			p.order <- s
			return
		}
		p.order <- s
		p.jobs <- s
	}
}

func (p *pipeline[T, R]) labour(ctx context.Context) {
	for s := range p.jobs {
		if s.err = ctx.Err(); s.err == nil {
			s.out, s.err = guard(func() (R, error) { return p.work(ctx, s.in) })
		}
		s.done <- struct{}{}
	}
}

// drain emits in order until the first error, then waits for what is on its way.
func (p *pipeline[T, R]) drain(emit func(R) error, stop func()) error {
	var first error
	for s := range p.order {
		<-s.done
		if first == nil {
			if first = s.err; first == nil {
				first = emit(s.out)
			}
			if first != nil {
				stop()
			}
		}
		var in T
		var out R
		s.in, s.out = in, out
		select {
		case p.free <- s:
		default: // the extra slot of a cancelled feed
		}
	}
	return first
}

// guard turns a panic into an error: one broken item must not take the process with it.
func guard[R any](f func() (R, error)) (out R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("engine: crashed: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
