package codecheck

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// testerJob is what the tester is told (vd_tester.run).
type testerJob struct {
	Text       string            `json:"text"`
	Before     string            `json:"before,omitempty"` // what the tests see of the text before the program; no test is in it
	File       string            `json:"file"`
	Kind       Format            `json:"kind"`
	Entry      string            `json:"entry"`
	Files      map[string]string `json:"files"`
	Module     string            `json:"module"`   // the test file's name as a module
	Solution   string            `json:"solution"` // the program's name as a module
	Shares     bool              `json:"shares"`   // the text is written as if it followed the program in one file
	Local      bool              `json:"local"`    // program and tests share this interpreter
	Lineup     bool              `json:"lineup"`   // the text is rewritten to questions
	Auto       bool              `json:"auto"`     // the tester may ask for Local
	Everything bool              `json:"everything"`
	Nonce      string            `json:"nonce"` // comes back with the end of the tests
	Program    program           `json:"program"`
}

// errShare tells suite that these tests, by what they say themselves, must share an interpreter with the program.
var errShare = errors.New("tests must share the program's interpreter")

// suite judges tests that are source text. At the level split the text runs in a sandbox of its own; where the text says
// by itself that it cannot (it patches the program, derives from its classes, shares files with it), and the level was
// left to the engine, they are asked as a line-up beside the program (in_process where nothing in them can be asked), and
// the report says so. The program has no say in that choice.
func (j *judgement) suite(ctx context.Context) error {
	if j.lang.Harness == "" {
		return fmt.Errorf("codecheck: tests of format %s are not served for %s", j.task.Tests.Format, j.lang.Name)
	}
	if ok, err := j.translate(ctx); !ok {
		return err
	}
	harness, err := j.harness(ctx)
	if err != nil {
		return err
	}
	job := j.testerJob()
	switch j.task.Integrity {
	case "", Auto, Split:
		job.Auto = j.task.Integrity != Split
		j.rep.Integrity = Split
		if err = j.split(ctx, harness, job); !errors.Is(err, errShare) {
			return err
		}
		fallthrough
	case Lineup:
		if !j.kit().lineup {
			return fmt.Errorf("codecheck: these tests must share the program's process, where %s is judged only %s: %w", j.lang.Name, InProcess, ErrIntegrity)
		}
		j.rep.Integrity = Lineup
		return j.lineup(ctx, harness, job)
	case InProcess:
		job.Local = true
		j.rep.Integrity = InProcess
		return j.together(ctx, harness, job, nil)
	}
	return fmt.Errorf("codecheck: %s with %s: %w", j.task.Tests.Format, j.task.Integrity, ErrIntegrity)
}

func (j *judgement) testerJob() testerJob {
	t := j.task.Tests
	job := testerJob{
		Text: t.Code, File: "tests" + j.kit().ending, Kind: t.Format, Entry: t.EntryPoint, Files: map[string]string{}, Module: "tests", Solution: "solution",
		Shares: true, Everything: j.everything(), Nonce: rand.Text(), Program: program{Name: "__main__", File: j.sourcePath(), Before: j.before(), Source: j.source()},
	}
	if t.Format == ProgramAppend && j.kit().preludes {
		job.Before = t.Prelude
	}
	if job.Entry == "" {
		job.Entry = j.task.EntryPoint
	}
	if t.Format == CheckFn {
		job.Text = t.Check
	}
	if t.Code == "" && t.TestFile != "" {
		job.Shares, job.Files = false, t.Files
		job.Text, job.File = t.Files[t.TestFile], t.TestFile
		job.Module = strings.TrimSuffix(path.Base(t.TestFile), ".py")
		job.Solution = strings.ReplaceAll(strings.TrimSuffix(t.SolutionFile, ".py"), "/", ".")
		job.Program.Name, job.Program.File = job.Solution, sandbox.WorkDir+"/"+t.SolutionFile
	}
	return job
}

// testFiles are the suite's own files, for the side that runs it.
func (j *judgement) testFiles(job testerJob) []sandbox.File {
	var files []sandbox.File
	for name, text := range job.Files {
		if name != j.task.Tests.SolutionFile {
			files = append(files, sandbox.File{Name: sandbox.WorkDir + "/" + name, Data: []byte(text), ReadOnly: true})
		}
	}
	return files
}

