package seccomp

import (
	"fmt"
	"slices"
)

// computing are the calls of a Go program that only computes and speaks by descriptors that it has: nothing that opens, connects, starts,
// or names a file or a process other than itself. prctl is not among them (the runtime names its maps by it, and goes on without).
var computing = []string{
	"read", "write", "readv", "writev", "pread64", "close", "fcntl", "fstat", "lseek",
	"mmap", "munmap", "mprotect", "mremap", "madvise", "mincore", "brk", "membarrier",
	"futex", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "getrandom", "restart_syscall",
	"sched_yield", "sched_getaffinity", "getcpu", "getpid", "gettid", "getrusage", "set_robust_list", "rseq",
	"sigaltstack", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "tgkill",
	"timer_create", "timer_settime", "timer_delete",
	"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "exit", "exit_group",
}

// Compute compiles the filter of a program that only computes. New threads are allowed, new processes are not; what is not allowed
// fails with EPERM, and another architecture ends the process.
func Compute(arch string) ([]Inst, error) {
	table, known := numbers[arch]
	if !known {
		return nil, fmt.Errorf("seccomp: no table for architecture %s", arch)
	}
	const thread = 0x00010000 // CLONE_THREAD
	allow, deny := Inst{ret, 0, 0, retAllow}, Inst{ret, 0, 0, retErrno | eperm}
	prog := []Inst{
		{ldW, 0, 0, offArch}, {jeq, 1, 0, auditArch[arch]}, {ret, 0, 0, retKill},
		{ldW, 0, 0, offNr},
	}
	if arch == "amd64" {
		prog = append(prog, Inst{jge, 0, 1, x32Bit}, Inst{ret, 0, 0, retKill})
	}
	prog = append(prog,
		Inst{jeq, 0, 1, table["clone3"]}, Inst{ret, 0, 0, retErrno | enosys}, // its flags are in memory: the older call is used then
		Inst{jeq, 0, 4, table["clone"]}, Inst{ldW, 0, 0, offArg}, Inst{jset, 0, 1, thread}, allow, deny)
	var nrs []uint32
	for _, name := range computing {
		if nr, ok := table[name]; ok {
			nrs = append(nrs, nr)
		}
	}
	slices.Sort(nrs)
	return append(prog, search(ranges(nrs))...), nil
}
