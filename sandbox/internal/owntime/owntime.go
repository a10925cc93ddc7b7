// Package owntime measures the time that a job used, or let pass, by its own doing.
//
// Theory. A limit on wall-clock time fails honest programs on a busy machine, a limit on processor time never ends a
// sleeper. Own time is wall-clock time minus what the machine took:
//
//	own += W − min(W, F)        for each window of W, F = growth of "full" in the job group's cpu.pressure
//
// "full" grows while every task of the job that wants a processor waits for one. It is exact in what it states and counts
// tasks that have exited, and on an idle machine it stays near zero however many threads a job has. The kernel averages it over
// the processors used since the last reading, so it is read often: every 10 ms (a spinner at three times overload measured
// 1.03 s of own time for 1 s at 10 ms, 1.10 at 50 ms, 2.1 at 1 s). Time in which the job waits for the engine is taken off as
// well, between Pause and Resume. Where the machine took more than a tenth of the wall, "too long" is not final: see Sure.
package owntime

import (
	"sync"
	"time"
)

// Window is how often Update is to be called.
const Window = 10 * time.Millisecond

// Meter is safe for concurrent use.
type Meter struct {
	stalled func() (time.Duration, bool)

	mu      sync.Mutex // guards the fields below and calls of stalled
	start   time.Duration
	last    time.Duration // clock of the last update
	full    time.Duration // stalled at the last update
	taken   time.Duration
	paused  time.Duration
	pausing bool
	closed  bool
}

// New starts a meter at a clock reading. stalled gives the time for which the whole job has been kept from running so far;
// false means that it is not known, and counts as nothing taken. stalled is not called after Stop.
func New(start time.Duration, stalled func() (time.Duration, bool)) *Meter {
	return &Meter{stalled: stalled, start: start, last: start}
}

// Update books the window since the last update. now is of the same clock as start; a reading from the past is ignored.
func (m *Meter) Update(now time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update(now)
}

func (m *Meter) update(now time.Duration) {
	if m.closed || now < m.last {
		return
	}
	window := now - m.last
	m.last = now
	full, ok := m.stalled()
	grown := max(0, full-m.full)
	if ok {
		m.full = full
	}
	switch {
	case m.pausing:
		m.paused += window
	case ok:
		m.taken += min(window, grown)
	}
}

// Pause and Resume enclose the time in which the job waits for the engine. Both may be repeated.
func (m *Meter) Pause(now time.Duration)  { m.pause(now, true) }
func (m *Meter) Resume(now time.Duration) { m.pause(now, false) }

func (m *Meter) pause(now time.Duration, pausing bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update(now)
	m.pausing = pausing
}

// Own is the own time at a clock reading, never negative.
func (m *Meter) Own(now time.Duration) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := now - m.start - m.taken - m.paused
	if m.pausing && now > m.last {
		own -= now - m.last
	}
	return max(0, own)
}

// Taken is what the machine took.
func (m *Meter) Taken() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken
}

// Sure tells whether own time over a limit is the program's doing beyond doubt: the machine took at most a tenth.
func (m *Meter) Sure(now time.Duration) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken*10 <= now-m.start-m.paused
}

// Stop makes a last update; the source of stalled may go away afterwards.
func (m *Meter) Stop(now time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update(now)
	m.closed = true
}
