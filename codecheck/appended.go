package codecheck

import (
	"context"
	"crypto/rand"
	"errors"
	"regexp"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Tests that share a program with the candidate.
//
// Where a language's tests are compiled into one program with the candidate, nothing keeps the candidate from ending it early with
// exit code 0, from printing what a framework prints, or from putting something else in place of an assertion. Two things
// are asked of a pass beside the exit code:
//
//	the mark    the tests' entry function is renamed; a new one calls it and then makes a file whose name nobody else
//	            knows. What ends the program before its tests have returned leaves no mark.
//	the decoy   a second program is made of the same candidate and of tests whose expected values are all changed, or
//	            else whose assertions are negated. A candidate that solves the task fails them, and one that passes them as
//	            well passes whatever is asked: tampering. It cannot see in which of the two it stands.
//
// The decoy is made and run only where the tests passed. A forger that knows of both, and fails at random to seem honest, gets
// through with probability p(1-p), a quarter at best. Tests of which no decoy can be made are judged by the mark alone, and the
// report says in_process instead of lineup.

// Appended says how tests stand behind a program of a language, in one file.
type Appended struct {
	Comment string // begins a comment to the end of the line: "//" or "#"
	Single  bool   // single quotes hold texts, not characters

	// Entry finds the tests' entry function; its first group is the name and the second, if any, what stands between its
	// parentheses. nil: the tests are a script, whose end is the end of the text. Templates know {entry} (its new name), {args}
	// (Args, where there are parameters) and {mark} (a path).
	Entry  *regexp.Regexp
	Args   string // arguments for an entry that has parameters
	Head   *regexp.Regexp
	Import string // put behind what Head finds in the whole text
	Close  string // put before the brace that closes the entry
	Before string // put before the entry
	After  string // put behind the tests

	Asserts []string       // calls whose arguments are claims, with the mark of a macro where they have it: "assert", "assert!"
	Equal   []Equal        // calls that compare
	Fail    string         // a statement that begins so behind an if is a failed test: "throw"
	Expect  *regexp.Regexp // finds further comparisons in code; its first group is the expected value
}

// Equal is a call that compares: the argument that is the expected value, from 0.
type Equal struct {
	Name string
	Arg  int
}

func (a Appended) syntax() syntax { return syntax{a.Comment, a.Single} }

// appended judges program_append tests: program and tests are one file, and the tests' end is what has to be reached. Where the language's
// harness can keep the two apart, it does.
func (j *judgement) appended(ctx context.Context) error {
	t, setup := j.task.Tests, j.task.Setup
	if j.lang.Harness != "" && j.task.Integrity != InProcess && (j.kit().lineup || j.task.Integrity != Lineup) {
		err := j.suite(ctx)
		if !errors.Is(err, ErrIntegrity) || j.task.Integrity != "" && j.task.Integrity != Auto {
			return err
		}
		j.task.Tests, j.task.Setup, j.translated = t, setup, "" // tests that must share the program's process
	}
	before := strings.Join(append(j.before(), j.source()), "\n") + "\n"
	layOut := func(tests string) (project, bool) {
		p, _, ok := j.project(tests, j.lang.Run)
		return p, ok
	}
	return j.sealed(ctx, t.Code, func(tests, head string) (project, bool) {
		return layOut(j.lang.Appended.imported(before, head) + tests)
	})
}

// imported puts an import where the language wants it.
func (a Appended) imported(text, line string) string {
	if a.Head == nil || line == "" {
		return text
	}
	if at := a.Head.FindStringIndex(text); at != nil {
		return text[:at[1]] + line + text[at[1]:]
	}
	return text
}

// sealed judges one program of candidate and tests: it must leave its mark and end with exit code 0, and its decoy must not. layOut
// makes the project of a text of tests, with an import for the candidate's file.
func (j *judgement) sealed(ctx context.Context, tests string, layOut func(tests, head string) (project, bool)) error {
	j.rep.Integrity, j.total = InProcess, 1
	name := "M" + rand.Text() // a name in every language
	marked, ok := j.lang.Appended.mark(tests, name)
	if !ok {
		j.decide(BrokenTests, "the tests have no function to start from")
		return nil
	}
	p, ok := layOut(marked, j.lang.Appended.Import)
	if !ok {
		return nil
	}
	res, left, err := j.runSealed(ctx, p, name)
	if err != nil || j.rep.Status != "" {
		return err
	}
	if s, reason := sealedStatus(res, left, j.limits); s != Passed {
		j.count("tests", s)
		j.rep.Reason = reason
		return nil
	}
	if err := j.decoy(ctx, tests, name, layOut); err != nil || j.rep.Status != "" {
		return err
	}
	j.count("tests", Passed)
	return nil
}

// runSealed builds and runs a project; left says that the mark was there afterwards.
func (j *judgement) runSealed(ctx context.Context, p project, name string) (res sandbox.Result, left bool, err error) {
	spec, err := j.make(ctx, p)
	if err != nil || spec == nil {
		return res, false, err
	}
	wall, ok := j.withinBudget()
	if !ok {
		return res, false, nil
	}
	spec.Limits.Wall, spec.CopyOut = wall, []string{name}
	if res, err = j.r.box.Run(ctx, *spec); err != nil {
		return res, false, err
	}
	j.usage(res)
	if res.Status == sandbox.Timeout && wall < j.limits.Wall {
		j.decide(Timeout, j.budgetReason())
	}
	return res, len(res.Files) == 1, nil
}

func sealedStatus(res sandbox.Result, left bool, l sandbox.Limits) (Status, string) {
	switch s := limitStatus(res.Status); {
	case s == Signal:
		return TestsFailed, "tests failed: " + limitReason(s, l) // an assertion in C ends so
	case s != "":
		return s, limitReason(s, l)
	case res.Status != sandbox.OK:
		return TestsFailed, "tests failed"
	case !left:
		return EarlyExit, "the program ended before its tests were seen to hold"
	}
	return Passed, ""
}

// decoy runs the program with tests that it must fail. What it cannot be told is left as it is: a decoy that does not compile
// or meets a limit says nothing about the program.
func (j *judgement) decoy(ctx context.Context, tests, name string, layOut func(tests, head string) (project, bool)) error {
	if j.task.Integrity == InProcess {
		return nil
	}
	text, ok := j.lang.Appended.decoy(tests)
	if !ok {
		return nil
	}
	marked, _ := j.lang.Appended.mark(text, name)
	p, ok := layOut(marked, j.lang.Appended.Import)
	if !ok {
		return nil
	}
	second := *j // its verdict is not the report's
	res, left, err := second.runSealed(ctx, p, name)
	j.rep.Usage, j.left, j.unsure = second.rep.Usage, second.left, second.unsure || j.unsure
	if err != nil || second.rep.Status != "" {
		return err
	}
	j.rep.Integrity = Lineup
	if s, _ := sealedStatus(res, left, j.limits); s == Passed {
		j.rep.Status, j.rep.Reason = Tampering, "the program passes tests that no solution passes"
	}
	return nil
}

// mark makes tests leave the mark when they have come to their end.
func (a Appended) mark(tests, name string) (string, bool) {
	path := sandbox.WorkDir + "/" + name
	fill := func(template, entry, args string) string {
		return strings.NewReplacer("{entry}", entry, "{args}", args, "{mark}", path, "{id}", name).Replace(template)
	}
	if a.Entry == nil {
		if a.After == "" {
			return tests, false
		}
		return strings.TrimRight(tests, "\n") + "\n" + fill(a.After, "", ""), true
	}
	l := lex(tests, a.syntax())
	m := a.Entry.FindSubmatchIndex(l.code)
	if m == nil {
		return tests, false
	}
	entry, args := "t"+strings.ToLower(name), ""
	if len(m) > 5 && m[4] >= 0 {
		if inner := strings.TrimSpace(string(l.code[m[4]:m[5]])); inner != "" && inner != "void" {
			args = a.Args
		}
	}
	open := strings.IndexByte(string(l.code[m[3]:]), '{')
	if open < 0 {
		return tests, false
	}
	end := l.closing(m[3] + open)
	if end >= len(tests) {
		return tests, false
	}
	return tests[:m[0]] + fill(a.Before, entry, args) + tests[m[0]:m[2]] + entry + tests[m[3]:end] + fill(a.Close, entry, args) + tests[end:] + "\n" + fill(a.After, entry, args), true
}
