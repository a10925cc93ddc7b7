package guest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero/api"
)

type mutable = api.MutableGlobal

// slice is the fuel of about two milliseconds: often enough for limits of a fifth of a second, and for the collector of the host,
// which waits for it; seldom enough to cost nothing.
const slice = 200_000

// meter gives fuel by the slice and counts it.
type meter struct {
	fuel         mutable
	given, limit int64
}

// refill gives the next slice; false where the limit is used up.
func (m *meter) refill() bool {
	next := int64(slice)
	if m.limit > 0 {
		if next = min(next, m.limit-m.given); next <= 0 && m.given > 0 {
			return false
		}
	}
	m.given += next
	m.fuel.Set(uint64(int64(m.fuel.Get()) + next)) // below zero by what was taken and not there
	return true
}

func (m *meter) used() int64 { return m.given - int64(m.fuel.Get()) }

// clock measures a job's times.
type clock struct {
	limits Limits
	talk   *Channel
	began  time.Time
	cpu    time.Duration // the thread's, at the beginning

	waited, paused time.Duration // asked to wait; waiting for the engine
}

func (c *clock) begin(l Limits, talk *Channel) {
	c.limits, c.talk, c.began, c.cpu = l, talk, time.Now(), threadTime()
}

func (c *clock) times() (cpu, own time.Duration) {
	cpu = threadTime() - c.cpu
	return cpu, cpu + c.waited
}

// over says which limit is met, if one is.
func (c *clock) over() End {
	cpu, own := c.times()
	switch {
	case c.dead():
		return Killed
	case own > c.limits.Wall || cpu > c.limits.CPU:
		return OverTime
	case time.Since(c.began)-c.paused > c.limits.Outer:
		return OverWait
	}
	return ""
}

func (c *clock) dead() bool { return c.talk != nil && c.talk.dead.Load() }

func (c *clock) end() (cpu, wall, own, paused time.Duration) {
	wall = time.Since(c.began)
	cpu, own = c.times()
	return cpu, wall, min(own, wall), c.paused
}

// wait lets time pass until done says so, or for some time (below 0: for ever), or until a limit is met, which it returns. done is
// asked at first and whenever the channel signals.
func (c *clock) wait(for_ time.Duration, done func() bool) End {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	end := time.Now().Add(for_)
	for {
		if why := c.over(); why != "" {
			return why
		}
		if done() || for_ >= 0 && !time.Now().Before(end) {
			return ""
		}
		_, own := c.times()
		paused := c.talk != nil && c.talk.paused.Load()
		next := c.limits.Wall - own + time.Microsecond
		if paused {
			next = time.Second // nobody's time is running out
		}
		if for_ >= 0 {
			next = min(next, time.Until(end))
		}
		began := time.Now()
		timer.Reset(max(next, 0))
		select {
		case <-timer.C:
		case <-c.signal():
		}
		c.pass(min(time.Since(began), max(next, 0)+time.Millisecond), paused)
	}
}

// pass counts a wait. One that the machine ended late is not longer for it.
func (c *clock) pass(d time.Duration, paused bool) {
	if paused {
		c.paused += d
	} else {
		c.waited += d
	}
}

func (c *clock) signal() <-chan struct{} {
	if c.talk == nil {
		return nil
	}
	return c.talk.signal
}

// sleep is the guest's.
func (j *running) sleep(ns int64) {
	if why := j.clock.wait(time.Duration(max(ns, 0)), func() bool { return false }); why != "" {
		panic(&stop{why})
	}
}

// Channel is the job's end of its channel to the engine. The job reads and writes it through a device; everything else is for
// the host, from any goroutine.
type Channel struct {
	send   func([]byte) // hands on what the job wrote; it may take as long as the other side pleases, up to window bytes
	eaten  func(int)    // tells how much the job has read
	signal chan struct{}

	paused, dead atomic.Bool
	clock        *clock

	mu    sync.Mutex // guards the fields below
	inbox []byte
	room  int // bytes that may be sent before more is allowed
}

// Window is how many bytes may be under way in each direction.
const Window = 1 << 20

// NewChannel makes a channel. send is called by the job's goroutine with at most Window bytes that were not allowed again (Allow); eaten with
// the number of bytes that the job took.
func NewChannel(send func([]byte), eaten func(int)) *Channel {
	return &Channel{send: send, eaten: eaten, signal: make(chan struct{}, 1), room: Window}
}

func (c *Channel) wake() {
	select {
	case c.signal <- struct{}{}:
	default: // it will look anyway
	}
}

// Deliver gives the job bytes to read.
func (c *Channel) Deliver(data []byte) {
	c.mu.Lock()
	c.inbox = append(c.inbox, data...)
	c.mu.Unlock()
	c.wake()
}

// Allow says that n bytes of what the job wrote were read.
func (c *Channel) Allow(n int) {
	c.mu.Lock()
	c.room += n
	c.mu.Unlock()
	c.wake()
}

// Pause says whether the job waits for the engine.
func (c *Channel) Pause(on bool) {
	c.paused.Store(on)
	c.wake()
}

// Kill ends the job, at its next slice or in its wait.
func (c *Channel) Kill() {
	c.dead.Store(true)
	c.wake()
}

// read takes what is there, waiting for something.
func (c *Channel) read(p []byte) int {
	if len(p) == 0 {
		return 0
	}
	n := 0
	why := c.clock.wait(-1, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		n = copy(p, c.inbox)
		if c.inbox = c.inbox[n:]; len(c.inbox) == 0 {
			c.inbox = nil
		}
		return n > 0
	})
	if why != "" {
		panic(&stop{why})
	}
	c.eaten(n)
	return n
}

// write hands on what there is room for, waiting for some.
func (c *Channel) write(p []byte) int {
	n := 0
	why := c.clock.wait(-1, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		n = min(len(p), c.room)
		c.room -= n
		return n > 0 || len(p) == 0
	})
	if why != "" {
		panic(&stop{why})
	}
	if n > 0 {
		c.send(p[:n])
	}
	return n
}
