package slot

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/landlock"
	"github.com/verifyd/verifyd/sandbox/internal/rlimit"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/seccomp"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

const (
	lastSignal = 64
	usualSlack = 50_000 // nanoseconds, of timers (PR_SET_TIMERSLACK)
)

// The numbers that descriptors of a job have while its walls go up, out of the way of 0 to 3 and of a server's own. They are the
// same for every job, so that the calls are.
const (
	stdinFD = 64 + iota
	stdoutFD
	stderrFD
	talkFD
	groupFD
	boxFD
	rulesFD
	userFD
	reportFD
)

// descriptor is one that a job's first process is to have under a number.
type descriptor struct{ fd, number int }

// plan is the order in which the walls go up between fork and exec, as system calls. Jobs of a slot that differ in nothing that
// is named here share it.
type plan struct {
	dir    string
	limits sandbox.Limits
	talk   bool
	group  int

	script *spawn.Script
	calls  json.RawMessage // the same for a server
}

func (p *plan) serves(spec *jobSpec, r received) bool {
	return p != nil && p.dir == spec.Dir && p.talk == r.Talk && p.group == r.Group && p.limits == spec.Limits
}

// plan gives the calls for a job. Files that are kept from the job by mounts make it one of its own.
func (s *slotServer) plan(box *rootfs.Box, spec *jobSpec, r received) (*plan, error) {
	own := box.Guarded()
	if !own && s.planned.serves(spec, r) {
		return s.planned, nil
	}
	p := &plan{dir: spec.Dir, limits: spec.Limits, talk: r.Talk, group: r.Group}
	var err error
	if p.script, err = s.script(box, spec, r); err != nil {
		return nil, err
	}
	if s.server != nil {
		if p.calls, err = p.script.PortCalls(); err != nil {
			return nil, err
		}
	}
	if !own {
		s.planned = p
	}
	return p, nil
}

// script: each step still needs what the next ones take away. Mounts and the cgroup namespace want the slot's rights, rlimits go
// before the user namespace so that a later step cannot be refused for them, capabilities are dropped inside the user
// namespace (entering gives all of them there), and the filter is last since it would refuse most steps above it.
func (s *slotServer) script(box *rootfs.Box, spec *jobSpec, r received) (*spawn.Script, error) {
	sc := &spawn.Script{Flags: unix.CLONE_NEWNS | unix.CLONE_NEWIPC}
	if err := joined(sc, r.Group); err != nil {
		return nil, err
	}
	sc.Try("cgroup namespace", unix.SYS_UNSHARE, unix.CLONE_NEWCGROUP)
	if err := mountBox(sc, box); err != nil {
		return nil, fmt.Errorf("mounts: %w", err)
	}
	sc.Do("session", unix.SYS_SETSID)
	streams := uintptr(3)
	if r.Talk {
		streams = 4
	}
	for i := range streams {
		sc.Do("descriptors", unix.SYS_DUP3, stdinFD+i, i)
	}
	sc.Try("close the rest", unix.SYS_CLOSE_RANGE, streams, ^uintptr(0), unix.CLOSE_RANGE_CLOEXEC)
	sc.Do("umask", unix.SYS_UMASK, 0o022)
	dir, err := spawn.KeepString(sc, workDir(spec))
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	sc.Do("working directory", unix.SYS_CHDIR, dir)
	if s.server == nil { // a server set its own when it started, as its interpreter wants them
		resetSignals(sc)
		sc.Try("timer slack", unix.SYS_PRCTL, unix.PR_SET_TIMERSLACK, usualSlack, 0, 0, 0)
	}
	if err := s.limitOne(sc, spec); err != nil {
		return nil, err
	}
	s.dropRights(sc)
	if s.server != nil { // no exec closes them
		sc.Do("close the rest", unix.SYS_CLOSE_RANGE, streams, ^uintptr(0))
	}
	return sc, nil
}

// limitOne sets the limits of each single process.
func (s *slotServer) limitOne(sc *spawn.Script, spec *jobSpec) error {
	limits, err := rlimit.Clamp(rlimit.Of(spec.Limits, spec.Tree))
	if err != nil {
		return err
	}
	for _, l := range limits {
		set := sc.Do
		if s.setup.Around && ownAffair[l.Resource] {
			set = sc.Try
		}
		set("limit of "+l.Name, unix.SYS_PRLIMIT64, 0, uintptr(l.Resource), spawn.Keep(sc, &unix.Rlimit{Cur: l.Soft, Max: l.Max}), 0)
	}
	return nil
}

// descriptors are those that the script names. done closes what was only made for them.
func (s *slotServer) descriptors(box *rootfs.Box, r received) (all []descriptor, done func(), err error) {
	all = []descriptor{{r.fds[fdStdin], stdinFD}, {r.fds[fdStdout], stdoutFD}, {r.fds[fdStderr], stderrFD}, {box.FD(), boxFD}}
	if r.Talk {
		all = append(all, descriptor{r.talk(), talkFD})
	}
	if r.Group > 0 {
		all = append(all, descriptor{r.group()[0], groupFD})
	}
	if s.userNS >= 0 {
		all = append(all, descriptor{s.userNS, userFD})
	}
	if s.abi < 1 {
		return all, func() {}, nil
	}
	rules, err := landlock.New(s.abi, []string{"/"}, box.Folders(), []string{"/dev"})
	if err != nil {
		return nil, nil, err
	}
	return append(all, descriptor{rules, rulesFD}), func() { _ = unix.Close(rules) }, nil // the child has its copy
}

// renumber gives descriptors of this process the numbers of the script. done closes them.
func renumber(all []descriptor) (done func(), err error) {
	var made []int
	done = func() {
		for _, fd := range made {
			_ = unix.Close(fd) // the child has its copy
		}
	}
	for _, d := range all {
		if err := unix.Dup3(d.fd, d.number, unix.O_CLOEXEC); err != nil {
			done()
			return nil, err
		}
		made = append(made, d.number)
	}
	return done, nil
}

// mountBox attaches the box in the child's own mount namespace.
func mountBox(sc *spawn.Script, box *rootfs.Box) error {
	empty, err := spawn.KeepString(sc, "")
	if err != nil {
		return err
	}
	work, err := spawn.KeepString(sc, box.WorkDir)
	if err != nil {
		return err
	}
	atCWD := unix.AT_FDCWD
	sc.Do("attach box", unix.SYS_MOVE_MOUNT, boxFD, empty, uintptr(atCWD), work, unix.MOVE_MOUNT_F_EMPTY_PATH)
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

// ownAffair are limits that guard the host's kernel; gVisor knows no settings for them (pkg/sentry/syscalls/linux/sys_rlimit.go).
var ownAffair = map[int]bool{unix.RLIMIT_MSGQUEUE: true, unix.RLIMIT_SIGPENDING: true, unix.RLIMIT_RTPRIO: true, unix.RLIMIT_NICE: true}

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

// lastCap reads the highest capability that the kernel knows; without that all numbers are tried that there can ever be.
func lastCap() uintptr {
	text, _ := os.ReadFile("/proc/sys/kernel/cap_last_cap") // Linux 3.2
	if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && n > 0 && n < 64 {
		return uintptr(n)
	}
	return 63
}

func (s *slotServer) dropRights(sc *spawn.Script) {
	id := uintptr(s.setup.JobUser)
	if s.userNS >= 0 {
		sc.Do("user namespace", unix.SYS_SETNS, userFD, unix.CLONE_NEWUSER)
		id = JobID
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
	if s.abi >= 1 {
		sc.Do("landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, rulesFD, 0)
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
