package codecheck

import "github.com/verifyd/verifyd/sandbox"

// Task is one question to a Runner. A Runner never changes a Task, so its parts may be shared.
type Task struct {
	Language   string // a name or alias of a Language; empty means python
	Answer     string // the answer as the model gave it; see Extract
	Prompt     string // the task's text, for tests that ask for prompt_plus_completion
	EntryPoint string // the function under test where Tests name none
	Tests      Tests
	Setup      string         // source that comes before the program
	Limits     sandbox.Limits // zero fields are the defaults; the row's own Tests.Limits may only narrow them
	Integrity  Integrity
	Score      Score
	Special    Special // decides in place of Tests.Compare, also over Tests.Checker; see checker.go
	Cold       bool    // start an interpreter for each job, also where forking one would do: the second of two runs that must agree
}

// Program is one program to run for its own sake.
type Program struct {
	Language string
	Source   string
	Stdin    []byte
	Args     []string
	Limits   sandbox.Limits
}
