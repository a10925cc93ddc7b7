package slot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/spawn"
)

// failure is an error with the step that it happened at. Program marks the ones that the program itself is the cause of:
// the slot stays whole.
type failure struct {
	step    string
	err     error
	program bool
}

func (f *failure) Error() string { return f.step + ": " + f.err.Error() }

// serve runs one job. Its error ends the slot; what only concerns the job is reported instead.
func (s *slotServer) serve(r received) error {
	box, rep, err := s.run(r)
	for i, fd := range r.fds {
		if i != fdFixed || !r.large() { // that one belongs to run
			_ = unix.Close(fd) // the engine and the job hold their own
		}
	}
	var fail *failure
	if errors.As(err, &fail) {
		rep = report{Op: "failed", Step: fail.step, Err: fail.err.Error()}
		if fail.program {
			rep.Kind = "program"
		}
	} else if err != nil {
		return err
	}
	rep.Job = r.Job
	if fail != nil && !fail.program {
		return errors.Join(fail, send(controlFD, rep))
	}
	var dropped error
	if box != nil {
		dropped = box.Drop()
	}
	rep.Clean = dropped == nil
	if err := send(controlFD, rep); err != nil {
		return err
	}
	return dropped
}

// run gives the report of the end.
func (s *slotServer) run(r received) (*rootfs.Box, report, error) {
	if want := fdFixed + present(r.large(), r.Out, r.Talk) + r.Group; len(r.fds) != want {
		return nil, report{}, &failure{"descriptors", fmt.Errorf("%d arrived", len(r.fds)), false}
	}
	spec, data := r.What, io.Reader(bytes.NewReader(r.data))
	if r.large() {
		in := os.NewFile(uintptr(r.description()), "in")
		defer func() { _ = in.Close() }() // memory only
		var err error
		spec = &jobSpec{}
		if data, err = decode(in, r.Spec, spec); err != nil {
			return nil, report{}, &failure{"spec", err, false}
		}
	}
	box := &rootfs.Box{WorkDir: sandbox.WorkDir, Size: spec.Disk, Inodes: spec.Inodes, Owner: s.setup.JobUser, Alone: s.setup.Rootless}
	if err := box.Make(); err != nil {
		return nil, report{}, &failure{"box", err, false}
	}
	if err := box.Put(spec.Files, data); err != nil {
		return box, report{}, &failure{"files", err, false}
	}
	before := childUsage()
	pid, err := s.start(box, spec, r)
	if err != nil {
		return box, report{}, err
	}
	rep, err := s.follow(box, spec, r, pid, before)
	return box, rep, err
}

// decode reads the JSON value at the start of a file, and gives what follows it.
func decode(in *os.File, size int64, value any) (io.Reader, error) {
	if err := json.NewDecoder(io.NewSectionReader(in, 0, size)).Decode(value); err != nil {
		return nil, err
	}
	return io.NewSectionReader(in, size, 1<<62), nil
}

// start forks the job.
func (s *slotServer) start(box *rootfs.Box, spec *jobSpec, r received) (int, error) {
	program := ""
	if s.server == nil {
		found, err := findProgram(spec)
		if err != nil {
			return 0, &failure{"program", err, true}
		}
		program = found
	}
	p, err := s.plan(box, spec, r)
	if err != nil {
		return 0, &failure{"walls", err, false}
	}
	fds, done, err := s.descriptors(box, r)
	if err != nil {
		return 0, &failure{"descriptors", err, false}
	}
	defer done()
	s.current.Store(r.Job)
	var pid int
	if s.server != nil {
		pid, err = s.server.fork(p, spec, fds)
	} else {
		pid, err = launch(p, program, spec, fds)
	}
	var step *spawn.StepError
	if errors.As(err, &step) {
		return 0, &failure{step.Step, step.Err, step.Step == "execve" || step.Step == "working directory"}
	}
	if err != nil {
		return 0, &failure{"start", err, false}
	}
	return pid, send(controlFD, report{Op: "started", Job: r.Job, At: now()})
}

