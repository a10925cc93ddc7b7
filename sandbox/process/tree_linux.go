package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func becomeSubreaper() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // Linux 3.4; without it orphans get away, as elsewhere
}

// forgetIgnored gives the signals that Go leaves alone their default disposition where a parent ignored them: programs
// started by posix_spawn of some C libraries (GNU make's recipes among them) inherit 32 and 33 ignored, and pass it on.
func forgetIgnored() {
	const ignored = 1 // SIG_IGN
	type sigaction struct{ handler, flags, restorer, mask uintptr }
	for sig := uintptr(32); sig <= 64; sig++ {
		var old, dfl sigaction
		if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, sig, 0, uintptr(unsafe.Pointer(&old)), 8, 0, 0); errno == 0 && old.handler == ignored {
			_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, sig, uintptr(unsafe.Pointer(&dfl)), 0, 8, 0, 0) // was readable
		}
	}
}

func maxRSS(u unix.Rusage) int64 { return u.Maxrss << 10 }

// killTree kills the group of the program and all that descends from the keeper, until nothing does. A program that forks
// faster than it is killed keeps this going for a while; there is no wall here that could stop it at once.
func killTree(pid int) {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		_ = unix.Kill(-pid, unix.SIGKILL) // ESRCH: the group is empty
		all := descendants(os.Getpid())
		if len(all) == 0 {
			return
		}
		for _, p := range all {
			_ = unix.Kill(p, unix.SIGKILL) // it may have ended
		}
		for _, p := range all {
			if p != pid { // that one is waited for by its own call
				_, _ = unix.Wait4(p, nil, unix.WNOHANG, nil) // only orphans are ours to reap
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// descendants lists living processes below one, from the parents named in all stat files.
func descendants(root int) []int {
	names, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	children := map[int][]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		f := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(f) < 2 {
			continue
		}
		parent, _ := strconv.Atoi(string(f[1]))
		children[parent] = append(children[parent], pid)
	}
	var all []int
	for queue := children[root]; len(queue) > 0; queue = queue[1:] {
		all = append(all, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return all
}
