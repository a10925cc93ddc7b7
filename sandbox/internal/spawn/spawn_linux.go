// Package spawn starts one program from a multi-threaded Go process, with everything between fork and exec that os/exec
// cannot do: joining cgroups, rlimits, entering a user namespace, dropping all capabilities, Landlock and a seccomp filter.
//
// Theory. Between fork and exec only the forking thread exists in the child, and any lock of the Go runtime may be held
// for ever by a thread that is not there. So the child may not allocate, grow its stack, or be rescheduled; it may only
// make raw system calls on memory that the parent has laid out. Everything that needs thought is therefore done in
// Start, and the child walks a list of prepared system calls (a script) until one fails or execve replaces it. This is how
// the standard library's own forkAndExecInChild works (syscall/exec_linux.go), whose runtime hooks are used here; they
// are kept stable for such callers (go.dev/issue/67401). Credentials, limits, namespaces and filters belong to a task and not
// to its memory, so a child that shares the parent's memory until execve (vfork) leaves the parent as it was.
// A failing step is reported through a pipe that execve closes: its number in the script and the errno.
package spawn

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Call is one raw system call of the script. Pointers in its arguments must be kept alive by the caller until Start
// returns; Keep of Script does that.
type Call struct {
	Step string // named in the error
	Nr   uintptr
	Arg  [5]uintptr
	// Ignore lets the script go on when the call fails: for calls that are belt and braces, such as dropping a
	// capability that the kernel does not know.
	Ignore bool
}

// Script is what a child does between fork and exec.
type Script struct {
	Flags uintptr // CLONE_NEW… flags
	Group int     // descriptor of a cgroup v2 folder to be born in; 0 means the caller's own
	Calls []Call
	Path  string // program, seen from the child after the script
	Argv  []string
	Env   []string
	keep  []any

	memory map[uintptr]memory // what kept addresses point to
}

// Do adds a system call.
func (s *Script) Do(step string, nr uintptr, args ...uintptr) {
	c := Call{Step: step, Nr: nr}
	copy(c.Arg[:], args)
	s.Calls = append(s.Calls, c)
}

// Try adds a system call whose failure does not matter.
func (s *Script) Try(step string, nr uintptr, args ...uintptr) {
	s.Do(step, nr, args...)
	s.Calls[len(s.Calls)-1].Ignore = true
}

// Keep holds a value until the script has been run, and gives its address.
func Keep[T any](s *Script, v *T) uintptr {
	s.keep = append(s.keep, v)
	at := uintptr(unsafe.Pointer(v))
	if s.memory == nil {
		s.memory = map[uintptr]memory{}
	}
	s.memory[at] = memory{start: unsafe.Pointer(v), size: unsafe.Sizeof(*v)}
	return at
}

// KeepString holds a NUL-terminated copy of a string.
func KeepString(s *Script, text string) (uintptr, error) {
	p, err := unix.BytePtrFromString(text)
	if err != nil {
		return 0, err
	}
	at := Keep(s, p)
	s.memory[at] = memory{start: unsafe.Pointer(p), size: uintptr(len(text)) + 1}
	return at, nil
}

// StepError names the step of the script at which the child failed.
type StepError struct {
	Step string
	Err  syscall.Errno
}

func (e *StepError) Error() string { return e.Step + ": " + e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }

// clone is the system call that forks: clone, or clone3 where a group is named.
type clone struct {
	nr, arg, size uintptr
	args          cloneArgs
}

// cloneArgs is struct clone_args of linux/sched.h as of Linux 5.7, when cgroup was added.
type cloneArgs struct {
	flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls, setTID, setTIDSize, cgroup uint64
}

