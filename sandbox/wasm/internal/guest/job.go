package guest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/memfs"
)

// Limits bound a job. All are set by the caller; Fuel alone may be 0, for no limit.
type Limits struct {
	Wall, CPU, Outer                  time.Duration // own time, processor time, time that has passed
	Memory, Output, Disk, File, Stack int64
	OpenFiles, Inodes                 int
	Fuel                              int64
}

// File is a file of a job; Name is absolute.
type File struct {
	Name           string
	Data           []byte
	Exec, ReadOnly bool
}

// Job is one run of a program: the command line behind the interpreter's name.
type Job struct {
	Args, Env []string
	Dir       string
	Stdin     []byte
	Files     []File
	CopyOut   []string // absolute names
	Limits    Limits
	Seed      [32]byte // of all its randomness
	Control   *Channel // pauses and ends the job, where not nil
	Talk      bool     // Control is also what the program talks by
}

// End is how a program ended, from inside.
type End string

// The ends. What is not Exited was ended by us, at a limit or because the caller asked, or by a fault of the program (Trapped).
const (
	Exited    End = "exited"
	Trapped   End = "trapped"
	OverTime  End = "time" // own time or processor time
	OverFuel  End = "fuel"
	OverWait  End = "outer" // the outer deadline: the machine was too slow
	OverSize  End = "memory"
	OverWrite End = "output"
	Killed    End = "killed"
)

// Outcome is a job's story.
type Outcome struct {
	End            End
	Exit, Signal   int // Signal stands for the kind of fault where End is Trapped
	Stdout, Stderr Output
	Files          []File // those of CopyOut that are there, by the names that were asked for
	Refused        bool   // a quota of files refused something
	Lacks          []string
	CPU, Wall, Own time.Duration
	Paused         time.Duration // waiting for the engine: part of Wall, not of Own
	Memory         int64         // at its largest, with files
	Fuel           int64
}

// Output is what a stream carried, up to the limit.
type Output struct {
	Data      []byte
	Truncated bool
}

type jobKey struct{}

func jobOf(ctx context.Context) *running { return ctx.Value(jobKey{}).(*running) }

// stop is what ends a guest from inside one of its calls.
type stop struct{ why End }

func (s *stop) Error() string { return "stopped: " + string(s.why) }

// running is a job under way. It belongs to one goroutine, but for its Channel.
type running struct {
	job            Job
	fs             *memfs.FS
	clock          clock
	meter          meter
	stdout, stderr capped
	stdin          *bytes.Reader
	lacks          []string
	allocator      *allocator
}

func newJob(job Job) *running {
	j := &running{job: job, allocator: &allocator{limit: uint64(job.Limits.Memory)}}
	j.fs = memfs.New(memfs.Quota{
		Disk: job.Limits.Disk, File: job.Limits.File, Inodes: job.Limits.Inodes, OpenFiles: job.Limits.OpenFiles,
	}, func() int64 { return time.Now().UnixNano() })
	for _, dir := range []string{"/work", "/tmp"} {
		j.fs.Folder(dir, true)
	}
	j.fs.Put("/bin/python3", []byte("an interpreter in WebAssembly\n"), true, true) // for programs that look whether sys.executable is there
	for _, f := range job.Files {
		j.fs.Put(f.Name, f.Data, f.ReadOnly, f.Exec)
	}
	j.stdin = bytes.NewReader(job.Stdin)
	j.stdout.limit, j.stderr.limit = job.Limits.Output, job.Limits.Output
	j.devices()
	return j
}

// config is what the runtime is told of the job.
func (j *running) config(stdout, stderr writer) wazero.ModuleConfig {
	files := wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(j.fs, "/")
	return wazero.NewModuleConfig().WithFSConfig(files).WithStdin(j.stdin).WithStdout(stdout).WithStderr(stderr).
		WithSysWalltime().WithSysNanotime().WithNanosleep(j.sleep).WithRandSource(rand.NewChaCha8(j.job.Seed))
}

