package capture

import (
	"bytes"
	"os"
	"sync/atomic"
	"testing"
	"time"
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
		t.Run(c.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			var over atomic.Int32
			s := Start(r, c.limit, func() { over.Add(1) })
			for _, n := range c.writes {
				if _, err := w.Write(bytes.Repeat([]byte("x"), n)); err != nil {
					t.Fatal(err)
				}
			}
			_ = w.Close()
			data, truncated := s.Finish(time.Now().Add(5 * time.Second))
			if len(data) != c.want || truncated != c.truncated || (over.Load() == 1) != c.truncated {
				t.Errorf("%d bytes, truncated %v, over %d times", len(data), truncated, over.Load())
			}
		})
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
