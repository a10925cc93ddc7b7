package main

import (
	"fmt"
	"io"
	"time"

	"github.com/verifyd/verifyd/internal/report"
)

// progress is one line on a terminal that is drawn over and over; on anything else it is silent.
type progress struct {
	w       io.Writer // nil where silent
	unit    string
	started time.Time
	drawn   time.Time
}

// progressEvery keeps the line readable and its cost nothing.
const progressEvery = 200 * time.Millisecond

func newProgress(w io.Writer, unit string) *progress {
	now := time.Now()
	p := &progress{unit: unit, started: now, drawn: now}
	if terminal(w) {
		p.w = w
	}
	return p
}

// show draws the line: done items, and how much of the input they were; a total below 1 is unknown.
func (p *progress) show(done, read, total int64) {
	if p.w == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	took := now.Sub(p.started)
	line := fmt.Sprintf("%s %s, %s/s", report.Count(done), p.unit, report.Count(int64(rate(done, took))))
	if total > 0 && read > 0 {
		share := min(float64(read)/float64(total), 1)
		left := time.Duration(float64(took) * (1 - share) / share)
		line += fmt.Sprintf(", %s, %s left", report.Percent(share), left.Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// end wipes the line out.
func (p *progress) end() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
