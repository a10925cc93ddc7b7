package codecheck

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Soundness is what Lint found of one task.
type Soundness struct {
	Reference Report // of the reference's first run; Status is empty where there is no reference
	Stub      Report // of a program that has the right names and does nothing; Status is empty where none was made
	Stable    bool   // the reference's second run said the same
	Findings  []Finding
}

// Finding is a fault of a task: why a policy that trains on it would learn something else than the task.
type Finding struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// The kinds of findings, beside the statuses broken_tests, missing_dependency and no_tests.
const (
	NoReference    = "no_reference"
	ReferenceFails = "reference_fails" // the right answer scores below 1
	StubPasses     = "stub_passes"     // an empty program scores above 0
	Unstable       = "unstable"        // the same program, another verdict
	TightLimits    = "tight_limits"    // the reference needs more than half of its time or memory
)

// Lint asks whether a task is sound: does its reference (t.Answer) pass, twice alike and within half of the limits, and does a
// program that does nothing fail? The second run has an interpreter of its own and so another seed of its hashes, which shows
// programs and tests that hang on the order of sets. Errors are those of Check.
func (r *Runner) Lint(ctx context.Context, t Task) (Soundness, error) {
	var s Soundness
	if strings.TrimSpace(t.Answer) == "" {
		s.add(NoReference, "there is no reference to try the tests with")
	} else if err := r.lintReference(ctx, t, &s); err != nil || len(s.Findings) > 0 && !s.Reference.Status.Judged() {
		return s, err
	}
	stub := t
	if stub.Answer = stubOf(t); stub.Answer == "" {
		return s, nil
	}
	var err error
	if s.Stub, err = r.Check(ctx, stub); err != nil {
		return s, err
	}
	switch {
	case s.Reference.Status == "" && !s.Stub.Status.Judged():
		s.add(string(s.Stub.Status), s.Stub.Reason)
	case s.Stub.Status.Judged() && s.Stub.Reward > 0:
		s.add(StubPasses, fmt.Sprintf("a program that does nothing scores %.3g", s.Stub.Reward))
	}
	return s, nil
}

func (s *Soundness) add(kind, detail string) { s.Findings = append(s.Findings, Finding{kind, detail}) }

// lintReference runs the reference twice, the second time cold and with half of the limits.
func (r *Runner) lintReference(ctx context.Context, t Task, s *Soundness) error {
	var err error
	if s.Reference, err = r.Check(ctx, t); err != nil {
		return err
	}
	first := s.Reference
	if !first.Status.Judged() {
		s.add(string(first.Status), first.Reason)
		return nil
	}
	if first.Status != Passed {
		s.add(ReferenceFails, fmt.Sprintf("%s: %s", first.Status, first.Reason))
	}
	t.Cold = true
	again, err := r.checkWithin(ctx, t, halved)
	if err == nil && first.Status == Passed && isLimit(again.Status) {
		s.add(TightLimits, again.Reason+", which is half of the limit")
		again, err = r.Check(ctx, t)
	}
	if err != nil {
		return err
	}
	s.Stable = again.Status == first.Status && again.Tests.Passed == first.Tests.Passed && again.Tests.Total == first.Tests.Total
	if !s.Stable {
		s.add(Unstable, fmt.Sprintf("%s with %d of %d tests, then %s with %d of %d",
			first.Status, first.Tests.Passed, first.Tests.Total, again.Status, again.Tests.Passed, again.Tests.Total))
	}
	return nil
}

// halved are the limits that an honest reference keeps with room to spare. Memory stays above what an interpreter needs.
func halved(l sandbox.Limits) sandbox.Limits {
	l.Wall, l.CPU = max(l.Wall/2, time.Millisecond), max(l.CPU/2, time.Millisecond)
	l.Memory = max(l.Memory/2, min(l.Memory, 32*sandbox.MiB))
	return l
}

// Definitions at the top level of a Python text.
var topLevel = regexp.MustCompile(`(?m)^(?:async[ \t]+)?(def|class)[ \t]+([A-Za-z_]\w*)`)

// stubOf is a program with the names that the tests may ask for, which does nothing; empty where no such program is known for
// the language.
func stubOf(t Task) string {
	if l, ok := FindLanguage(Languages(), t.Language); !ok || l.Name != "python" {
		return ""
	}
	tests := t.Tests
	if tests.Format == StdinStdout {
		return "pass\n"
	}
	if tests.PromptPlus {
		return indentOf(t.Answer) + "pass\n"
	}
	kinds, names := map[string]string{}, []string{}
	add := func(kind, name string) {
		if name != "" && kinds[name] == "" {
			kinds[name], names = kind, append(names, name)
		}
	}
	for _, m := range topLevel.FindAllStringSubmatch(t.Answer, -1) {
		add(m[1], m[2])
	}
	add("class", tests.Class)
	if tests.Class == "" {
		add("def", tests.FnName)
	}
	add("def", tests.EntryPoint)
	add("def", t.EntryPoint)
	var b strings.Builder
	for _, name := range names {
		if kinds[name] == "def" {
			fmt.Fprintf(&b, "def %s(*a, **k):\n    pass\n", name)
		} else {
			fmt.Fprintf(&b, "class %s:\n    def __init__(self, *a, **k):\n        pass\n    def __getattr__(self, name):\n        return lambda *a, **k: None\n", name)
		}
	}
	if b.Len() == 0 {
		return "pass\n"
	}
	return b.String()
}

// indentOf is the white space before the first line of a completion that holds anything.
func indentOf(completion string) string {
	for line := range strings.Lines(completion) {
		if text := strings.TrimLeft(line, " \t"); strings.TrimSpace(text) != "" {
			return line[:len(line)-len(text)]
		}
	}
	return "    "
}
