package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/sandbox"
)

// runFlags are the flags of run.
type runFlags struct {
	json     bool
	language string
	stdin    string
	limits   sandbox.Limits
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [--language L] FILE [-- ARG...]",
		Short: "Run one program in the sandbox and tell its fate",
		Long: `Run the program in FILE (- is standard input) behind the walls and limits that programs of candidates get, and tell how
it ended: ok, exit_error, signal, timeout, cpu_limit, memory_limit, output_limit, process_limit, disk_limit, forbidden or
compile_error. The wall limit is own time: what the machine kept the program waiting is not counted. Without --json the
program's output is passed on and its fate is told on standard error. Arguments behind -- are the program's.`,
		Example: `  verifyd run hello.py
  verifyd run count.py -- -n 5 --reverse
  verifyd run --json --language c --memory 64MiB --wall 2s main.c
  echo 'print(input()[::-1])' | verifyd run --language python --stdin in.txt -`,
		Args: wants(1, -1, "FILE, the program; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.run(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.SetInterspersed(true)
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.StringVar(&f.language, "language", "", "`LANGUAGE` of the program: "+strings.Join(languageNames(), ", ")+" (default: by the file's ending; python where it has none)")
	flags.StringVar(&f.stdin, "stdin", "", "`FILE` to feed to the program's standard input")
	flags.Var(&durationFlag{value: &f.limits.Wall}, "wall", "own time, for example 2s (default 10s)")
	flags.Var(&durationFlag{value: &f.limits.CPU}, "cpu", "processor time of all its processes (default: as --wall)")
	flags.Var((*sizeFlag)(&f.limits.Memory), "memory", fmt.Sprintf("memory of all its processes, at least %v (default 512MiB)", codecheck.MinMemory))
	flags.Var((*sizeFlag)(&f.limits.Output), "output", "each of standard output and standard error (default 1MiB)")
	flags.Var((*sizeFlag)(&f.limits.Disk), "disk", "all its files together (default 64MiB)")
	flags.Var(&countFlag{&f.limits.Processes, 1, math.MaxInt32}, "processes", "processes and threads at once (default 64)")
	completes(c, "language", languageNames)
	return c
}

func languageNames() []string {
	var list []string
	for _, l := range codecheck.Languages() {
		list = append(list, l.Name)
	}
	return list
}

func (a *app) run(ctx context.Context, args []string, f *runFlags) error {
	if err := codecheck.CheckLimits(f.limits); err != nil {
		return usage("--%w", err) // begins with the limit's name
	}
	program, err := f.program(ctx, a, args)
	if err != nil {
		return err
	}
	box, err := a.boxes.get("")
	if err != nil {
		return boxFault(err)
	}
	result, err := runPatiently(ctx, box.runner, program)
	switch {
	case errors.Is(err, sandbox.ErrUnsupported):
		return &exitError{exitUsage, err}
	case errors.Is(err, codecheck.ErrNoToolchain):
		return unavailable(err)
	case ctx.Err() != nil:
		return &exitError{exitInterrupted, errInterrupted}
	case err != nil:
		return err
	}
	if f.json {
		_, err = a.out.Write(append(appendRunReport(nil, &result), '\n'))
		return err
	}
	return a.showRun(&result)
}

// boxFault says with which exit status a missing sandbox ends a command.
func boxFault(err error) error {
	if none := (*noBackendError)(nil); errors.As(err, &none) {
		return unavailable(err)
	}
	return &exitError{exitUsage, err}
}

func (f *runFlags) program(ctx context.Context, a *app, args []string) (codecheck.Program, error) {
	p := codecheck.Program{Args: args[1:], Limits: f.limits}
	var err error
	if p.Language, err = f.languageOf(args[0]); err != nil {
		return p, err
	}
	if f.stdin == "-" && args[0] == "-" {
		return p, usage("standard input cannot be the program and its input")
	}
	source, err := a.readFile(ctx, args[0])
	if err != nil {
		return p, usage("%w", err)
	}
	p.Source = string(source)
	if f.stdin != "" {
		if p.Stdin, err = a.readFile(ctx, f.stdin); err != nil {
			return p, usage("--stdin: %w", err)
		}
	}
	return p, nil
}

// languageOf is the language that is named, else that of the file's ending, else python.
func (f *runFlags) languageOf(file string) (string, error) {
	table := codecheck.Languages()
	if f.language != "" {
		if _, ok := codecheck.FindLanguage(table, f.language); !ok {
			return "", usage("--language: unknown language %.40q; known are %s", f.language, strings.Join(languageNames(), ", "))
		}
		return f.language, nil
	}
	ending := filepath.Ext(file)
	if ending == "" || file == "-" {
		return "python", nil
	}
	if l, ok := codecheck.FindByExtension(table, filepath.Base(file)); ok {
		return l.Name, nil
	}
	var known []string
	for _, l := range table {
		known = append(known, filepath.Ext(l.File)+" "+l.Name)
	}
	return "", usage("%s: no language has the ending %s (known are %s); name one with --language", file, ending, strings.Join(known, ", "))
}

// machineTries: a machine that gave the job too little time three times will do so again.
const machineTries = 3

func runPatiently(ctx context.Context, r *codecheck.Runner, p codecheck.Program) (result codecheck.RunReport, err error) {
	for range machineTries {
		if result, err = r.Run(ctx, p); !machineFault(err) {
			break
		}
	}
	return result, err
}

// appendRunReport writes the object of `run --json`. Output that is no UTF-8 has U+FFFD in its place.
func appendRunReport(dst []byte, r *codecheck.RunReport) []byte {
	dst = appendText(append(dst, `{"status":`...), r.Status)
	if r.Signal != 0 {
		dst = fmt.Appendf(dst, `,"exit_code":null,"signal":%d`, r.Signal)
	} else {
		dst = fmt.Appendf(dst, `,"exit_code":%d,"signal":null`, r.ExitCode)
	}
	dst = appendText(append(dst, `,"stdout":`...), string(r.Stdout.Data))
	dst = appendText(append(dst, `,"stderr":`...), string(r.Stderr.Data))
	dst = fmt.Appendf(dst, `,"truncated":%t`, r.Stdout.Truncated || r.Stderr.Truncated)
	dst = appendText(append(dst, `,"backend":`...), r.Backend)
	dst = append(dst, `,"degraded":[`...)
	for i, wall := range r.Degraded {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, wall)
	}
	u := r.Usage
	return fmt.Appendf(dst, `],"usage":{"cpu_s":%g,"own_s":%g,"peak_memory":%d,"wall_s":%g}}`,
		micros(u.CPU), micros(u.Own), int64(u.PeakMemory), micros(u.Wall))
}

