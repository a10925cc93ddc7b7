package codecheck

import (
	"crypto/rand"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Framework is a framework of tests whose report is understood, so that each test counts by its own name.
//
// The report is printed by the candidate's own process, so a candidate could print one. What it does not know are the decoys: tests
// of random names among the others, which must fail. A report in which they hold, or which lacks them, a test, or the end, was not made by
// the framework's own judgement of these tests.
type Framework struct {
	Name string
	Sign *regexp.Regexp // found in a file of tests that use it

	// Command is how the tests' run command begins where building and running it are one; Compile and Run then take its place.
	// {bin} is the test program, {dir} the tests' folder. Where Compile is empty the command is run as it is, with Add behind it.
	Command, Compile, Run, Add []string
	Default                    []string // the run command of tests that name none

	Tests  *regexp.Regexp // finds the tests in a source: the group that took part is the name; empty where names are made at run time
	Skip   *regexp.Regexp // finds what asks for a test to be skipped, in a source
	Result *regexp.Regexp // finds one test's result in the report, by its groups name and status
	Pass   string         // the status of a test that held
	Skips  string         // and of one that was skipped
	Safe   bool           // a program has no way to have a test skipped: one Skip in a source explains any number of them
	Decoys []Insertion    // at least one
}

// Insertion puts text into the file that has the framework's Sign, before the first match of At (nil: at its end). {first} and {last} are
// the names of the decoys.
type Insertion struct {
	At   *regexp.Regexp
	Text string
}

// framework finds the framework that the tests use, and the files that have its sign, in order.
func (l Language) framework(t Tests) (f Framework, files []string, ok bool) {
	for _, f := range l.Frameworks {
		for name, text := range t.Files {
			if name != t.SolutionFile && f.Sign.MatchString(text) {
				files = append(files, name)
			}
		}
		if len(files) > 0 {
			slices.Sort(files)
			return f, files, true
		}
	}
	return f, nil, false
}

// decoys are the names of the tests that must fail.
type decoys struct{ first, last string }

// newDecoys draws names that look like a test's in each of the languages.
func newDecoys() decoys {
	name := func() string {
		text := strings.ToLower(rand.Text())
		return strings.ToUpper(text[:1]) + strings.Trim(text[1:9], "0123456789") + "x"
	}
	return decoys{name(), name()}
}

// which is the decoy that a reported name is; empty for another test's.
func (d decoys) which(name string) string {
	for _, decoy := range []string{d.first, d.last} {
		if strings.HasSuffix(name, decoy) {
			return decoy
		}
	}
	return ""
}

func (d decoys) fill(text string) string {
	return strings.NewReplacer("{first}", d.first, "{last}", d.last).Replace(text)
}

// insert puts the decoys into a file of tests; false where it has no place for one of them.
func (f Framework) insert(text string, syn syntax, d decoys) (string, bool) {
	code := string(lex(text, syn).code)
	var edits []edit
	for _, in := range f.Decoys {
		at := len(text)
		if in.At != nil {
			m := in.At.FindStringIndex(code)
			if m == nil {
				return text, false
			}
			at = m[0]
		}
		edits = append(edits, edit{at, at, d.fill(in.Text)})
	}
	return apply(text, edits), true
}

// expected are the names of the tests in the files; nil where they cannot be known: a condition may leave some of them out.
func (f Framework) expected(t Tests, files []string, syn syntax) (names []string, skips int) {
	known := f.Tests != nil
	for _, file := range files {
		code := string(lex(t.Files[file], syn).code)
		if f.Skip != nil {
			skips += len(f.Skip.FindAllString(code, -1))
		}
		if !known {
			continue
		}
		known = !conditional.MatchString(code)
		for _, m := range f.Tests.FindAllStringSubmatch(code, -1) {
			i := slices.IndexFunc(m[1:], func(g string) bool { return g != "" })
			if i >= 0 && !slices.Contains(names, m[1+i]) {
				names = append(names, m[1+i])
			}
		}
	}
	if !known {
		return nil, skips
	}
	return names, skips
}

var conditional = regexp.MustCompile(`(?m)^\s*#\s*(if|ifdef|ifndef|else)\b|^\s*#\[cfg\(|^//go:build`)

// judgeReport counts the tests of a framework's report.
func (j *judgement) judgeReport(res sandbox.Result, f Framework, names []string, skips int, d decoys) {
	type seen struct {
		name   string
		status Status
	}
	var all []seen
	decoyed, twice := map[string]bool{}, map[string]bool{}
	report := string(res.Stdout.Data)
	nameAt, statusAt := f.Result.SubexpIndex("name"), f.Result.SubexpIndex("status")
	for _, m := range f.Result.FindAllStringSubmatch(report, maxCases) {
		name, status := m[nameAt], m[statusAt]
		last := name[strings.LastIndexAny(name, ":. /")+1:]
		if which := d.which(last); which != "" {
			decoyed[which] = true
			if status == f.Pass || status == f.Skips {
				j.tamperedReport()
				return
			}
			continue
		}
		if twice[name] {
			j.tamperedReport()
			return
		}
		twice[name] = true
		s := TestsFailed
		switch {
		case status == f.Pass:
			s = Passed
		case status == f.Skips && skips > 0:
			s = Passed // the tests themselves ask for it
			if !f.Safe {
				skips--
			}
		}
		all = append(all, seen{name, s})
	}
	j.total = max(len(names), len(all), 1)
	limit := limitStatus(res.Status)
	for _, c := range all {
		if !j.count(c.name, c.status) && c.status != Passed {
			break
		}
	}
	whole := decoyed[d.first] && decoyed[d.last]
	missing := slices.ContainsFunc(names, func(n string) bool {
		return !slices.ContainsFunc(all, func(c seen) bool { return sameTest(c.name, n) })
	})
	switch {
	case j.rep.Status != "":
	case limit == Signal:
		j.decide(TestsFailed, "tests failed: "+limitReason(Signal, j.limits))
	case limit != "":
		j.decide(limit, limitReason(limit, j.limits))
	case res.Stdout.Truncated:
		j.decide(OutputLimit, limitReason(OutputLimit, j.limits))
	case !whole && res.Status != sandbox.OK:
		j.decide(TestsFailed, "the program failed before its tests were seen to hold")
	case !whole || missing || len(all) == 0:
		j.decide(EarlyExit, "the program ended before its tests were seen to hold")
	}
}

// sameTest reports whether a name of a report is that of a test in a source, which stands without its module.
func sameTest(reported, name string) bool {
	return reported == name || strings.HasSuffix(reported, ":"+name) || strings.HasSuffix(reported, "."+name)
}

func (j *judgement) tamperedReport() {
	j.rep.Tests = Counts{}
	j.rep.Status, j.rep.Reason = Tampering, "the report of the tests is not the framework's"
}

// isSource reports whether a file holds source text of the language.
func (l Language) isSource(name string) bool {
	ext := path.Ext(name)
	return ext == path.Ext(l.File) || slices.Contains(l.Sources, ext)
}
