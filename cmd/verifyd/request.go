package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// request is what one line of verify asks for.
type request struct {
	spec     jsontext.Value
	row      *rollout.Row
	deadline time.Duration // for the whole answer; 0 where none is asked for
}

// requestKeys are the keys of a line. candidate and reference stand beside a row, and go before what it says, or instead
// of one.
var requestKeys = []string{"verifier", "row", "candidate", "reference", "deadline_ms"}

// requestError is a line that is JSON and no request.
type requestError struct {
	line int64
	msg  string
}

func (e *requestError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.msg) }

// read takes a line apart.
func (q question) read() (request, error) {
	if q.err != nil {
		return request{}, q.err
	}
	envelope, err := rollout.Parse(q.text)
	if err != nil {
		return request{}, atLine(err, q.number)
	}
	for _, key := range envelope.Keys() {
		if !slices.Contains(requestKeys, key) {
			return request{}, &requestError{q.number, fmt.Sprintf("unknown key %.40q; want %s", key, strings.Join(requestKeys, ", "))}
		}
	}
	spec, ok := envelope.Get("verifier")
	if !ok {
		return request{}, &judge.SpecError{Path: "verifier", Msg: "missing"}
	}
	r := request{spec: spec}
	if r.deadline, err = q.deadlineOf(envelope); err != nil {
		return request{}, err
	}
	r.row, err = q.rowOf(envelope)
	return r, err
}

// maxDeadline bounds deadline_ms: a week.
const maxDeadline = 7 * 24 * time.Hour

func (q question) deadlineOf(envelope *rollout.Row) (time.Duration, error) {
	v, ok := envelope.Get("deadline_ms")
	if !ok || v.Kind() == 'n' {
		return 0, nil
	}
	var ms float64
	if err := json.Unmarshal(v, &ms); err != nil || !(ms > 0) || ms > float64(maxDeadline.Milliseconds()) {
		return 0, &requestError{q.number, fmt.Sprintf("deadline_ms: want a number above 0, at most %d", maxDeadline.Milliseconds())}
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

func (q question) rowOf(envelope *rollout.Row) (*rollout.Row, error) {
	raw, hasRow := envelope.Get("row")
	candidate, hasCandidate := envelope.Get("candidate")
	reference, hasReference := envelope.Get("reference")
	switch {
	case !hasRow && !hasCandidate && !hasReference:
		return nil, &rollout.SyntaxError{Line: q.number, Msg: "the key row is missing"}
	case hasCandidate && candidate.Kind() != '"':
		return nil, &requestError{q.number, "candidate: must be text"}
	case !hasRow:
		raw = jsontext.Value("{}")
	}
	row, err := rollout.Parse(raw)
	if err == nil && (hasCandidate || hasReference) {
		row, err = rollout.Parse(overlay(row, candidate, reference))
	}
	if err != nil {
		return nil, fmt.Errorf("row: %w", atLine(err, q.number))
	}
	return row, nil
}

// overlay writes a row with another answer or reference; nil leaves the row's.
func overlay(row *rollout.Row, candidate, reference jsontext.Value) []byte {
	b, wrote := row.AppendMembers([]byte{'{'}, func(key string) bool {
		return key == "final_text" && candidate != nil || key == "privileged" && reference != nil
	})
	add := func(key string, value jsontext.Value) {
		if wrote {
			b = append(b, ',')
		}
		b = append(append(appendText(b, key), ':'), value...)
		wrote = true
	}
	if candidate != nil {
		add("final_text", candidate)
	}
	if reference != nil {
		private := []byte(`{"reference":`)
		private = append(private, reference...)
		old, _ := row.Get("privileged")
		for name, value := range rollout.Members(old) {
			if name != "reference" {
				private = append(append(appendText(append(private, ','), name), ':'), value...)
			}
		}
		add("privileged", append(private, '}'))
	}
	return append(b, '}')
}

func atLine(err error, number int64) error {
	var syntax *rollout.SyntaxError
	if errors.As(err, &syntax) {
		syntax.Line = number
	}
	return err
}
