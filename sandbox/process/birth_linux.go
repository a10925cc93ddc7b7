package process

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// bear makes a program be born in the job's groups: in the v1 ones since the thread that starts it is a member, and stays it; in the
// v2 one by clone3. Only that thread of the keeper is in any of them.
func bear(cmd *exec.Cmd, threads int, birth bool) error {
	if threads > 0 {
		runtime.LockOSThread() // never unlocked: nothing else may run in those groups
	}
	for fd := fdGroups; fd < fdGroups+threads; fd++ {
		if _, err := unix.Write(fd, []byte("0")); err != nil {
			return fmt.Errorf("join cgroup: %w", err)
		}
		_ = unix.Close(fd) // written
	}
	if birth {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, fdGroups+threads
	}
	return nil
}

// born says that the program has been started.
func born(threads int, birth bool) {
	if birth {
		_ = os.NewFile(uintptr(fdGroups+threads), "group").Close() // a folder
	}
}
