//go:build unix

package process

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// conn is the engine's end of a job's channel.
type conn struct {
	*os.File
	watch atomic.Pointer[watch]
	done  chan struct{} // closed when Talk has returned; nil before it was called
}

// openTalk makes the channel and gives the program's end, or the null device where there is no Talk.
func (j *job) openTalk() (*os.File, error) {
	if j.spec.Talk == nil {
		return os.Open(os.DevNull)
	}
	syscall.ForkLock.RLock()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("talk: %w", err)
	}
	if err := syscall.SetNonblock(pair[0], true); err != nil {
		_, _ = syscall.Close(pair[0]), syscall.Close(pair[1]) // unused
		return nil, fmt.Errorf("talk: %w", err)
	}
	j.talk = &conn{File: os.NewFile(uintptr(pair[0]), "talk")}
	return os.NewFile(uintptr(pair[1]), "talk"), nil
}

// serve calls talk, once the job runs.
func (c *conn) serve(w *watch, talk func(sandbox.Conn)) {
	c.watch.Store(w)
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

func (t talker) Pause() {
	w := t.c.watch.Load()
	w.meter.Pause(w.clock())
}

func (t talker) Resume() {
	w := t.c.watch.Load()
	w.meter.Resume(w.clock())
}
