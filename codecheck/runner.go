package codecheck

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Config configures a Runner. Its zero value is the built-in languages, found on this host.
type Config struct {
	Languages []Language        // nil means Languages()
	Tools     map[string]string // by language: the interpreter or compiler to use instead of looking for one
}

// Runner checks programs. It is safe for concurrent use and starts no goroutine that outlives a call. The sandbox is the
// caller's: a Runner never closes it.
type Runner struct {
	box   sandbox.Sandbox
	caps  sandbox.Caps
	langs []Language
	tools map[string]*tool

	builds buildCache
}

// tool is a language's toolchain, looked for at its first use and then kept.
type tool struct {
	once  sync.Once
	lang  Language
	chain Toolchain
	err   error

	frozen frozen // the compiled harness
}

// New makes a Runner that runs programs in box. Toolchains are looked for when a language is first asked for.
func New(box sandbox.Sandbox, cfg Config) (*Runner, error) {
	if box == nil {
		return nil, errors.New("codecheck: no sandbox")
	}
	if cfg.Languages == nil {
		cfg.Languages = Languages()
	}
	r := &Runner{box: box, caps: box.Caps(), langs: cfg.Languages, tools: map[string]*tool{}}
	for _, l := range r.langs {
		if exe := cfg.Tools[l.Name]; exe != "" {
			l.Tool = []string{exe}
		}
		r.tools[l.Name] = &tool{lang: l}
	}
	return r, nil
}

// Toolchain says what serves a language here, or an error that wraps ErrNoToolchain and says how to get it.
func (r *Runner) Toolchain(language string) (Toolchain, error) {
	lang, ok := FindLanguage(r.langs, language)
	if !ok {
		return Toolchain{}, fmt.Errorf("codecheck: language %.40q is not known", language)
	}
	t := r.tools[lang.Name]
	t.once.Do(func() {
		var brought bool
		if t.chain, brought, t.err = r.moduleTool(t.lang); brought {
			return
		}
		find := t.lang.Find
		if find == nil {
			find = findCompiler
		}
		t.chain, t.err = find(t.lang.Tool)
	})
	return t.chain, t.err
}

// within judges within a budget of own time.
func (j *judgement) within(ctx context.Context, budget time.Duration) (Report, error) {
	j.budget, j.left = budget, budget
	j.limits.Wall = min(j.limits.Wall, j.budget)
	return j.check(ctx)
}

// Check judges one program. A time limit that was met on a machine too busy to be sure of it is tried once more. The error
// wraps sandbox.ErrMachine where the machine gave the job too little time (ask again, the last time alone), ErrNoToolchain
// where the language cannot be served here, or the context's error.
func (r *Runner) Check(ctx context.Context, t Task) (Report, error) {
	return r.checkWithin(ctx, t, func(l sandbox.Limits) sandbox.Limits { return l })
}

// checkWithin is Check under limits that are narrowed further.
func (r *Runner) checkWithin(ctx context.Context, t Task, further func(sandbox.Limits) sandbox.Limits) (Report, error) {
	lang, ok := FindLanguage(r.langs, t.Language)
	if !ok {
		return Report{}, fmt.Errorf("codecheck: language %.40q is not known", t.Language)
	}
	rep := Report{Backend: r.caps.Backend, Isolation: r.caps.Isolation, Degraded: r.caps.Missing}
	if t.Tests.Format == "" {
		rep.Status, rep.Reason = NoTests, "no tests"
		return rep, nil
	}
	rep.Extracted, rep.How = Extract(t.Answer, lang)
	chain, err := r.Toolchain(lang.Name)
	if err != nil {
		return rep, err
	}
	first := judgement{r: r, lang: lang, chain: chain, task: t, rep: rep, limits: further(narrow(t.Limits, t.Tests.Limits, t.Tests.Timeout))}
	j, own := first, budget(ctx, first.limits.Wall)
	rep, err = j.within(ctx, own)
	if err == nil && j.claimed {
		return first.withoutProgram(ctx, own, rep)
	}
	if err != nil || !j.unsure || rep.Status != Timeout && rep.Status != CPULimit {
		return rep, err
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < own {
		return rep, fmt.Errorf("codecheck: no time is left for a try alone: %w", sandbox.ErrMachine)
	}
	j = first
	j.alone = true
	return j.within(ctx, own) // what it says stands
}

// withoutProgram runs only what comes before the program, after a run whose process said that it fails: a program could have written
// that itself, and a null is not to be had so. What it says stands where it is said again.
func (j judgement) withoutProgram(ctx context.Context, own time.Duration, rep Report) (Report, error) {
	j.without = true
	again, err := j.within(ctx, own)
	if err != nil || again.Status == BrokenTests {
		return rep, err
	}
	rep.Status, rep.Reason = Tampering, "its process says that the set-up fails, which it does not do without the program"
	return rep, nil
}
