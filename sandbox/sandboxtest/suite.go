// Package sandboxtest is one suite of behaviours and attacks that every backend must pass. What a backend cannot enforce or
// offer is skipped by its Caps, each time with the missing thing named, never by the backend's name.
package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Backend is what the suite is run on. Boundary is false for backends that say they are none: attacks that only a wall
// stops are then left out.
type Backend struct {
	Sandbox  sandbox.Sandbox
	Boundary bool
	Dear     bool // a start costs tenths of a second: what is repeated to see a rare fault is repeated a tenth as often
}

// modules tells whether the backend brings interpreters along instead of running native programs.
func (b Backend) modules() bool {
	caps := b.Sandbox.Caps()
	return !caps.Native && len(caps.Modules) > 0
}

// times is how often something is repeated that cheap backends repeat n times.
func (b Backend) times(n int) int {
	if b.Dear {
		return n / 10
	}
	return n
}

// Run runs the whole suite. Cases run in parallel, as jobs do in an engine.
func Run(t *testing.T, b Backend) {
	for _, group := range []struct {
		name string
		run  func(*testing.T, Backend)
	}{
		{"lifecycle", lifecycle}, {"streams", streams}, {"limits", limits}, {"files", files},
		{"survivors", survivors}, {"talk", talk}, {"warm", warm}, {"modules", modules},
	} {
		t.Run(group.name, func(t *testing.T) { group.run(t, b) })
	}
}

// testCase is one run and what must come of it.
type testCase struct {
	name   string
	needs  string // capabilities, separated by commas: memory, processes, cpu, disk, inodes, own_time, boundary; empty means every backend
	sh     string // program text for /bin/sh, or
	python string // for python3
	args   []string
	stdin  string
	dir    string
	env    []string
	files  []sandbox.File
	copy   []string
	limits sandbox.Limits
	want   sandbox.Status
	exit   int    // checked where want is exit_error
	signal int    // checked where want is signal
	stdout string // checked unless empty
	check  func(t *testing.T, r sandbox.Result)
	within time.Duration // for the whole run, 0 means no bound beyond the suite's
}

func runCases(t *testing.T, b Backend, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require(t, b, c.needs)
			spec := c.on(t, b)
			began := time.Now()
			r, err := sandbox.RunSure(t.Context(), b.Sandbox, spec) // on a busy machine a first verdict need not be the last
			if err != nil {
				t.Fatalf("run: %v", err)
			}
			if took := time.Since(began); c.within > 0 && took > c.within {
				t.Errorf("took %v, want at most %v", took, c.within)
			}
			verify(t, c, r)
		})
	}
}

func verify(t *testing.T, c testCase, r sandbox.Result) {
	t.Helper()
	if r.Status != c.want {
		t.Errorf("status %q, want %q; %s", r.Status, c.want, describe(r))
	}
	if c.want == sandbox.ExitError && r.ExitCode != c.exit {
		t.Errorf("exit code %d, want %d; %s", r.ExitCode, c.exit, describe(r))
	}
	if c.want == sandbox.Signalled && c.signal != 0 && r.Signal != c.signal {
		t.Errorf("signal %d, want %d; %s", r.Signal, c.signal, describe(r))
	}
	if c.stdout != "" && string(r.Stdout.Data) != c.stdout {
		t.Errorf("stdout %q, want %q; %s", clip(r.Stdout.Data), c.stdout, describe(r))
	}
	if u := r.Usage; u.CPU < 0 || u.Wall < 0 || u.Own < 0 || u.Own > u.Wall {
		t.Errorf("usage is not sane: %+v", u)
	}
	if c.check != nil {
		c.check(t, r)
	}
}

// describe tells a failure's story in a line.
func describe(r sandbox.Result) string {
	return fmt.Sprintf("exit %d signal %d, usage %+v, stdout %q, stderr %q", r.ExitCode, r.Signal, r.Usage, clip(r.Stdout.Data), clip(r.Stderr.Data))
}

func clip(b []byte) string { return string(b[:min(len(b), 300)]) }

