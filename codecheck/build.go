package codecheck

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// project is a program with all that building and running it takes. Its command lines are ready to be run.
type project struct {
	files   []sandbox.File // what the compiler sees; without one, what the program sees
	compile []string       // empty: nothing is compiled
	product string         // what the compiler makes, a name below WorkDir; empty: all files that are new
	run     []string
	keep    []sandbox.File // what the program sees beside what the compiler made
}

// Where a program's own file and what a compiler makes of it stand in a job.
const binPath = sandbox.WorkDir + "/main"

// build makes the job that runs a source text: as it is, or compiled first, behind the same walls and limits. A nil job
// without an error means that the compiler refused the program, or that the tests' commands cannot be used, which the report then
// says.
func (j *judgement) build(ctx context.Context, source string) (*sandbox.Spec, error) {
	line := j.lang.Case
	if len(line) == 0 {
		line = j.lang.Run
	}
	p, plain, ok := j.project(source, line)
	if !ok {
		return nil, nil
	}
	spec, err := j.make(ctx, p)
	if err == nil && spec != nil && plain {
		err = j.warm(ctx, spec)
	}
	return spec, err
}

// make compiles a project; a nil job without an error means that the report says why there is none.
func (j *judgement) make(ctx context.Context, p project) (*sandbox.Spec, error) {
	spec, res, err := j.compile(ctx, p)
	if err != nil || spec != nil {
		return spec, err
	}
	if s := limitStatus(res.Status); s != "" {
		j.decide(s, "the compiler "+limitReason(s, j.compileLimits()))
	}
	j.decide(CompileError, "the program does not compile")
	j.rep.Compiler = j.complaint(res)
	return nil, nil
}

// project lays out a program by the commands of its tests, or by the language's own where they name none, or none but the plain
// one. Then it is plain, and a warm interpreter may run it. It is not ok where the tests name a tool that is none of the language's.
func (j *judgement) project(source string, line []string) (p project, plain, ok bool) {
	t := j.task.Tests
	if t.File != "" && len(t.Build) == 0 && len(t.Run) == 2 && j.chain.Tools[t.Run[0]] != nil && t.Run[1] == t.File && len(j.lang.Compile) == 0 {
		t.Run = nil // what the language does anyway
	}
	if len(t.Run) > 0 {
		file := t.File
		if file == "" {
			file = j.lang.File
		}
		p.files = []sandbox.File{{Name: file, Data: []byte(source)}}
		p.compile, p.run, ok = j.commands(t)
		return p, false, ok
	}
	file, unit := j.lang.names(source)
	src := sandbox.WorkDir + "/" + file
	p.files = []sandbox.File{{Name: src, Data: []byte(source)}}
	p.run = j.command(line, src, unit)
	compile := j.lang.Compile
	if t.Strict && len(j.lang.Strict) > 0 {
		compile = j.lang.Strict
	}
	if len(compile) > 0 {
		p.compile, p.product = j.command(compile, src, unit), j.lang.Product
		if p.product == "" && strings.Contains(strings.Join(compile, " "), "{bin}") {
			p.product = path.Base(binPath)
		}
	}
	return p, true, true
}

// commands are the tests' own command lines with the tools that they name.
func (j *judgement) commands(t Tests) (build, run []string, ok bool) {
	for _, c := range []struct {
		line []string
		into *[]string
	}{{t.Build, &build}, {t.Run, &run}} {
		if len(c.line) == 0 {
			continue
		}
		switch tool := j.chain.Tools[c.line[0]]; {
		case tool != nil:
			*c.into = append(j.command(tool, "", ""), c.line[1:]...)
		case strings.HasPrefix(c.line[0], "./"):
			*c.into = c.line
		default:
			j.decide(BrokenTests, fmt.Sprintf("the tests' commands name %.40q, which is no tool of %s here", c.line[0], j.lang.Name))
			return nil, nil, false
		}
	}
	return build, run, true
}

