package codecheck

import (
	"context"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Languages that are translated to the one that their harness speaks: the program and the tests are translated each in a job of its
// own, by the language's compile command, and go on as that.

// translate puts the translations in the place of the texts; false where there is none, which the report then says.
func (j *judgement) translate(ctx context.Context) (bool, error) {
	if len(j.lang.Compile) == 0 {
		return true, nil
	}
	t := &j.task.Tests
	program := j.source()
	for _, text := range []struct {
		from, to *string
		status   Status
		reason   string
	}{
		{&t.Code, &t.Code, BrokenTests, "the tests do not compile"},
		{&t.Check, &t.Check, BrokenTests, "the tests do not compile"},
		{&t.Prelude, &t.Prelude, BrokenTests, "the prelude does not compile"},
		{&j.task.Setup, &j.task.Setup, BrokenTests, "the set-up does not compile"},
		{&program, &j.translated, CompileError, "the program does not compile"},
	} {
		if strings.TrimSpace(*text.from) == "" {
			continue
		}
		got, res, err := j.translation(ctx, *text.from)
		if err != nil {
			return false, err
		}
		if got == "" {
			if s := limitStatus(res.Status); s != "" && text.status == CompileError {
				j.decide(s, "the compiler "+limitReason(s, j.compileLimits()))
			}
			j.decide(text.status, text.reason)
			return false, nil
		}
		*text.to = got
	}
	return true, nil
}

// translation is what the compiler makes of a text; empty where it refuses.
func (j *judgement) translation(ctx context.Context, text string) (string, sandbox.Result, error) {
	file, unit := j.lang.names(text)
	src := sandbox.WorkDir + "/" + file
	p := project{
		files: []sandbox.File{{Name: src, Data: []byte(text)}}, compile: j.command(j.lang.Compile, src, unit),
		product: j.lang.Product, run: j.command(j.lang.Run, src, unit),
	}
	spec, res, err := j.compile(ctx, p)
	if err != nil || spec == nil {
		return "", res, err
	}
	for _, f := range spec.Files {
		if f.Name == p.product || strings.HasSuffix(f.Name, "/"+p.product) {
			return string(f.Data) + "\n", res, nil
		}
	}
	return "", res, nil
}