func (j *judgement) programFile(job testerJob) sandbox.File {
	return sandbox.File{Name: job.Program.File, Data: []byte(job.Program.Source)}
}

// together runs program and tests in one interpreter. The report's channel is open before the program is loaded, and a
// pass needs every test reported, the end after them, and every question of a line-up answered rightly.
func (j *judgement) together(ctx context.Context, harness *frozen, job testerJob, questions []*question) error {
	spec := j.harnessSpec(harness, testerSide, "vd_tester", append(j.testFiles(job), j.programFile(job))...)
	v, q := &verdictReader{j: j, nonce: job.Nonce}, &inquiry{questions: questions}
	res, err := j.converse(ctx, spec, func(c sandbox.Conn) bool {
		if sendJSON(c, 'J', job) != nil {
			return false
		}
		for !v.done {
			f, err := readFrame(c)
			if err != nil {
				return false
			}
			if job.Lineup && (f.kind == '?' || f.kind == 'A') {
				if !q.take(c, f) {
					v.tampered()
				}
				continue
			}
			v.take(f)
		}
		return true
	})
	if err != nil {
		return err
	}
	j.usage(res)
	if !v.done {
		j.ended(res)
	}
	q.settle(j, v.done)
	return nil
}

// verdictReader takes the tester's reports.
type verdictReader struct {
	j       *judgement
	started bool // the program has been let in: in one interpreter, it may be the one that speaks
	nonce   string
	done    bool // decided: nothing that the jobs say later counts
}

// take takes one report; frames of another kind are left to the caller.
func (v *verdictReader) take(f frame) {
	switch f.kind {
	case 'W', 'S':
		v.started = f.kind == 'W'
	case 'B':
		v.unusable(f)
	case 'C':
		v.result(f)
	case 'E':
		v.ended(f)
	case 'X':
		v.j.failed(f)
		v.done = true
	default:
		v.tampered()
	}
}

// ended takes the report that comes after the last test: how many there were, and the nonce, which nobody else should know.
func (v *verdictReader) ended(f frame) {
	var e struct {
		Total int    `json:"total"`
		Nonce string `json:"nonce"`
	}
	if json.Unmarshal(f.body, &e) != nil || e.Nonce != v.nonce || e.Total < len(v.j.rep.Tests.Cases) || e.Total > maxCases {
		v.tampered()
		return
	}
	v.j.total, v.done = e.Total, true
}

// maxCases bounds the results that are kept of one suite: a hundred times the longest in use.
const maxCases = 100_000

func (v *verdictReader) tampered() {
	v.j.rep.Status, v.j.rep.Reason = Tampering, "the channel carried something else than a report"
	v.done = true
}

// unusable takes the report that the tests cannot be used. Once a program shares the interpreter that says so, it is not
// believed: a verdict without a reward must not be for sale.
func (v *verdictReader) unusable(f frame) {
	var b struct {
		Status Status `json:"status"`
		Reason string `json:"reason"`
	}
	if v.started && v.j.rep.Integrity != Split || json.Unmarshal(f.body, &b) != nil || b.Status.Judged() {
		v.tampered()
		return
	}
	v.j.rep.Status, v.j.rep.Reason, v.done = b.Status, b.Reason, true
}

// result takes one test's result.
func (v *verdictReader) result(f frame) {
	var c struct {
		Name   string `json:"name"`
		Status Status `json:"status"`
		Error  string `json:"error"`
	}
	known := map[Status]bool{Passed: true, WrongAnswer: true, TestsFailed: true, RuntimeError: true, EarlyExit: true}
	if json.Unmarshal(f.body, &c) != nil || !known[c.Status] || len(v.j.rep.Tests.Cases) >= maxCases || len(c.Name) > 1000 {
		v.tampered()
		return
	}
	rep := &v.j.rep
	if c.Status != Passed && rep.Reason == "" {
		rep.Reason = "tests failed"
		if exceptionName(c.Error) {
			rep.Reason += ": " + c.Error
		}
	}
	if !v.j.count(c.Name, c.Status) && v.j.task.Score == ScoreFirstN && c.Status == Passed {
		v.done = true
	}
}
