//go:build unix

// Package channel holds the engine's ends of a job's streams and of its talk, and ends them.
package channel

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/capture"
)

// Set is what one job has; a nil one is not there.
type Set struct {
	Stdin          *Input
	Stdout, Stderr *capture.Stream
	Talk           *Talk
}

// Finish ends all channels of a job whose processes are gone, and waits for whoever serves them, until about the deadline. Whoever
// may still hold an end cannot keep it waiting.
func (s *Set) Finish(deadline time.Time) (stdout, stderr sandbox.Output) {
	if s.Stdin != nil {
		s.Stdin.cut()
	}
	if s.Stdout != nil {
		stdout.Data, stdout.Truncated = s.Stdout.Finish(deadline)
	}
	if s.Stderr != nil {
		stderr.Data, stderr.Truncated = s.Stderr.Finish(deadline)
	}
	if s.Talk != nil {
		s.Talk.finish(deadline)
	}
	return stdout, stderr
}

// Input feeds a job's standard input.
type Input struct {
	file *os.File
	fed  chan struct{} // closed when it has been written or cut off
}

// Feed writes data to a pipe, and closes it. What the pipe takes at once, all of it as a rule, needs nobody to wait for it; a
// program that does not read leaves the rest waiting until Finish. The pipe supports deadlines.
func Feed(w *os.File, data []byte) *Input {
	in := &Input{w, make(chan struct{})}
	data = data[writeNow(w, data):]
	if len(data) == 0 {
		_ = w.Close() // gives the program its end of file
		close(in.fed)
		return in
	}
	go func() {
		defer close(in.fed)
		_, _ = w.Write(data) // EPIPE: the program ended or closed it, which is its right
		_ = w.Close()        // gives the program its end of file
	}()
	return in
}

// writeNow writes what a pipe takes at once. Errors are for the next write to find.
func writeNow(w *os.File, data []byte) int {
	raw, err := w.SyscallConn()
	if err != nil || len(data) == 0 {
		return 0
	}
	n := 0
	_ = raw.Write(func(fd uintptr) bool { // only fails on a closed file
		n, _ = unix.Write(int(fd), data)
		return true
	})
	return max(n, 0)
}

func (in *Input) cut() {
	_ = in.file.SetWriteDeadline(time.Now()) // nobody reads it; closed already where it was all written
	<-in.fed
}
