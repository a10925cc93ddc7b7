package slot

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/landlock"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/seccomp"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

const controlFD = 3 // of the slot process

// Stage is the name of the stage that serves the engine at descriptor 3. It is registered here and not by a backend, so that a slot
// starts before what a backend needs besides is initialised.
const Stage = "slot"

func init() {
	sandbox.RegisterStage(Stage, serveEngine)
}

// JobID is the user and group of a job as it sees itself.
const JobID = 1000

// slotServer is the slot process.
type slotServer struct {
	setup   setup
	userNS  int // descriptor of the jobs' user namespace
	filter  []seccomp.Inst
	abi     int
	current atomic.Int64 // job that may be killed; 0 while there is none
	in      *mailbox
	orders  chan received
	server  *server // nil in most slots
	planned *plan   // of the job before; nil before the first
	lastCap uintptr // highest capability of the kernel
}

type received struct {
	order
	fds  []int
	data []byte // behind the order; good until the next one
}

// group is the last of the descriptors.
func (r received) group() group { return r.fds[len(r.fds)-r.Group:] }

func (r received) talk() int { return r.optional(r.Talk, r.large(), r.Out) }
func (r received) out() int  { return r.optional(r.Out, r.large()) }

// description is the descriptor of the memfd with the job's description, 0 where that came in the order.
func (r received) description() int { return r.optional(r.large()) }
func (r received) large() bool      { return r.What == nil }

// optional gives a descriptor that comes after those named by before, as far as they came; 0 where it did not come.
func (r received) optional(came bool, before ...bool) int {
	at := fdFixed
	for _, b := range before {
		if b {
			at++
		}
	}
	if !came || at >= len(r.fds) {
		return 0
	}
	return r.fds[at]
}

// outFile writes to a descriptor without owning it.
type outFile int

func (f outFile) Write(p []byte) (int, error) { return unix.Write(int(f), p) }

// serveEngine is the stage. Errors before the first job are sent as a report.
func serveEngine() error {
	runtime.LockOSThread() // the thread that carries the parent-death signal is the one that stays
	signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGPIPE, unix.SIGXFSZ, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU)
	s := &slotServer{orders: make(chan received), in: newMailbox(controlFD)}
	var o order
	_, threads, ok, err := s.in.receive(&o)
	if err != nil || !ok {
		return err
	}
	if len(threads) == 0 {
		return errors.New("setup without a description")
	}
	ready, step, err := s.prepare(o.Spec, threads[0])
	threads = threads[1:]
	if err != nil {
		return send(controlFD, report{Op: "failed", Step: step, Err: err.Error()})
	}
	switch {
	case !s.setup.Kills:
		go s.listen()
	case !s.setup.Tied:
		go leaveWithEngine()
	}
	served := make(chan error)
	go func() { served <- s.serveAll(ready, threads) }()
	return <-served
}

// serveAll runs on a thread of its own: the one that is a member of the jobs' v1 cgroups, and that forks them.
func (s *slotServer) serveAll(ready report, threads []int) error {
	runtime.LockOSThread() // never unlocked: nothing else may run in those groups
	if s.server != nil {
		if err := s.server.join(threads); err != nil {
			return send(controlFD, report{Op: "failed", Step: "server", Err: err.Error()})
		}
	}
	for _, fd := range threads {
		if _, err := unix.Write(fd, []byte("0")); err != nil {
			return send(controlFD, report{Op: "failed", Step: "join cgroup", Err: err.Error()})
		}
		_ = unix.Close(fd) // written
	}
	if err := send(controlFD, ready); err != nil {
		return err
	}
	for {
		r, ok, err := s.next()
		if err != nil || !ok {
			return err
		}
		if err := s.serve(r); err != nil {
			return err
		}
	}
}

// next waits for a job. Where no order to kill can come in between, the serving thread reads orders itself: waking another
// one for each would cost more than the rest of the conversation.
func (s *slotServer) next() (r received, ok bool, err error) {
	if !s.setup.Kills {
		r, ok = <-s.orders
		return r, ok, nil
	}
	for r.Op != "run" {
		r = received{}
		if r.data, r.fds, ok, err = s.in.receive(&r.order); err != nil || !ok {
			return r, false, err
		}
	}
	return r, true, nil
}

