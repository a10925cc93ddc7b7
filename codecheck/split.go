package codecheck

import (
	"context"
	"errors"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// The split protocol, seen from the engine, which stands between the two jobs and relays:
//
//	tester ──J── engine ──J── candidate      both are told their part, in two sandboxes at once
//	tester ──W─▶ engine                       the tests are usable (B: they are not; S: they must share an interpreter)
//	             engine ◀─U── candidate       the program is loaded (X: it failed, which decides)
//	tester ◀─U── engine                       each clock stands from the job's first word until the other's is heard
//	tester ──P─▶ engine ──P─▶ candidate ──P─▶ engine ──P─▶ tester …   calls and answers
//	tester ──C─▶ engine, at last ──E─▶ engine                          results; the verdict is made of these alone
//
// Exactly one job has the turn; own time of the other one stands still. The candidate has no channel to the engine but
// the one whose every frame is an answer or a request to the tester.

// end is one of the two jobs.
type end struct {
	ready  chan hello    // gets the job's channel and first word once it runs
	ended  chan struct{} // closed when the run has ended
	cancel context.CancelFunc
	res    sandbox.Result
	err    error
}

// hello is a job that has spoken and waits, its clock standing.
type hello struct {
	conn  sandbox.Conn
	first frame
	err   error // of reading it
}

// start runs a job whose channel is handed out; over ends its Talk.
func (j *judgement) start(ctx context.Context, spec sandbox.Spec, kind byte, about any, over <-chan struct{}) *end {
	ctx, cancel := context.WithCancel(ctx)
	e := &end{ready: make(chan hello, 1), ended: make(chan struct{}), cancel: cancel}
	spec.Talk = func(c sandbox.Conn) {
		if sendJSON(c, kind, about) != nil {
			return
		}
		f, err := readFrame(c)
		c.Pause()
		e.ready <- hello{c, f, err}
		<-over
		_ = writeFrame(c, frame{'Q', []byte("null")}) // it may be gone already
	}
	go func() {
		defer close(e.ended)
		e.res, e.err = j.r.box.Run(ctx, spec)
	}()
	return e
}

// finish gives the job a moment to end by itself, then ends it.
func (e *end) finish() {
	t := time.AfterFunc(grace, e.cancel)
	<-e.ended
	t.Stop()
	e.cancel()
}

// split judges a suite with the tests in one sandbox and the program in another.
func (j *judgement) split(ctx context.Context, harness *frozen, job testerJob) error {
	over := make(chan struct{})
	told := job
	told.Program = program{} // the tester has no use for the program's text
	testerSpec := j.harnessSpec(harness, testerSide, "vd_tester", j.testFiles(job)...)
	testerSpec.Limits = j.testerLimits()
	candidateSpec := j.harnessSpec(harness, candidateSide, "vd_candidate", j.programFile(job))
	ctx, release, err := sandbox.Together(ctx, j.r.box, testerSpec, candidateSpec) // each waits for the other
	if err != nil {
		return err
	}
	defer release()
	tester := j.start(ctx, testerSpec, 'J', told, over)
	candidate := j.start(ctx, candidateSpec, 'J', job.Program, over)
	relay := &relay{v: verdictReader{j: j, nonce: job.Nonce}, tester: tester, candidate: candidate}
	err = relay.run()
	close(over)
	tester.finish()
	candidate.finish()
	j.usage(candidate.res)
	tester.res.Lacks = nil // what tests need was looked for before; from here it may be the program's doing
	j.usage(tester.res)
	return j.settle(ctx, relay, err)
}

// testerLimits leave the tester room beyond the candidate's: it waits for every answer.
func (j *judgement) testerLimits() sandbox.Limits {
	l, def := j.limits, sandbox.DefaultLimits()
	l.Wall, l.CPU = l.Wall+2*time.Second, l.CPU+2*time.Second
	l.Memory, l.Output = max(l.Memory, def.Memory), max(l.Output, def.Output)
	l.Processes, l.OpenFiles = max(l.Processes, def.Processes), max(l.OpenFiles, def.OpenFiles)
	l.Disk, l.Inodes, l.File = max(l.Disk, def.Disk), max(l.Inodes, def.Inodes), max(l.File, def.File)
	return l
}

// settle turns how the two jobs ended into the report, where the tester's reports have not done so.
func (j *judgement) settle(ctx context.Context, r *relay, err error) error {
	if errors.Is(err, errShare) {
		return err
	}
	if r.v.done {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, e := range []*end{r.candidate, r.tester} {
		if e.err != nil && !errors.Is(e.err, context.Canceled) {
			return e.err
		}
	}
	if s := limitStatus(r.candidate.res.Status); s != "" && r.candidate.err == nil {
		j.rep.Status, j.rep.Reason = s, limitReason(s, j.limits)
		return nil
	}
	if s := limitStatus(r.tester.res.Status); s != "" && r.tester.err == nil && !r.candidateGone {
		// The tester only does what the tests say with what the candidate sends: what exhausts it came from there.
		j.rep.Status, j.rep.Reason = s, limitReason(s, j.limits)
		return nil
	}
	if r.garbled {
		j.rep.Status, j.rep.Reason = Tampering, "the channel carried something else than an answer"
		return nil
	}
	j.rep.Status, j.rep.Reason = EarlyExit, "the program ended before its tests were seen to hold"
	return nil
}

// relay carries frames between the two jobs.
type relay struct {
	v                      verdictReader
	tester, candidate      *end
	tc, cc                 sandbox.Conn
	candidateGone, garbled bool
}

// run relays until the tester has reported its end or one of the two is gone.
func (r *relay) run() error {
	t, ok := r.tester.wait()
	if !ok || t.err != nil {
		r.candidate.cancel()
		return nil
	}
	r.tc = t.conn
	f := t.first
	r.v.take(f)
	if r.v.done {
		r.candidate.cancel()
		return nil
	}
	if f.kind == 'S' && r.v.j.task.Integrity != Split {
		r.candidate.cancel()
		return errShare
	}
	r.tc.Resume()
	for f.kind == 'S' {
		var err error
		if f, err = r.report(); err != nil || r.v.done {
			r.candidate.cancel()
			return nil
		}
	}
	r.tc.Pause()
	c, ok := r.candidate.wait()
	if !ok {
		r.gone()
		return nil
	}
	r.cc = c.conn
	return r.converse(c.first, c.err)
}

// wait gives the job once it has spoken; false where it ended without a word.
func (e *end) wait() (hello, bool) {
	select {
	case h := <-e.ready:
		return h, true
	case <-e.ended:
		select {
		case h := <-e.ready: // it ran and has ended already: what it left can be read
			return h, true
		default:
			return hello{}, false
		}
	}
}

// report reads the tester's next frame and takes it where it is a report.
func (r *relay) report() (frame, error) {
	f, err := readFrame(r.tc)
	if err != nil {
		return f, err
	}
	if f.kind != 'P' {
		r.v.take(f)
	}
	return f, nil
}

// gone notes that the candidate ended first, and ends the tester, which has nobody to talk to.
func (r *relay) gone() {
	r.candidateGone = true
	r.tester.cancel()
}

// converse passes the turn to and fro, beginning with what the candidate said when it had loaded its program.
func (r *relay) converse(f frame, err error) error {
	if err != nil {
		r.garbled = errors.Is(err, errFrame)
		r.gone()
		return nil
	}
	if f.kind != 'U' {
		r.v.j.failed(f)
		r.v.done = true
		r.tester.cancel()
		return nil
	}
	for {
		r.cc.Pause()
		r.tc.Resume()
		if writeFrame(r.tc, f) != nil {
			return nil
		}
		for {
			if f, err = r.report(); err != nil || r.v.done {
				return nil
			}
			if f.kind == 'P' {
				break
			}
		}
		r.tc.Pause()
		r.cc.Resume()
		if writeFrame(r.cc, f) != nil {
			r.gone()
			return nil
		}
		if f, err = readFrame(r.cc); err != nil || f.kind != 'P' {
			r.garbled = err == nil || errors.Is(err, errFrame)
			r.gone()
			return nil
		}
	}
}
