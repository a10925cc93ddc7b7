package slot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
)

// Host is what the slots of one backend share on the engine's side.
type Host struct {
	Layout *cgroup.Layout
	Owner  string       // prefix of names for cgroups, from cgroup.Owner
	Caps   sandbox.Caps // set before the first Run
	named  atomic.Int64
	lifted atomic.Int64 // jobs that have more than the usual weight; see lift
}

// Name makes a name that says whose it is.
func (h *Host) Name(what string) string { return fmt.Sprintf("%s%s%d", h.Owner, what, h.named.Add(1)) }

// Slot is the engine's side of a slot. One job at a time uses it.
type Slot struct {
	Landlock int  // ABI in force; 0 for none
	Proc     bool // jobs have a /proc

	host    *Host
	control *os.File
	in      *mailbox // what the slot reports; used by one goroutine at a time
	group   *cgroup.Group
	kills   bool // setup.Kills
	config  Config
}

// Config is how a slot is started.
type Config struct {
	// Root is what the slot builds for its jobs, with the server's files; nil where the slot has been started in one that holds them.
	Root *rootfs.Root

	Rootless bool // the slot's user and the job's are one
	OwnUsers bool // jobs enter a user namespace of their own, in which JobUser is JobID; where there is no /proc they cannot
	JobUser  int  // user and group of its jobs, as the slot sees them
	Kills    bool // jobs are killed by their cgroup
	Opens    bool // the slot may open files of cgroups: jobs are born in theirs
	Server   *sandbox.Server

	// Tied says that the kernel ends the slot with the engine. Else it ends itself when the connection does, and ends its job when
	// the engine does not.
	Tied bool

	// Around says that the slot and its jobs are all in Group, which has begun: the job's kernel is not the host's, so that a
	// process of the job is nothing that the host could put into a group.
	Around bool

	Group *cgroup.Group // of its jobs; the slot removes it at its end
	End   func()        // ends all processes of the slot and waits until they are gone and all words are heard; may be called more than once
	Words func() string // what the slot process said on standard error
}

const (
	startDeadline = 30 * time.Second // a slot needs 3 ms; this is for a machine at its limits
	killDeadline  = 3 * time.Second  // after which the slot process itself is killed
)

// Pair makes the socket between engine and slot. The caller hands child to the slot process as descriptor 3, and closes it.
func Pair() (control, child *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socket pair: %w", err)
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		_, _ = unix.Close(pair[0]), unix.Close(pair[1]) // unused
		return nil, nil, fmt.Errorf("socket pair: %w", err)
	}
	return os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "slot"), nil
}

// New tells a slot process what it must know, and waits until it is ready. The Slot owns control. On an error the slot has been
// ended.
func New(ctx context.Context, h *Host, control *os.File, c Config) (*Slot, error) {
	s := &Slot{host: h, control: control, group: c.Group, kills: c.Kills, config: c}
	if err := s.setup(); err != nil {
		return nil, s.abort(err)
	}
	_ = control.SetReadDeadline(time.Now().Add(startDeadline)) // sockets support it
	stop := context.AfterFunc(ctx, func() { _ = control.SetReadDeadline(time.Now()) })
	defer stop()
	rep, err := s.receive()
	switch {
	case ctx.Err() != nil:
		return nil, s.abort(context.Cause(ctx))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, s.abort(fmt.Errorf("slot: not ready after %v: %w", startDeadline, sandbox.ErrMachine))
	case err != nil:
		return nil, s.abort(fmt.Errorf("slot ended while starting: %w: %s", err, s.lastWords()))
	case rep.Op != "ready":
		return nil, s.abort(fmt.Errorf("slot: %s: %s", rep.Step, rep.Err))
	}
	s.Landlock, s.Proc = rep.Landlock, rep.Proc
	return s, nil
}

