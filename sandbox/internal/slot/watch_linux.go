package slot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/owntime"
)

// watch is what the supervisor has seen.
type watch struct {
	meter    *owntime.Meter
	started  time.Duration
	ended    time.Duration
	evidence sandbox.Evidence
	killed   time.Time // when the job was ordered to end; zero before
	cause    error     // an end that is nobody's verdict: the context's error, ErrMachine
	cpu      time.Duration
	taken    time.Duration // by the machine, at the last look
	interval time.Duration // before the next look
	lifted   bool          // counted in Host.lifted
	weight   int           // of the job's group

	proven    bool          // own time is over its limit beyond doubt
	overSince time.Duration // when own time was over first, without a proof; zero before
}

// ErrSlot is wrapped where a slot did not do its part.
var ErrSlot = errors.New("slot failed")

// supervise follows a job from the order to the report that the slot is clean. It returns the report of the end. One goroutine
// waits for reports, the next look, a full stream and the end of ctx, all by the deadline of the slot's socket: handing each report
// to another one costs as much as the rest of what the engine does for a short job.
func (j *job) supervise(ctx context.Context) (done *report, err error) {
	ordered := time.Now()
	next := ordered.Add(owntime.Window)
	unhook := context.AfterFunc(ctx, j.wake)
	defer unhook()
	for {
		_ = j.slot.control.SetReadDeadline(next) // before the flags are read: whoever sets one moves the deadline afterwards
		if j.over.Load() {
			j.watch.evidence.OverOutput = true
			j.kill()
		}
		if ctx.Err() != nil {
			j.stop(context.Cause(ctx))
		}
		rep, err := j.slot.receive()
		if j.slot.config.Around {
			rep.At = now() // a kernel of the job's own has a clock of its own
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			if time.Now().Before(next) {
				continue // a flag was set
			}
			if err := j.tick(ordered); err != nil {
				return done, err
			}
			next = time.Now().Add(j.look())
		case err != nil:
			return done, fmt.Errorf("%w: it ended: %s", ErrSlot, j.slot.lastWords())
		case rep.Job != j.id:
		case rep.Op == "started":
			j.begin(rep)
		default:
			if rep.Op == "done" {
				done = &rep
				j.end(rep)
			} else {
				j.watch.cause = refused(rep)
			}
			j.clean = rep.Clean // where it is not, the slot ends
			return done, j.watch.cause
		}
	}
}

// wake makes supervise look at its flags.
func (j *job) wake() { _ = j.slot.control.SetReadDeadline(time.Now()) } // closed with the slot, when nobody waits

func clock() time.Duration { return time.Duration(now()) }

// tick is for what only has to be done now and then. Its error gives the slot up.
func (j *job) tick(ordered time.Time) error {
	j.Stdout.Watch()
	j.Stderr.Watch()
	if j.watch.meter == nil && time.Since(ordered) > startDeadline {
		j.stop(fmt.Errorf("not started after %v: %w", startDeadline, sandbox.ErrMachine))
	}
	if !j.watch.killed.IsZero() && time.Since(j.watch.killed) > killDeadline {
		return errors.Join(j.watch.cause, fmt.Errorf("%w: the job was not ended within %v", ErrSlot, killDeadline))
	}
	return nil
}

// refused turns a slot's failure into an error.
func refused(rep report) error {
	if rep.Kind == "program" {
		return fmt.Errorf("start: %s: %s: %w", rep.Step, rep.Err, sandbox.ErrNoProgram)
	}
	return fmt.Errorf("%w: %s: %s", ErrSlot, rep.Step, rep.Err)
}

func (j *job) begin(rep report) {
	if !j.watch.killed.IsZero() {
		j.killTree() // ordered before there was anything to kill
	}
	j.watch.started = time.Duration(rep.At)
	j.watch.meter = owntime.New(j.watch.started, j.group.Stalled)
	if j.Talk != nil {
		j.Talk.Serve(j.watch.meter, j.spec.Talk)
	}
}

// Looks are a window apart while the machine takes time from the job, since the kernel averages the pressure between two
// readings. While it takes none they become rarer: each look wakes an idle engine, which costs 0.3 ms. The time of a kill
// is not the time of the verdict: that is measured.
const rarestLook = 4 * owntime.Window

// look compares the counters with the limits, and tells when to look again.
func (j *job) look() time.Duration {
	w := &j.watch
	if w.meter == nil || w.ended != 0 || !w.killed.IsZero() {
		return owntime.Window
	}
	at := clock()
	w.meter.Update(at)
	cpu, ok := j.group.CPU()
	own, taken := w.meter.Own(at), w.meter.Taken()
	overWall, overCPU := j.limits.Overran(own, cpu)
	switch {
	case j.group.OOMKills() > 0: // the kernel may have taken one process of many; the tree goes
		w.evidence.MemoryKill = true
	case overWall || ok && overCPU:
		if pause, more := j.goesOn(at, cpu); more {
			return pause
		}
		w.evidence.OverWall, w.evidence.OverCPU = overWall, overCPU
	case at-w.started > j.limits.Outer():
		w.cause = fmt.Errorf("outer deadline of %v: %w", j.limits.Outer(), sandbox.ErrMachine)
	default:
		w.interval = min(2*max(w.interval, owntime.Window), rarestLook)
		if taken > w.taken {
			w.interval = owntime.Window
		}
		w.taken = taken
		j.lift(at-w.started, taken)
		left := min(j.limits.Wall-own, (j.limits.CPU-cpu)/time.Duration(runtime.NumCPU()))
		return max(time.Millisecond, min(w.interval, left))
	}
	j.kill()
	return owntime.Window
}

