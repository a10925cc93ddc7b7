package spawn

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

//go:linkname beforeFork syscall.runtime_BeforeFork
func beforeFork()

//go:linkname afterFork syscall.runtime_AfterFork
func afterFork()

// plainFork is the only Go function that runs on both sides of a fork. In the child it must not return, allocate, or call
// anything that is not nosplit. All signals are blocked in the child until the script unblocks them.
//
//go:noinline
//go:norace
//go:nosplit
//go:nocheckptr
func plainFork(c *clone, call *Call, n int, path *byte, argv, env **byte, report int, fail *failure) (uintptr, syscall.Errno) {
	beforeFork()
	pid, _, errno := syscall.RawSyscall6(c.nr, c.arg, c.size, 0, 0, 0, 0)
	if errno != 0 || pid != 0 {
		afterFork()
		return pid, errno
	}
	fail.step = 0
	errno = 0
	for i := 0; i < n; i++ {
		_, _, errno = syscall.RawSyscall6(call.Nr, call.Arg[0], call.Arg[1], call.Arg[2], call.Arg[3], call.Arg[4], 0)
		if errno != 0 && !call.Ignore {
			break
		}
		errno = 0
		fail.step++
		call = (*Call)(unsafe.Add(unsafe.Pointer(call), unsafe.Sizeof(Call{})))
	}
	if errno == 0 {
		_, _, errno = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(argv)), uintptr(unsafe.Pointer(env)))
	}
	fail.errno = int32(errno)
	_, _, _ = syscall.RawSyscall(unix.SYS_WRITE, uintptr(report), uintptr(unsafe.Pointer(fail)), unsafe.Sizeof(failure{}))
	for {
		_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 125, 0, 0)
	}
}
