package slot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

// A slot with a server (see sandbox.Server) starts it once, as its own child with its own rights, and lets it fork the jobs: the
// walls are the same script, walked by the server's child instead of a child of the slot. CLONE_PARENT makes that child
// the slot's, so everything after the start is as with any job, but for two things. kill(-1) would end the server, so a warm
// job is killed by its v2 cgroup, which warm slots must have. And the server's only thread joins the v1 groups, like the slot's own
// starting thread, after it has loaded everything: what it had used by then stays charged to the slot.

// server is the slot's side of a fork server.
type server struct {
	in      *mailbox // our end of its socket
	pid     int
	repeats bool  // it can do the calls of the job before again
	sent    *plan // that it remembers
}

const serverDeadline = 30 // seconds to load everything, and for an answer

// startServer runs on the slot's main thread, outside of the jobs' groups.
func startServer(spec *serverSpec) (*server, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(pair[1]) }() // the server has its copy
	if err := unix.SetsockoptTimeval(pair[0], unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: serverDeadline}); err != nil {
		return nil, err
	}
	program, err := findProgram(&jobSpec{Args: spec.Args, Env: spec.Env})
	if err != nil {
		return nil, err
	}
	high, err := unix.FcntlInt(uintptr(pair[1]), unix.F_DUPFD_CLOEXEC, reportFD)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(high) }() // the server has its copy
	sc := &spawn.Script{Path: program, Argv: spec.Args, Env: spec.Env}
	sc.Do("session", unix.SYS_SETSID)
	sc.Do("socket", unix.SYS_DUP3, uintptr(high), sandbox.ServerFD)
	sc.Try("timer slack", unix.SYS_PRCTL, unix.PR_SET_TIMERSLACK, usualSlack, 0, 0, 0)
	resetSignals(sc)
	s := &server{in: newMailbox(pair[0])}
	if s.pid, err = spawn.Start(sc); err != nil {
		return nil, err
	}
	var ready struct{ Ready, Repeats bool }
	if err := s.read(&ready); err != nil || !ready.Ready {
		return nil, fmt.Errorf("server is not ready: %w", err)
	}
	s.repeats = ready.Repeats
	return s, nil
}

func (s *server) read(answer any) error {
	message, _, err := s.in.message()
	if err != nil || message == nil {
		return errors.Join(err, errors.New("no answer"))
	}
	return json.Unmarshal(message, answer)
}

func (s *server) write(order any, fds ...int) error {
	message, err := json.Marshal(order)
	if err != nil {
		return err
	}
	return sendmsg(s.in.fd, message, fds...)
}

// join makes the server's thread a member of the v1 groups.
func (s *server) join(threads []int) error {
	if err := s.write(map[string]int{"join": len(threads)}, threads...); err != nil {
		return err
	}
	var joined struct{ Joined bool }
	if err := s.read(&joined); err != nil || !joined.Joined {
		return fmt.Errorf("server did not join its groups: %w", err)
	}
	return nil
}

// fork lets the server start a job. The child's report is awaited before the answer: once it is there, so is the answer.
func (s *server) fork(p *plan, spec *jobSpec, fds []descriptor) (int, error) {
	var report [2]int
	if err := unix.Pipe2(report[:], unix.O_CLOEXEC); err != nil {
		return 0, err
	}
	order := p.script.Port(reportFD)
	order.Args, order.Env = spec.Args, spec.Env
	if !s.repeats || s.sent != p {
		order.Calls = p.calls
	}
	send := []int{report[1]}
	order.FDs = []int{reportFD}
	for _, d := range fds {
		send, order.FDs = append(send, d.fd), append(order.FDs, d.number)
	}
	err := s.write(order, send...)
	_ = unix.Close(report[1]) // the child's copy counts
	if err != nil {
		_ = unix.Close(report[0]) // nobody reports
		return 0, err
	}
	failed := spawn.Report(report[0], p.script)
	var answer struct {
		PID   int
		Error string
	}
	if err := s.read(&answer); err != nil {
		return 0, err
	}
	if answer.PID <= 0 {
		return 0, fmt.Errorf("server: %s", answer.Error)
	}
	s.sent = p
	return answer.PID, failed
}

// killGroup ends what is left of a warm job by its v2 group, and waits until it is empty, reaping what becomes the slot's on the way. It
// fails where the server has died, too.
func (s *server) killGroup(g group) (killed bool, err error) {
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 5*time.Millisecond) {
		events, err := g.events()
		if err != nil {
			return killed, err
		}
		if strings.Contains(events, "populated 0") {
			return killed, s.reap()
		}
		if !killed {
			killed = true
			if err := g.kill(); err != nil {
				return killed, fmt.Errorf("kill: %w", err)
			}
			continue
		}
		if err := s.reap(); err != nil {
			return killed, err
		}
		time.Sleep(wait)
	}
}

// reap takes what has ended. It fails where the server has, too.
func (s *server) reap() error {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case pid == s.pid || err == unix.ECHILD:
			return errors.New("the server has ended")
		case pid <= 0 && err != unix.EINTR:
			return nil
		}
	}
}
