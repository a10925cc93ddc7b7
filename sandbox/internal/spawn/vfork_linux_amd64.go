package spawn

import "syscall"

// vforkExec is plainFork on shared memory; see vfork_linux_amd64.s.
//
//go:noescape
func vforkExec(c *clone, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) uintptr

// forkExec starts a child that executes a program. The parent's thread waits until it has.
//
//go:noinline
//go:norace
func forkExec(c *clone, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) (uintptr, syscall.Errno) {
	c.share()
	beforeFork()
	pid := vforkExec(c, call, n, path, argv, env, report, fail)
	afterFork()
	if pid > ^uintptr(4095) {
		return 0, syscall.Errno(-pid)
	}
	return pid, 0
}
