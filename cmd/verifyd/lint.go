package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/verifiers"
)

// lintFlags are the flags of lint.
type lintFlags struct {
	json      bool
	reference string
	judge     judgeFlags
	engine    engineFlags
}

func newLint(a *app) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint ROWS...",
		Short: "Try the tests of a task set before a policy trains on it",
		Long: `For each task of ROWS, run its reference twice and a program that does nothing once, and tell in a line whether the
reference passes, the stub fails, both runs say the same, and half of the limits would do. What is wrong is a finding behind
it: reference_fails, stub_passes, unstable, tight_limits, no_reference, no_tests, broken_tests, missing_dependency. Rows with
the same prompt, tests and reference are one task.

The reference is privileged.reference, else canonical_solution or solution; --reference names another field. The verifier is
code_exec, or what --verifier or --judge says; only its programs are linted. Exit status 1 where there is a finding.

With math_equal the references themselves are tried, by the house rules, with the answers of the rows of one prompt:
unreadable_reference, ambiguous_reference, and pays_different_answers, where two answers equal it but not each other.`,
		Example: `  verifyd lint tasks.jsonl
  verifyd lint rollouts.jsonl --verifier math_equal
  verifyd lint tasks.jsonl --json | jq 'select(.findings != [])'`,
		Args: wants(1, -1, "ROWS, a file of rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.lint(c.Context(), args, &f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "answer a JSON object for each task")
	c.Flags().StringVar(&f.reference, "reference", "", "`FIELD` with the right program (default: see above)")
	f.judge.register(c)
	f.engine.register(c)
	return c
}

// lintedTask is one task on its way.
type lintedTask struct {
	row  *rollout.Row
	line int64
	err  error // the line is no row
}

// collector takes what the runner finds while a verifier judges a reference: a tree may run several programs.
type collector struct {
	mu    sync.Mutex // guards found
	found []codecheck.Soundness
}

type collectorKey struct{}

// lintRunner stands where the runner of a verifier stands, and lints what it is asked to check.
type lintRunner struct{ inner *codecheck.Runner }

// Check lints the task with the answer as its reference. The report is that of the reference.
func (l lintRunner) Check(ctx context.Context, t codecheck.Task) (codecheck.Report, error) {
	var s codecheck.Soundness
	var err error
	for range 3 {
		if s, err = l.inner.Lint(ctx, t); !errors.Is(err, sandbox.ErrMachine) {
			break
		}
	}
	if err != nil {
		return s.Reference, err
	}
	c := ctx.Value(collectorKey{}).(*collector)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, s)
	return s.Reference, nil
}

func (a *app) lint(ctx context.Context, names []string, f *lintFlags) error {
	if f.judge.file == "" && f.judge.verifier == "" {
		f.judge.verifier = "code_exec"
	}
	spec, err := f.judge.spec(ctx, a)
	if err != nil {
		return err
	}
	if field, ok := mathSpec(spec); ok {
		if f.reference != "" {
			field = f.reference
		}
		return a.lintMath(ctx, names, f, field)
	}
	registry := verifiers.NewRegistry(verifiers.Config{Model: a.model, Code: func(backend string) (verifiers.CodeRunner, error) {
		box, err := a.boxes.get(backend)
		if err != nil {
			return nil, err
		}
		return lintRunner{box.runner}, nil
	}})
	v, err := registry.Build(spec)
	if none := (*noBackendError)(nil); errors.As(err, &none) {
		return unavailable(err)
	} else if err != nil {
		return usage("the spec cannot be built: %w", err)
	}
	return a.lintRows(ctx, names, v, f)
}

func (a *app) lintRows(ctx context.Context, names []string, v verifiers.Verifier, f *lintFlags) error {
	in, err := a.openInputs(ctx, names)
	if err != nil {
		return err
	}
	defer in.close()
	e, err := f.engine.engine(a)
	if err != nil {
		return err
	}
	seen := map[[sha256.Size]byte]bool{}
	next := func() (lintedTask, error) {
		for {
			t, err := f.next(in)
			if err != nil || t.err != nil || !seen[taskKey(t.row)] {
				if err == nil && t.err == nil {
					seen[taskKey(t.row)] = true
				}
				return t, err
			}
		}
	}
	lint := func(ctx context.Context, t lintedTask) (lintedLine, error) { return f.lintTask(ctx, v, t), ctx.Err() }
	tasks, unsound := 0, 0
	err = engine.Each(ctx, engine.Flow{Workers: e.Workers(), Window: 4 * e.Workers()}, next, lint, func(l lintedLine) error {
		tasks++
		if len(l.Findings) > 0 {
			unsound++
		}
		return l.write(a.out, f.json)
	})
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprintf(a.out, "%d tasks, %d with findings\n", tasks, unsound)
	}
	if unsound > 0 {
		return &exitError{exitGate, errSilent}
	}
	return nil
}

