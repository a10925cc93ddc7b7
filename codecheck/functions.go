package codecheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// functions judges fn_call tests. One job loads the program once and forks for every case. The engine sends a case's
// arguments, reads the value, compares it, and only then sends the next: no expected value and no later input is ever
// where the candidate could look.
func (j *judgement) functions(ctx context.Context) error {
	j.rep.Integrity = Engine // whatever was asked for: no level is stronger
	t := j.task.Tests
	want := make([]any, len(t.Outputs))
	for i, raw := range t.Outputs {
		v, err := parseExpected(raw)
		if err != nil {
			j.decide(BrokenTests, fmt.Sprintf("outputs[%d] is not readable", i))
			return nil
		}
		want[i] = v
	}
	j.total = len(want)
	if ok, err := j.translate(ctx); !ok {
		return err
	}
	harness, err := j.harness(ctx)
	if err != nil {
		return err
	}
	spec := j.harnessSpec(harness, candidateSide, "vd_call", sandbox.File{Name: j.sourcePath(), Data: []byte(j.source())})
	job := program{"__main__", j.sourcePath(), j.before(), j.source(), t.FnName, t.Class}
	if j.r.caps.Snapshots { // without forks a case has an interpreter of its own
		return j.callEach(ctx, spec, job, want)
	}
	finished := false
	res, err := j.converse(ctx, spec, func(c sandbox.Conn) bool { finished, _ = j.callAll(c, job, 0, want); return finished })
	if err != nil {
		return err
	}
	j.usage(res)
	if err := j.askPending(ctx); err != nil {
		return err
	}
	if !finished || j.rep.Status != "" {
		j.ended(res)
	}
	return nil
}

// converse runs a job with the engine's part of its conversation. Where that part says that all is decided, the job is
// told to end, and ended where it does not; its result is then empty.
func (j *judgement) converse(ctx context.Context, spec sandbox.Spec, talk func(sandbox.Conn) (decided bool)) (sandbox.Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	spec.Talk = func(c sandbox.Conn) {
		if talk(c) {
			time.AfterFunc(grace, func() { stop(errDecided) })
			_ = writeFrame(c, frame{'Q', []byte("null")}) // it may be gone already
		}
	}
	res, err := j.r.box.Run(ctx, spec)
	if err != nil && context.Cause(ctx) == errDecided {
		return sandbox.Result{Status: sandbox.OK}, nil
	}
	return res, err
}

// grace is how long a job may live on after its verdict was decided: chosen to be longer than an interpreter's exit.
const grace = 300 * time.Millisecond

var errDecided = errors.New("the verdict is decided")

// ended lets a limit that the job met decide, unless all its tests had been seen to hold before.
func (j *judgement) ended(res sandbox.Result) {
	s := limitStatus(res.Status)
	if s == "" || j.rep.Status == "" && j.total > 0 && j.rep.Tests.Passed == j.total {
		return
	}
	if j.rep.Status == "" || isLimit(s) || s == Forbidden {
		j.rep.Status, j.rep.Reason = s, limitReason(s, j.limits)
	}
}

// callEach runs every case in an interpreter of its own, which loads the program for it. The limits are those of all together.
func (j *judgement) callEach(ctx context.Context, spec sandbox.Spec, job program, want []any) error {
	left := spec.Limits
	for i := range want {
		spec.Limits.Wall, spec.Limits.CPU = left.Wall, left.CPU
		finished, more := false, false
		res, err := j.converse(ctx, spec, func(c sandbox.Conn) bool {
			finished, more = j.callAll(c, job, i, want[i:i+1])
			return finished
		})
		if err != nil {
			return err
		}
		j.usage(res)
		left.Wall, left.CPU = left.Wall-res.Usage.Own, left.CPU-res.Usage.CPU
		switch {
		case !finished:
			j.ended(res)
			more = false
		case min(left.Wall, left.CPU) <= 0 && i+1 < len(want):
			j.decide(Timeout, limitReason(Timeout, j.limits))
			more = false
		}
		if !more {
			break
		}
	}
	return j.askPending(ctx)
}

