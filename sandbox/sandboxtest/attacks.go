package sandboxtest

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Line is one program of testdata/corpus/attacks; see its README.
type Line struct {
	ID, Group, Role, Kind, Language, Mode, Code string
	Tests                                       json.RawMessage
	ExpectedStatus                              []string `json:"expected_status"`
	MustNot                                     []string `json:"must_not"`
	Limits                                      struct {
		Wall   float64 `json:"wall_s"`
		CPU    float64 `json:"cpu_s"`
		Memory int64   `json:"mem_mb"`
		Pids   int     `json:"pids"`
		Output int64   `json:"output_kb"`
		Disk   int64   `json:"disk_mb"`
		Inodes int     `json:"inodes"`
		FDs    int     `json:"fds"`
	}
	Setup struct {
		Runs        int
		Collect     []string
		ParallelJob string `json:"parallel_job"`
	}
}

type stdinCase struct{ Stdin, Stdout string }

// Attacks runs corpus files on a backend, each program as a plain one: what a grader does with it is another matter. A line in
// mode asserts is the program followed by its tests; one in mode stdin_stdout is run on each of its cases.
func Attacks(t *testing.T, b Backend, corpus string) {
	require(t, b, "boundary")
	canaries(t)
	for _, file := range []string{"containment.jsonl", "resource.jsonl"} {
		lines := readLines(t, filepath.Join(corpus, file))
		for _, l := range lines {
			t.Run(l.ID, func(t *testing.T) {
				t.Parallel()
				stop := l.surround(t, b)
				for range max(1, l.Setup.Runs) {
					l.try(t, b)
				}
				stop()
				if l.Role == "attack" {
					nextJob(t, b)
				}
			})
		}
	}
}

func readLines(t *testing.T, path string) []Line {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // opened for reading
	var lines []Line
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var l Line
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		lines = append(lines, l)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// limits are the line's own, but for the time of attacks that may run into it: they get a third.
func (l Line) limits() sandbox.Limits {
	share := 1.0
	if l.Role == "attack" && slices.Contains(l.ExpectedStatus, "timeout") {
		share = 1.0 / 3
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * share * float64(time.Second)) }
	return sandbox.Limits{
		Wall: seconds(l.Limits.Wall), CPU: seconds(l.Limits.CPU), Memory: sandbox.Size(l.Limits.Memory) * sandbox.MiB,
		Output: sandbox.Size(l.Limits.Output) * sandbox.KiB, Disk: sandbox.Size(l.Limits.Disk) * sandbox.MiB,
		Processes: l.Limits.Pids, Inodes: l.Limits.Inodes, OpenFiles: l.Limits.FDs,
	}
}

// outcome is what happened to a line, in the corpus' words.
type outcome struct {
	status string
	result sandbox.Result
}

func (l Line) try(t *testing.T, b Backend) {
	t.Helper()
	spec, cases := l.prepare(t, b)
	if spec == nil {
		return // compile error, judged there
	}
	for _, c := range cases {
		s := *spec
		s.Stdin = []byte(c.Stdin)
		word := "w" + rand.Text()
		s.Env = append(slices.Clone(s.Env), "VX_JOB="+word)
		began := time.Now()
		r, err := b.Sandbox.Run(t.Context(), s)
		if left := ProcessesWith(word); len(left) > 0 {
			t.Errorf("still alive after the verdict: %q", left)
		}
		if errors.Is(err, sandbox.ErrMachine) {
			t.Skipf("machine too busy: %v", err)
		}
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		o := outcome{l.statusOf(r, c), r}
		l.judge(t, b, o, time.Since(began))
		if o.status != "pass" {
			return
		}
	}
}

// prepare makes the Spec of a line, and compiles it inside the sandbox where its language asks for that.
func (l Line) prepare(t *testing.T, b Backend) (*sandbox.Spec, []stdinCase) {
	t.Helper()
	cases := []stdinCase{{}}
	code := l.Code
	var asserts string
	if json.Unmarshal(l.Tests, &asserts) == nil {
		code += "\n" + asserts + "\n"
	} else {
		var tests struct{ Cases []stdinCase }
		if err := json.Unmarshal(l.Tests, &tests); err != nil {
			t.Fatal(err)
		}
		cases = tests.Cases
	}
	spec := sandbox.Spec{Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + sandbox.WorkDir}, Limits: l.limits()}
	for _, name := range l.Setup.Collect {
		if _, err := sandbox.JobPath(name); err == nil {
			spec.CopyOut = append(spec.CopyOut, strings.ReplaceAll(name, "*", "0"))
		}
	}
	switch {
	case b.modules() && l.Language == "python":
		spec.Args, spec.Files = []string{"python3", "-I", "-B", "main.py"}, []sandbox.File{{Name: "main.py", Data: []byte(code)}}
		return &spec, cases
	case b.modules():
		t.Skipf("backend %s runs no native programs", b.Sandbox.Caps().Backend)
	}
	switch l.Language {
	case "python":
		py := Python(t)
		spec.Root, spec.Args = py.Root, []string{py.Path, "-I", "-B", "main.py"}
		spec.Files = []sandbox.File{{Name: "main.py", Data: []byte(code)}}
	case "bash":
		spec.Args, spec.Files = []string{"/bin/bash", "main.sh"}, []sandbox.File{{Name: "main.sh", Data: []byte(code)}}
	case "c", "cpp":
		program := l.compile(t, b, spec, code)
		if program == nil {
			return nil, nil
		}
		spec.Args, spec.Files = []string{"./main"}, []sandbox.File{{Name: "main", Data: program, Exec: true}}
	default:
		t.Skipf("no runner for %s in this suite", l.Language)
	}
	return &spec, cases
}