func cloneCall(s *Script) *clone {
	c := &clone{nr: unix.SYS_CLONE, arg: s.Flags | uintptr(syscall.SIGCHLD)}
	if s.Group > 0 {
		c.args = cloneArgs{flags: uint64(s.Flags) | unix.CLONE_INTO_CGROUP, exitSignal: uint64(syscall.SIGCHLD), cgroup: uint64(s.Group)}
		c.nr, c.arg, c.size = unix.SYS_CLONE3, uintptr(unsafe.Pointer(&c.args)), unsafe.Sizeof(c.args)
	}
	return c
}

// share makes the child share the parent's memory and the parent wait for its exec.
func (c *clone) share() {
	if c.nr == unix.SYS_CLONE3 {
		c.args.flags |= unix.CLONE_VM | unix.CLONE_VFORK
	} else {
		c.arg |= unix.CLONE_VM | unix.CLONE_VFORK
	}
}

// failure is what a child writes when a step fails.
type failure struct{ step, errno int32 }

// Start forks, runs the script in the child and executes the program. It returns when the program runs, or with the step
// that failed; a failed child has been waited for. A child that is killed before its exec, for example by a memory limit below
// what the exec needs, counts as started.
func Start(s *Script) (pid int, err error) {
	argv0, err := unix.BytePtrFromString(s.Path)
	if err != nil {
		return 0, fmt.Errorf("program name: %w", err)
	}
	argv, err := syscall.SlicePtrFromStrings(s.Argv)
	if err != nil {
		return 0, fmt.Errorf("arguments: %w", err)
	}
	env, err := syscall.SlicePtrFromStrings(s.Env)
	if err != nil {
		return 0, fmt.Errorf("environment: %w", err)
	}
	var report [2]int
	if err := unix.Pipe2(report[:], unix.O_CLOEXEC); err != nil {
		return 0, fmt.Errorf("report pipe: %w", err)
	}
	var fail failure
	calls := s.Calls
	if len(calls) == 0 {
		calls = []Call{{Step: "getpid", Nr: unix.SYS_GETPID}}
	}
	syscall.ForkLock.Lock()
	child, errno := forkExec(cloneCall(s), &calls[0], len(calls), argv0, &argv[0], &env[0], report[1], &fail)
	syscall.ForkLock.Unlock()
	_ = unix.Close(report[1]) // only the child's copy counts
	if errno != 0 {
		_ = unix.Close(report[0])
		return 0, &StepError{"fork", errno}
	}
	runtime.KeepAlive(s)
	return int(child), readReport(report[0], int(child), calls)
}

func readReport(fd, pid int, calls []Call) error {
	fail, failed, err := readFailure(fd)
	if err != nil || !failed {
		return err
	}
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &ws, 0, nil); err != unix.EINTR {
			break
		}
	}
	step := "execve"
	if int(fail.step) < len(calls) {
		step = calls[fail.step].Step
	}
	return &StepError{step, syscall.Errno(fail.errno)}
}

// readFailure reads the report of a child to its end; failed is false where the child came through.
func readFailure(fd int) (fail failure, failed bool, err error) {
	defer func() { _ = unix.Close(fd) }() // read to its end
	buf := unsafe.Slice((*byte)(unsafe.Pointer(&fail)), unsafe.Sizeof(fail))
	for {
		n, err := unix.Read(fd, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return fail, false, fmt.Errorf("read report: %w", err)
		}
		return fail, n > 0, nil
	}
}

// Fork starts the script's child and returns at once; the child runs the calls, and ends where the script has no Path.
// Used for children that only have to exist, such as the one that holds a new namespace open until it has been entered.
func Fork(s *Script) (int, error) {
	var fail failure
	calls := append(s.Calls, Call{Step: "exit", Nr: unix.SYS_EXIT_GROUP})
	syscall.ForkLock.Lock()
	child, errno := plainFork(cloneCall(s), &calls[0], len(calls), nil, nil, nil, -1, &fail)
	syscall.ForkLock.Unlock()
	if errno != 0 {
		return 0, &StepError{"fork", errno}
	}
	runtime.KeepAlive(s)
	return int(child), nil
}
