package codecheck

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// stdin judges stdin_stdout tests: a fresh job per case, input by a pipe, output compared here. A case holds where the
// program ended with exit code 0 within its limits and its whole output is right.
func (j *judgement) stdin(ctx context.Context) error {
	j.rep.Integrity = Engine // whatever was asked for: no level is stronger
	t := j.task.Tests
	j.total = len(t.Stdin)
	b, err := j.build(ctx, strings.Join(append(j.before(), j.source()), "\n"))
	if err != nil || b == nil {
		return err
	}
	for i := range t.Stdin {
		wall, ok := j.withinBudget()
		if !ok {
			return nil
		}
		spec := *b
		spec.Limits.Wall, spec.Stdin = wall, []byte(t.Stdin[i])
		res, err := j.r.box.Run(ctx, spec)
		if err != nil {
			return err
		}
		j.usage(res)
		if res.Status == sandbox.Timeout && wall < j.limits.Wall {
			j.decide(Timeout, j.budgetReason())
			return nil
		}
		s, reason := j.output(res, i)
		if s == Passed && j.special() {
			c := SpecialCase{Input: plainJSON(t.Stdin[i]), Output: plainJSON(string(res.Stdout.Data)), Expected: plainJSON(t.Stdout[i])}
			if s, reason, err = j.ask(ctx, c); err != nil {
				return err
			}
			if !s.Judged() {
				j.rep.Status, j.rep.Reason = s, reason
				return nil
			}
		}
		more := j.count(t.caseName(i), s)
		if s != Passed && j.rep.Reason == "" {
			j.rep.Reason = reason
		}
		if !more {
			return nil
		}
	}
	return nil
}

// output judges one case's run.
func (j *judgement) output(res sandbox.Result, i int) (Status, string) {
	if s := limitStatus(res.Status); s != "" {
		return s, limitReason(s, j.limits)
	}
	if res.Status == sandbox.ExitError {
		name := lastError(res.Stderr.Data)
		if name == "SyntaxError" || name == "IndentationError" || name == "TabError" {
			return SyntaxError, "tests failed: " + name
		}
		if name != "" {
			return RuntimeError, "tests failed: " + name
		}
		return RuntimeError, fmt.Sprintf("tests failed: exit %d", res.ExitCode)
	}
	if res.Stdout.Truncated {
		return OutputLimit, limitReason(OutputLimit, j.limits)
	}
	if !j.special() && !j.task.Tests.printed(string(res.Stdout.Data), i) {
		return WrongAnswer, "wrong output"
	}
	return Passed, ""
}

// printed reports whether what case i printed is one of its right answers.
func (t Tests) printed(got string, i int) bool {
	if t.Compare.text(got, t.Stdout[i]) {
		return true
	}
	return t.Others != nil && slices.ContainsFunc(t.Others[i], func(want string) bool { return t.Compare.text(got, want) })
}

// lastError is the class that a Python traceback's last line names, a plain word, else empty.
func lastError(stderr []byte) string {
	lines := bytes.Split(bytes.TrimSpace(stderr), []byte("\n"))
	name, _, _ := bytes.Cut(lines[len(lines)-1], []byte(":"))
	if s := string(name); exceptionName(s) && (strings.HasSuffix(s, "Error") || strings.HasSuffix(s, "Exception") || strings.HasSuffix(s, "Interrupt")) {
		return s
	}
	return ""
}