// launch starts a program as a child of the slot.
func launch(p *plan, program string, spec *jobSpec, fds []descriptor) (int, error) {
	done, err := renumber(fds)
	if err != nil {
		return 0, err
	}
	defer done()
	p.script.Path, p.script.Argv, p.script.Env = program, spec.Args, spec.Env
	return spawn.Start(p.script)
}

// follow waits for the job's first process, ends all others, and gives the report.
func (s *slotServer) follow(box *rootfs.Box, spec *jobSpec, r received, pid int, before unix.Rusage) (report, error) {
	var tree *poll
	if spec.TreeMemory > 0 {
		tree = startPoll(spec, before)
	}
	late := s.endLate(spec, r)
	status, at := wait(pid)
	late()
	killed, err := s.endOthers(r)
	if err != nil {
		return report{}, &failure{"end", err, false}
	}
	s.current.Store(0)
	rep := report{Op: "done", At: at, Exit: -1, Killed: killed}
	if tree != nil {
		rep.OverMem, rep.OverCPU = tree.finish()
	}
	after := childUsage()
	rep.MaxRSS = after.Maxrss << 10
	rep.CPU = after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	if status.Signaled() {
		rep.Signal = int(status.Signal())
	} else {
		rep.Exit = status.ExitStatus()
	}
	if rep.Exit != 0 {
		rep.Full = box.Full(int64(spec.Limits.File))
	}
	files, err := box.Collect(spec.CopyOut, spec.Disk, outFile(r.out()))
	if err != nil {
		return report{}, &failure{"collect", err, false}
	}
	rep.Files = files
	return rep, nil
}

// lateAfter is what the engine has to end a job that is over its outer deadline; then the slot does it.
const lateAfter = 5 * time.Second

// endLate ends the job where the engine does not, until it is called off.
func (s *slotServer) endLate(spec *jobSpec, r received) (callOff func()) {
	if s.setup.Tied {
		return func() {}
	}
	late := time.AfterFunc(spec.Limits.Outer()+lateAfter, func() { s.kill(r) })
	return func() { late.Stop() }
}

// kill ends the job.
func (s *slotServer) kill(r received) {
	if s.server == nil {
		_ = unix.Kill(-1, unix.SIGKILL) // ESRCH: gone
	} else {
		_ = r.group().kill() // there is nobody to tell
	}
}

// endOthers kills and reaps all of the job that its first process left behind, and tells whether it did so by the group.
func (s *slotServer) endOthers(r received) (byGroup bool, err error) {
	if s.server != nil {
		return s.server.killGroup(r.group())
	}
	_ = unix.Kill(-1, unix.SIGKILL) // ESRCH: nothing is left
	reapAll()
	return false, nil
}

// wait reaps until the first process has ended, orphans that came to process 1 on the way too.
func wait(pid int) (unix.WaitStatus, int64) {
	for {
		var ws unix.WaitStatus
		got, err := unix.Wait4(-1, &ws, 0, nil)
		if got == pid {
			return ws, now()
		}
		if err != nil && err != unix.EINTR { // ECHILD: a broken invariant, told as a kill
			return unix.WaitStatus(unix.SIGKILL), now()
		}
	}
}

func now() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return ts.Nano()
}

func childUsage() unix.Rusage {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_CHILDREN, &u) // cannot fail for this argument
	return u
}

// findProgram looks a program up as execvp would, in the job's own root.
func findProgram(spec *jobSpec) (string, error) {
	name := spec.Args[0]
	if strings.ContainsRune(name, '/') {
		return name, nil
	}
	path := "/usr/local/bin:/usr/bin:/bin"
	for _, kv := range spec.Env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = v
		}
	}
	for _, dir := range filepath.SplitList(path) {
		p := filepath.Join(dir, name)
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s: not found in %s", name, path)
}

// present counts what is there.
func present(all ...bool) int {
	n := 0
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}
