package owntime

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// machine is a job's pressure counter that the test turns.
type machine struct {
	full  time.Duration
	blind bool
}

func (m *machine) stalled() (time.Duration, bool) { return m.full, !m.blind }

func TestOwnTime(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(*Meter, *machine)
		own  time.Duration // at 1 s
		sure bool
	}{
		{"an idle machine takes nothing", func(m *Meter, k *machine) { m.Update(500 * ms) }, 1000 * ms, true},
		{"what the machine takes is taken off", func(m *Meter, k *machine) { k.full = 300 * ms; m.Update(500 * ms) }, 700 * ms, false},
		{"a tenth is still sure", func(m *Meter, k *machine) { k.full = 100 * ms; m.Update(500 * ms) }, 900 * ms, true},
		{"no more is taken off than a window holds", func(m *Meter, k *machine) { m.Update(400 * ms); k.full = 900 * ms; m.Update(500 * ms) }, 900 * ms, true},
		{"a counter that falls back is no gift", func(m *Meter, k *machine) { k.full = 200 * ms; m.Update(500 * ms); k.full = 0; m.Update(600 * ms) }, 800 * ms, false},
		{"no counter: the wall counts", func(m *Meter, k *machine) { k.blind, k.full = true, 500*ms; m.Update(500 * ms) }, 1000 * ms, true},
		{"a pause is not own time", func(m *Meter, k *machine) { m.Pause(200 * ms); m.Resume(700 * ms) }, 500 * ms, true},
		{"pausing twice is pausing once", func(m *Meter, k *machine) {
			m.Pause(200 * ms)
			m.Pause(300 * ms)
			m.Resume(700 * ms)
			m.Resume(800 * ms)
		}, 500 * ms, true},
		{"a pause that is still on", func(m *Meter, k *machine) { m.Pause(200 * ms) }, 200 * ms, true},
		{"pressure within a pause is not taken off twice", func(m *Meter, k *machine) { m.Pause(200 * ms); k.full = 400 * ms; m.Resume(700 * ms) }, 500 * ms, true},
		{"looks of the past are ignored", func(m *Meter, k *machine) {
			m.Update(500 * ms)
			k.full = 100 * ms
			m.Update(400 * ms)
			m.Update(600 * ms)
		}, 900 * ms, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &machine{}
			m := New(0, k.stalled)
			c.run(m, k)
			if got := m.Own(1000 * ms); got != c.own {
				t.Errorf("own time %v, want %v", got, c.own)
			}
			if got := m.Sure(1000 * ms); got != c.sure {
				t.Errorf("sure %v, want %v (taken %v)", got, c.sure, m.Taken())
			}
		})
	}
}

func TestNothingIsReadAfterStop(t *testing.T) {
	stopped := false
	m := New(0, func() (time.Duration, bool) {
		if stopped {
			t.Error("read after Stop")
		}
		return 0, true
	})
	m.Stop(100 * ms)
	stopped = true
	m.Update(200 * ms)
	m.Pause(300 * ms)
	m.Resume(400 * ms)
	if got := m.Own(100 * ms); got != 100*ms {
		t.Errorf("own time %v", got)
	}
}
