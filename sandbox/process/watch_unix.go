//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
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
	stdout, stderr := j.finish()
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
			switch {
			case !ok:
				return r, errors.New("keeper ended without a report")
			case r.Op == "failed" && r.NoProgram:
				return r, fmt.Errorf("start: %s: %w", r.Err, sandbox.ErrNoProgram)
			case r.Op == "failed":
				return r, fmt.Errorf("start: %s", r.Err)
			case r.Op == "started":
				j.begin()
				timer.Reset(j.limits.Wall)
			case r.Op == "ended":
				return r, nil
			}
		case <-j.over:
			w.evidence.OverOutput = true
			j.kill(timer)
		case <-cancelled:
			cancelled = nil
			w.cause = context.Cause(ctx)
			j.kill(timer)
		case <-timer.C:
			switch left := j.left(); {
			case w.killed || w.meter == nil:
				return report{}, fmt.Errorf("keeper does not answer: %w", sandbox.ErrMachine)
			case left > 0: // the program waited for the engine in between
				timer.Reset(max(left, time.Millisecond))
			default:
				w.evidence.OverWall = true
				j.kill(timer)
			}
		}
	}
}

func (j *job) begin() {
	w := &j.watch
	w.meter = owntime.New(w.clock(), func() (time.Duration, bool) { return 0, false })
	if j.talk != nil {
		j.talk.serve(w, j.spec.Talk)
	}
}

// left is the own time that the job still has.
func (j *job) left() time.Duration {
	if j.watch.meter == nil {
		return 0
	}
	return j.limits.Wall - j.watch.meter.Own(j.watch.clock())
}

// kill orders the keeper to end the job; it has until the deadline.
func (j *job) kill(timer *time.Timer) {
	if j.watch.killed {
		return
	}
	j.watch.killed = true
	_ = j.control.Close() // the order
	timer.Reset(killDeadline)
}

// finish ends all channels of a job whose processes are gone. A program that got away and holds one cannot keep it waiting.
func (j *job) finish() (stdout, stderr sandbox.Output) {
	deadline := time.Now().Add(time.Second)
	if j.stdin != nil {
		_ = j.stdin.SetWriteDeadline(time.Now()) // nobody reads it; closed already where it was all written
		<-j.fed
	}
	if j.stdout != nil {
		stdout.Data, stdout.Truncated = j.stdout.Finish(deadline)
	}
	if j.stderr != nil {
		stderr.Data, stderr.Truncated = j.stderr.Finish(deadline)
	}
	if j.talk != nil {
		j.talk.finish(deadline)
	}
	return stdout, stderr
}

func (j *job) conclude(rep report, stdout, stderr sandbox.Output) sandbox.Result {
	w := &j.watch
	own := rep.Wall
	if w.meter != nil {
		own = min(rep.Wall, w.meter.Own(w.clock()))
	}
	e := &w.evidence
	e.ExitCode, e.Signal = rep.Exit, rep.Signal
	e.OverOutput = e.OverOutput || stdout.Truncated || stderr.Truncated
	overWall, overCPU := j.limits.Overran(own, rep.CPU)
	e.OverCPU = overCPU || rep.Signal == int(syscall.SIGXCPU)
	e.OverWall = e.OverWall || overWall
	e.FileSizeLimit = rep.Signal == int(syscall.SIGXFSZ)
	return sandbox.Result{
		Status: sandbox.Classify(*e), ExitCode: rep.Exit, Signal: rep.Signal, Stdout: stdout, Stderr: stderr,
		Usage: sandbox.Usage{CPU: rep.CPU, Wall: rep.Wall, Own: own, PeakMemory: sandbox.Size(rep.MaxRSS)},
	}
}
