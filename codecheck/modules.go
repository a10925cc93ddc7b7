package codecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Backends that bring interpreters along (sandbox.Caps.Modules) instead of showing those of the host. Their programs have no threads,
// processes and sockets: who asks for one is told so, and the verdict says so, too.

// moduleTool is the toolchain of a language where the sandbox has modules; ok is false where it runs what the host has.
func (r *Runner) moduleTool(l Language) (t Toolchain, ok bool, err error) {
	if r.caps.Native || len(r.caps.Modules) == 0 {
		return t, false, nil
	}
	if l.Module == "" || !slices.Contains(r.caps.Modules, l.Module) {
		return t, true, fmt.Errorf("%s: %w: the %s backend runs %s", l.Name, ErrNoToolchain, r.caps.Backend, strings.Join(r.caps.Modules, ", "))
	}
	exe := l.Module
	if len(l.Tool) > 0 {
		exe = l.Tool[len(l.Tool)-1] // the general name: python3, node
	}
	return Toolchain{Exe: exe, Version: l.Module + " for WebAssembly", Tools: map[string][]string{exe: {exe}, l.Name: {exe}}}, true, nil
}

// snapshots describes the images of a harness, as servers does fork servers: one for each side, which holds the harness and nothing else.
func (j *judgement) snapshots(code []byte) map[role]*sandbox.Server {
	prepare := j.kit().prepare
	if prepare == "" {
		return nil
	}
	m := map[role]*sandbox.Server{}
	for _, side := range []role{candidateSide, testerSide} {
		m[side] = &sandbox.Server{
			Files: []sandbox.File{{Name: frozenName, Data: code, ReadOnly: true}},
			Snapshot: &sandbox.Snapshot{
				Prepare: strings.NewReplacer("{harness}", sandbox.ServerDir+"/"+frozenName, "{side}", string(side)).Replace(prepare),
				Run:     fill(j.kit().resume, j.chain),
			},
		}
	}
	return m
}

// preparePython loads the harness into an image; resumePython starts one of its modules in an instance.
const preparePython = `import sys
kept, sys.argv = sys.argv, ["", "", "{harness}", "vd_snapshot", "{side}"]
` + pythonSite + pythonHarness + `
sys.argv = kept
`

const resumePython = `import sys
sys.argv = sys.argv[1:]
step = sys.modules[sys.argv[0]].main
while step: step = step()
`

// noted keeps what a program asked for in vain.
func (j *judgement) noted(res sandbox.Result) {
	for _, name := range res.Lacks {
		if !slices.Contains(j.lacks, name) {
			j.lacks = append(j.lacks, name)
		}
	}
}

// unsupported lets a program that failed, and had asked for what no program can have here, fail for that. It is the program's fault, since
// the tests were found to need nothing of the kind, and since it would otherwise choose its verdict.
func (j *judgement) unsupported() {
	rep := &j.rep
	switch rep.Status {
	case WrongAnswer, RuntimeError, EarlyExit, TestsFailed:
	default:
		return
	}
	if len(j.lacks) == 0 {
		return
	}
	rep.Status, rep.Unsupported = RuntimeError, true
	rep.Reason = "the program asks for what the " + rep.Backend + " backend does not have: " + strings.Join(j.lacks, ", ")
}
