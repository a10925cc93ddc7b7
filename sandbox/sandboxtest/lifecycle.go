package sandboxtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func lifecycle(t *testing.T, b Backend) {
	runCases(t, b, []testCase{
		{name: "exit code 0 is ok", sh: "exit 0", want: sandbox.OK},
		{name: "another exit code is exit_error", sh: "exit 7", want: sandbox.ExitError, exit: 7},
		{name: "exit code 137 is only an exit code", sh: "exit 137", want: sandbox.ExitError, exit: 137},
		{name: "exit code 124 is only an exit code", sh: "exit 124", want: sandbox.ExitError, exit: 124},
		{name: "a terminating signal", sh: "kill -TERM $$", want: sandbox.Signalled, signal: 15},
		{name: "killing oneself is a signal and no limit", sh: "kill -KILL $$", want: sandbox.Signalled, signal: 9},
		{name: "a segmentation fault", python: "import ctypes; ctypes.string_at(0)", want: sandbox.Signalled, signal: 11},
		{name: "abort", python: "import os; os.abort()", want: sandbox.Signalled, signal: 6},
		{name: "SIGUSR1 has its default disposition", sh: "kill -USR1 $$", want: sandbox.Signalled, signal: 10},
		{
			name: "SIGCHLD is not ignored, whoever started the engine", want: sandbox.OK, stdout: "0\n",
			python: "import os\np=os.fork()\nif p==0: os._exit(0)\nprint(os.waitstatus_to_exitcode(os.waitpid(p,0)[1]))",
		},
		{
			name: "every signal but SIGKILL and SIGSTOP has its default disposition, and Python sets only its own", want: sandbox.OK, stdout: "0000000000000000\n",
			sh: `ignored=0000000000000000; while read k v; do [ "$k" = SigIgn: ] && ignored=$v; done < /proc/self/status; echo $ignored`, // not every kernel tells
		},
		{name: "the environment is the given one and nothing else", args: []string{"/usr/bin/env"}, env: []string{"A=1", "B=x y"}, want: sandbox.OK, stdout: "A=1\nB=x y\n"},
		{name: "arguments arrive byte for byte", sh: `printf '%s|' "$@"`, args: []string{"", "a b", "\n", "ü", "*"}, want: sandbox.OK, stdout: "|a b|\n|ü|*|"},
		{name: "the working directory is the work folder", sh: "pwd", want: sandbox.OK, stdout: sandbox.WorkDir + "\n", needs: "boundary"},
		{name: "another working directory", sh: "pwd", dir: "/tmp", want: sandbox.OK, stdout: "/tmp\n", needs: "boundary"},
		{name: "a program is found by the path of its own environment", args: []string{"true"}, want: sandbox.OK},
		{name: "the job is no root and has no capability", sh: `[ $(id -u) != 0 ] && grep CapEff /proc/self/status`, want: sandbox.OK, stdout: "CapEff:\t0000000000000000\n", needs: "boundary"},
		{
			name: "descriptors above standard error are closed", want: sandbox.OK, stdout: "[0, 1, 2]\n",
			python: "import os\nr=[]\nfor f in range(1024):\n try:\n  os.fstat(f); r.append(f)\n except OSError: pass\nprint(r)",
		},
	})
	t.Run("a program that is not there is an error and no verdict", func(t *testing.T) {
		for _, args := range [][]string{{"/no/such/program"}, {"no-such-program"}, {"/etc"}} {
			_, err := b.Sandbox.Run(t.Context(), sandbox.Spec{Args: args})
			if !errors.Is(err, sandbox.ErrNoProgram) {
				t.Errorf("%v: error %v, want ErrNoProgram", args, err)
			}
		}
	})
	t.Run("a broken spec is an error", func(t *testing.T) { brokenSpecs(t, b) })
	t.Run("a cancelled context ends the job at once", func(t *testing.T) { cancelled(t, b) })
	t.Run("many runs, eight at once, all alike", func(t *testing.T) { manyAlike(t, b) })
}

func brokenSpecs(t *testing.T, b Backend) {
	ok := []string{"/bin/true"}
	for name, spec := range map[string]sandbox.Spec{
		"no program":            {},
		"a NUL in an argument":  {Args: []string{"/bin/true", "a\x00b"}},
		"a file above the work": {Args: ok, Files: []sandbox.File{{Name: "../x"}}},
		"an absolute file":      {Args: ok, Files: []sandbox.File{{Name: "/etc/passwd"}}},
		"copying the work dir":  {Args: ok, CopyOut: []string{"."}},
		"a negative limit":      {Args: ok, Limits: sandbox.Limits{Memory: -1}},
		"a relative directory":  {Args: ok, Dir: "x"},
	} {
		if _, err := b.Sandbox.Run(t.Context(), spec); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if b.Sandbox.Caps().Images {
		return
	}
	if _, err := b.Sandbox.Run(t.Context(), sandbox.Spec{Args: ok, Root: sandbox.Root{Image: "debian"}}); !errors.Is(err, sandbox.ErrUnsupported) {
		t.Errorf("an image: error %v, want ErrUnsupported", err)
	}
}

func cancelled(t *testing.T, b Backend) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	began := time.Now()
	_, err := b.Sandbox.Run(ctx, testCase{sh: "sleep 60"}.on(t, b))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := b.Sandbox.Run(ctx, testCase{sh: "exit 0"}.on(t, b)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: error %v", err)
	}
}

func manyAlike(t *testing.T, b Backend) {
	require(t, b, "native")
	var wg sync.WaitGroup
	work := make(chan int)
	for range 8 {
		wg.Go(func() {
			for range work {
				r, err := b.Sandbox.Run(t.Context(), testCase{sh: "read x; echo got $x; echo err >&2; exit 3", stdin: "word\n"}.spec(t))
				if err != nil {
					t.Errorf("run: %v", err)
					continue
				}
				if r.Status != sandbox.ExitError || r.ExitCode != 3 || string(r.Stdout.Data) != "got word\n" || string(r.Stderr.Data) != "err\n" {
					t.Errorf("got %q: %s", r.Status, describe(r))
				}
			}
		})
	}
	for i := range b.times(100) {
		work <- i
	}
	close(work)
	wg.Wait()
}
