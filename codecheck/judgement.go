package codecheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// ErrIntegrity is wrapped by the error of a Check that asks for a level which cannot judge these tests.
var ErrIntegrity = errors.New("this integrity level cannot judge these tests")

// maxProgram bounds the source text of a program: thirty times the longest that a person writes.
const maxProgram = 4 * sandbox.MiB

// judgement is one Check under way. It belongs to one goroutine, apart from the runs it starts and waits for.
type judgement struct {
	r      *Runner
	lang   Language
	chain  Toolchain
	task   Task
	rep    Report
	limits sandbox.Limits
	total  int // tests known from the outset; 0: unknown

	translated string // the program in the language of the harness, where that is another one

	budget, left time.Duration // own time of all runs together; see budget.go

	answer  json.RawMessage // of the last function case, for a special judge
	pending []pendingCase

	lacks   []string // what the program asked for in vain
	unsure  bool     // a time limit was met while the machine was too busy to be sure of it
	claimed bool     // the process that runs the program says that what comes before the program fails
	without bool     // the program is left out: only what comes before it runs
	alone   bool     // runs want no other verdict's jobs beside them: the second try of a verdict that was unsure
}

// check picks the way of judging by the form of the tests.
func (j *judgement) check(ctx context.Context) (Report, error) {
	t := j.task.Tests
	if strings.TrimSpace(j.rep.Extracted) == "" {
		j.rep.Status, j.rep.Reason, j.rep.Integrity = NoCode, "no code in the answer", j.level()
		return j.rep, nil
	}
	if n := sandbox.Size(len(j.rep.Extracted)); n > min(j.limits.File, maxProgram) {
		j.rep.Status, j.rep.Integrity = DiskLimit, j.level()
		j.rep.Reason = fmt.Sprintf("the program is longer than %s", min(j.limits.File, maxProgram))
		return j.rep, nil
	}
	var err error
	switch t.Format {
	case StdinStdout:
		err = j.stdin(ctx)
	case FnCall:
		err = j.functions(ctx)
	case Asserts, CheckFn, Unittest, Pytest:
		err = j.suite(ctx)
	case ProgramAppend:
		err = j.appended(ctx)
	case TestFiles:
		err = j.testFilesSuite(ctx)
	case CLICases:
		err = j.cli(ctx)
	default:
		return j.rep, fmt.Errorf("codecheck: tests of format %.40q cannot be run", t.Format)
	}
	if err != nil {
		return j.rep, err
	}
	j.finish()
	return j.rep, nil
}

// level is the integrity that a verdict would have where nothing needs to run.
func (j *judgement) level() Integrity {
	switch {
	case j.task.Tests.Format == StdinStdout || j.task.Tests.Format == FnCall || j.task.Tests.Format == CLICases:
		return Engine
	case j.task.Integrity != "" && j.task.Integrity != Auto:
		return j.task.Integrity
	}
	return Split
}

// source is the program: what was found in the answer, after the prompt where the tests ask for that.
func (j *judgement) source() string {
	if j.without {
		return ""
	}
	if j.translated != "" {
		return j.translated
	}
	text := j.rep.Extracted
	if j.task.Tests.Cut {
		text = cutCompletion(text)
	}
	if j.task.Tests.PromptPlus {
		return j.task.Prompt + text
	}
	return text
}

// cutCompletion ends a completion before the next statement at the left margin: a base model runs on into a new function or
// a print. Comments, and whatever comes before the first indented line, do not end it.
func cutCompletion(text string) string {
	inside, at := false, 0
	for line := range strings.Lines(text) {
		switch first := line[0]; {
		case first == ' ' || first == '\t':
			inside = inside || strings.TrimSpace(line) != ""
		case inside && !strings.ContainsRune("#\r\n)]}", rune(first)):
			return text[:at]
		}
		at += len(line)
	}
	return text
}

// before are the texts that run ahead of the program in its namespace, each compiled on its own so that the program may
// begin with an import from __future__.
func (j *judgement) before() []string {
	texts := []string{}
	for _, t := range []string{j.task.Setup, j.task.Tests.Prelude} {
		if strings.TrimSpace(t) != "" {
			texts = append(texts, t)
		}
	}
	return texts
}