func require(t *testing.T, b Backend, need string) {
	t.Helper()
	caps := b.Sandbox.Caps()
	have := map[string]bool{
		"": true, "memory": caps.Memory, "processes": caps.Processes, "cpu": caps.CPU, "disk": caps.Disk, "inodes": caps.Inodes,
		"own_time": caps.OwnTime, "talk": caps.Talk, "native": !b.modules(), "boundary": b.Boundary,
	}
	for one := range strings.SplitSeq(need, ",") {
		has, known := have[one]
		if !known {
			t.Fatalf("the suite asks for an unknown capability %q", one)
		}
		if !has {
			t.Skipf("backend %s does not have %s here", caps.Backend, one)
		}
	}
}

func (c testCase) spec(t *testing.T) sandbox.Spec {
	t.Helper()
	s := sandbox.Spec{
		Env: c.env, Dir: c.dir, Stdin: []byte(c.stdin), Files: c.files, CopyOut: c.copy, Limits: c.limits, Args: c.args,
	}
	if c.env == nil {
		s.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	}
	switch {
	case c.python != "":
		py := Python(t)
		s.Root = py.Root
		s.Args = append([]string{py.Path, "-I", "-B", "-c", c.python}, c.args...)
	case c.sh != "":
		s.Args = append([]string{"/bin/sh", "-c", c.sh, "sh"}, c.args...)
	}
	return s
}

// on is spec for a backend; what needs a native program is skipped where there are none, and Python is then the backend's own.
func (c testCase) on(t *testing.T, b Backend) sandbox.Spec {
	t.Helper()
	if !b.modules() {
		return c.spec(t)
	}
	if c.python == "" || nativeOnly.MatchString(c.python) {
		t.Skipf("backend %s runs no native programs", b.Sandbox.Caps().Backend)
	}
	s := testCase{args: []string{"python3"}, stdin: c.stdin, env: c.env, dir: c.dir, files: c.files, copy: c.copy, limits: c.limits}.spec(t)
	s.Args = append([]string{"python3", "-I", "-B", "-c", c.python}, c.args...)
	return s
}

// nativeOnly finds Python programs that need an interpreter of the host: for its processes, threads, libraries, and what the kernel tells.
var nativeOnly = regexp.MustCompile(`fork|thread|ctypes|/proc|mmap|os\.kill|resource|fstat|SIG|/dev/shm|os\.pipe|setsid|socket|symlink|mknod`)

// Runtime is an interpreter and the root that it needs.
type Runtime struct {
	Path string
	Root sandbox.Root
}

var findPython = sync.OnceValues(func() (Runtime, error) { return askPython("/usr/bin/python3", "python3") })

// askPython gives the real program behind the first name that runs: a name on PATH may be a script that starts it.
func askPython(names ...string) (Runtime, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, name := range names {
		out, err := exec.CommandContext(ctx, name, "-I", "-c", "import sys; print(sys.executable); print(sys.base_prefix)").Output()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err == nil && len(lines) == 2 {
			return Runtime{lines[0], sandbox.BindsFor(lines[1])}, nil
		}
	}
	return Runtime{}, fmt.Errorf("no python3 on this machine")
}

// Python finds an interpreter, the system's own first, and skips the test where there is none.
func Python(t testing.TB) Runtime {
	t.Helper()
	py, err := findPython()
	if err != nil {
		t.Skip(err)
	}
	return py
}

// PythonOnPath finds the interpreter that the user's python3 stands for, as the engine does.
func PythonOnPath(t testing.TB) Runtime {
	t.Helper()
	py, err := askPython("python3")
	if err != nil {
		t.Skip(err)
	}
	return py
}

// Compile builds a static C program outside of any sandbox, and skips the test where there is no compiler. The text is the
// suite's own, never a corpus line's.
func Compile(t testing.TB, source string) []byte {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc on this machine")
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/p.c", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O1", "-static", "-pthread", "-o", dir+"/p", dir+"/p.c").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v: %s", err, out)
	}
	data, err := os.ReadFile(dir + "/p")
	if err != nil {
		t.Fatal(err)
	}
	return data
}
