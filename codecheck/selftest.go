package codecheck

import (
	"context"
	"fmt"
)

// Tests of SelfTest: the program reads a number and prints "ok" and the next one.
var selfTests = Tests{Format: StdinStdout, Stdin: []string{"41\n", "-1\n"}, Stdout: []string{"ok 42\n", "ok 0\n"}}

// noProgram is a program in no language.
const noProgram = "this is (no program' in any \"language }\n"

// SelfTest says whether programs in a language are judged rightly here: one that is known to be right passes, it fails where another
// output is wanted, and a text that is no program fails. The error wraps ErrNoToolchain where nothing serves the language. A language
// without Hello has only its toolchain looked for.
func (r *Runner) SelfTest(ctx context.Context, language string) error {
	if _, err := r.Toolchain(language); err != nil {
		return err
	}
	lang, _ := FindLanguage(r.langs, language)
	if lang.Hello == "" {
		return nil
	}
	other := selfTests
	other.Stdout = []string{"ok 43\n", "ok 0\n"}
	for _, c := range []struct {
		what, program string
		tests         Tests
		reward        float64
	}{
		{"a right program", lang.Hello, selfTests, 1},
		{"a wrong answer", lang.Hello, other, 0},
		{"a text that is no program", noProgram, selfTests, 0},
	} {
		rep, err := r.Check(ctx, Task{Language: lang.Name, Answer: c.program, Tests: c.tests})
		if err != nil {
			return fmt.Errorf("codecheck: self-test of %s: %s: %w", lang.Name, c.what, err)
		}
		if !rep.Status.Judged() || rep.Reward != c.reward {
			return fmt.Errorf("codecheck: self-test of %s: %s scores %v (%s: %s %.300s)", lang.Name, c.what, rep.Reward, rep.Status, rep.Reason, rep.Compiler)
		}
	}
	return nil
}
