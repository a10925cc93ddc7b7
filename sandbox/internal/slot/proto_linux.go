package slot

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
)

// The engine and a slot talk over a SOCK_SEQPACKET pair. A packet is the length of a JSON object (4 bytes, least first), the
// object, and data; descriptors travel beside it. A job whose description and files are larger than a packet brings them in a
// memfd.

const (
	maxPacket = 32 << 10 // far below what a socket takes (net.core.wmem_default)
	maxFDs    = 16
)

// setup is what a slot must know first. It comes as an order "setup" whose memfd, the first descriptor, holds it and the
// data of the server's files. The other descriptors are cgroup files for the threads that start jobs.
type setup struct {
	Root     *rootfs.Root // that the slot builds first; nil where it has been started in one
	Rootless bool         // the job's user is the slot's own
	OwnUsers bool         // jobs enter a user namespace of their own
	JobUser  int          // the job's user as the slot sees it
	Kills    bool         // the engine kills jobs by their cgroup, so no order to kill will come
	Around   bool         // the kernel is the jobs' own, see Config.Around
	Tied     bool         // the slot ends with the engine in any case, see Config.Tied
	Server   *serverSpec  // a warm interpreter for all jobs of the slot
}

type serverSpec struct {
	Args, Env []string
	Files     []rootfs.File // that come into Root
}

// order is a packet from the engine: start a job (with descriptors) or kill it.
type order struct {
	Op    string // setup, run or kill
	Job   int64
	What  *jobSpec // run: the job, whose file data follow in the packet; nil where they are in a memfd
	Spec  int64    // bytes of the description at the start of the memfd; file data follow
	Out   bool
	Talk  bool
	Group int // descriptors of the job's cgroup, see group
}

// Descriptors of a run, in this order; then, each where there is one: a memfd with jobSpec and file data, an empty one for collected
// files, the talk socket, and those of the job's cgroup.
const (
	fdStdin = iota
	fdStdout
	fdStderr
	fdFixed
)

// jobSpec is what the slot must know of a job.
type jobSpec struct {
	Args, Env []string
	Dir       string
	Files     []rootfs.File
	CopyOut   []string
	Limits    sandbox.Limits
	Tree      bool  // nothing but the slot and each process's own limits counts the tree
	Disk      int64 // bytes of the box: the limit, and room for the files that it begins with
	Inodes    int

	// Bounds of the tree that the slot watches itself, where no cgroup does: bytes and nanoseconds; 0 for none.
	TreeMemory, TreeCPU int64
}

// report is a packet from the slot.
type report struct {
	Op    string // ready (slot is set up), started, done, failed
	Job   int64
	Clean bool   // done, failed: nothing of the job is left, and the slot is ready for the next one
	Step  string // failed: where
	Err   string // failed: why; the slot ends after it, except for a program that is not there
	Kind  string // failed: "program" where the program is the cause

	At       int64 // started, done: CLOCK_MONOTONIC in nanoseconds
	Exit     int   // done
	Signal   int   // done
	Killed   bool  // done: by the group
	CPU      int64 // done: nanoseconds of all reaped processes
	MaxRSS   int64 // done: bytes of the largest reaped process
	Full     bool  // done: rootfs.Box.Full
	OverMem  bool  // done: over TreeMemory
	OverCPU  bool  // done: over TreeCPU
	Files    []rootfs.Collected
	Landlock int  // ready: ABI in force
	Proc     bool // ready: /proc is there
}

func send(fd int, packet any, fds ...int) error { return sendData(fd, packet, nil, fds...) }

// sendData is send with data behind the object. It refuses what is larger than a packet with errLarge.
func sendData(fd int, packet any, data [][]byte, fds ...int) error {
	object, err := json.Marshal(packet)
	if err != nil {
		return err
	}
	size := 4 + len(object)
	for _, d := range data {
		size += len(d)
	}
	if size > maxPacket {
		return errLarge
	}
	message := make([]byte, 4, size)
	binary.LittleEndian.PutUint32(message, uint32(len(object)))
	message = append(message, object...)
	for _, d := range data {
		message = append(message, d...)
	}
	return sendmsg(fd, message, fds...)
}

var errLarge = errors.New("too large for a packet")

func sendmsg(fd int, message []byte, fds ...int) (err error) {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	for {
		if err = unix.Sendmsg(fd, message, rights, nil, unix.MSG_NOSIGNAL); err != unix.EINTR {
			return err
		}
	}
}

// mailbox receives packets. It is used by one goroutine at a time.
type mailbox struct {
	fd           int
	data, rights []byte
}

func newMailbox(fd int) *mailbox {
	return &mailbox{fd: fd, data: make([]byte, maxPacket), rights: make([]byte, unix.CmsgSpace(4*maxFDs))}
}

// message reads one message as it is; nil at the end of the connection. It is good until the next one.
func (m *mailbox) message() (message []byte, fds []int, err error) {
	var n, rn int
	for {
		n, rn, _, _, err = unix.Recvmsg(m.fd, m.data, m.rights, unix.MSG_CMSG_CLOEXEC)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil || n == 0 {
		return nil, nil, err
	}
	fds, err = parseRights(m.rights[:rn])
	return m.data[:n], fds, err
}

// receive reads one packet; ok is false at the end of the connection. data is good until the next packet.
func (m *mailbox) receive(packet any) (data []byte, fds []int, ok bool, err error) {
	message, fds, err := m.message()
	if err != nil || message == nil {
		return nil, nil, false, err
	}
	if len(message) < 4 {
		return nil, fds, false, errors.New("short packet")
	}
	size := int(binary.LittleEndian.Uint32(message))
	if size > len(message)-4 {
		return nil, fds, false, errors.New("broken packet")
	}
	return message[4+size:], fds, true, json.Unmarshal(message[4:4+size], packet)
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