// count adds a test's result and reports whether the next one is to be run.
func (j *judgement) count(name string, s Status) bool {
	j.rep.Tests.Cases = append(j.rep.Tests.Cases, Case{name, s == Passed, s})
	if s == Passed {
		j.rep.Tests.Passed++
		return j.task.Score != ScoreFirstN || j.task.Tests.FirstN == 0 || len(j.rep.Tests.Cases) < j.task.Tests.FirstN
	}
	if j.rep.Status == "" {
		j.rep.Status = s
	}
	return j.everything() && !isLimit(s)
}

// everything reports whether tests go on after one that failed.
func (j *judgement) everything() bool { return j.task.Score == ScoreFraction }

// decide sets the status where nothing has set it yet.
func (j *judgement) decide(s Status, reason string) {
	if j.rep.Status == "" {
		j.rep.Status, j.rep.Reason = s, reason
	}
}

// finish turns the counted tests into a status and a reward.
func (j *judgement) finish() {
	j.unsupported()
	rep := &j.rep
	rep.Tests.Total = max(j.total, len(rep.Tests.Cases))
	want := rep.Tests.Total
	if j.task.Score == ScoreFirstN && j.task.Tests.FirstN > 0 {
		want = min(want, j.task.Tests.FirstN)
	}
	if rep.Status == "" {
		if want > 0 && rep.Tests.Passed >= want {
			rep.Status = Passed
		} else {
			rep.Status, rep.Reason = EarlyExit, "the program ended before its tests were seen to hold"
		}
	}
	switch {
	case !rep.Status.Judged():
	case rep.Status == Passed:
		rep.Reward = 1
	case j.task.Score == ScoreFraction && rep.Tests.Total > 0 && rep.Status != Tampering:
		rep.Reward = j.task.Tests.fraction(rep.Tests)
	case j.task.Score == ScoreFirstFailure && rep.Tests.Total > 0 && rep.Status != Tampering:
		rep.Reward = float64(leading(rep.Tests.Cases)) / float64(rep.Tests.Total)
	}
	if rep.Reason == "" {
		rep.Reason = reasonOf(*rep)
	}
}

func leading(cases []Case) int {
	for i, c := range cases {
		if !c.Passed {
			return i
		}
	}
	return len(cases)
}

func reasonOf(rep Report) string {
	if rep.Status == Passed {
		return fmt.Sprintf("all %d tests passed", rep.Tests.Passed)
	}
	return fmt.Sprintf("%s: %d of %d tests passed", strings.ReplaceAll(string(rep.Status), "_", " "), rep.Tests.Passed, rep.Tests.Total)
}

// usage adds what a run cost.
func (j *judgement) usage(res sandbox.Result) {
	u := &j.rep.Usage
	u.CPU, u.Wall, u.Own = u.CPU+res.Usage.CPU, u.Wall+res.Usage.Wall, u.Own+res.Usage.Own
	j.left -= res.Usage.Own
	j.noted(res)
	j.unsure = j.unsure || res.Unsure
	u.PeakMemory = max(u.PeakMemory, res.Usage.PeakMemory)
	if len(res.Degraded) > len(j.rep.Degraded) {
		j.rep.Degraded = res.Degraded
	}
}

// limitStatus is the candidate's fate where a limit, a signal or the filter ended its run; empty where none did.
func limitStatus(s sandbox.Status) Status {
	switch s {
	case sandbox.OK, sandbox.ExitError:
		return ""
	case sandbox.Signalled:
		return Signal
	}
	return Status(s) // the words of both lists are the same
}

func isLimit(s Status) bool {
	switch s {
	case Timeout, CPULimit, MemoryLimit, OutputLimit, ProcessLimit, DiskLimit:
		return true
	}
	return false
}

// limitReason says which limit was met, in words that name no test.
func limitReason(s Status, l sandbox.Limits) string {
	switch s {
	case Timeout:
		return fmt.Sprintf("timed out after %s", l.Wall)
	case CPULimit:
		return fmt.Sprintf("used more than %s of processor time", l.CPU)
	case MemoryLimit:
		return fmt.Sprintf("used more than %s of memory", l.Memory)
	case OutputLimit:
		return fmt.Sprintf("wrote more than %s of output", l.Output)
	case ProcessLimit:
		return fmt.Sprintf("wanted more than %d processes", l.Processes)
	case DiskLimit:
		return fmt.Sprintf("wrote more than %s of files", l.Disk)
	case Forbidden:
		return "made a system call that is not allowed"
	case Signal:
		return "ended by a signal"
	}
	return ""
}