func (l Line) compile(t *testing.T, b Backend, spec sandbox.Spec, code string) []byte {
	t.Helper()
	compiler, name := "/usr/bin/gcc", "main.c"
	if l.Language == "cpp" {
		compiler, name = "/usr/bin/g++", "main.cpp"
	}
	if _, err := os.Stat(compiler); err != nil {
		t.Skipf("no %s on this machine", compiler)
	}
	spec.Args = []string{compiler, "-O1", "-o", "main", name}
	spec.Files, spec.CopyOut = []sandbox.File{{Name: name, Data: []byte(code)}}, []string{"main"}
	began := time.Now()
	r, err := b.Sandbox.Run(t.Context(), spec)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	if r.Status == sandbox.OK && len(r.Files) == 1 {
		return r.Files[0].Data
	}
	status := "compile_error" // a flood of messages is one, too
	if s := l.statusOf(r, stdinCase{}); s == "timeout" || s == "memory_limit" || s == "disk_limit" {
		status = s
	}
	l.judge(t, b, outcome{status, r}, time.Since(began))
	return nil
}

// statusOf translates a run's status to the corpus' words. A wrong answer or a failed assertion is both an error of the program and a
// failed test; which of them a grader says is its affair.
func (l Line) statusOf(r sandbox.Result, c stdinCase) string {
	switch r.Status {
	case sandbox.OK:
		if l.Mode == "stdin_stdout" && !sameText(string(r.Stdout.Data), c.Stdout) {
			return "fail"
		}
		return "pass"
	case sandbox.Timeout, sandbox.CPULimit:
		return "timeout"
	case sandbox.MemoryLimit, sandbox.OutputLimit, sandbox.ProcessLimit, sandbox.DiskLimit:
		return string(r.Status)
	}
	return "error"
}

func sameText(a, b string) bool {
	clean := func(s string) string {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " \t\r")
		}
		return strings.Join(lines, "\n")
	}
	return clean(a) == clean(b)
}

func (l Line) judge(t *testing.T, b Backend, o outcome, took time.Duration) {
	t.Helper()
	allowed := l.ExpectedStatus
	if slices.Contains(allowed, "error") {
		allowed = append(slices.Clone(allowed), "fail", "process_limit", "disk_limit") // finer words for the same
	}
	if slices.Contains(allowed, "fail") {
		allowed = append(slices.Clone(allowed), "error", "process_limit", "disk_limit")
	}
	if slices.Contains(allowed, "process_limit") && !b.Sandbox.Caps().Processes {
		allowed = append(slices.Clone(allowed), "memory_limit") // what many processes end by where nothing counts them
	}
	r := o.result
	if b.modules() { // what the backend does not have fails
		if allowed = slices.Clone(allowed); l.Role == "attack" {
			allowed = append(allowed, "error", "fail")
		} else if !slices.Contains(allowed, o.status) && len(r.Lacks) > 0 {
			t.Skipf("it needs %s", strings.Join(r.Lacks, ", "))
		}
	}
	if !slices.Contains(allowed, o.status) {
		t.Errorf("%s, want one of %q; sandbox says %q; %s", o.status, l.ExpectedStatus, r.Status, describe(r))
	}
	text := string(r.Stdout.Data) + string(r.Stderr.Data)
	for _, f := range r.Files {
		text += string(f.Data)
	}
	// Tracebacks quote the source line, which may hold the word without anything having leaked.
	if slices.Contains(l.MustNot, "leak_marker") && l.Language != "python" && strings.Contains(text, "LEAK_") && !strings.Contains(text, "main.c:") {
		t.Errorf("leak: %s", describe(r))
	}
	if slices.Contains(l.MustNot, "leak_marker") && l.Language == "python" && strings.Contains(string(r.Stdout.Data), "LEAK_") {
		t.Errorf("leak: %s", describe(r))
	}
	if late := time.Duration(l.Limits.Wall*float64(time.Second)) + 2*time.Second; slices.Contains(l.MustNot, "late") && r.Usage.Own > late {
		t.Errorf("late: %v, own time %v", took, r.Usage.Own)
	}
	if size := int64(max(len(r.Stdout.Data), len(r.Stderr.Data))); size > (l.Limits.Output+1)<<10 {
		t.Errorf("%d bytes of output came back", size)
	}
}