func (j *job) stop(cause error) {
	if j.watch.cause == nil {
		j.watch.cause = cause
	}
	j.kill()
}

// kill ends the tree in two ways at once: the cgroup's own, which needs no help of the slot, and the slot's, which reaches
// every process of its pid namespace.
func (j *job) kill() {
	if !j.watch.killed.IsZero() {
		return
	}
	j.watch.killed = time.Now()
	j.killTree()
}

func (j *job) killTree() {
	if !j.slot.config.Around {
		j.group.Kill()
	}
	if !j.slot.kills {
		_ = j.slot.send(order{Op: "kill", Job: j.id}) // a slot that is gone took the job with it
	}
}

// end makes the final observations: what happened between the last look and the end counts, too.
func (j *job) end(rep report) {
	w := &j.watch
	if w.meter == nil {
		return
	}
	w.ended = max(time.Duration(rep.At), w.started)
	w.meter.Stop(w.ended)
	if rep.Killed {
		j.group.Spend()
	}
	cpu, counted := j.group.CPU()
	if !counted {
		cpu = time.Duration(rep.CPU)
	}
	w.cpu = cpu
	e := &w.evidence
	e.ExitCode, e.Signal = rep.Exit, rep.Signal
	e.MemoryKill = e.MemoryKill || rep.OverMem || j.group.OOMKills() > 0
	if limit := int64(j.limits.Memory); j.slot.config.Around && rep.MaxRSS > limit && j.group.PeakMemory() > limit {
		e.MemoryKill = true // too short for a look; gVisor's own count may be high, the host's holds gVisor, too
	}
	overWall, overCPU := j.limits.Overran(w.meter.Own(w.ended), cpu)
	e.OverCPU = e.OverCPU || overCPU || rep.OverCPU || rep.Signal == int(unix.SIGXCPU)
	e.OverWall = e.OverWall || overWall
	e.ForkRefused = j.group.ForksRefused() > 0
	e.WriteRefused = rep.Full
	e.FilterKill = rep.Signal == int(unix.SIGSYS)
	e.FileSizeLimit = rep.Signal == int(unix.SIGXFSZ)
}

// conclude makes the result of what was seen.
func (j *job) conclude(rep *report, err error) (sandbox.Result, error) {
	peak := j.group.PeakMemory()
	if j.watch.ended == 0 { // no report of the end: what is known now is all there will be
		j.watch.cpu, _ = j.group.CPU()
	}
	if !j.clean {
		j.slot.Close() // everything of the job ends with it, so that nothing below waits for a live process
	}
	var files []sandbox.File
	if err == nil && rep != nil {
		files, err = j.readFiles(rep.Files)
	}
	stdout, stderr := j.finish()
	w := &j.watch
	judged := w.evidence.OverOutput || w.evidence.OverCPU || w.evidence.OverWall || w.evidence.MemoryKill
	switch {
	case errors.Is(err, ErrSlot) && rep == nil && judged && w.cause == nil: // over a limit, and then too slow to die
		w.ended = clock()
		w.evidence.ExitCode, w.evidence.Signal = -1, int(unix.SIGKILL)
	case err != nil:
		return sandbox.Result{}, err
	case rep == nil || w.meter == nil:
		return sandbox.Result{}, fmt.Errorf("%w: no report", ErrSlot)
	}
	stdoutOver := stdout.Truncated || stderr.Truncated
	w.evidence.OverOutput = w.evidence.OverOutput || stdoutOver
	res := sandbox.Result{
		Status: sandbox.Classify(w.evidence), ExitCode: w.evidence.ExitCode, Signal: w.evidence.Signal,
		Stdout: stdout, Stderr: stderr, Files: files, Degraded: j.host.Caps.Missing,
	}
	res.Usage = sandbox.Usage{CPU: w.cpu, Wall: w.ended - w.started, Own: w.meter.Own(w.ended), PeakMemory: sandbox.Size(peak)}
	if !j.host.Caps.Memory && rep != nil {
		res.Usage.PeakMemory = sandbox.Size(rep.MaxRSS)
	}
	byOwnTime := res.Status == sandbox.Timeout || res.Status == sandbox.CPULimit && w.cpu <= j.limits.CPU && w.evidence.OverWall
	res.Unsure = byOwnTime && !j.spec.Alone && !w.proven && !w.meter.Sure(w.ended)
	return res, nil
}
