package sandboxtest

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// survivors runs programs that try to outlive their verdict. Each puts a word of its own into its processes' arguments, by
// which they are looked for on the host afterwards.
func survivors(t *testing.T, b Backend) {
	for _, c := range []testCase{
		{name: "a background child", sh: "sh -c 'sleep 50; : WORD' & exit 0", want: sandbox.OK},
		{name: "a daemon that left its session", sh: "setsid sh -c 'sleep 50; : WORD' & sleep 0.1; exit 0", want: sandbox.OK, needs: "boundary"},
		{name: "one that ignores every signal", sh: "sh -c 'trap \"\" TERM HUP INT QUIT; sleep 50; : WORD' & sleep 0.1; exit 0", want: sandbox.OK},
		{name: "a stopped program", sh: "kill -STOP $$; : WORD", want: sandbox.Timeout, limits: sandbox.Limits{Wall: 300 * time.Millisecond}},
		{name: "a stopped group", sh: "kill -STOP 0; : WORD", want: sandbox.Timeout, limits: sandbox.Limits{Wall: 300 * time.Millisecond}},
		{name: "one that forks for ever", needs: "processes", python: "import os  # WORD\nwhile True:\n try: os.fork()\n except OSError: pass", want: sandbox.CPULimit, limits: sandbox.Limits{CPU: 300 * time.Millisecond, Wall: 5 * time.Second}},
		{name: "one whose parents die as fast as they fork", needs: "processes", python: "import os, time  # WORD\nos.fork()\nwhile True:\n try:\n  if os.fork(): os._exit(0)\n except OSError: pass", want: sandbox.OK},
		{name: "one that kills everything it may", needs: "boundary", python: "import os  # WORD\nfor p in (-1, 1, 0):\n try: os.kill(p, 9)\n except OSError: pass", want: sandbox.Signalled},
		{name: "two thousand short children", needs: "boundary", python: "import os  # WORD\nfor i in range(2000):\n try:\n  if os.fork() == 0: os._exit(0)\n except OSError: os.wait()\n", want: sandbox.OK, limits: sandbox.Limits{Wall: 30 * time.Second, CPU: 20 * time.Second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require(t, b, c.needs)
			word := "w" + rand.Text()
			c.sh, c.python = strings.ReplaceAll(c.sh, "WORD", word), strings.ReplaceAll(c.python, "WORD", word)
			began := time.Now()
			r, err := b.Sandbox.Run(t.Context(), c.on(t, b))
			if err != nil {
				t.Fatalf("run: %v", err)
			}
			if took := time.Since(began); took > 40*time.Second {
				t.Errorf("took %v", took)
			}
			verify(t, c, r)
			if left := ProcessesWith(word); len(left) > 0 {
				t.Errorf("still alive after the verdict: %q", left)
			}
		})
	}
}

// ProcessesWith lists the command lines of the host's processes that hold a word, there or in their environment.
func ProcessesWith(word string) []string {
	var found []string
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	for _, name := range names {
		text, _ := os.ReadFile(name)                           // it may have ended
		env, _ := os.ReadFile(filepath.Dir(name) + "/environ") // or belong to somebody else
		if strings.Contains(string(text), word) || strings.Contains(string(env), word) {
			found = append(found, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}
