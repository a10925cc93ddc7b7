package seccomp

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Apply puts a filter on all threads of this process, for good. The process must not be able to gain rights by starting a program
// (PR_SET_NO_NEW_PRIVS), which is set here. Source: seccomp(2), SECCOMP_FILTER_FLAG_TSYNC since Linux 3.17.
func Apply(filter []Inst) error {
	runtime.LockOSThread() // no_new_privs is a thread's; the filter brings it to the others
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("seccomp: no new privileges: %w", err)
	}
	prog := struct {
		length uint16
		filter *Inst
	}{uint16(len(filter)), &filter[0]}
	const setModeFilter, allThreads = 1, 1
	r, _, errno := unix.Syscall(unix.SYS_SECCOMP, setModeFilter, allThreads, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return fmt.Errorf("seccomp: set filter: %w", errno)
	}
	if r != 0 {
		return fmt.Errorf("seccomp: set filter: thread %d cannot take it", r)
	}
	return nil
}
