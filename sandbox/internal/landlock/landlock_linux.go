// Package landlock makes rulesets for a job: a second wall behind the mount namespace, made of different code.
//
// A ruleset names what is allowed; everything else of the handled kinds is refused. A job may read and execute in its whole
// root, write only below its writable folders and to its device nodes, may not use TCP ports at all, and may not reach
// processes or abstract sockets outside itself. Rights that a kernel does not know are left out by its ABI version.
// Source: landlock(7), kernel Documentation/userspace-api/landlock.rst; ABI 7 is Linux 6.15.
package landlock

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ABI is the kernel's Landlock version, 0 where it has none or it is switched off.
func ABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

const (
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	deviceNodes = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	fileRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// handled are all file-system rights of an ABI: 13 in the first, then REFER, TRUNCATE and IOCTL_DEV.
func handled(abi int) uint64 {
	bits := map[bool]int{true: 13}[abi >= 1]
	switch {
	case abi >= 5:
		bits = 16
	case abi >= 3:
		bits = 15
	case abi >= 2:
		bits = 14
	}
	return 1<<bits - 1
}

type rulesetAttr struct{ fs, net, scoped uint64 }

// New makes a ruleset and gives its descriptor (close-on-exec). readable and writable are paths of folders; devices
// are folders whose files may be read and written, and nothing else. abi must be at least 1.
func New(abi int, readable, writable, devices []string) (int, error) {
	attr := rulesetAttr{fs: handled(abi)}
	size := unsafe.Sizeof(attr.fs)
	if abi >= 4 {
		attr.net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.net)
	}
	if abi >= 6 {
		attr.scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.scoped)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, fmt.Errorf("landlock: create ruleset: %w", errno)
	}
	for _, set := range []struct {
		paths  []string
		rights uint64
	}{{readable, readRights}, {writable, handled(abi) &^ deviceNodes}, {devices, handled(abi) & fileRights &^ unix.LANDLOCK_ACCESS_FS_EXECUTE}} {
		for _, p := range set.paths {
			if err := allow(int(fd), p, set.rights); err != nil {
				_ = unix.Close(int(fd)) // never used
				return -1, err
			}
		}
	}
	return int(fd), nil
}

// allow adds one path_beneath rule. struct landlock_path_beneath_attr is packed: 8 bytes of rights, 4 of descriptor.
func allow(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("landlock: open %s: %w", path, err)
	}
	defer func() { _ = unix.Close(fd) }() // O_PATH
	var attr [12]byte
	*(*uint64)(unsafe.Pointer(&attr[0])) = rights
	*(*int32)(unsafe.Pointer(&attr[8])) = int32(fd)
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr[0])), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: allow %s: %w", path, errno)
	}
	return nil
}

// Restrict puts a ruleset on this thread, and on what it starts from then on, for good.
func Restrict(ruleset int) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("landlock: no new privileges: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0); errno != 0 {
		return fmt.Errorf("landlock: restrict: %w", errno)
	}
	return nil
}
