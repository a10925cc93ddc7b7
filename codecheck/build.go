package codecheck

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// build makes the job that runs a source text: as it is, or compiled first, behind the same walls and limits. A nil job
// without an error means that the compiler refused the program, which the report then says.
func (j *judgement) build(ctx context.Context, source string) (*sandbox.Spec, error) {
	line := j.lang.Case
	if len(line) == 0 {
		line = j.lang.Run
	}
	spec, res, err := j.compile(ctx, source, line)
	if err == nil && spec != nil {
		err = j.warm(ctx, spec)
	}
	if err != nil || spec != nil {
		return spec, err
	}
	if s := limitStatus(res.Status); s != "" {
		j.decide(s, "the compiler "+limitReason(s, j.compileLimits()))
	}
	j.decide(CompileError, "the program does not compile")
	return nil, nil
}

// warm lets a server of the harness run the program instead of an interpreter of its own, where there is one.
func (j *judgement) warm(ctx context.Context, run *sandbox.Spec) error {
	if len(j.lang.Warm) == 0 || !j.r.caps.Warm || j.task.Cold {
		return nil
	}
	harness, err := j.harness(ctx)
	if err != nil {
		return err
	}
	run.Server = harness.servers[candidateSide]
	run.Args = command(j.lang.Warm, j.chain, sandbox.WorkDir+"/"+j.lang.File, "")
	return nil
}

// compile is build without the report; where the compiler refused, its result stands in place of the job.
func (j *judgement) compile(ctx context.Context, source string, line []string) (*sandbox.Spec, sandbox.Result, error) {
	src, bin := sandbox.WorkDir+"/"+j.lang.File, sandbox.WorkDir+"/main"
	file := sandbox.File{Name: src, Data: []byte(source)}
	run := j.spec(command(line, j.chain, src, bin))
	if len(j.lang.Compile) == 0 {
		run.Files = []sandbox.File{file}
		return &run, sandbox.Result{}, nil
	}
	spec := j.spec(command(j.lang.Compile, j.chain, src, bin))
	spec.Files, spec.CopyOut = []sandbox.File{file}, []string{"main"}
	spec.Limits = j.compileLimits()
	res, err := j.r.box.Run(ctx, spec)
	if err != nil {
		return nil, res, fmt.Errorf("codecheck: compile: %w", err)
	}
	j.usage(res)
	if res.Status != sandbox.OK || len(res.Files) != 1 {
		return nil, res, nil
	}
	run.Files = []sandbox.File{{Name: bin, Data: res.Files[0].Data, Exec: true, ReadOnly: true}}
	run.Root = sandbox.Root{}
	return &run, res, nil
}

// compileLimits are the program's limits, stretched by the language's factors and never below what a compiler needs.
func (j *judgement) compileLimits() sandbox.Limits {
	l, f := j.limits, j.lang.Factors
	stretch := func(d time.Duration) time.Duration {
		return max(3*time.Second, time.Duration(float64(d)*max(1, f.CompileWall)))
	}
	l.Wall, l.CPU = stretch(l.Wall), stretch(l.CPU)
	l.Memory = max(sandbox.Size(float64(l.Memory)*max(1, f.CompileMemory)), 512*sandbox.MiB)
	l.Processes, l.OpenFiles = max(l.Processes, 32), max(l.OpenFiles, 64)
	l.Disk, l.File, l.Inodes = max(l.Disk, 64*sandbox.MiB), max(l.File, 64*sandbox.MiB), max(l.Inodes, 100)
	return l
}

// Run runs one program for its own sake. Errors are those of Check.
func (r *Runner) Run(ctx context.Context, p Program) (RunReport, error) {
	lang, ok := FindLanguage(r.langs, p.Language)
	if !ok {
		return RunReport{}, fmt.Errorf("codecheck: language %.40q is not known", p.Language)
	}
	chain, err := r.Toolchain(lang.Name)
	if err != nil {
		return RunReport{}, err
	}
	j := &judgement{r: r, lang: lang, chain: chain, limits: narrow(p.Limits, sandbox.Limits{}, 0)}
	rep := RunReport{Backend: r.caps.Backend, Degraded: r.caps.Missing}
	spec, res, err := j.compile(ctx, p.Source, lang.Run)
	if err != nil {
		return rep, err
	}
	rep.Status = string(CompileError)
	if spec != nil {
		spec.Stdin, spec.Args = p.Stdin, append(spec.Args, p.Args...)
		if res, err = r.box.Run(ctx, *spec); err != nil {
			return rep, err
		}
		j.usage(res)
		rep.Status = string(res.Status)
	} else if s := limitStatus(res.Status); s != "" {
		rep.Status = string(s)
	}
	rep.ExitCode, rep.Signal, rep.Stdout, rep.Stderr = res.ExitCode, res.Signal, res.Stdout, res.Stderr
	rep.Usage = j.rep.Usage
	if len(res.Degraded) > 0 {
		rep.Degraded = res.Degraded
	}
	return rep, nil
}

// FindByExtension is the language of a file's name, for commands that are not told.
func FindByExtension(table []Language, file string) (Language, bool) {
	i := strings.LastIndexByte(file, '.')
	for _, l := range table {
		if j := strings.LastIndexByte(l.File, '.'); i >= 0 && (file[i:] == l.File[j:] || l.hasTag(strings.ToLower(file[i+1:]))) {
			return l, true
		}
	}
	return Language{}, false
}
