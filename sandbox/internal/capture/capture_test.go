//go:build linux

package capture

import (
	"bytes"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestStreamKeepsUpToTheLimit(t *testing.T) {
	for _, c := range []struct {
		name      string
		writes    []int
		limit     int64
		want      int
		truncated bool
	}{
		{"nothing", nil, 10, 0, false},
		{"below", []int{4, 5}, 10, 9, false},
		{"exactly", []int{4, 6}, 10, 10, false},
		{"one over", []int{4, 7}, 10, 10, true},
		{"far over", []int{100000, 100000}, 10, 10, true},
	} {
		for _, watched := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, watched %v", c.name, watched), func(t *testing.T) {
				var p [2]int
				if err := unix.Pipe2(p[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
					t.Fatal(err)
				}
				w := os.NewFile(uintptr(p[1]), "writer")
				var over atomic.Int32
				s := New(p[0], c.limit, func() { over.Add(1) })
				write := func() {
					for _, n := range c.writes {
						if _, err := w.Write(bytes.Repeat([]byte("x"), n)); err != nil {
							t.Error(err)
						}
					}
					_ = w.Close()
				}
				if watched {
					s.Watch()
					write()
				} else { // a stream that is more than the pipe holds goes on while it is finished
					go write()
					time.Sleep(time.Millisecond) // so that some of it is there; either way is right
				}
				data, truncated := s.Finish(time.Now().Add(5 * time.Second))
				if len(data) != c.want || truncated != c.truncated || (over.Load() == 1) != c.truncated {
					t.Errorf("%d bytes, truncated %v, over %d times", len(data), truncated, over.Load())
				}
			})
		}
	}
}

func TestFinishDoesNotWaitForAnEndThatSomebodyElseHolds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	s := Start(r, 100, func() {})
	began := time.Now()
	data, truncated := s.Finish(time.Now().Add(100 * time.Millisecond))
	if string(data) != "text" || truncated || time.Since(began) > 5*time.Second {
		t.Errorf("%q, %v after %v", data, truncated, time.Since(began))
	}
}
