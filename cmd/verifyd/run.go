package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
		Use:   "run [--language L] FILE [ARG...]",
		Short: "Run one program in the sandbox and tell its fate",
		Long: `Run the program in FILE (- is standard input) behind the walls and limits that programs of candidates get, and tell how
it ended: ok, exit_error, signal, timeout, cpu_limit, memory_limit, output_limit, process_limit, disk_limit, forbidden or
compile_error. The wall limit is own time: what the machine kept the program waiting is not counted. Without --json the
program's output is passed on and its fate is told on standard error.`,
		Example: `  verifyd run hello.py
  verifyd run --json --language c --memory 64MiB --wall 2s main.c
  echo 'print(input()[::-1])' | verifyd run --language python --stdin in.txt -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.run(c.Context(), args, &f) },
	}
	flags := c.Flags()
	flags.SetInterspersed(true)
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.StringVar(&f.language, "language", "", "`LANGUAGE` of the program (default: by the file's ending, else python)")
	flags.StringVar(&f.stdin, "stdin", "", "`FILE` to feed to the program's standard input")
	flags.DurationVar(&f.limits.Wall, "wall", 0, "own time, for example 2s (default 10s)")
	flags.DurationVar(&f.limits.CPU, "cpu", 0, "processor time of all its processes (default: as --wall)")
	flags.Var((*sizeFlag)(&f.limits.Memory), "memory", "memory of all its processes (default 512MiB)")
	flags.Var((*sizeFlag)(&f.limits.Output), "output", "each of standard output and standard error (default 1MiB)")
	flags.Var((*sizeFlag)(&f.limits.Disk), "disk", "all its files together (default 64MiB)")
	flags.IntVar(&f.limits.Processes, "processes", 0, "processes and threads at once (default 64)")
	return c
}

// sizeFlag reads 64MiB and the like.
type sizeFlag sandbox.Size

func (s *sizeFlag) Set(text string) error {
	size, err := sandbox.ParseSize(text)
	*s = sizeFlag(size)
	return err
}

func (s *sizeFlag) String() string {
	if *s == 0 {
		return ""
	}
	return sandbox.Size(*s).String()
}

func (s *sizeFlag) Type() string { return "SIZE" }

func (a *app) run(ctx context.Context, args []string, f *runFlags) error {
	l := f.limits
	if l.Wall < 0 || l.CPU < 0 || l.Processes < 0 {
		return usage("a limit must not be negative")
	}
	program, err := f.program(a, args)
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

func (f *runFlags) program(a *app, args []string) (codecheck.Program, error) {
	p := codecheck.Program{Language: f.language, Args: args[1:], Limits: f.limits}
	if f.stdin == "-" && args[0] == "-" {
		return p, usage("standard input cannot be the program and its input")
	}
	source, err := a.readFile(args[0])
	if err != nil {
		return p, usage("%w", err)
	}
	p.Source = string(source)
	if f.stdin != "" {
		if p.Stdin, err = a.readFile(f.stdin); err != nil {
			return p, usage("--stdin: %w", err)
		}
	}
	table := codecheck.Languages()
	if p.Language == "" {
		if l, ok := codecheck.FindByExtension(table, filepath.Base(args[0])); ok {
			p.Language = l.Name
		}
	}
	if _, ok := codecheck.FindLanguage(table, p.Language); !ok {
		return p, usage("--language: unknown language %.40q", p.Language)
	}
	return p, nil
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
