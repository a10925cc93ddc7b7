package namespace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
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
const slotSlack = 1_000_000 // nanoseconds

const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// newSlot starts a slot process and waits until it has built its root.
func (n *Namespace) newSlot(root *rootfs.Root, uid int, server *sandbox.Server) (*slot.Slot, error) {
	control, child, err := slot.Pair()
	if err != nil {
		return nil, err
	}
	defer func() { _ = child.Close() }() // the slot has its copy
	group, err := n.host.Layout.New(n.host.Name("slot"))
	if err != nil {
		return nil, errors.Join(err, control.Close())
	}
	p, err := n.launch(child)
	if err != nil {
		return nil, errors.Join(err, control.Close(), group.Remove(time.Now())) // nobody was in it
	}
	return slot.New(context.Background(), &n.host, control, slot.Config{
		Root: root, Rootless: n.rootless, OwnUsers: true, JobUser: uid, Kills: n.kills, Opens: true, Tied: true, Server: server,
		Group: group, End: p.end, Words: p.stderr.String,
	})
}

// process is a slot process, seen from the engine.
type process struct {
	*os.Process
	reaped chan struct{}
	stderr *slot.Words
}

func (n *Namespace) launch(child *os.File) (*process, error) {
	args, err := sandbox.StageArgs(slot.Stage)
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = null.Close() }() // the slot has its copy
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = errWrite.Close() }() // the slot has its copy
	sys := &syscall.SysProcAttr{Cloneflags: namespaces, Pdeathsig: syscall.SIGKILL, Setsid: true}
	if n.rootless {
		sys.Cloneflags |= unix.CLONE_NEWUSER
		sys.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		sys.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	attr := &os.ProcAttr{Files: []*os.File{null, null, errWrite, child}, Env: []string{"GOMAXPROCS=2", "GOGC=200", "GORACE=atexit_sleep_ms=0"}, Sys: sys, Dir: "/"}
	started, err := n.spawner.start("/proc/self/exe", args, attr)
	if err != nil {
		_ = errRead.Close() // unused
		return nil, fmt.Errorf("start slot: %w", err)
	}
	p := &process{started, make(chan struct{}), slot.Hear(errRead)}
	go func() {
		_, _ = p.Wait() // how it ended shows in its reports and on its standard error
		close(p.reaped)
	}()
	return p, nil
}

// end ends the process, and with it everything in its namespaces, and waits until the kernel has taken it away.
func (p *process) end() {
	_ = p.Kill() // it may have ended by itself
	<-p.reaped
	p.stderr.Finish()
}
