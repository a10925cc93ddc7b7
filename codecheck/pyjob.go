package codecheck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
)

// frozenPath is the harness inside a job.
const frozenPath = sandbox.WorkDir + "/.verifyd"

// kit is that of the language's harness.
func (j *judgement) kit() kit { return kits()[j.lang.Harness] }

// sourcePath is the program's file in a job of the harness.
func (j *judgement) sourcePath() string { return sandbox.WorkDir + "/solution" + j.kit().ending }

// frozen is a language's harness compiled for the interpreter that was found, with its fork servers, made at its first use.
type frozen struct {
	mu      sync.Mutex // guards the fields below, which never change once code is there
	code    []byte
	servers map[role]*sandbox.Server // nil where the sandbox has none
}

// harness returns the compiled harness. A failure is not kept: the next job tries again.
func (j *judgement) harness(ctx context.Context) (*frozen, error) {
	f := &j.r.tools[j.lang.Name].frozen
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.code != nil {
		return f, nil
	}
	texts, err := harnessTexts(j.lang.Harness, j.kit().ending)
	if err != nil {
		return nil, fmt.Errorf("codecheck: harness of %s: %w", j.lang.Name, err)
	}
	spec := j.spec(fill(j.kit().freeze, j.chain))
	spec.Stdin, spec.CopyOut, spec.Limits = texts, []string{"frozen"}, sandbox.Limits{}
	res, err := j.r.box.Run(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("codecheck: compile the harness of %s: %w", j.lang.Name, err)
	}
	if res.Status != sandbox.OK || len(res.Files) != 1 {
		return nil, fmt.Errorf("codecheck: compile the harness of %s with %s: %s: %.300s", j.lang.Name, j.chain.Exe, res.Status, res.Stderr.Data)
	}
	f.code = res.Files[0].Data
	if f.servers, err = j.nativeServers(ctx, j.servers(f.code)); err != nil {
		f.code = nil
		return nil, err
	}
	return f, nil
}

// spec is a job of this language without files.
func (j *judgement) spec(args []string) sandbox.Spec {
	return sandbox.Spec{
		Args: args, Env: j.environment(j.chain.Env),
		Root: sandbox.Root{Binds: j.chain.Binds}, Limits: j.limits, Alone: j.alone,
	}
}

// environment is what a job of this language finds, besides what its toolchain wants.
func (j *judgement) environment(chain []string) []string {
	return j.command(slices.Concat([]string{"PATH=/usr/local/bin:/usr/bin:/bin"}, chain, j.lang.Env), "", "")
}

// harnessSpec is a job that starts one module of the harness: a child of a warm server where the sandbox has them, else an
// interpreter of its own.
func (j *judgement) harnessSpec(f *frozen, side role, module string, files ...sandbox.File) sandbox.Spec {
	if server := f.servers[side]; server != nil && !j.task.Cold {
		spec := j.spec([]string{module})
		spec.Server, spec.Files = server, files
		return spec
	}
	spec := j.spec(append(j.harnessLine(), frozenPath, module))
	spec.Files = append([]sandbox.File{{Name: frozenPath, Data: f.code, ReadOnly: true}}, files...)
	return spec
}

// harnessLine is the command line that every interpreter of the harness begins with; the frozen file and a module follow.
func (j *judgement) harnessLine() []string {
	return fill(j.kit().start, j.chain)
}

// program is what the harness's loader is told (vd_candidate.load).
type program struct {
	Name   string   `json:"name"`
	File   string   `json:"file"`
	Before []string `json:"before"`
	Source string   `json:"source"`
	Fn     string   `json:"fn,omitempty"`
	Class  string   `json:"class"`
}

// loadFailure is why a program did not load, as the harness reports it.
type loadFailure struct {
	Stage string `json:"stage"`
	Error string `json:"error"`
}

// status is the candidate's fate after a failed load or call. The exception's name is that of a built-in class.
func (f loadFailure) status() (Status, string) {
	switch f.Stage {
	case "syntax":
		return SyntaxError, "tests failed: " + f.Error
	case "exit":
		return EarlyExit, "the program ended before its tests were seen to hold"
	}
	if !exceptionName(f.Error) {
		return RuntimeError, "tests failed"
	}
	return RuntimeError, "tests failed: " + f.Error
}

// exceptionName reports whether a text that came from a job is a plain word, so that it may stand in a reason.
func exceptionName(s string) bool {
	return s != "" && len(s) < 60 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
