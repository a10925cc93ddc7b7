package engine

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// ChangedError refuses to go on with a run that was cut off: the rows or the judge are not the ones it had.
type ChangedError struct {
	Row int64 // 0-based
	Msg string
}

func (e *ChangedError) Error() string { return fmt.Sprintf("row %d: %s", e.Row+1, e.Msg) }

// keep checks that a graded line of the earlier run belongs to the row that stands in its place now, and counts it.
//
// A graded line is the row's members as they came, then the verdict's. So the row is proven by comparing the beginning of
// the line, without judging. Members of the row that a verdict replaces are not in the line: such a row is judged again
// where that is cheap, and so is every row with Prove.
func (l *Lines) keep(ctx context.Context, b *Block, ln *line, row *rollout.Row, broke error, done []byte) error {
	b.Tally.Kept++
	if broke != nil {
		b.again = l.appendBroken(b.again[:0], ln, broke)
		if !bytes.Equal(b.again, done) {
			return &ChangedError{Row: ln.index, Msg: "the line is no row, and is not the one that was graded"}
		}
		b.countBroken(ln, broke)
		return nil
	}
	verdict, ok := l.verdictPart(b, row, done)
	if !ok {
		return &ChangedError{Row: ln.index, Msg: "the row is not the one that was graded"}
	}
	if l.Prove || isPrompt(l.Work.Judge) && row.HasAny(judge.VerdictKey) {
		v := l.Engine.Grade(ctx, l.Work, row)
		if err := ctx.Err(); err != nil {
			return err
		}
		b.again = l.appendGraded(b.again[:0], ln, row, v)
		if !bytes.Equal(b.again, done) && !equalButUsage(b.again, done) {
			return &ChangedError{Row: ln.index, Msg: "the graded line is not what this judge says of the row"}
		}
	}
	v := readVerdict(verdict)
	b.count(ln, row, &v)
	return nil
}

// verdictPart returns the verdict's members of a graded line as an object, and whether the line begins with the row.
func (l *Lines) verdictPart(b *Block, row *rollout.Row, done []byte) (jsontext.Value, bool) {
	b.again = append(b.again[:0], '{')
	var wrote bool
	b.again, wrote = row.AppendMembers(b.again, l.dropped())
	if wrote {
		b.again = append(b.again, ',')
	}
	if !bytes.HasPrefix(done, b.again) || !bytes.HasPrefix(done[len(b.again):], []byte(`"reward":`)) {
		return nil, false
	}
	object := append([]byte{'{'}, done[len(b.again):]...)
	return object, jsontext.Value(object).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// dropped are the members of a row that its graded line has not.
func (l *Lines) dropped() func(string) bool {
	if l.Lineage == nil {
		return judge.VerdictKey
	}
	return func(key string) bool { return key == "lineage" || judge.VerdictKey(key) }
}

// readVerdict reads what a tally counts.
func readVerdict(object jsontext.Value) judge.Verdict {
	v, reason := judge.Verdict{}, jsontext.Value(nil)
	for name, value := range rollout.Members(object) {
		switch name {
		case "reward":
			var f float64
			if _, err := fmt.Sscan(string(value), &f); err == nil {
				v.Reward = &f
			}
		case "judge_status":
			v.Status = judge.Status(rollout.ScalarText(value))
		case "reason":
			reason = value
		case "failure_class":
			v.FailureClass = judge.FailureClass(rollout.ScalarText(value))
		}
	}
	if v.Status != judge.OK {
		v.Reason = rollout.ScalarText(reason)
	}
	return v
}

// equalButUsage compares two graded lines apart from judge_meta.usage, which is measured.
func equalButUsage(a, b []byte) bool {
	return bytes.Equal(stripUsage(a), stripUsage(b))
}

func stripUsage(line jsontext.Value) []byte {
	var out []byte
	for name, value := range rollout.Members(line) {
		out = append(append(out, name...), 0)
		if name != "judge_meta" {
			out = append(append(out, value...), 0)
			continue
		}
		for k, v := range rollout.Members(value) {
			if k != "usage" {
				out = append(append(append(append(out, k...), 0), v...), 0)
			}
		}
	}
	return out
}

func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its error is about invalid UTF-8, which is replaced
	return dst
}
