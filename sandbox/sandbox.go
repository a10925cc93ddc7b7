// Package sandbox runs one program under limits and tells what became of it.
//
// A Sandbox is one way of isolating (a backend); a Spec is one run; a Result is the program's own story. An error from
// Run means that the sandbox failed, never that the program did: the caller may retry, and no reward follows from it.
package sandbox

import (
	"context"
	"io"
	"time"
)

// Sandbox runs programs. Implementations are safe for concurrent use.
//
// The life of a run: the backend checks the Spec against its Caps (a limit that it cannot enforce is refused with an
// error that wraps ErrUnsupported), makes a fresh place, puts Files in, starts Args, feeds Stdin, caps the output, watches
// the limits, kills the whole process tree when the first process ended or a limit was met, collects CopyOut, and
// reduces what it saw by Classify. Nothing of a run is left when Run returns, whether with a Result or with an error.
// Cancelling the context kills the job; Run then returns the context's error.
type Sandbox interface {
	Run(context.Context, Spec) (Result, error)
	Caps() Caps
	Close() error
}

// Spec is one run. It is never changed by a backend, so one value may be used for many runs.
type Spec struct {
	Args    []string // program and arguments; Args[0] is looked up in the job's own root
	Env     []string // the whole environment as NAME=value; nothing of the caller's is inherited
	Dir     string   // working directory inside the job; empty means WorkDir
	Stdin   []byte   // standard input, then end of file; fed by a pipe, never by a file
	Files   []File   // put into the job before it starts, relative to WorkDir unless absolute below it
	CopyOut []string // files to bring back after the end, relative to WorkDir; a missing one is left out
	Root    Root     // what of the host the job can see
	Limits  Limits   // zero fields take the values of DefaultLimits

	// Talk, where set, is called once the program has been started, with the engine's end of a stream socket whose other
	// end is the program's descriptor 3. It is the channel for verdict data: reports, one test case at a time. Reads end
	// with io.EOF when the program is gone. Talk runs in a goroutine of its own; Run waits for it after the program's
	// end, with every pending read and write cut off.
	Talk func(Conn)

	// Server, where set, is a warm interpreter that runs the job instead of a program of its own; see Server. Args[0] is then
	// whatever the server takes for a program, and is not looked up.
	Server *Server

	// Alone asks that no other job of this Sandbox runs beside this one, and for the machine's full attention: the last try
	// of a job whose first one was Unsure or ended with ErrMachine. It waits for the others to end. Jobs that were reserved together
	// (Reserver) run beside each other all the same.
	Alone bool
}

// WorkDir is the writable folder that every job starts in.
const WorkDir = "/work"

// ReportFD is the descriptor number of the program's end of Talk's socket.
const ReportFD = 3

// Conn is the engine's end of a job's channel. Own time stands still between Pause and Resume, the time in which the
// program waits for the engine and not the other way round; both are idempotent.
type Conn interface {
	io.ReadWriter
	Pause()
	Resume()
}

// File is one file of a job.
type File struct {
	Name     string // slash-separated path; see Spec.Files
	Data     []byte
	Exec     bool // executable by the job
	ReadOnly bool // owned by somebody else: the job can read it, and cannot change, replace or remove it
}

// Root says what a job can see of the host besides its own files: read-only binds of a runtime, or an image where the
// backend has images. The zero value is the backend's smallest root that holds the usual small programs of a POSIX
// system and the system's own libraries.
type Root struct {
	Binds []Bind // read-only, in this order
	Image string // only for backends with Caps.Images
}

// Bind shows a folder or file of the host inside the job, read-only.
type Bind struct{ Host, Job string }

