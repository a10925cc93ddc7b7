package namespace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/cgroup"
)

// slot is the engine's side of a slot process. One job at a time uses it.
type slot struct {
	key     string // of its root
	uid     int    // of its jobs on the host; 0 where the engine is not root
	control *os.File
	process *os.Process
	in      *mailbox // what the slot reports; used by one goroutine at a time
	reaped  chan struct{}
	stderr  *tail
	ready   report
	group   *cgroup.Group
	kills   bool // setup.Kills
}

const (
	startDeadline = 30 * time.Second // a slot needs 3 ms; this is for a machine at its limits
	killDeadline  = 3 * time.Second  // after which the slot process itself is killed
)

// spawner starts slot processes from one thread that lives as long as the Sandbox: the kernel delivers the parent-death
// signal when the starting thread ends, and ordinary goroutines change threads (prctl(2), PR_SET_PDEATHSIG). Slots also inherit the
// thread's timer slack.
type spawner struct {
	jobs chan func()
	done chan struct{}
}

func newSpawner() *spawner {
	s := &spawner{jobs: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread()                                     // never unlocked: the thread ends with the goroutine
		_ = unix.Prctl(unix.PR_SET_TIMERSLACK, slotSlack, 0, 0, 0) // without it slots only cost more
		for f := range s.jobs {
			f()
		}
	}()
	return s
}

func (s *spawner) start(path string, args []string, attr *os.ProcAttr) (p *os.Process, err error) {
	finished := make(chan struct{})
	s.jobs <- func() {
		defer close(finished)
		p, err = os.StartProcess(path, args, attr)
	}
	<-finished
	return p, err
}

func (s *spawner) close() {
	close(s.jobs)
	<-s.done
}

// A slot mostly waits in system calls, and the Go runtime's monitor looks after each such thread fifty times a millisecond at first
// (runtime/proc.go, sysmon): with the usual timer slack of 0.05 ms a third of a slot's processor time. Jobs get the usual one back.
const (
	slotSlack  = 1_000_000 // nanoseconds
	usualSlack = 50_000
)

const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// newSlot starts a slot process and waits until it has built its root.
func (n *Namespace) newSlot(key string, set setup, files []sandbox.File) (*slot, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket pair: %w", err)
	}
	child := os.NewFile(uintptr(pair[1]), "slot")
	defer func() { _ = child.Close() }() // the slot has its copy
	if err := unix.SetNonblock(pair[0], true); err != nil {
		_ = unix.Close(pair[0]) // unused
		return nil, fmt.Errorf("socket pair: %w", err)
	}
	s := &slot{key: key, kills: set.Kills, uid: set.JobUser, control: os.NewFile(uintptr(pair[0]), "control"), reaped: make(chan struct{})}
	if s.group, err = n.layout.New(n.nextName("slot")); err != nil {
		_ = s.control.Close() // nobody is at the other end
		return nil, err
	}
	if err := s.launch(n, child); err != nil {
		_, _ = s.control.Close(), s.group.Remove(time.Now()) // nobody is at the other end, or was in the group
		return nil, err
	}
	if err := s.sendSetup(set, files); err != nil {
		return nil, s.abort(fmt.Errorf("slot: %w", err))
	}
	_ = s.control.SetReadDeadline(time.Now().Add(startDeadline)) // sockets support it
	rep, err := s.receive()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, s.abort(fmt.Errorf("slot: not ready after %v: %w", startDeadline, sandbox.ErrMachine))
	case err != nil:
		return nil, s.abort(fmt.Errorf("slot ended while starting: %w: %s", err, s.stderr))
	case rep.Op != "ready":
		return nil, s.abort(fmt.Errorf("slot: %s: %s", rep.Step, rep.Err))
	}
	s.ready = rep
	return s, nil
}

func (s *slot) sendSetup(set setup, files []sandbox.File) error {
	description, size, err := pack(set, files)
	if err != nil {
		return err
	}
	defer func() { _ = description.Close() }() // the slot has its copy
	threads, err := s.group.Threads()
	if err != nil {
		return err
	}
	fds := []int{int(description.Fd())}
	for _, f := range threads {
		defer func() { _ = f.Close() }() // the slot has its copy
		fds = append(fds, int(f.Fd()))
	}
	return s.send(order{Op: "setup", Spec: size}, fds...)
}

func (s *slot) launch(n *Namespace, child *os.File) error {
	args, err := sandbox.StageArgs(stageName)
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }() // the slot has its copy
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = errWrite.Close() }() // the slot has its copy
	sys := &syscall.SysProcAttr{Cloneflags: namespaces, Pdeathsig: syscall.SIGKILL, Setsid: true}
	if n.rootless {
		sys.Cloneflags |= unix.CLONE_NEWUSER
		sys.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		sys.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	attr := &os.ProcAttr{Files: []*os.File{null, null, errWrite, child}, Env: []string{"GOMAXPROCS=2", "GOGC=200", "GORACE=atexit_sleep_ms=0"}, Sys: sys, Dir: "/"}
	if s.process, err = n.spawner.start("/proc/self/exe", args, attr); err != nil {
		_ = errRead.Close() // unused
		return fmt.Errorf("start slot: %w", err)
	}
	s.stderr = startTail(errRead)
	go func() {
		_, _ = s.process.Wait() // how it ended shows in its reports and on its standard error
		close(s.reaped)
	}()
	return nil
}

func (s *slot) abort(err error) error {
	s.close()
	return err
}

// send writes a packet, waiting for room where the socket is full.
func (s *slot) send(packet any, fds ...int) error { return s.sendData(packet, nil, fds...) }

func (s *slot) sendData(packet any, data [][]byte, fds ...int) error {
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
func (s *slot) receive() (rep report, err error) {
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

// close ends the slot process, and with it everything in its namespaces, and waits until the kernel has taken it away.
func (s *slot) close() {
	_ = s.process.Kill() // it may have ended by itself
	<-s.reaped
	_ = s.control.Close() // nobody is at the other end
	s.stderr.finish()
	_ = s.group.Remove(time.Now().Add(2 * time.Second)) // what is left then is swept by the next New
}

// tail keeps the last bytes that a slot process wrote on standard error: the panic of a broken invariant.
type tail struct {
	file *os.File
	done chan struct{}
	mu   sync.Mutex // guards data
	data []byte
}

func startTail(f *os.File) *tail {
	t := &tail{file: f, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		buf := make([]byte, 4096)
		for {
			n, err := f.Read(buf)
			t.mu.Lock()
			t.data = append(t.data, buf[:n]...)
			t.data = t.data[max(0, len(t.data)-4096):]
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return t
}

func (t *tail) finish() {
	_ = t.file.SetReadDeadline(time.Now().Add(time.Second)) // its only writer is dead
	<-t.done
	_ = t.file.Close() // read to its end
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
