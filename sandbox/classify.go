package sandbox

// Evidence is what a backend saw of a run that ended. It holds observations, no conclusions: Classify draws them, in one
// place, by one order, for every backend.
type Evidence struct {
	ExitCode int // of the first process; -1 where a signal ended it
	Signal   int // the signal that ended it; 0 where it ended by itself

	// What met the tree. OverOutput, OverCPU and OverWall are set by whoever watched the limit and then killed the job;
	// they may also be set for a program that ended by itself in the moment before the kill.
	OverOutput    bool // a stream carried more than Limits.Output
	OverCPU       bool // processor time above Limits.CPU by the rule of Limits.Overran, or SIGXCPU
	OverWall      bool // own time above Limits.Wall
	MemoryKill    bool // the kernel's out-of-memory killer took a process of the job for the job's own limit
	ForkRefused   bool // a fork or thread was refused for Limits.Processes
	WriteRefused  bool // a write was refused for Limits.Disk, Limits.File or Limits.Inodes
	FilterKill    bool // a process of the job was ended by the system-call filter (SIGSYS)
	FileSizeLimit bool // ended by SIGXFSZ
}

// Classify reduces evidence to one status. The order, first that holds:
//
//  1. memory_limit   an out-of-memory kill. It goes first because it makes everything else: a parent that waits for its
//     killed child runs into the wall limit, a killed shell child makes an exit code.
//  2. output_limit   the program went on writing; it was killed for that, or would have been.
//  3. cpu_limit      before timeout, since who burns processor time over its limit is slow by own doing, whatever the wall
//     says; the two limits are often equal.
//  4. timeout        own time.
//  5. forbidden      a kill by the filter: nothing else gives SIGSYS to the first process.
//  6. disk_limit     SIGXFSZ, or a refused write and then a failure (exit code or signal). A program that copes with
//     the refusal and exits 0 is ok.
//  7. process_limit  a refused fork and then a failure. After disk: a full disk is the rarer and more telling event.
//  8. signal         any other signal.
//  9. exit_error     a non-zero exit code.
//  10. ok
//
// Exit codes such as 137 or 124 carry no meaning: a program can exit with any code it likes.
func Classify(e Evidence) Status {
	failed := e.Signal != 0 || e.ExitCode != 0
	switch {
	case e.MemoryKill:
		return MemoryLimit
	case e.OverOutput:
		return OutputLimit
	case e.OverCPU:
		return CPULimit
	case e.OverWall:
		return Timeout
	case e.FilterKill:
		return Forbidden
	case e.FileSizeLimit, e.WriteRefused && failed:
		return DiskLimit
	case e.ForkRefused && failed:
		return ProcessLimit
	case e.Signal != 0:
		return Signalled
	case e.ExitCode != 0:
		return ExitError
	}
	return OK
}