// command fills the placeholders of a command line of the table.
func (j *judgement) command(line []string, src, unit string) []string {
	if len(line) > 0 && j.chain.Tools[line[0]] != nil {
		line = append(slices.Clone(j.chain.Tools[line[0]]), line[1:]...)
	}
	heap := max(int64(j.limits.Memory/sandbox.MiB)*3/4, 16)
	r := strings.NewReplacer("{exe}", j.chain.Exe, "{packages}", j.chain.Packages, "{src}", src, "{bin}", binPath, "{unit}", unit, "{heap}", fmt.Sprint(heap))
	args := make([]string, len(line))
	for i, a := range line {
		args[i] = r.Replace(a)
	}
	return args
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
	if run.Server = harness.servers[candidateSide]; run.Server == nil {
		return nil
	}
	run.Args = j.command(j.lang.Warm, sandbox.WorkDir+"/"+j.lang.File, "")
	return nil
}

// compile is make without the report; where the compiler refused, its result stands in place of the job.
func (j *judgement) compile(ctx context.Context, p project) (*sandbox.Spec, sandbox.Result, error) {
	run := j.spec(p.run)
	if len(p.compile) == 0 {
		run.Files = p.files
		return &run, sandbox.Result{}, nil
	}
	b, fresh, err := j.r.builds.get(ctx, j.buildKey(p), func() (built, error) { return j.compileNow(ctx, p) })
	if err != nil {
		return nil, sandbox.Result{}, err
	}
	if fresh {
		j.usage(b.res)
	}
	if b.res.Status != sandbox.OK || len(b.files) == 0 {
		return nil, b.res, nil
	}
	run.Files = append(slices.Clone(p.keep), b.files...)
	if !j.lang.interpreted(p.run[0], j.chain) {
		run.Root, run.Env = sandbox.Root{}, j.environment(nil) // it needs nothing of the compiler's
	}
	return &run, b.res, nil
}

// interpreted reports whether a compiled program needs the toolchain to run: its first word is one of its tools.
func (l Language) interpreted(first string, t Toolchain) bool {
	for _, tool := range t.Tools {
		if tool[0] == first {
			return true
		}
	}
	return first == t.Exe
}

// packAll runs the compiler and packs what is there afterwards.
const (
	packAll  = `n=$1; shift; "$@" || exit $?; tar -cf "$n" --exclude="./$n" . 2>/dev/null; exit 0`
	packName = ".verifyd-made"
)

// compileNow runs the compiler.
func (j *judgement) compileNow(ctx context.Context, p project) (built, error) {
	spec := j.spec(p.compile)
	out := p.product
	if out == "" {
		out = packName
		spec.Args = append([]string{"/bin/sh", "-c", packAll, "sh", out}, p.compile...)
	}
	spec.Files, spec.CopyOut, spec.Limits = p.files, []string{out}, j.compileLimits()
	res, err := j.r.box.Run(ctx, spec)
	if err != nil {
		return built{}, fmt.Errorf("codecheck: compile: %w", err)
	}
	b := built{res: res}
	b.res.Files = nil
	if res.Status != sandbox.OK || len(res.Files) != 1 {
		return b, nil
	}
	if p.product == "" {
		b.files = unpack(res.Files[0].Data, p.files)
	} else {
		b.files = []sandbox.File{{Name: p.product, Data: res.Files[0].Data, Exec: true, ReadOnly: true}}
	}
	return b, nil
}

// compileLimits are the program's limits, stretched by the language's factors and never below what a compiler needs.
func (j *judgement) compileLimits() sandbox.Limits {
	l, f := j.limits, j.lang.Factors
	stretch := func(d time.Duration) time.Duration {
		return time.Duration(float64(max(3*time.Second, d)) * max(1, f.CompileWall))
	}
	l.Wall, l.CPU = stretch(l.Wall), stretch(l.CPU)
	l.Memory = sandbox.Size(float64(max(l.Memory, 512*sandbox.MiB)) * max(1, f.CompileMemory))
	l.Processes, l.OpenFiles = max(l.Processes, 64), max(l.OpenFiles, 256)
	l.Disk, l.File, l.Inodes = max(l.Disk, 256*sandbox.MiB), max(l.File, 64*sandbox.MiB), max(l.Inodes, 1000)
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
	laid, _, _ := j.project(p.Source, lang.Run) // without tests it is always ok
	spec, res, err := j.compile(ctx, laid)
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
