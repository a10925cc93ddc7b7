package wasm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
)

// job is one run.
type job struct {
	w        *Wasm
	spec     sandbox.Spec
	limits   sandbox.Limits
	language *language
	guest    guest.Job
}

// errLost is the error of a job whose worker was killed by somebody else.
var errLost = fmt.Errorf("the worker was killed: %w", sandbox.ErrMachine)

// run runs the job, and once more where its worker was lost and nobody has talked with it yet.
func (j *job) run(ctx context.Context) (sandbox.Result, error) {
	g, err := j.w.open(ctx, j.language, j.spec.Server)
	if err != nil {
		return sandbox.Result{}, err
	}
	res, err := j.on(ctx, g)
	if errors.Is(err, errLost) && j.spec.Talk == nil && context.Cause(ctx) == nil {
		return j.on(ctx, g)
	}
	return res, err
}

// on runs the job on a worker of the group.
func (j *job) on(ctx context.Context, g *group) (sandbox.Result, error) {
	body, err := encodeJob(j.guest, j.spec.Talk != nil)
	if err != nil {
		return sandbox.Result{}, err
	}
	p, err := g.take(ctx)
	if err != nil {
		return sandbox.Result{}, err
	}
	r := p.begin(body)
	talked := make(chan struct{})
	if j.spec.Talk != nil {
		go func() {
			defer close(talked)
			j.spec.Talk(r.conn)
		}()
	} else {
		close(talked)
	}
	m, err := j.await(ctx, p, r)
	r.conn.end()
	<-talked
	if err != nil {
		p.kill()
		if crash := new(crashError); errors.As(err, &crash) {
			return j.crashed(crash), nil
		}
		return sandbox.Result{}, err
	}
	g.give(p)
	if m.kind == msgFault {
		return sandbox.Result{}, fmt.Errorf("worker: %s", m.body)
	}
	o, err := decodeOutcome(m.body)
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return sandbox.Result{}, err
	}
	return j.result(o)
}

// grace is how long a worker may take to obey. It looks up every two milliseconds; the rest is for a machine at its limits.
const grace = 2 * time.Second

// await waits for the end of the job.
func (j *job) await(ctx context.Context, p *process, r *run) (message, error) {
	timer := time.NewTimer(j.limits.Outer() + grace)
	defer timer.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case m := <-r.done:
			return m, nil
		case <-p.dead:
			select {
			case m := <-r.done: // it had ended before
				return m, nil
			default:
			}
			return message{}, lost(p)
		case <-cancelled:
			cancelled = nil
			_ = p.out.send(msgKill, r.number) // if it is gone, that is found below
			timer.Reset(grace)
		case <-timer.C:
			if err := context.Cause(ctx); err != nil {
				return message{}, err
			}
			if left := r.conn.waited() + j.limits.Outer() - time.Since(r.began); left > 0 { // the engine had the turn in between
				timer.Reset(left + grace)
				continue
			}
			return message{}, fmt.Errorf("the worker does not answer: %w", sandbox.ErrMachine)
		}
	}
}

// crashError is the end of a worker by its own fault, which only its job can have brought about.
type crashError struct{ text string }

func (e *crashError) Error() string { return "the worker broke down: " + e.text }

// lost tells who ended a worker that is gone. Somebody else did by a kill; what it died of itself was the job's doing: a null verdict must
// not be for sale.
func lost(p *process) error {
	if state := p.cmd.ProcessState; state != nil && wasKilled(state) {
		return errLost
	}
	return &crashError{fmt.Sprintf("%v: %s", p.cmd.ProcessState, firstLine(p.last.String()))}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// wasKilled tells whether a process was ended by a signal that only others send.
func wasKilled(state *os.ProcessState) bool {
	return strings.Contains(state.String(), "killed") || strings.Contains(state.String(), "terminated")
}

func (j *job) crashed(e *crashError) sandbox.Result {
	const abort = 6
	return sandbox.Result{Status: sandbox.Signalled, ExitCode: -1, Signal: abort, Stderr: sandbox.Output{Data: []byte(e.Error())}}
}

// result draws the conclusions of an outcome.
func (j *job) result(o guest.Outcome) (sandbox.Result, error) {
	const kill = 9
	e := sandbox.Evidence{ExitCode: o.Exit, Signal: o.Signal, WriteRefused: o.Refused}
	e.OverWall, e.OverCPU = j.limits.Overran(o.Own, o.CPU)
	switch o.End {
	case guest.OverTime:
		e.OverWall = e.OverWall || !e.OverCPU
	case guest.OverFuel:
		e.OverCPU = true
	case guest.OverSize:
		e.MemoryKill = true
	case guest.OverWrite:
		e.OverOutput = true
	case guest.OverWait:
		return sandbox.Result{}, fmt.Errorf("the outer deadline was met: %w", sandbox.ErrMachine)
	case guest.Killed:
		return sandbox.Result{}, context.Canceled
	}
	if o.End != guest.Exited && o.End != guest.Trapped {
		e.ExitCode, e.Signal = -1, kill
	}
	res := sandbox.Result{
		Status: sandbox.Classify(e), ExitCode: e.ExitCode, Signal: e.Signal, Lacks: o.Lacks,
		Stdout: sandbox.Output(o.Stdout), Stderr: sandbox.Output(o.Stderr),
		Usage: sandbox.Usage{CPU: o.CPU, Wall: o.Wall, Own: o.Own, PeakMemory: sandbox.Size(o.Memory), Fuel: o.Fuel},
	}
	for _, f := range o.Files {
		rel, err := sandbox.JobPath(f.Name)
		if err != nil {
			return sandbox.Result{}, err
		}
		res.Files = append(res.Files, sandbox.File{Name: rel, Data: f.Data, Exec: f.Exec})
	}
	// Processor time owes the program nothing, whatever the machine does; a wait may.
	took, waited := o.Wall-o.Own-o.Paused, o.Own-o.CPU
	res.Unsure = res.Status == sandbox.Timeout && took > o.Wall/10 && waited > o.Own/10
	return res, nil
}
