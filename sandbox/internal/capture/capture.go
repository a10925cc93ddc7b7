// Package capture reads a job's output streams up to a limit.
package capture

import (
	"io"
	"os"
	"sync"
	"time"
)

// Stream collects what a pipe carries, up to a limit. Past it, it goes on reading and throws away, so that the writer
// is not blocked before somebody has decided what becomes of it, and calls over once.
type Stream struct {
	file *os.File
	done chan struct{}

	mu        sync.Mutex // guards the fields below
	data      []byte
	truncated bool
}

// Start reads from file, which must support deadlines, until its end. It owns the file. A stream of exactly limit bytes is
// whole; over is called, from the reading goroutine, at the first byte more.
func Start(file *os.File, limit int64, over func()) *Stream {
	s := &Stream{file: file, done: make(chan struct{})}
	go s.read(limit, over)
	return s
}

func (s *Stream) read(limit int64, over func()) {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.file.Read(buf)
		if n > 0 && s.add(buf[:n], limit) {
			over()
		}
		if err != nil {
			if err != io.EOF {
				_ = s.file.Close() // reading was cut off; closing again is harmless
			}
			return
		}
	}
}

// add keeps what fits, and tells whether the limit was passed for the first time.
func (s *Stream) add(p []byte, limit int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := limit - int64(len(s.data))
	if int64(len(p)) <= room {
		s.data = append(s.data, p...)
		return false
	}
	s.data = append(s.data, p[:max(room, 0)]...)
	first := !s.truncated
	s.truncated = true
	return first
}

// Finish waits for the end of the stream, at most until the deadline: whoever else still holds the writing end cannot
// keep the reader. It closes the file and gives what was read. It is called once.
func (s *Stream) Finish(deadline time.Time) (data []byte, truncated bool) {
	_ = s.file.SetReadDeadline(deadline) // a file without deadlines would be a broken invariant; Close below ends the read too
	<-s.done
	_ = s.file.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data, s.truncated
}
