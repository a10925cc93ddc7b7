package sandboxtest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func streams(t *testing.T, b Backend) {
	megabyte := strings.Repeat("0123456789abcde\n", 1<<16)
	small := sandbox.Limits{Output: 1000}
	runCases(t, b, []testCase{
		{name: "standard input arrives whole, then ends", sh: "cat", stdin: megabyte[:1<<20-5], limits: sandbox.Limits{Output: sandbox.MiB}, want: sandbox.OK, stdout: megabyte[:1<<20-5]},
		{name: "empty standard input ends at once", sh: "cat; echo end", want: sandbox.OK, stdout: "end\n"},
		{name: "a large standard input may stay unread", sh: "echo x", stdin: megabyte, want: sandbox.OK, stdout: "x\n"},
		{name: "standard input may be closed", sh: "exec 0<&-; echo x", stdin: megabyte, want: sandbox.OK, stdout: "x\n"},
		{name: "binary input and output", sh: "cat", stdin: "\x00\xff\r\n\x1a\x04", want: sandbox.OK, stdout: "\x00\xff\r\n\x1a\x04"},
		{name: "both streams are kept apart", sh: "echo out; echo err >&2", want: sandbox.OK, stdout: "out\n", check: wantStderr("err\n")},
		{name: "output of exactly the limit is whole", sh: "head -c 1000 /dev/zero", limits: small, want: sandbox.OK, check: wantSize(1000, false)},
		{name: "a byte more is output_limit, and the beginning is kept", sh: "head -c 1001 /dev/zero", limits: small, want: sandbox.OutputLimit, check: wantSize(1000, true)},
		{name: "each stream has the limit for itself", sh: "head -c 1000 /dev/zero; head -c 1000 /dev/zero >&2", limits: small, want: sandbox.OK},
		{name: "a flood of standard error is output_limit", sh: "cat /dev/zero >&2", limits: small, want: sandbox.OutputLimit, within: 5 * time.Second},
		{name: "a flood by a child is output_limit", sh: "cat /dev/zero & wait", limits: small, want: sandbox.OutputLimit, within: 5 * time.Second},
		{name: "a flood from three children", sh: "for i in 1 2 3; do yes & done; wait", limits: small, want: sandbox.OutputLimit, within: 5 * time.Second},
		{name: "a child that holds the pipe does not keep the verdict", sh: "sleep 60 & echo done", want: sandbox.OK, stdout: "done\n", within: 5 * time.Second},
		{name: "closed output is no fault", sh: "exec 1>&- 2>&-; exit 4", want: sandbox.ExitError, exit: 4},
		{name: "writing to the input's end is the program's own affair", sh: "echo x >&0; exit 0", want: sandbox.OK},
	})
	t.Run("what was written just before the end is there, every time", func(t *testing.T) {
		line := bytes.Repeat([]byte("x"), 5000)
		for i := range b.times(100) {
			r, err := b.Sandbox.Run(t.Context(), testCase{sh: "head -c 5000 /dev/zero | tr '\\0' x; exit 1"}.on(t, b))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(r.Stdout.Data, line) {
				t.Fatalf("run %d: %d bytes, want 5000", i, len(r.Stdout.Data))
			}
		}
	})
}

func wantStderr(want string) func(*testing.T, sandbox.Result) {
	return func(t *testing.T, r sandbox.Result) {
		t.Helper()
		if string(r.Stderr.Data) != want {
			t.Errorf("stderr %q, want %q", r.Stderr.Data, want)
		}
	}
}

func wantSize(n int, truncated bool) func(*testing.T, sandbox.Result) {
	return func(t *testing.T, r sandbox.Result) {
		t.Helper()
		if len(r.Stdout.Data) != n || r.Stdout.Truncated != truncated {
			t.Errorf("stdout of %d bytes, truncated %v; want %d, %v", len(r.Stdout.Data), r.Stdout.Truncated, n, truncated)
		}
	}
}