// callAll is the engine's side of the conversation with vd_call about some cases, the first of them by its number; finished is true
// where it came to its end, more where further cases are to be asked.
func (j *judgement) callAll(c sandbox.Conn, job program, first int, want []any) (finished, more bool) {
	if sendJSON(c, 'J', job) != nil {
		return false, false
	}
	f, err := readFrame(c)
	if err != nil {
		return false, false
	}
	if f.kind != 'U' {
		j.failed(f)
		return true, false
	}
	for n := range want {
		i := first + n
		c.Pause()
		args, err := json.Marshal(map[string]json.RawMessage{"args": j.task.Tests.Inputs[i]})
		if err != nil || len(args) >= maxAsk {
			j.decide(BrokenTests, fmt.Sprintf("inputs[%d] is not readable", i))
			return true, false
		}
		c.Resume()
		s, reason, ok := j.callOne(c, args, want[n])
		if !ok {
			return false, false
		}
		if j.special() {
			j.pending = append(j.pending, pendingCase{j.task.Tests.caseName(i), s, reason, SpecialCase{j.task.Tests.Inputs[i], j.answer, j.task.Tests.Outputs[i]}})
			if s != Passed && !j.everything() || isLimit(s) {
				return true, false
			}
			continue
		}
		more := j.count(j.task.Tests.caseName(i), s)
		if s != Passed && j.rep.Reason == "" {
			j.rep.Reason = reason
		}
		if !more {
			return true, false
		}
	}
	return true, true
}

// callOne runs one case; ok is false where the job is gone.
func (j *judgement) callOne(c sandbox.Conn, args []byte, want any) (s Status, reason string, ok bool) {
	if writeFrame(c, frame{'A', args}) != nil {
		return "", "", false
	}
	s, reason = EarlyExit, "the program ended before its tests were seen to hold"
	for {
		f, err := readFrame(c)
		if err != nil {
			return "", "", false
		}
		switch f.kind {
		case 'V':
			s, reason = j.compare(f.body, want)
		case 'X':
			var l loadFailure
			if json.Unmarshal(f.body, &l) != nil {
				return Tampering, "the channel carried something else than an answer", true
			}
			s, reason = l.status()
		case 'D':
			var d struct{ End int }
			if json.Unmarshal(f.body, &d) == nil && d.End < 0 && s == EarlyExit {
				return Signal, "ended by a signal", true
			}
			return s, reason, true
		default:
			return Tampering, "the channel carried something else than an answer", true
		}
	}
}

func (j *judgement) compare(body []byte, want any) (Status, string) {
	var m struct{ V json.RawMessage }
	if json.Unmarshal(body, &m) != nil {
		return Tampering, "the channel carried something else than an answer"
	}
	got, err := parseAnswer(m.V)
	if err != nil {
		return Tampering, "the channel carried something else than an answer"
	}
	if j.special() {
		j.answer = plainJSON(got)
		return Passed, "" // for the present; see askPending
	}
	if !j.task.Tests.Compare.value(got, want) {
		return WrongAnswer, "wrong answer"
	}
	return Passed, ""
}

// failed takes a program's report that it did not load.
func (j *judgement) failed(f frame) {
	var l loadFailure
	if f.kind != 'X' || json.Unmarshal(f.body, &l) != nil {
		j.decide(Tampering, "the channel carried something else than an answer")
		return
	}
	if l.Stage == "setup" && len(j.before()) > 0 { // believed only where it says the same without the program; see withoutProgram
		j.claimed = true
		j.decide(BrokenTests, "the set-up fails before the program")
		return
	}
	if l.Stage == "setup" {
		j.decide(Tampering, "its process says that a set-up fails, and there is none")
		return
	}
	s, reason := l.status()
	j.decide(s, reason)
}
