package slot

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/owntime"
)

// conn is the engine's end of a job's channel.
type conn struct {
	*os.File
	meter atomic.Pointer[owntime.Meter]
	done  chan struct{} // closed when Talk has returned; nil before it was called
}

func newConn() (ours *conn, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("talk: %w", err)
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		_, _ = unix.Close(pair[0]), unix.Close(pair[1]) // unused
		return nil, nil, fmt.Errorf("talk: %w", err)
	}
	return &conn{File: os.NewFile(uintptr(pair[0]), "talk")}, os.NewFile(uintptr(pair[1]), "talk"), nil
}

// serve calls talk, once the job runs.
func (c *conn) serve(m *owntime.Meter, talk func(sandbox.Conn)) {
	c.meter.Store(m)
	c.done = make(chan struct{})
	go func() {
		defer close(c.done)
		talk(talker{c})
	}()
}

// finish lets talk read what the program left, up to the deadline, and waits for it to return.
func (c *conn) finish(deadline time.Time) {
	_ = c.SetDeadline(deadline) // sockets support it
	if c.done != nil {
		<-c.done
	}
	_ = c.Close() // nobody is at the other end
}

// talker is what Talk gets: no more of the file than the contract names.
type talker struct{ c *conn }

func (t talker) Read(p []byte) (int, error)  { return t.c.Read(p) }
func (t talker) Write(p []byte) (int, error) { return t.c.Write(p) }
func (t talker) Pause()                      { t.c.meter.Load().Pause(clock()) }
func (t talker) Resume()                     { t.c.meter.Load().Resume(clock()) }

func clock() time.Duration { return time.Duration(now()) }
