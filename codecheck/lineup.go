package codecheck

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/verifyd/verifyd/sandbox"
)

// Line-ups, seen from the engine. A job without the program rewrites the test text: expected literals are taken out and
// come here as questions. A second job runs the rewritten text beside the program and asks:
//
//	job ──?─▶ engine      question n: show me the values
//	job ◀─L── engine      the right one among near misses, in an order drawn now
//	job ──A─▶ engine      which of them are equal to what the program gave (of a truth question: true or false)
//	job ◀─K── engine      whether that was right, so that the test can go on or stop
//
// A pass needs every test reported, every answer right, and every question that a whole run is bound to reach asked. What
// can tell decoys from the truth passes; that mostly means having solved the task.

// question is one assertion of the rewritten text.
type question struct {
	Kind   string            `json:"kind"` // same, truth
	Right  json.RawMessage   `json:"right"`
	Decoys []json.RawMessage `json:"decoys"`
	Surely bool              `json:"surely"`

	shown int // where the right value stands in the order last shown; -1 before
	right bool
}

// lineup judges a suite that shares its interpreter with the program.
func (j *judgement) lineup(ctx context.Context, harness *frozen, job testerJob) error {
	rewritten, err := j.rewrite(ctx, harness, job)
	if err != nil || rewritten == nil {
		return err
	}
	job.Text, job.Local, job.Lineup = rewritten.Text, true, true
	if len(rewritten.Questions) == 0 {
		j.rep.Integrity = InProcess // nothing of these tests can be asked
	}
	return j.together(ctx, harness, job, rewritten.Questions)
}

type rewrittenText struct {
	Text      string      `json:"text"`
	Questions []*question `json:"questions"`
}

// rewrite runs the job that takes the expected values out of the text; nil without an error means that the tests cannot
// be used, which the report then says.
func (j *judgement) rewrite(ctx context.Context, harness *frozen, job testerJob) (*rewrittenText, error) {
	job.Program = program{}
	var text *rewrittenText
	v := &verdictReader{j: j}
	spec := j.harnessSpec(harness, testerSide, "vd_lineup", j.testFiles(job)...)
	spec.Limits = j.testerLimits()
	res, err := j.converse(ctx, spec, func(c sandbox.Conn) bool {
		if sendJSON(c, 'J', job) != nil {
			return false
		}
		f, err := readFrame(c)
		if err != nil {
			return false
		}
		if f.kind != 'T' {
			v.take(f)
			return true
		}
		text = &rewrittenText{}
		return json.Unmarshal(f.body, text) == nil
	})
	if err != nil {
		return nil, err
	}
	res.Lacks = nil // the program was not there
	j.usage(res)
	if text == nil && !v.done {
		j.decide(BrokenTests, "the tests could not be read")
	}
	for _, q := range j.questionsOf(text) {
		q.shown = -1
	}
	return text, nil
}

func (j *judgement) questionsOf(t *rewrittenText) []*question {
	if t == nil {
		return nil
	}
	return t.Questions
}

// inquiry is the engine's part of the conversation about questions. wrong notes that some answer was.
type inquiry struct {
	questions []*question
	asked     int
	wrong     bool
	forged    bool // an answer that no honest comparison gives
}

// maxAsked bounds the questions of one run; a loop may ask one many times.
const maxAsked = 1_000_000

// take answers one frame; false where it is none of a line-up, or the channel failed.
func (q *inquiry) take(c sandbox.Conn, f frame) bool {
	var m struct {
		N      int    `json:"n"`
		Picked []bool `json:"picked"`
	}
	if f.kind != '?' && f.kind != 'A' || json.Unmarshal(f.body, &m) != nil || m.N < 0 || m.N >= len(q.questions) {
		return false
	}
	if q.asked++; q.asked > maxAsked {
		return false
	}
	about := q.questions[m.N]
	if f.kind == '?' {
		values := slices.Clone(about.Decoys)
		about.shown = rand.IntN(len(values) + 1)
		values = slices.Insert(values, about.shown, about.Right)
		return sendJSON(c, 'L', map[string]any{"values": values}) == nil
	}
	ok := q.judge(about, m.Picked)
	about.right = about.right || ok
	q.wrong = q.wrong || !ok
	return sendJSON(c, 'K', map[string]bool{"ok": ok}) == nil
}

// judge compares an answer with the key.
func (q *inquiry) judge(about *question, picked []bool) bool {
	if about.Kind == "truth" {
		return len(picked) == 1 && string(about.Right) == map[bool]string{true: "true", false: "false"}[picked[0]]
	}
	at := about.shown
	about.shown = -1
	if at < 0 || len(picked) != len(about.Decoys)+1 {
		q.forged = true
		return false
	}
	count := 0
	for _, p := range picked {
		if p {
			count++
		}
	}
	q.forged = q.forged || count > 1 // no value equals two that differ
	return picked[at] && count == 1
}

// settle lets the questions decide, whatever the job reported; whole: it reported the end of its tests.
func (q *inquiry) settle(j *judgement, whole bool) {
	missing := slices.ContainsFunc(q.questions, func(x *question) bool { return x.Surely && !x.right })
	switch {
	case q.forged:
		j.rep.Status, j.rep.Reason = Tampering, "a value claimed to equal different ones"
	case q.wrong:
		j.decide(WrongAnswer, "tests failed: AssertionError")
	case whole && j.rep.Status == "" && missing:
		j.rep.Status, j.rep.Reason = Tampering, "a test reported a pass without its assertions"
	}
}
