package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// gradeFlags are the flags of grade.
type gradeFlags struct {
	judge       judgeFlags
	engine      engineFlags
	out         string
	resume      bool
	strict      bool
	json        bool
	failUnder   float64
	maxUnjudged int64
	lineage     judge.Lineage
}

func newGrade(a *app) *cobra.Command {
	var f gradeFlags
	c := &cobra.Command{
		Use:   "grade ROWS... (--judge FILE | --verifier KIND [--set NAME=VALUE]...) -o OUT",
		Short: "Grade rows and write them with their verdicts",
		Long: `Grade the rows of JSON Lines files (- is standard input; .gz and .zst are read as they are) and write each row with
its verdict to OUT, in the same order and not packed. A line that is no row becomes an error record at its place.

Interrupted or killed, OUT holds whole graded lines and at most a torn last one; the same command with --resume goes on
and makes the file that an undisturbed run would have made. It refuses rows or a judge that are not those of the first
run. While a run is under way OUT.resume stands beside OUT; it goes when the run is whole. Without it, --resume proves
the graded lines by grading them again.`,
		Example: `  verifyd grade rows.jsonl --verifier exact_match -o graded.jsonl
  verifyd grade rows.jsonl.gz --judge judge.yaml -o graded.jsonl --resume
  verifyd grade rows.jsonl --verifier json_field --set path=/unit --set equals=km -o graded.jsonl --fail-under 0.8
  cat rows.jsonl | verifyd grade - --verifier numeric -o - | head`,
		Args: wants(1, -1, "ROWS, files of rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.grade(c.Context(), args, &f, c.Flags().Changed)
		},
	}
	f.judge.register(c)
	f.engine.register(c)
	flags := c.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` for the graded rows (- is standard output; without it only the report is made)")
	flags.BoolVar(&f.resume, "resume", false, "go on with an OUT that was cut off")
	flags.BoolVar(&f.strict, "strict", false, "end at the first line that is no row")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON on standard output")
	flags.Float64Var(&f.failUnder, "fail-under", 0, "exit with 1 where the mean reward of the judged rows is below `X`")
	flags.Int64Var(&f.maxUnjudged, "max-unjudged", 0, "exit with 1 where more than `N` rows have no reward (0 with --fail-under)")
	flags.StringVar(&f.lineage.RunID, "run-id", "", "`ID` of this run; this and the next three are written as each row's lineage")
	flags.StringVar(&f.lineage.Source, "source", "", "`SOURCE` of the rows, for example eval (default with lineage: grade)")
	flags.StringVar(&f.lineage.Model, "model", "", "`MODEL` that made the rows")
	flags.StringVar(&f.lineage.JudgeVersion, "judge-version", "", "`VERSION` of the judge")
	return c
}

func (a *app) grade(ctx context.Context, names []string, f *gradeFlags, given func(string) bool) error {
	if err := f.check(a, given); err != nil {
		return err
	}
	e, err := f.engine.engine(a)
	if err != nil {
		return err
	}
	v, err := f.judge.build(ctx, a, names)
	if err != nil {
		return err
	}
	in, err := a.openInputs(ctx, names)
	if err != nil {
		return err
	}
	defer in.close()
	lines := &engine.Lines{
		Engine: e, Work: engine.Work{Judge: v, Spec: string(v.Spec())}, Name: v.Name(),
		NoUsage: f.engine.noUsage, Strict: f.strict, Lineage: f.lineageOf(v.Name()),
	}
	out, err := openGraded(a, f, lines, append(slices.Clone(names), f.judge.file))
	if err != nil {
		return err
	}
	run := &gradeRun{app: a, in: in, lines: lines, out: out, needsAnswer: readsCandidate(v.Spec()), started: time.Now()}
	err = run.run(ctx)
	if closing := out.close(err == nil); err == nil {
		err = closing
	}
	if err != nil {
		return run.explain(ctx, err, f)
	}
	return run.report(f, given)
}

// check refuses flags that do not go together.
func (f *gradeFlags) check(a *app, given func(string) bool) error {
	switch {
	case f.resume && (f.out == "" || f.out == "-"):
		return usage("--resume needs -o FILE")
	case given("fail-under") && !(f.failUnder >= 0 && f.failUnder <= 1):
		return usage("--fail-under %v: want a mean reward from 0 to 1", f.failUnder)
	case f.maxUnjudged < 0:
		return usage("--max-unjudged %d: want a count", f.maxUnjudged)
	case f.json && f.out == "-":
		return usage("--json and -o - both want standard output")
	}
	return nil
}

// lineageOf is the lineage of all rows, or nil where no flag asks for one.
func (f *gradeFlags) lineageOf(name string) *judge.Lineage {
	if f.lineage == (judge.Lineage{}) {
		return nil
	}
	l := f.lineage
	l.Judge = name
	if l.Source == "" {
		l.Source = "grade"
	}
	return &l
}

// gradeRun is one run of grade.
type gradeRun struct {
	app   *app
	in    *inputs
	lines *engine.Lines
	out   *gradedFile
	tally engine.Tally

	needsAnswer bool // the judge reads the candidate

	started time.Time
	took    time.Duration
}

func (r *gradeRun) run(ctx context.Context) error {
	progress := startProgress(r.app.err, func() (judged, read, total int64) {
		return r.app.judged.n.Load(), r.in.read.Load(), r.in.total
	}, r.app.boxes.waiting)
	defer progress.end()
	err := r.lines.Run(ctx, r.in, func(b *engine.Block) error {
		r.tally.Merge(&b.Tally)
		return r.out.write(b.Out)
	})
	r.took = time.Since(r.started)
	return err
}

// explain says what an ended run leaves.
func (r *gradeRun) explain(ctx context.Context, err error, f *gradeFlags) error {
	var changed *engine.ChangedError
	var syntax *rollout.SyntaxError
	switch {
	case errors.As(err, &changed):
		return usage("--resume refused: %s: %w; remove it, or drop --resume, to start over", f.out, err)
	case errors.As(err, &syntax):
		if !r.in.several { // else the error says in which
			err = fmt.Errorf("%s: %w", shown(r.in.name()), err)
		}
		return usage("%w (--strict)%s", err, r.left(f, "mend the line"))
	case ctx.Err() != nil:
		fmt.Fprintf(r.app.err, "verifyd: interrupted; %d rows are graded and whole", r.tally.Rows)
		if r.out.record != "" {
			fmt.Fprintf(r.app.err, "; go on with --resume (%s stands beside %s until then)", r.out.record, f.out)
		}
		fmt.Fprintln(r.app.err)
		return &exitError{exitInterrupted, errSilent}
	}
	code := exitEngine
	if exit := (*exitError)(nil); errors.As(err, &exit) {
		code = exit.code
	}
	return &exitError{code, fmt.Errorf("%w%s", err, r.left(f, "mend that"))}
}

// left says what of OUT stands and how to go on; nothing where no file was written.
func (r *gradeRun) left(f *gradeFlags, cure string) string {
	if r.out.record == "" {
		return ""
	}
	return fmt.Sprintf("\n%s holds the %s graded before that, and %s their judge: %s, and the same command with --resume goes on",
		f.out, report.Plural(r.tally.Rows, "row", "rows"), r.out.record, cure)
}

// report prints what was found and holds it to the gates.
func (r *gradeRun) report(f *gradeFlags, given func(string) bool) error {
	missed := f.gates(&r.tally, given)
	sum := newGradeReport(r, f, missed)
	for _, name := range slices.Sorted(maps.Keys(r.tally.Markers)) {
		if warning := judge.MarkerWarning(name); warning != "" {
			sum.Warnings = append(sum.Warnings, warning)
		}
	}
	to := r.app.out
	if f.out == "-" {
		to = r.app.err
	}
	var err error
	if f.json {
		err = sum.writeJSON(to)
	} else {
		err = sum.writeText(to)
	}
	for _, warning := range sum.Warnings {
		fmt.Fprintln(r.app.err, "warning: "+warning)
	}
	if err == nil && missed != "" {
		return &exitError{exitGate, errors.New(missed)}
	}
	return err
}

// gates returns why the run is refused, or nothing.
func (f *gradeFlags) gates(t *engine.Tally, given func(string) bool) string {
	under := given("fail-under")
	switch {
	case (under || given("max-unjudged")) && t.Unjudged() > f.maxUnjudged:
		return fmt.Sprintf("gate: %d rows have no reward, over --max-unjudged %d", t.Unjudged(), f.maxUnjudged)
	case under && t.Judged == 0:
		return "gate: no row was judged, so no mean reward meets --fail-under"
	case under && t.Mean() < f.failUnder:
		return fmt.Sprintf("gate: mean reward %.6g is below --fail-under %g", t.Mean(), f.failUnder)
	}
	return ""
}
