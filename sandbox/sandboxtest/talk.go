package sandboxtest

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func talk(t *testing.T, b Backend) {
	require(t, b, "talk")
	t.Run("questions and answers", func(t *testing.T) {
		var got []string
		r := talkRun(t, b, testCase{sh: `while read x <&3; do echo "got $x" >&3; done; echo end`}, func(c sandbox.Conn) {
			in := bufio.NewReader(c)
			for _, word := range []string{"one", "two", "three"} {
				if _, err := fmt.Fprintln(c, word); err != nil {
					t.Errorf("write: %v", err)
				}
				line, err := in.ReadString('\n')
				if err != nil {
					t.Errorf("read: %v", err)
				}
				got = append(got, strings.TrimSpace(line))
			}
			_, _ = fmt.Fprintln(c, "four") // and away: what is unread is lost with the program
		}, sandbox.Limits{Wall: 2 * time.Second})
		if s := strings.Join(got, ","); s != "got one,got two,got three" {
			t.Errorf("answers %q", s)
		}
		if r.Status != sandbox.Timeout { // nobody ends the program's input
			t.Errorf("status %q", r.Status)
		}
	})
	t.Run("what the program wrote before its end is read, then the end", func(t *testing.T) {
		for range b.times(50) {
			var text []byte
			var err error
			talkRun(t, b, testCase{sh: "echo report >&3; exit 0"}, func(c sandbox.Conn) { text, err = io.ReadAll(c) }, sandbox.Limits{})
			if string(text) != "report\n" || err != nil {
				t.Fatalf("read %q, %v", text, err)
			}
		}
	})
	t.Run("a killed program ends a pending read", func(t *testing.T) {
		r := talkRun(t, b, testCase{sh: "sleep 60"}, func(c sandbox.Conn) { _, _ = io.ReadAll(c) }, sandbox.Limits{Wall: 300 * time.Millisecond})
		if r.Status != sandbox.Timeout {
			t.Errorf("status %q", r.Status)
		}
	})
	t.Run("a program that never reads ends a pending write", func(t *testing.T) {
		r := talkRun(t, b, testCase{sh: "sleep 60"}, func(c sandbox.Conn) { _, _ = c.Write(make([]byte, 16<<20)) }, sandbox.Limits{Wall: 300 * time.Millisecond})
		if r.Status != sandbox.Timeout {
			t.Errorf("status %q", r.Status)
		}
	})
	t.Run("time in which the program waits for the engine is not its own", func(t *testing.T) { pausing(t, b) })
}

func pausing(t *testing.T, b Backend) {
	require(t, b, "own_time")
	r := talkRun(t, b, testCase{sh: `read x <&3; echo $x`}, func(c sandbox.Conn) {
		c.Pause()
		c.Pause()
		time.Sleep(800 * time.Millisecond) // the engine's turn: this is what is measured
		c.Resume()
		c.Resume()
		_, _ = fmt.Fprintln(c, "late")
	}, sandbox.Limits{Wall: 400 * time.Millisecond})
	if r.Status != sandbox.OK || r.Usage.Wall < 800*time.Millisecond || r.Usage.Own > 400*time.Millisecond {
		t.Errorf("status %q: %s", r.Status, describe(r))
	}
}

func talkRun(t *testing.T, b Backend, c testCase, talk func(sandbox.Conn), l sandbox.Limits) sandbox.Result {
	t.Helper()
	spec := c.on(t, b)
	spec.Talk, spec.Limits = talk, l
	r, err := b.Sandbox.Run(t.Context(), spec)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return r
}
