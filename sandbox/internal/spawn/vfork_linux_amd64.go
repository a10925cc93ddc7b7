package spawn

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// vforkExec is plainFork on shared memory; see vfork_linux_amd64.s.
//
//go:noescape
func vforkExec(flags uintptr, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) uintptr

// forkExec starts a child that executes a program. The parent's thread waits until it has.
//
//go:noinline
//go:norace
//go:nosplit
func forkExec(flags uintptr, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) (uintptr, syscall.Errno) {
	beforeFork()
	pid := vforkExec(flags|unix.CLONE_VM|unix.CLONE_VFORK|uintptr(syscall.SIGCHLD), call, n, path, argv, env, report, fail)
	afterFork()
	if pid > ^uintptr(4095) {
		return 0, syscall.Errno(-pid)
	}
	return pid, 0
}
