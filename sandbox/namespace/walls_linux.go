package namespace

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/landlock"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/seccomp"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

const (
	lastSignal = 64
	highFD     = 64 // descriptors of the job wait here, out of the way of 0 to 3
)

// script is the order in which the walls go up between fork and exec. Each step still needs what the next ones take away:
// mounts and the cgroup namespace want the slot's rights, rlimits go before the user namespace so that a later step cannot
// be refused for them, capabilities are dropped inside the user namespace (entering gives all of them there), and the
// filter is last since it would refuse most steps above it. done closes what only the child needed.
func (s *slotServer) script(box *rootfs.Box, spec *jobSpec, r received) (script *spawn.Script, fds []int, done func(), err error) {
	sc := &spawn.Script{Flags: unix.CLONE_NEWNS | unix.CLONE_NEWIPC}
	done = func() {
		for _, fd := range fds {
			_ = unix.Close(fd) // the child has its copy
		}
	}
	fail := func(step string, err error) (*spawn.Script, []int, func(), error) {
		done()
		return nil, nil, nil, fmt.Errorf("%s: %w", step, err)
	}
	high := func(fd int) (uintptr, error) { // a number that neither the job's own descriptors nor a server's will have
		n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, highFD)
		if err == nil {
			fds = append(fds, n)
		}
		return uintptr(n), err
	}
	if r.Group {
		group, err := high(r.group())
		if err != nil {
			return fail("group", err)
		}
		sc.Group = int(group)
	}
	sc.Try("cgroup namespace", unix.SYS_UNSHARE, unix.CLONE_NEWCGROUP)
	boxFD, err := high(box.FD())
	if err != nil {
		return fail("mounts", err)
	}
	if err := mountBox(sc, box, boxFD); err != nil {
		return fail("mounts", err)
	}
	sc.Do("session", unix.SYS_SETSID)
	sources := []int{r.fds[fdStdin], r.fds[fdStdout], r.fds[fdStderr]}
	if r.Talk {
		sources = append(sources, r.talk())
	}
	for i, fd := range sources {
		source, err := high(fd)
		if err != nil {
			return fail("descriptors", err)
		}
		sc.Do("descriptors", unix.SYS_DUP3, source, uintptr(i))
	}
	sc.Try("close the rest", unix.SYS_CLOSE_RANGE, uintptr(len(sources)), ^uintptr(0), unix.CLOSE_RANGE_CLOEXEC)
	sc.Do("umask", unix.SYS_UMASK, 0o022)
	dir, err := spawn.KeepString(sc, workDir(spec))
	if err != nil {
		return fail("working directory", err)
	}
	sc.Do("working directory", unix.SYS_CHDIR, dir)
	if s.server == nil { // a server set its own dispositions when it started, as its interpreter wants them
		resetSignals(sc)
	}
	for _, l := range spec.Rlimits {
		sc.Do("limit of "+l.Name, unix.SYS_PRLIMIT64, 0, uintptr(l.Resource), spawn.Keep(sc, &unix.Rlimit{Cur: l.Soft, Max: l.Max}), 0)
	}
	ruleset, err := s.landlock(box)
	if err != nil {
		return fail("landlock", err)
	}
	if ruleset >= 0 {
		fd, err := high(ruleset)
		_ = unix.Close(ruleset) // the copy counts
		if err != nil {
			return fail("landlock", err)
		}
		ruleset = int(fd)
	}
	userNS := s.userNS
	if userNS >= 0 {
		fd, err := high(userNS)
		if err != nil {
			return fail("user namespace", err)
		}
		userNS = int(fd)
	}
	s.dropRights(sc, ruleset, userNS)
	if s.server != nil { // no exec closes them
		sc.Do("close the rest", unix.SYS_CLOSE_RANGE, uintptr(len(sources)), ^uintptr(0))
	}
	return sc, fds, done, nil
}

