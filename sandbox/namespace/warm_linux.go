package namespace

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

// A slot with a server (see sandbox.Server) starts it once, as its own child with its own rights, and lets it fork the jobs: the
// walls are the same script, walked by the server's child instead of a child of the slot. CLONE_PARENT makes that child
// the slot's, so everything after the start is as with any job, but for two things. kill(-1) would end the server, so a warm
// job is killed by its v2 cgroup, which warm slots must have. And the server's only thread joins the v1 groups, like the slot's own
// starting thread, after it has loaded everything: what it had used by then stays charged to the slot.

// server is the slot's side of a fork server.
type server struct {
	control int // our end of its socket
	pid     int
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
	high, err := unix.FcntlInt(uintptr(pair[1]), unix.F_DUPFD_CLOEXEC, highFD)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(high) }() // the server has its copy
	sc := &spawn.Script{Path: program, Argv: spec.Args, Env: spec.Env}
	sc.Do("session", unix.SYS_SETSID)
	sc.Do("socket", unix.SYS_DUP3, uintptr(high), sandbox.ServerFD)
	resetSignals(sc)
	s := &server{control: pair[0]}
	if s.pid, err = spawn.Start(sc); err != nil {
		return nil, err
	}
	var ready struct{ Ready bool }
	if err := s.read(&ready); err != nil || !ready.Ready {
		return nil, fmt.Errorf("server is not ready: %w", err)
	}
	return s, nil
}

func (s *server) read(answer any) error {
	if _, ok, err := receive(s.control, answer); err != nil || !ok {
		return errors.Join(err, errors.New("no answer"))
	}
	return nil
}

// join makes the server's thread a member of the v1 groups.
func (s *server) join(threads []int) error {
	if err := send(s.control, map[string]int{"join": len(threads)}, threads...); err != nil {
		return err
	}
	var joined struct{ Joined bool }
	if err := s.read(&joined); err != nil || !joined.Joined {
		return fmt.Errorf("server did not join its groups: %w", err)
	}
	return nil
}

// fork lets the server start a job. The descriptors of the script keep their numbers.
func (s *server) fork(sc *spawn.Script, fds []int) (int, error) {
	var report [2]int
	if err := unix.Pipe2(report[:], unix.O_CLOEXEC); err != nil {
		return 0, err
	}
	high, err := unix.FcntlInt(uintptr(report[1]), unix.F_DUPFD_CLOEXEC, highFD)
	_ = unix.Close(report[1]) // the copy counts
	if err != nil {
		_ = unix.Close(report[0]) // unused
		return 0, err
	}
	p := sc.Port(high)
	p.FDs = append(append([]int{}, fds...), high)
	err = sendLarge(s.control, p, p.FDs...)
	_ = unix.Close(high) // the child's copy counts
	var answer struct {
		PID   int
		Error string
	}
	if err == nil {
		err = s.read(&answer)
	}
	if err == nil && answer.PID <= 0 {
		err = fmt.Errorf("server: %s", answer.Error)
	}
	if err != nil {
		_ = unix.Close(report[0]) // nobody reports
		return 0, err
	}
	return answer.PID, spawn.Report(report[0], sc)
}

// sendLarge is send for packets of up to what a socket takes.
func sendLarge(fd int, packet any, fds ...int) error {
	data, err := json.Marshal(packet)
	if err != nil {
		return err
	}
	return unix.Sendmsg(fd, data, unix.UnixRights(fds...), nil, unix.MSG_NOSIGNAL)
}

// killGroup ends a warm job's tree by its v2 group, and waits until it is empty, reaping what becomes the slot's on the way. It
// fails where the server has died, too.
func (s *server) killGroup(group int) error {
	if err := writeAt(group, "cgroup.kill", "1"); err != nil {
		return fmt.Errorf("kill: %w", err)
	}
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 5*time.Millisecond) {
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if pid == s.pid || err == unix.ECHILD {
				return errors.New("the server has ended")
			}
			if pid <= 0 {
				break
			}
		}
		events, err := readAt(group, "cgroup.events")
		if err != nil {
			return err
		}
		if strings.Contains(events, "populated 0") {
			return nil
		}
		time.Sleep(wait)
	}
}

func writeAt(dir int, name, value string) error {
	fd, err := unix.Openat(dir, name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	_, err = unix.Write(fd, []byte(value))
	return errors.Join(err, unix.Close(fd))
}

func readAt(dir int, name string) (string, error) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(fd) }() // opened for reading
	var buf [256]byte
	n, err := unix.Read(fd, buf[:])
	return string(buf[:max(n, 0)]), err
}

// packSetup writes a setup and its server's files into a memfd.
func packSetup(set setup, files []sandbox.File) (*os.File, int64, error) {
	header, err := json.Marshal(set)
	if err != nil {
		return nil, 0, err
	}
	f, err := memfd("setup")
	if err != nil {
		return nil, 0, err
	}
	if err := writeAll(f, header, files); err != nil {
		_ = f.Close() // memory only
		return nil, 0, err
	}
	return f, int64(len(header)), nil
}

func serverSetup(srv *sandbox.Server) (*serverSpec, error) {
	spec := &serverSpec{Args: srv.Args, Env: srv.Env}
	for _, f := range srv.Files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return nil, err
		}
		spec.Files = append(spec.Files, rootfs.File{Name: rel, Size: int64(len(f.Data))})
	}
	return spec, nil
}
