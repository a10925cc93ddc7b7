//go:build linux && !amd64

package spawn

import "syscall"

// forkExec starts a child that executes a program.
func forkExec(c *clone, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) (uintptr, syscall.Errno) {
	return plainFork(c, call, n, path, argv, env, report, fail)
}
