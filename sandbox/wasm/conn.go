package wasm

import (
	"io"
	"sync"
	"time"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
)

// conn is the engine's end of a job's channel. At most guest.Window bytes are under way in each direction, so neither side can fill
// the other's memory. It is safe for one reader and one writer at once.
type conn struct {
	out *sender
	job uint32

	mu       sync.Mutex // guards the fields below
	changed  *sync.Cond
	inbox    []byte
	room     int // bytes that may be sent
	untold   int // bytes that were read and not told yet
	gone     bool
	paused   bool
	since    time.Time     // of the pause
	before   time.Duration // paused before that
	resuming bool          // the worker still believes it is paused: told with the next thing that is sent
}

func newConn(out *sender, job uint32) *conn {
	c := &conn{out: out, job: job, room: guest.Window}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Read gives what the program wrote; io.EOF when that is all and the program is gone.
func (c *conn) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	if len(c.inbox) == 0 {
		c.flush()
	}
	for len(c.inbox) == 0 {
		if c.gone {
			return 0, io.EOF
		}
		c.changed.Wait()
	}
	n := copy(p, c.inbox)
	if c.inbox = c.inbox[n:]; len(c.inbox) == 0 {
		c.inbox = nil
	}
	if c.untold += n; c.untold >= guest.Window/4 {
		_ = c.out.eaten(c.job, c.untold) // a worker that is gone needs to know nothing
		c.untold = 0
	}
	return n, nil
}

// Write hands bytes to the program, waiting for it to read some where many are under way.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := 0
	for done < len(p) {
		for c.room == 0 && !c.gone {
			c.flush()
			c.changed.Wait()
		}
		if c.gone {
			return done, io.ErrClosedPipe
		}
		n := min(len(p)-done, c.room)
		c.room -= n
		c.flush()
		if err := c.out.send(msgData, c.job, p[done:done+n]); err != nil {
			return done, io.ErrClosedPipe
		}
		done += n
	}
	return done, nil
}

// flush tells that the program has the turn again. The caller holds c.mu.
func (c *conn) flush() {
	if c.resuming {
		c.resuming = false
		_ = c.out.send(msgResume, c.job) // a worker that is gone needs to know nothing
	}
}

// Pause implements sandbox.Conn.
func (c *conn) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused {
		return
	}
	c.paused, c.since = true, time.Now()
	if c.resuming { // it never stopped believing so
		c.resuming = false
		return
	}
	_ = c.out.send(msgPause, c.job) // a worker that is gone needs to know nothing
}

// Resume implements sandbox.Conn. The program learns of it with the next word to it, or when it is listened to.
func (c *conn) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused {
		c.paused, c.resuming = false, true
		c.before += time.Since(c.since)
	}
}

// waited is the time in which the program waited for the engine.
func (c *conn) waited() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused {
		return c.before + time.Since(c.since)
	}
	return c.before
}

// deliver takes what the program wrote.
func (c *conn) deliver(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox = append(c.inbox, data...)
	c.changed.Broadcast()
}

// allow takes the news that the program has read.
func (c *conn) allow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room += n
	c.changed.Broadcast()
}

// end lets pending reads take what is there, and ends everything else.
func (c *conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	c.changed.Broadcast()
}