// Limits bound one run. A zero field means the default (DefaultLimits), a negative one is refused.
type Limits struct {
	Wall      time.Duration // own time: wall clock minus what the machine kept the job's runnable tasks from running
	CPU       time.Duration // processor time of the whole process tree
	Memory    Size          // of the whole process tree, page cache of its tmpfs included
	Output    Size          // of each of standard output and standard error
	File      Size          // of a single file
	Disk      Size          // of all the job's writable files together
	Stack     Size          // of a thread's stack
	Processes int           // processes and threads alive at once
	OpenFiles int           // descriptors of one process
	Inodes    int           // files and folders made by the job
	Fuel      int64         // work done, in units of a backend that counts it (Caps.Fuel): the same for equal runs; 0: no limit
}

// DefaultLimits are what a job gets where nothing is said: those of WIRE.md.
func DefaultLimits() Limits {
	return Limits{
		Wall: 10 * time.Second, CPU: 10 * time.Second, Memory: 512 * MiB, Output: 1 * MiB, File: 64 * MiB,
		Disk: 64 * MiB, Stack: 64 * MiB, Processes: 64, OpenFiles: 64, Inodes: 1000,
	}
}

// Status is how a run ended, in the words of WIRE.md.
type Status string

// The statuses. Classify gives their precedence.
const (
	OK           Status = "ok"            // exit code 0 within all limits
	ExitError    Status = "exit_error"    // a non-zero exit code
	Signalled    Status = "signal"        // ended by a signal that was not ours
	Timeout      Status = "timeout"       // own time over Limits.Wall
	CPULimit     Status = "cpu_limit"     // processor time over Limits.CPU
	MemoryLimit  Status = "memory_limit"  // the tree met Limits.Memory and was killed for it
	OutputLimit  Status = "output_limit"  // a stream went over Limits.Output
	ProcessLimit Status = "process_limit" // a fork was refused by Limits.Processes and the program then failed
	DiskLimit    Status = "disk_limit"    // a write was refused by Limits.Disk, File or Inodes and the program then failed
	Forbidden    Status = "forbidden"     // killed by the system-call filter
)

// Result is the story of one run.
type Result struct {
	Status   Status
	ExitCode int // of the first process; -1 where it was ended by a signal
	Signal   int // 0 where it ended by itself
	Stdout   Output
	Stderr   Output
	Files    []File // CopyOut, those that exist as plain files
	Usage    Usage
	Lacks    []string // what the program asked for in vain because no program of this backend can have it: "threads", "sockets", … Its own claim
	Degraded []string // walls and limits that were missing by leave of the caller, for example "own_time", "cgroup"

	// Unsure is set where the verdict rests on own time (Timeout, or CPULimit by the rule of Limits.Overran) and the machine took
	// more than a tenth of the wall-clock time, so that the measurement may owe the program something: run it again, the last
	// time with Spec.Alone, whose verdict stands (RunSure).
	Unsure bool
}

// Output is what a stream carried, up to the limit.
type Output struct {
	Data      []byte
	Truncated bool // more was written than Limits.Output
}

// Usage is what a run cost. Measured, so never equal from run to run: it stands under judge_meta.usage.
type Usage struct {
	CPU, Wall, Own time.Duration
	PeakMemory     Size
	Fuel           int64 // see Limits.Fuel; 0 where it is not counted
}

// Caps is what a backend can enforce and offer here, on this machine.
type Caps struct {
	Backend   string   // its name on the wire: namespace, process, oci, docker, wasm
	Isolation string   // one word for a verdict: namespaces, none, …
	Walls     []string // walls in force, for example "user", "pid", "net", "seccomp", "cgroup-v1"
	Missing   []string // walls that were asked for and are absent (--allow-weak); copied to Result.Degraded
	Native    bool     // runs native programs of the host's architecture
	Images    bool     // Root.Image is understood
	Talk      bool     // Spec.Talk is understood
	Warm      bool     // Spec.Server is understood
	Snapshots bool     // of a Server, its Snapshot is what counts
	Modules   []string // interpreters that the backend brings along, by name: Args[0] of their jobs

	// Which limits hold. A backend opens without the others only by leave of the caller (by its name, or --allow-weak), and then each
	// Result says so in Degraded.
	Memory, Processes, CPU, Disk, Inodes, OwnTime, Fuel bool
}
