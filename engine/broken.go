package engine

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// A line that is no row becomes a record in its place:
//
//	{"line": 3, "file": "a.jsonl", "reward": null, "judge_status": "error", …, "judge_meta": {"error": "invalid_row"}}
//
// Graded again, a record stays a record of the same line: it is no row that happens to lack an answer.

// invalidRow is judge_meta.error of a record.
const invalidRow = "invalid_row"

var broken = judge.Verdict{Status: judge.Error}

// recordError stands for a row that is the record of an earlier run. Its values are as they came.
type recordError struct {
	line, file jsontext.Value // file is nil where the record has none
	reason     string
}

func (e *recordError) Error() string { return e.reason }

// recordOf reads a record, or returns nil for any other row. A record has no keys but its own.
func recordOf(r *rollout.Row) *recordError {
	line, ok := r.Get("line")
	if !ok || line.Kind() != '0' || r.HasAny(notOfRecord) {
		return nil
	}
	status, _ := r.Get("judge_status")
	meta, _ := r.Get("judge_meta")
	word, _ := rollout.Member(meta, "error")
	if rollout.ScalarText(status) != string(judge.Error) || rollout.ScalarText(word) != invalidRow {
		return nil
	}
	file, _ := r.Get("file")
	reason, _ := r.Get("reason")
	return &recordError{line, file, rollout.ScalarText(reason)}
}

func notOfRecord(key string) bool { return key != "line" && key != "file" && !judge.VerdictKey(key) }

// appendBroken writes the record that stands for a line which is no row.
func (l *Lines) appendBroken(dst []byte, ln *line, err error) []byte {
	dst = append(dst, `{"line":`...)
	var old *recordError
	switch {
	case errors.As(err, &old):
		dst = append(dst, old.line...)
		if old.file != nil {
			dst = append(append(dst, `,"file":`...), old.file...)
		}
	default:
		dst = strconv.AppendInt(dst, ln.number, 10)
		if ln.file != "" {
			dst = appendText(append(dst, `,"file":`...), ln.file)
		}
	}
	v := judge.Unjudged(judge.Error, err.Error()).With("error", invalidRow)
	at := len(dst)
	dst = judge.Graded{Verdict: v, Name: l.Name}.AppendVerdictJSON(dst)
	dst[at] = ',' // instead of its opening brace
	return dst
}

// strictly is the error that ends a run at a broken line. It names the file where there are several.
func strictly(broke error, ln *line) error {
	if old := (*recordError)(nil); errors.As(broke, &old) {
		broke = &rollout.SyntaxError{Line: ln.number, Msg: "the record of a line that was no row (" + old.reason + ")"}
	}
	if ln.file != "" {
		return fmt.Errorf("%s: %w", ln.file, broke)
	}
	return broke
}