// next reads a row. A line that is no row is a task with an error.
func (f *lintFlags) next(in *inputs) (lintedTask, error) {
	text, err := in.AppendNext(nil)
	t := lintedTask{line: in.Line()}
	if syntax := (*rollout.SyntaxError)(nil); errors.As(err, &syntax) {
		t.err = err
		return t, nil
	} else if err != nil {
		return t, err
	}
	t.row, t.err = rollout.Parse(text)
	return t, nil
}

// taskKey tells rows of the same task: they differ in the answer only.
func taskKey(r *rollout.Row) [sha256.Size]byte {
	h := sha256.New()
	for _, key := range []string{"prompt", "privileged", "tests", "reference", "canonical_solution", "solution", "entry_point"} {
		v, _ := r.Get(key)
		_, _ = fmt.Fprintf(h, "%d ", len(v)) // a hash takes everything
		_, _ = h.Write(v)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// lintTask judges the reference of a task.
func (f *lintFlags) lintTask(ctx context.Context, v verifiers.Verifier, t lintedTask) lintedLine {
	l := lintedLine{Line: t.line, Findings: []codecheck.Finding{}}
	if t.err != nil {
		return l.with("invalid_row", t.err.Error())
	}
	l.ID = t.row.ID
	row := *t.row
	row.FinalText = f.referenceOf(t.row)
	if row.FinalText == "" {
		row.FinalText = " " // no row's own answer stands in for it
	}
	c := &collector{}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, collectorKey{}, c), engine.DefaultTimeout)
	defer cancel()
	verdict := judge.Call(ctx, v, &row, 0)
	for _, s := range c.found {
		l.take(s)
	}
	if len(c.found) == 0 {
		word, _ := verdict.Meta["status"].(string)
		if word == "" {
			word = string(verdict.Status)
		}
		return l.with(word, verdict.Reason)
	}
	return l
}

// referenceOf is the right program of a row, or empty.
func (f *lintFlags) referenceOf(r *rollout.Row) string {
	if f.reference != "" {
		v, _ := r.Reference(f.reference)
		return rollout.ScalarText(v)
	}
	if t := r.Privileged.Tests; t != nil && t.Kind() != 'n' {
		if v := r.Privileged.Reference; v != nil && v.Kind() == '"' {
			return rollout.ScalarText(v)
		}
	}
	for _, key := range []string{"canonical_solution", "solution"} {
		if v, ok := r.Get(key); ok && v.Kind() == '"' {
			return rollout.ScalarText(v)
		}
	}
	return ""
}

// lintedLine is the answer for one task.
type lintedLine struct {
	ID        string              `json:"id"`
	Line      int64               `json:"line"`
	Reference *string             `json:"reference"` // its status; null where there is none
	Stub      *string             `json:"stub"`
	Stable    *bool               `json:"stable"`
	Integrity string              `json:"integrity,omitzero"`
	Own       float64             `json:"own_s"`
	Findings  []codecheck.Finding `json:"findings"`
}

func (l lintedLine) with(kind, detail string) lintedLine {
	l.Findings = append(l.Findings, codecheck.Finding{Kind: kind, Detail: detail})
	return l
}

// take adds what was found of one program; of several the first that is not as it should be is shown.
func (l *lintedLine) take(s codecheck.Soundness) {
	word := func(old *string, status codecheck.Status, good bool) *string {
		if status == "" || old != nil && good {
			return old
		}
		text := string(status)
		return &text
	}
	l.Reference = word(l.Reference, s.Reference.Status, s.Reference.Status == codecheck.Passed)
	l.Stub = word(l.Stub, s.Stub.Status, s.Stub.Status != codecheck.Passed)
	if s.Reference.Status.Judged() && s.Reference.Status != "" && (l.Stable == nil || *l.Stable) {
		l.Stable = &s.Stable
	}
	l.Integrity = string(s.Reference.Integrity)
	l.Own += s.Reference.Usage.Own.Seconds()
	l.Findings = append(l.Findings, s.Findings...)
}

func (l lintedLine) write(w io.Writer, asJSON bool) error {
	if asJSON {
		text, err := json.Marshal(l)
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	}
	passed := func(status *string) string {
		switch {
		case status == nil:
			return "–"
		case *status == string(codecheck.Passed):
			return "✓"
		}
		return "✗"
	}
	stable := "–"
	if l.Stable != nil {
		stable = map[bool]string{true: "✓", false: "✗"}[*l.Stable]
	}
	name := l.ID
	if name == "" {
		name = fmt.Sprintf("line %d", l.Line)
	}
	line := fmt.Sprintf("%s  reference %s stub %s stable %s %.1f ms", name, passed(l.Reference), passed(l.Stub), stable, 1000*l.Own)
	for _, x := range l.Findings {
		line += fmt.Sprintf("  %s: %s", x.Kind, x.Detail)
	}
	_, err := fmt.Fprintln(w, strings.NewReplacer("\n", " ", "\r", " ").Replace(line))
	return err
}
