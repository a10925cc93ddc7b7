package engine

import (
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// Observer is told what the engine does, by the goroutine that does it: it must be safe for concurrent use and quick.
type Observer interface{ Observe(Event) }

// Event is one row judged, or one attempt that the machine failed.
type Event struct {
	Row     *rollout.Row
	Verdict *judge.Verdict // not to be changed or kept
	Retried int            // 0 for a final verdict, else the number of the attempt that will be repeated
	Shared  bool           // the verdict is that of an identical row in flight
}

func (e *Engine) observe(ev Event) {
	if e.config.Observer != nil {
		e.config.Observer.Observe(ev)
	}
}
