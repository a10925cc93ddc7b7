//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/owntime"
)

const (
	startDeadline = 30 * time.Second // a keeper needs 3 ms; this is for a machine at its limits
	killDeadline  = 5 * time.Second  // a keeper gives up after two seconds
)

// watch is what the supervisor has seen.
type watch struct {
	epoch    time.Time // the clock of the meter counts from here
	started  time.Duration
	ended    time.Duration // 0 before
	meter    *owntime.Meter
	evidence sandbox.Evidence
	killed   bool
	cause    error // an end that is nobody's verdict
}

func (w *watch) clock() time.Duration { return time.Since(w.epoch) }

// supervise follows the job to its end, and waits for its keeper.
func (j *job) supervise(ctx context.Context) (sandbox.Result, error) {
	w := &j.watch
	w.epoch = time.Now()
	rep, err := j.follow(ctx)
	if err != nil {
		_ = j.keeper.Kill() // it may be gone
	}
	_ = j.control.Close()  // ends a keeper that still waits for orders
	_, _ = j.keeper.Wait() // what it had to say is in its reports
	for range j.reports {  // until listen has ended
	}
	stdout, stderr := j.Finish(time.Now().Add(time.Second))
	if err = errors.Join(w.cause, err); err != nil {
		return sandbox.Result{}, err
	}
	return j.conclude(rep, stdout, stderr), nil
}

// follow waits for the report of the end.
func (j *job) follow(ctx context.Context) (report, error) {
	w := &j.watch
	timer := time.NewTimer(startDeadline)
	defer timer.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case r, ok := <-j.reports:
			if !ok {
				return r, errors.New("keeper ended without a report")
			}
			if r.Op != "started" {
				w.ended = w.clock()
				return r, r.fault()
			}
			j.begin()
			if !w.killed {
				timer.Reset(owntime.Window)
			}
		case <-j.over:
			w.evidence.OverOutput = true
			j.kill(timer)
		case <-cancelled:
			cancelled = nil
			w.cause = context.Cause(ctx)
			j.kill(timer)
		case <-timer.C:
			if w.killed || w.meter == nil {
				return report{}, fmt.Errorf("keeper does not answer: %w", sandbox.ErrMachine)
			}
			if pause, more := j.look(); more {
				timer.Reset(pause)
			} else {
				j.kill(timer)
			}
		}
	}
}

// fault is nil for the report of an end.
func (r report) fault() error {
	switch {
	case r.Op == "failed" && r.NoProgram:
		return fmt.Errorf("start: %s: %w", r.Err, sandbox.ErrNoProgram)
	case r.Op == "failed":
		return fmt.Errorf("start: %s", r.Err)
	}
	return nil
}

func (j *job) begin() {
	w := &j.watch
	w.started = w.clock()
	w.meter = owntime.New(w.started, j.group.Stalled)
	if j.Talk != nil {
		j.Talk.Serve(w.meter, j.spec.Talk)
	}
}

// look compares counters with limits, and tells when to look again, or that the job has to end.
func (j *job) look() (pause time.Duration, more bool) {
	w := &j.watch
	at := w.clock()
	w.meter.Update(at)
	cpu, counted := j.group.CPU()
	own := w.meter.Own(at)
	overWall, overCPU := j.limits.Overran(own, cpu)
	switch {
	case j.group.OOMKills() > 0: // the kernel may have taken one process of many; the tree goes
		w.evidence.MemoryKill = true
	case overWall || counted && overCPU:
		w.evidence.OverWall, w.evidence.OverCPU = overWall, counted && overCPU
	case at-w.started > j.limits.Outer():
		w.cause = fmt.Errorf("outer deadline of %v: %w", j.limits.Outer(), sandbox.ErrMachine)
	case !j.caps.OwnTime && !counted:
		return max(j.limits.Wall-own, time.Millisecond), true
	default:
		left := min(j.limits.Wall-own, (j.limits.CPU-cpu)/time.Duration(runtime.NumCPU()))
		return max(time.Millisecond, min(owntime.Window, left)), true
	}
	return 0, false
}

// kill orders the keeper to end the job; it has until the deadline.
func (j *job) kill(timer *time.Timer) {
	if j.watch.killed {
		return
	}
	j.watch.killed = true
	j.group.Kill()
	_ = j.control.Close() // the order
	timer.Reset(killDeadline)
}

func (j *job) conclude(rep report, stdout, stderr sandbox.Output) sandbox.Result {
	w := &j.watch
	own := rep.Wall
	if w.meter != nil {
		w.meter.Stop(w.ended)
		own = min(rep.Wall, w.meter.Own(w.ended))
	}
	cpu, counted := j.group.CPU()
	if !counted {
		cpu = rep.CPU
	}
	peak := j.group.PeakMemory()
	if peak == 0 {
		peak = rep.MaxRSS
	}
	e := &w.evidence
	e.ExitCode, e.Signal = rep.Exit, rep.Signal
	e.OverOutput = e.OverOutput || stdout.Truncated || stderr.Truncated
	overWall, overCPU := j.limits.Overran(own, cpu)
	e.OverCPU = e.OverCPU || overCPU || rep.Signal == int(syscall.SIGXCPU)
	e.OverWall = e.OverWall || overWall
	e.MemoryKill = e.MemoryKill || j.group.OOMKills() > 0
	e.ForkRefused = j.group.ForksRefused() > 0
	e.FileSizeLimit = rep.Signal == int(syscall.SIGXFSZ)
	res := sandbox.Result{
		Status: sandbox.Classify(*e), ExitCode: rep.Exit, Signal: rep.Signal, Stdout: stdout, Stderr: stderr,
		Usage: sandbox.Usage{CPU: cpu, Wall: rep.Wall, Own: own, PeakMemory: sandbox.Size(peak)},
	}
	byOwnTime := res.Status == sandbox.Timeout || res.Status == sandbox.CPULimit && cpu <= j.limits.CPU && e.OverWall
	res.Unsure = byOwnTime && !j.spec.Alone && w.meter != nil && !w.meter.Sure(w.ended)
	return res
}
