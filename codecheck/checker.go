package codecheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/verifyd/verifyd/sandbox"
)

// Special judges: some tasks have many right answers, and what is right is found by a rule. Two things can hold it.
//
// A program (Tests.Checker), run in a sandbox of its own for each case once the candidate's run has ended, with
//
//	{"input": …, "output": …, "expected": …}
//
// on its standard input: of stdin_stdout the three texts, of fn_call arguments, value and expected value. Exit code 0 says that
// the output is right, any other end that it is wrong. A checker that also refuses the expected output of the task itself, and
// does so by more than a plain no (exit code 1), is broken, whatever the candidate did: then there is no verdict.
//
// Or whoever asks (Task.Special), who is handed the same in Go.

// Special judges one case; an error means that there is no verdict. It must be safe for concurrent use.
type Special func(ctx context.Context, c SpecialCase) (right bool, err error)

// SpecialCase is what a special judge is asked about.
type SpecialCase struct {
	Input    json.RawMessage `json:"input"`    // a text for stdin_stdout, a list of arguments for fn_call
	Output   json.RawMessage `json:"output"`   // a text, or the value that the function gave
	Expected json.RawMessage `json:"expected"` // null where the task gives none
}

// Checker is the source of a checking program.
type Checker struct {
	Language string `json:"language"` // empty: that of the candidate
	Code     string `json:"code"`
}

// special reports whether a special judge decides instead of Compare.
func (j *judgement) special() bool { return j.task.Special != nil || j.task.Tests.Checker.Code != "" }

// errChecker is the error of a checker that cannot judge even the task's own answer.
var errChecker = errors.New("the checker cannot be used")

// ask lets the special judge decide about one case.
func (j *judgement) ask(ctx context.Context, c SpecialCase) (Status, string, error) {
	if c.Expected == nil {
		c.Expected = json.RawMessage("null")
	}
	if j.task.Special != nil {
		right, err := j.task.Special(ctx, c)
		if err != nil {
			return "", "", fmt.Errorf("codecheck: special judge: %w", err)
		}
		return verdictOf(right)
	}
	right, odd, err := j.runChecker(ctx, c)
	if err != nil || !odd {
		s, reason, _ := verdictOf(right)
		return s, reason, err
	}
	c.Output = c.Expected
	if right, _, err := j.runChecker(ctx, c); err != nil || right {
		return WrongAnswer, "wrong answer", err
	}
	return BrokenTests, errChecker.Error(), nil
}

// pendingCase is a function case whose answer waits for the special judge. Checkers run once the candidate's job has ended, since a
// job that waits for another one holds a place that the other may need.
type pendingCase struct {
	name   string
	status Status
	reason string
	about  SpecialCase
}

// askPending counts the cases of functions that a special judge decides.
func (j *judgement) askPending(ctx context.Context) error {
	for _, p := range j.pending {
		if p.status == Passed {
			var err error
			if p.status, p.reason, err = j.ask(ctx, p.about); err != nil {
				return err
			}
		}
		if !p.status.Judged() {
			j.rep.Status, j.rep.Reason = p.status, p.reason
			return nil
		}
		more := j.count(p.name, p.status)
		if p.status != Passed && j.rep.Reason == "" {
			j.rep.Reason = p.reason
		}
		if !more {
			return nil
		}
	}
	return nil
}

func verdictOf(right bool) (Status, string, error) {
	if right {
		return Passed, "", nil
	}
	return WrongAnswer, "wrong answer", nil
}

// runChecker runs the checking program; odd: it ended with something else than yes or no.
func (j *judgement) runChecker(ctx context.Context, c SpecialCase) (right, odd bool, err error) {
	input, err := json.Marshal(c)
	if err != nil {
		return false, true, nil //nolint:nilerr // an output that is no JSON is not right
	}
	lang := j.task.Tests.Checker.Language
	if lang == "" {
		lang = j.lang.Name
	}
	res, err := j.r.Run(ctx, Program{Language: lang, Source: j.task.Tests.Checker.Code, Stdin: input, Limits: sandbox.Limits{Wall: j.testerLimits().Wall}})
	if err != nil {
		return false, false, fmt.Errorf("codecheck: run the checker: %w", err)
	}
	right = res.Status == string(sandbox.OK)
	return right, !right && (res.Status != string(sandbox.ExitError) || res.ExitCode != 1), nil
}

// plainJSON is a value as a special judge gets it: tuples and sets are lists, bytes and opaque values are objects with their kind,
// numbers that JSON lacks are texts.
func plainJSON(v any) json.RawMessage {
	text, err := json.Marshal(plain(v))
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

func plain(v any) any {
	all := func(items []any) []any {
		out := make([]any, len(items))
		for i, x := range items {
			out[i] = plain(x)
		}
		return out
	}
	switch v := v.(type) {
	case *big.Int:
		return json.Number(v.String())
	case float64:
		return plainFloat(v)
	case double:
		return plainFloat(float64(v))
	case list:
		return all(v)
	case tuple:
		return all(v)
	case set:
		return all(v)
	case dict:
		m := make(map[string]any, len(v))
		for _, p := range v {
			key, ok := p[0].(string)
			if !ok {
				key = string(plainJSON(p[0]))
			}
			m[key] = plain(p[1])
		}
		return m
	case []byte:
		return map[string]any{"bytes": v}
	case opaque:
		return map[string]any{"opaque": string(v)}
	}
	return v
}

func plainFloat(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return json.Number(fmt.Sprintf("%.1f", f)) // a float stays one
	}
	return f
}
