package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/internal/report"
)

// rowCounter counts the rows that were judged, in whatever order. It is an engine.Observer.
type rowCounter struct{ n atomic.Int64 }

// Observe counts final verdicts.
func (c *rowCounter) Observe(ev engine.Event) {
	if ev.Retried == 0 {
		c.n.Add(1)
	}
}

// progress is one line on a terminal that is drawn over and over; on anything else it is silent.
type progress struct {
	w       io.Writer
	started time.Time
	waiting func() int
	stop    chan struct{}
	drawing sync.WaitGroup
}

// progressEvery keeps the line readable and its cost nothing.
const progressEvery = 200 * time.Millisecond

// startProgress draws until end is called: rows judged, how much of the input was read (a total below 1 is unknown), and how many
// programs wait for room on the machine. now and waiting are called by a goroutine of its own.
func startProgress(w io.Writer, now func() (judged, read, total int64), waiting func() int) *progress {
	p := &progress{w: w, started: time.Now(), stop: make(chan struct{}), waiting: waiting}
	if !terminal(w) {
		return p
	}
	p.drawing.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw(now())
			case <-p.stop:
				fmt.Fprint(p.w, "\r\x1b[K") // wipes the line out
				return
			}
		}
	})
	return p
}

func (p *progress) draw(judged, read, total int64) {
	took := time.Since(p.started)
	line := fmt.Sprintf("%s rows judged, %s/s", report.Count(judged), report.Count(int64(rate(judged, took))))
	if total > 0 && read > 0 {
		share := min(float64(read)/float64(total), 1)
		left := time.Duration(float64(took) * (1 - share) / share)
		line += fmt.Sprintf(", %s read, %s left", report.Percent(share), left.Round(time.Second))
	}
	if n := p.waiting(); n > 0 {
		line += fmt.Sprintf(", %s wait for memory or a slot", report.Count(int64(n)))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// end ends the drawing.
func (p *progress) end() {
	close(p.stop)
	p.drawing.Wait()
}
