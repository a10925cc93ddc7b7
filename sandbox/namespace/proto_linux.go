package namespace

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox/internal/rlimit"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
)

// The engine and a slot talk over a SOCK_SEQPACKET pair: one JSON object a packet, descriptors beside it. What can be
// large (arguments, environment, files) travels in a memfd.

const (
	maxPacket = 4096
	maxFDs    = 16
)

// setup is what a slot must know first. It comes as an order "setup" whose memfd, the first descriptor, holds it and the
// data of the server's files. The other descriptors are cgroup files for the threads that start jobs.
type setup struct {
	Root     rootfs.Root
	Rootless bool
	JobUser  int         // the job's user as the slot sees it
	Kills    bool        // the engine kills jobs by their cgroup, so no order to kill will come
	Server   *serverSpec // a warm interpreter for all jobs of the slot
}

type serverSpec struct {
	Args, Env []string
	Files     []rootfs.File
}

// order is a packet from the engine: start a job (with descriptors) or kill it.
type order struct {
	Op    string // setup, run or kill
	Job   int64
	Spec  int64 // bytes of jobSpec at the start of the memfd; file data follow
	Out   bool
	Talk  bool
	Group bool
}

// Descriptors of a run, in this order; then, each where there is one: an empty memfd for collected files, the talk socket, the
// cgroup to be born in.
const (
	fdStdin = iota
	fdStdout
	fdStderr
	fdIn // memfd with jobSpec and file data
	fdFixed
)

// jobSpec is what the slot must know of a job.
type jobSpec struct {
	Args, Env []string
	Dir       string
	Files     []rootfs.File
	CopyOut   []string
	Rlimits   []rlimit.Limit
	Disk      int64
	Inodes    int
	MaxFile   int64

	// Bounds of the tree that the slot watches itself, where no cgroup does: bytes and nanoseconds; 0 for none.
	TreeMemory, TreeCPU int64
}

// report is a packet from the slot.
type report struct {
	Op   string // ready (slot is set up), started, done, clean, failed
	Job  int64
	Step string // failed: where
	Err  string // failed: why; the slot ends after it, except for a program that is not there
	Kind string // failed: "program" where the program is the cause

	At       int64 // started, done: CLOCK_MONOTONIC in nanoseconds
	Exit     int   // done
	Signal   int   // done
	CPU      int64 // done: nanoseconds of all reaped processes
	MaxRSS   int64 // done: bytes of the largest reaped process
	Full     bool  // done: rootfs.Box.Full
	OverMem  bool  // done: over TreeMemory
	OverCPU  bool  // done: over TreeCPU
	Files    []rootfs.Collected
	Landlock int  // ready: ABI in force
	Proc     bool // ready: /proc is there
}

func send(fd int, packet any, fds ...int) error {
	data, err := json.Marshal(packet)
	if err != nil {
		return err
	}
	if len(data) > maxPacket {
		return fmt.Errorf("packet of %d bytes", len(data))
	}
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	for {
		err = unix.Sendmsg(fd, data, rights, nil, unix.MSG_NOSIGNAL)
		if err != unix.EINTR {
			return err
		}
	}
}

// receive reads one packet; ok is false at the end of the connection.
func receive(fd int, packet any) (fds []int, ok bool, err error) {
	data, rights := make([]byte, maxPacket), make([]byte, unix.CmsgSpace(4*maxFDs))
	var n, rn int
	for {
		n, rn, _, _, err = unix.Recvmsg(fd, data, rights, unix.MSG_CMSG_CLOEXEC)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return nil, false, err
	}
	if n == 0 {
		return nil, false, nil
	}
	if fds, err = parseRights(rights[:rn]); err != nil {
		return nil, false, err
	}
	return fds, true, json.Unmarshal(data[:n], packet)
}

func parseRights(rights []byte) ([]int, error) {
	if len(rights) == 0 {
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, err
	}
	var fds []int
	for _, m := range messages {
		got, err := unix.ParseUnixRights(&m)
		if err != nil {
			return nil, err
		}
		fds = append(fds, got...)
	}
	return fds, nil
}

// memfd makes an anonymous file.
func memfd(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL { // before Linux 6.3
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("memfd: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