func (s *Slot) setup() error {
	set, files, err := s.config.setup()
	if err != nil {
		return err
	}
	description, size, err := pack(set, files)
	if err != nil {
		return err
	}
	defer func() { _ = description.Close() }() // the slot has its copy
	var threads []*os.File
	if !s.config.Around {
		if threads, err = s.group.Threads(); err != nil {
			return err
		}
	}
	fds := []int{int(description.Fd())}
	for _, f := range threads {
		defer func() { _ = f.Close() }() // the slot has its copy
		fds = append(fds, int(f.Fd()))
	}
	return s.send(order{Op: "setup", Spec: size}, fds...)
}

// setup is what the slot must know, with the files that come into its root.
func (c *Config) setup() (setup, []sandbox.File, error) {
	set := setup{
		Root: c.Root, Rootless: c.Rootless, OwnUsers: c.OwnUsers, JobUser: c.JobUser, Kills: c.Kills, Around: c.Around, Tied: c.Tied,
	}
	srv := c.Server
	if srv == nil {
		return set, nil, nil
	}
	set.Server = &serverSpec{Args: srv.Args, Env: srv.Env}
	if c.Root == nil {
		return set, nil, nil
	}
	for _, f := range srv.Files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return set, nil, err
		}
		set.Server.Files = append(set.Server.Files, rootfs.File{Name: rel, Size: int64(len(f.Data))})
	}
	return set, srv.Files, nil
}

// lastWords are those of a slot that has ended by itself.
func (s *Slot) lastWords() string {
	s.config.End() // so that all of them are there
	return s.config.Words()
}

func (s *Slot) abort(err error) error {
	s.Close()
	return err
}

// Close ends the slot and everything in its container. It may be called more than once.
func (s *Slot) Close() {
	_ = s.control.Close() // the order to end; closed already by an earlier call
	s.config.End()
	_ = s.group.Remove(time.Now().Add(2 * time.Second)) // what is left then is swept by the next start
}

// send writes a packet, waiting for room where the socket is full.
func (s *Slot) send(packet any, fds ...int) error { return s.sendData(packet, nil, fds...) }

func (s *Slot) sendData(packet any, data [][]byte, fds ...int) error {
	raw, err := s.control.SyscallConn()
	if err != nil {
		return err
	}
	var sent error
	err = raw.Write(func(fd uintptr) bool {
		sent = sendData(int(fd), packet, data, fds...)
		return !errors.Is(sent, unix.EAGAIN)
	})
	return errors.Join(err, sent)
}

// receive waits for the next report. Its error is io.EOF where the slot process is gone, and wraps os.ErrDeadlineExceeded at the
// deadline of control.
func (s *Slot) receive() (rep report, err error) {
	raw, err := s.control.SyscallConn()
	if err != nil {
		return rep, err
	}
	var ok bool
	var got error
	err = raw.Read(func(fd uintptr) bool {
		if s.in == nil {
			s.in = newMailbox(int(fd))
		}
		_, _, ok, got = s.in.receive(&rep)
		return !errors.Is(got, unix.EAGAIN)
	})
	switch {
	case err != nil || got != nil:
		return rep, errors.Join(err, got)
	case !ok:
		return rep, io.EOF
	}
	return rep, nil
}

// Enforced tells what the kernel counts and ends for this slot's jobs: processor time of a tree, own time, and whether a tree can be
// killed at once.
func (s *Slot) Enforced() (cpu, ownTime, kills bool) {
	if s.config.Around {
		_, cpu = s.group.CPU()
		_, ownTime = s.group.Stalled()
		return cpu, ownTime, false
	}
	if _, err := s.group.Begin(s.host.Name("probe"), cgroup.Limits{}); err != nil {
		return false, false, false
	}
	_, cpu = s.group.CPU()
	_, ownTime = s.group.Stalled()
	kills = s.group.Kill()
	if s.group.End(time.Now().Add(time.Second)) != nil {
		return false, false, false
	}
	return cpu, ownTime, kills
}
