//go:build unix && !linux

package process

import "golang.org/x/sys/unix"

func becomeSubreaper() {}

func forgetIgnored() {}

func maxRSS(u unix.Rusage) int64 { return int64(u.Maxrss) } // bytes on Darwin

// killTree kills the group of the program. One that left it gets away.
func killTree(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // ESRCH: the group is empty