// micros are seconds to the microsecond: below that they say nothing.
func micros(d time.Duration) float64 { return round(d.Seconds(), 6) }

// showRun passes the program's output on and tells its fate.
func (a *app) showRun(r *codecheck.RunReport) error {
	if _, err := a.out.Write(r.Stdout.Data); err != nil {
		return err
	}
	if _, err := a.err.Write(r.Stderr.Data); err != nil {
		return err
	}
	p := report.New(a.err, colour(a.err))
	if n := len(r.Stderr.Data); n > 0 && !bytes.HasSuffix(r.Stderr.Data, []byte("\n")) {
		p.Line("")
	}
	fate := p.Green(r.Status)
	if r.Status != string(sandbox.OK) {
		fate = p.Red(r.Status)
	}
	end := fmt.Sprintf("exit code %d", r.ExitCode)
	if r.Signal != 0 {
		end = fmt.Sprintf("signal %d", r.Signal)
	}
	p.Line(fmt.Sprintf("[%s] %s, %s, %s of processor time in %s, %s of memory", r.Backend, fate, end, report.Seconds(r.Usage.CPU.Seconds()), report.Seconds(r.Usage.Own.Seconds()), report.Bytes(int64(r.Usage.PeakMemory))))
	for _, wall := range r.Degraded {
		p.Line(p.Yellow("  missing: " + wall))
	}
	return p.Err()
}
