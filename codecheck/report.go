package codecheck

import (
	"github.com/verifyd/verifyd/sandbox"
)

// Status is the candidate's fate, or what kept the engine from judging, in the words of WIRE.md (judge_meta.status).
type Status string

// The candidate's fates.
const (
	Passed       Status = "passed"
	WrongAnswer  Status = "wrong_answer" // a compared value differed or a Python assertion failed
	TestsFailed  Status = "tests_failed" // another language's suite said no
	EarlyExit    Status = "early_exit"   // the program ended before its tests had been seen to hold
	Tampering    Status = "tampering"    // the channel of the verdict was interfered with
	RuntimeError Status = "runtime_error"
	SyntaxError  Status = "syntax_error"
	CompileError Status = "compile_error"
	Timeout      Status = "timeout"
	CPULimit     Status = "cpu_limit"
	MemoryLimit  Status = "memory_limit"
	OutputLimit  Status = "output_limit"
	ProcessLimit Status = "process_limit"
	DiskLimit    Status = "disk_limit"
	Forbidden    Status = "forbidden"
	Signal       Status = "signal"
	NoCode       Status = "no_code"
)

// The faults of the task. A Report with one of them has no reward.
const (
	NoTests           Status = "no_tests"           // nothing to check the program with
	BrokenTests       Status = "broken_tests"       // tests that fail whatever the answer is
	MissingDependency Status = "missing_dependency" // the tests need a module that is not installed
)

// Judged reports whether the status is about the candidate, so that a reward follows from it.
func (s Status) Judged() bool { return s != NoTests && s != BrokenTests && s != MissingDependency }

// Integrity is how a verdict was reached; see the package comment. The empty value of a Task means Auto.
type Integrity string

// The levels.
const (
	Auto      Integrity = "auto" // the strongest level that can judge the tests
	Engine    Integrity = "engine"
	Split     Integrity = "split"
	Lineup    Integrity = "lineup"
	InProcess Integrity = "in_process"
)

// Score turns the results of the tests into a reward. The empty value means ScoreAll.
type Score string

// The scores.
const (
	ScoreAll          Score = "all"           // 1 where every test passed, else 0
	ScoreFraction     Score = "fraction"      // passed / total; every test is run
	ScoreFirstFailure Score = "first_failure" // tests passed before the first failure / total
	ScoreFirstN       Score = "first_n"       // 1 where the first Tests.FirstN tests passed, which alone are run
)

// Case is the result of one test, without anything of the test but its name or number.
type Case struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	Status Status `json:"status"`
}

// Counts are the results per test. Tests that did not run because an earlier one decided count in Total only.
type Counts struct {
	Passed int    `json:"passed"`
	Total  int    `json:"total"`
	Cases  []Case `json:"cases,omitempty"`
}

// Report is the judgement of one program. Reason names exception classes and limits, never a test or an expected value.
type Report struct {
	Status    Status
	Reward    float64 // in [0,1] by Task.Score; meaningful where Status.Judged()
	Tests     Counts
	Integrity Integrity
	Backend   string
	Isolation string
	Degraded  []string
	Extracted string // the program that was run
	How       string // how it was found in the answer: fence:tagged, fence:untagged, fence:other, whole
	Reason    string

	// Unsupported is set where the program asked for something that no program of this backend can have, and failed.
	Unsupported bool
	Compiler    string        // of CompileError: what the compiler says of the candidate's own lines
	Usage       sandbox.Usage // summed over all runs, PeakMemory their greatest
}

// RunReport is the story of one program run for its own sake, with the statuses of WIRE.md's `run`: those of
// sandbox.Status and compile_error.
type RunReport struct {
	Status   string
	ExitCode int
	Signal   int
	Stdout   sandbox.Output
	Stderr   sandbox.Output // of the compiler where Status is compile_error
	Backend  string
	Degraded []string
	Usage    sandbox.Usage
}
