//go:build unix

package channel

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/owntime"
)

func TestFeed(t *testing.T) {
	for _, c := range []struct {
		name string
		data string
		read bool
	}{
		{"nothing", "", true},
		{"what fits into the pipe", "text", true},
		{"more than that", strings.Repeat("x", 1<<20), true},
		{"more than that, and nobody reads", strings.Repeat("x", 1<<20), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }() // opened for reading
			s := Set{Stdin: Feed(w, []byte(c.data))}
			if c.read {
				if got, err := io.ReadAll(r); string(got) != c.data || err != nil {
					t.Errorf("%d bytes arrived, %v, want %d", len(got), err, len(c.data))
				}
			}
			s.Finish(time.Now().Add(time.Second)) // returns
		})
	}
}

func TestATalkThatNobodyAnswersEndsAtTheDeadline(t *testing.T) {
	ours, theirs, err := NewTalk(func() time.Duration { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = theirs.Close() }() // held open by somebody
	var got error
	ours.Serve(owntime.New(0, func() (time.Duration, bool) { return 0, false }), func(c sandbox.Conn) {
		c.Pause()
		c.Resume()
		_, got = c.Read(make([]byte, 1))
	})
	s := Set{Talk: ours}
	s.Finish(time.Now().Add(10 * time.Millisecond))
	if got == nil {
		t.Error("read something")
	}
}
