//go:build unix

// Package capture reads a job's output streams up to a limit.
package capture

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Stream collects what a pipe carries, up to a limit. Past it, it goes on reading and throws away, so that the writer
// is not blocked before somebody has decided what becomes of it, and calls over once.
//
// Until Watch nobody reads: the pipe holds what is written, 64 KiB as a rule, and Finish takes it from there. Most jobs end before
// they are looked at for the first time, and a goroutine that waits for a stream costs them 0.02 ms.
type Stream struct {
	limit int64
	over  func()
	fd    int           // -1 once it is file's
	file  *os.File      // nil before Watch
	done  chan struct{} // closed when the reader has ended

	mu        sync.Mutex // guards the fields below
	data      []byte
	truncated bool
}

// New makes a stream of a descriptor that does not block, and owns it. A stream of exactly limit bytes is whole; over is called,
// from whoever reads, at the first byte more. Watch and Finish are called by one goroutine.
func New(fd int, limit int64, over func()) *Stream {
	return &Stream{fd: fd, limit: limit, over: over, done: make(chan struct{})}
}

// Start is New and Watch for a file that supports deadlines.
func Start(file *os.File, limit int64, over func()) *Stream {
	s := New(-1, limit, over)
	s.file = file
	go s.read()
	return s
}

// Watch starts to read, if nobody does.
func (s *Stream) Watch() {
	if s.file == nil {
		s.file, s.fd = os.NewFile(uintptr(s.fd), "stream"), -1
		go s.read()
	}
}

// buffers are for reading; what is kept is copied.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func (s *Stream) read() {
	defer close(s.done)
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	for {
		n, err := s.file.Read(buf[:])
		if n > 0 && s.add(buf[:n]) {
			s.over()
		}
		if err != nil {
			if err != io.EOF {
				_ = s.file.Close() // reading was cut off; closing again is harmless
			}
			return
		}
	}
}

// drain reads what is there, and tells whether the stream has ended.
func (s *Stream) drain() bool {
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	for {
		n, err := unix.Read(s.fd, buf[:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err != unix.EAGAIN
		case n == 0:
			return true
		case s.add(buf[:n]):
			s.over()
		}
	}
}

// add keeps what fits, and tells whether the limit was passed for the first time.
func (s *Stream) add(p []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := s.limit - int64(len(s.data))
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
	if s.file == nil {
		if s.drain() {
			_ = unix.Close(s.fd) // read to its end
			return s.data, s.truncated
		}
		s.Watch()
	}
	_ = s.file.SetReadDeadline(deadline) // a file without deadlines would be a broken invariant; Close below ends the read too
	<-s.done
	_ = s.file.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data, s.truncated
}