// Run runs a job in an instance of the image. The error is one of ours; what becomes of the program is in the Outcome.
func (i *Interpreter) Run(ctx context.Context, image *Image, job Job) (Outcome, error) {
	runtime.LockOSThread() // its processor time is the job's
	defer runtime.UnlockOSThread()
	j := newJob(job)
	j.fs.Mount("lib", i.lib())
	if job.Control != nil {
		job.Control.clock = &j.clock
	}
	ctx = context.WithValue(ctx, jobKey{}, j)
	j.clock.begin(job.Limits, job.Control)
	if image.Size > j.allocator.limit {
		return j.outcome(nil, &stop{OverSize}), nil
	}
	in, err := i.instantiate(ctx, image, j.allocator, j.config(&j.stdout, &j.stderr))
	if err != nil {
		return Outcome{}, err
	}
	defer func() { _ = in.Close(ctx) }() // nothing of it is needed any more
	j.start(in.fuel)
	code, err := in.main(ctx, job)
	if err == nil {
		err = sys.NewExitError(code)
	}
	return j.outcome(in, err), nil
}

// start gives the first fuel.
func (j *running) start(fuel mutable) {
	j.meter = meter{fuel: fuel, limit: j.job.Limits.Fuel}
	j.meter.refill()
}

// main calls rt_main.
func (in *instance) main(ctx context.Context, job Job) (code uint32, err error) {
	var stack []uint64
	for _, text := range []string{words(job.Args), words(job.Env), job.Dir} {
		at, err := in.put(ctx, []byte(text))
		if err != nil {
			return 0, err
		}
		stack = append(stack, at, uint64(len(text)))
	}
	out, err := in.ExportedFunction("rt_main").Call(ctx, stack...)
	if err != nil {
		return 0, err
	}
	return uint32(out[0]), nil
}

func words(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\x00") + "\x00"
}

// yield is the host's turn: the guest's fuel is used up.
func (j *running) yield() {
	if !j.meter.refill() {
		panic(&stop{OverFuel})
	}
	j.look()
}

// look ends the guest where a limit is met. Everything that the guest may do again and again passes here.
func (j *running) look() {
	if j.allocator.refused {
		panic(&stop{OverSize})
	}
	if why := j.clock.over(); why != "" {
		panic(&stop{why})
	}
}

// outcome reduces how the guest ended.
func (j *running) outcome(in *instance, err error) Outcome {
	o := Outcome{Exit: -1, Refused: j.fs.Refused, Lacks: j.lacks, Stdout: j.stdout.output(), Stderr: j.stderr.output()}
	o.CPU, o.Wall, o.Own, o.Paused = j.clock.end()
	if in != nil {
		o.Memory = int64(in.Memory().Size())
		o.Fuel = j.meter.used()
	}
	o.Memory += j.fs.Used()
	var exit *sys.ExitError
	var stopped *stop
	switch {
	case errors.As(err, &stopped):
		o.End = stopped.why
	case j.allocator.refused: // it ended before it was seen
		o.End = OverSize
	case errors.As(err, &exit):
		o.End, o.Exit = Exited, int(exit.ExitCode()&0xff)
	default:
		o.End, o.Signal = Trapped, signalOf(err)
		o.Stderr.Data = append(o.Stderr.Data, fmt.Sprintf("\n[%.200s]\n", firstLine(err))...)
	}
	for _, name := range j.job.CopyOut {
		if data, exec, ok := j.fs.Read(name); ok {
			o.Files = append(o.Files, File{Name: name, Data: data, Exec: exec})
		}
	}
	return o
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// signalOf says what a native program would have been ended by.
func signalOf(err error) int {
	const abort, arithmetic, segment = 6, 8, 11
	switch text := firstLine(err); {
	case strings.Contains(text, "unreachable"):
		return abort
	case strings.Contains(text, "integer"):
		return arithmetic
	}
	return segment
}
