//go:build unix

package channel

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/owntime"
)

// Talk is the engine's end of a job's channel for Spec.Talk.
type Talk struct {
	file  *os.File
	clock func() time.Duration // of the meter
	meter atomic.Pointer[owntime.Meter]
	done  chan struct{} // closed when Spec.Talk has returned; nil before it was called
}

// NewTalk makes the channel. theirs is the program's end, which the caller closes; clock is that of the meter that Serve gets.
func NewTalk(clock func() time.Duration) (ours *Talk, theirs *os.File, err error) {
	syscall.ForkLock.RLock() // not every system can close them on exec from the beginning
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, fmt.Errorf("talk: %w", err)
	}
	if err := syscall.SetNonblock(pair[0], true); err != nil {
		_, _ = syscall.Close(pair[0]), syscall.Close(pair[1]) // unused
		return nil, nil, fmt.Errorf("talk: %w", err)
	}
	return &Talk{file: os.NewFile(uintptr(pair[0]), "talk"), clock: clock}, os.NewFile(uintptr(pair[1]), "talk"), nil
}

// Serve calls talk, once the job runs. It is called at most once.
func (t *Talk) Serve(m *owntime.Meter, talk func(sandbox.Conn)) {
	t.meter.Store(m)
	t.done = make(chan struct{})
	go func() {
		defer close(t.done)
		talk(talker{t})
	}()
}

// finish lets talk read what the program left, up to the deadline, and waits for it to return.
func (t *Talk) finish(deadline time.Time) {
	_ = t.file.SetDeadline(deadline) // sockets support it
	if t.done != nil {
		<-t.done
	}
	_ = t.file.Close() // nobody is at the other end
}

// talker is what Spec.Talk gets: no more of the file than the contract names.
type talker struct{ t *Talk }

func (c talker) Read(p []byte) (int, error)  { return c.t.file.Read(p) }
func (c talker) Write(p []byte) (int, error) { return c.t.file.Write(p) }
func (c talker) Pause()                      { c.t.meter.Load().Pause(c.t.clock()) }
func (c talker) Resume()                     { c.t.meter.Load().Resume(c.t.clock()) }