func (s *slotServer) prepare(size int64, fd int) (ready report, step string, err error) {
	in := os.NewFile(uintptr(fd), "setup")
	defer func() { _ = in.Close() }() // memory only
	data, err := decode(in, size, &s.setup)
	if err != nil {
		return ready, "setup", err
	}
	s.lastCap = lastCap()
	hasProc, err := s.build(data)
	if err != nil {
		return ready, "root", err
	}
	if s.filter, err = seccomp.Filter(runtime.GOARCH); err != nil {
		return ready, "filter", err
	}
	if s.userNS, err = s.makeUserNS(hasProc && s.setup.OwnUsers); err != nil {
		return ready, "user namespace of jobs", err
	}
	if err := rootfs.LockProc(hasProc); err != nil {
		return ready, "lock /proc", err
	}
	// From here on /proc/1 belongs to root of the host, also where slot and job are the same user.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return ready, "undumpable", err
	}
	s.abi = landlock.ABI()
	if s.setup.Server != nil {
		if s.server, err = startServer(s.setup.Server); err != nil {
			return ready, "server", err
		}
	}
	return report{Op: "ready", Landlock: s.abi, Proc: hasProc}, "", nil
}

// build makes the root where that is for the slot to do, and tells whether it has a /proc.
func (s *slotServer) build(data io.Reader) (hasProc bool, err error) {
	if s.setup.Root == nil {
		_, err := os.Stat("/proc/self/stat")
		return err == nil, nil
	}
	var files []rootfs.File
	if s.setup.Server != nil {
		files = s.setup.Server.Files
	}
	return rootfs.Build(*s.setup.Root, files, data)
}

// makeUserNS makes the namespace that jobs enter, by way of a child that only holds it open. Its maps are written through /proc.
func (s *slotServer) makeUserNS(wanted bool) (int, error) {
	if !wanted {
		return -1, nil
	}
	var hold [2]int
	if err := unix.Pipe2(hold[:], unix.O_CLOEXEC); err != nil {
		return -1, err
	}
	defer func() { _ = unix.Close(hold[0]) }() // a pipe without data
	script := &spawn.Script{Flags: unix.CLONE_NEWUSER}
	var b [8]byte
	script.Do("close", unix.SYS_CLOSE, uintptr(hold[1]))
	script.Do("wait", unix.SYS_READ, uintptr(hold[0]), spawn.Keep(script, &b), 1)
	pid, err := spawn.Fork(script)
	if err != nil {
		_ = unix.Close(hold[1]) // a pipe without data
		return -1, err
	}
	defer reapAll()
	defer func() { _ = unix.Close(hold[1]) }() // ends the child
	proc := fmt.Sprintf("/proc/%d/", pid)
	line := fmt.Appendf(nil, "%d %d 1\n", JobID, s.setup.JobUser)
	if s.setup.Rootless {
		if err := os.WriteFile(proc+"setgroups", []byte("deny"), 0); err != nil {
			return -1, err
		}
	}
	if err := errors.Join(os.WriteFile(proc+"uid_map", line, 0), os.WriteFile(proc+"gid_map", line, 0)); err != nil {
		return -1, err
	}
	return unix.Open(proc+"ns/user", unix.O_RDONLY|unix.O_CLOEXEC, 0)
}

// leaveWithEngine waits for the end of the connection, which no data wake it for, and ends every process of the container.
func leaveWithEngine() {
	hangUp := []unix.PollFd{{Fd: controlFD}}
	for {
		if n, err := unix.Poll(hangUp, -1); n > 0 || err != nil && err != unix.EINTR {
			os.Exit(0)
		}
	}
}

func reapAll() {
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// listen takes packets from the engine. A kill is obeyed at once, while serve waits for the job. The end of the
// connection is the end of the engine: leaving ends every process of the namespace.
func (s *slotServer) listen() {
	for {
		var o order
		data, fds, ok, err := s.in.receive(&o)
		switch {
		case err != nil || !ok:
			os.Exit(0)
		case o.Op == "run":
			s.orders <- received{o, fds, slices.Clone(data)}
		case o.Op == "kill" && o.Job == s.current.Load():
			if s.server == nil { // a warm job's group has been killed by the engine
				_ = unix.Kill(-1, unix.SIGKILL) // ESRCH: all gone
			}
		}
	}
}