// mountBox attaches the box in the child's own mount namespace.
func mountBox(sc *spawn.Script, box *rootfs.Box, fd uintptr) error {
	empty, err := spawn.KeepString(sc, "")
	if err != nil {
		return err
	}
	work, err := spawn.KeepString(sc, box.WorkDir)
	if err != nil {
		return err
	}
	atCWD := unix.AT_FDCWD
	sc.Do("attach box", unix.SYS_MOVE_MOUNT, fd, empty, uintptr(atCWD), work, unix.MOVE_MOUNT_F_EMPTY_PATH)
	for _, m := range box.Mounts() {
		source, err := spawn.KeepString(sc, m.Source)
		if err != nil {
			return err
		}
		at, err := spawn.KeepString(sc, m.At)
		if err != nil {
			return err
		}
		sc.Do("mount "+m.At, unix.SYS_MOUNT, source, at, empty, m.Flags, empty)
	}
	return nil
}

func workDir(spec *jobSpec) string {
	if spec.Dir == "" {
		return sandbox.WorkDir
	}
	return spec.Dir
}

// resetSignals sets every disposition to the default and unblocks all: the slot ignores some, and so may have whoever
// started the engine. SIGKILL and SIGSTOP cannot be set; numbers 32 and 33 belong to the C library, and have no handler yet.
func resetSignals(sc *spawn.Script) {
	dfl := spawn.Keep(sc, new([4]uint64)) // struct sigaction: handler, flags, restorer and mask, all zero
	for sig := uintptr(1); sig <= lastSignal; sig++ {
		sc.Try("signal dispositions", unix.SYS_RT_SIGACTION, sig, dfl, 0, 8)
	}
	sc.Do("signal mask", unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, spawn.Keep(sc, new(uint64)), 0, 8)
}

func (s *slotServer) landlock(box *rootfs.Box) (int, error) {
	if s.abi < 1 {
		return -1, nil
	}
	return landlock.New(s.abi, []string{"/"}, box.Folders(), rootfs.Devices())
}

// lastCap reads the highest capability that the kernel knows; without that all numbers are tried that there can ever be.
func lastCap() uintptr {
	text, _ := os.ReadFile("/proc/sys/kernel/cap_last_cap") // Linux 3.2
	if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && n > 0 && n < 64 {
		return uintptr(n)
	}
	return 63
}

func (s *slotServer) dropRights(sc *spawn.Script, ruleset, userNS int) {
	id := uintptr(s.setup.JobUser)
	if userNS >= 0 {
		sc.Do("user namespace", unix.SYS_SETNS, uintptr(userNS), unix.CLONE_NEWUSER)
		id = jobID
	}
	for c := uintptr(0); c <= s.lastCap; c++ {
		sc.Try("capability bounds", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c, 0, 0, 0)
	}
	// Where groups cannot be dropped (a user's own namespace) they are the user's own, and mean nothing inside.
	sc.Try("groups", unix.SYS_SETGROUPS, 0, 0)
	sc.Do("group", unix.SYS_SETRESGID, id, id, id)
	sc.Do("user", unix.SYS_SETRESUID, id, id, id)
	header := spawn.Keep(sc, &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3})
	sc.Do("capabilities", unix.SYS_CAPSET, header, spawn.Keep(sc, &[2]unix.CapUserData{}))
	sc.Do("no new privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if ruleset >= 0 {
		sc.Do("landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0)
	}
	prog := s.filter
	fprog := struct {
		Len    uint16
		Filter *seccomp.Inst
	}{uint16(len(prog)), unsafe.SliceData(prog)}
	const setModeFilter = 1
	insts := unsafe.Slice((*byte)(unsafe.Pointer(fprog.Filter)), uintptr(len(prog))*unsafe.Sizeof(prog[0]))
	sc.Do("filter", unix.SYS_SECCOMP, setModeFilter, 0, spawn.KeepLinked(sc, &fprog, unsafe.Offsetof(fprog.Filter), insts))
}
