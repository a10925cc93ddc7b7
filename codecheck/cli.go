package codecheck

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// CLICase is one start of a program as a command: what it is given, and how it must end.
type CLICase struct {
	Name   string
	Args   []string
	Stdin  string
	Exit   Exit
	Output string // of standard output and standard error together, line ends at its end aside
	Mode   OutputMode

	pattern *regexp.Regexp // of Output, where Mode is OutputRegexp
}

// Exit is the wanted exit code of a CLICase: AnyExit, NonZero, or the code itself.
type Exit int

// Exit codes that are none.
const (
	NonZero Exit = -1
	AnyExit Exit = -2
)

// OutputMode says how the output of a CLICase is compared.
type OutputMode string

// The modes. The empty value compares nothing.
const (
	OutputEqual    OutputMode = "equal"
	OutputPartial  OutputMode = "partial"  // Output stands somewhere in it
	OutputRegexp   OutputMode = "regexp"   // Output is an RE2 pattern that is found in it
	OutputNonempty OutputMode = "nonempty" // there is some
)

// wireCLI is the JSON form of CLICase. exit is "zero", "nonzero", a number, or absent for any.
type wireCLI struct {
	Name   string          `json:"name"`
	Args   []string        `json:"args"`
	Stdin  string          `json:"stdin"`
	Exit   json.RawMessage `json:"exit"`
	Output *string         `json:"output"`
	Mode   OutputMode      `json:"output_mode"`
}

func (w wireTests) fillCLI(t *Tests) error {
	if len(w.Cases) == 0 {
		return fmt.Errorf("tests: %w: cases is empty", ErrNoTests)
	}
	if w.SolutionFile != "" && !cleanName(w.SolutionFile) {
		return broken("solution_file: want a clean relative path")
	}
	if t.File == "" {
		t.File = w.SolutionFile
	}
	for i, c := range w.Cases {
		k, err := c.parse()
		if err != nil {
			return broken(fmt.Sprintf("cases[%d]: %v", i, err))
		}
		t.CLI = append(t.CLI, k)
	}
	return nil
}

func (w wireCLI) parse() (CLICase, error) {
	c := CLICase{Name: w.Name, Args: w.Args, Stdin: w.Stdin, Exit: AnyExit, Mode: w.Mode}
	if w.Output != nil {
		c.Output = strings.TrimRight(*w.Output, "\r\n")
		if c.Mode == "" {
			c.Mode = OutputEqual
		}
	}
	if slices.ContainsFunc(c.Args, func(a string) bool { return strings.ContainsRune(a, 0) }) {
		return c, fmt.Errorf("args: a NUL byte is no argument")
	}
	switch text := string(w.Exit); text {
	case "", "null", `"any"`:
	case `"zero"`:
		c.Exit = 0
	case `"nonzero"`:
		c.Exit = NonZero
	default:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 255 {
			return c, fmt.Errorf("exit: want zero, nonzero or a number to 255")
		}
		c.Exit = Exit(n)
	}
	switch c.Mode {
	case "", OutputEqual, OutputPartial, OutputNonempty:
	case OutputRegexp:
		var err error
		if c.pattern, err = regexp.Compile(c.Output); err != nil {
			return c, fmt.Errorf("output: not a pattern of RE2")
		}
	default:
		return c, fmt.Errorf("output_mode: want equal, partial, regexp or nonempty")
	}
	if c.Exit == AnyExit && c.Mode == "" {
		return c, fmt.Errorf("neither exit nor output is wanted")
	}
	return c, nil
}

// joined runs a command with both its streams in one, in the order they were written.
const joined = `exec "$@" 2>&1`

// cli judges cli_cases tests: a fresh job per case, judged here by exit code and output.
func (j *judgement) cli(ctx context.Context) error {
	j.rep.Integrity = Engine // whatever was asked for: no level is stronger
	t := j.task.Tests
	j.total = len(t.CLI)
	p, _, ok := j.project(strings.Join(append(j.before(), j.source()), "\n"), j.lang.Run)
	if !ok {
		return nil
	}
	base, err := j.make(ctx, p)
	if err != nil || base == nil {
		return err
	}
	for i, c := range t.CLI {
		wall, ok := j.withinBudget()
		if !ok {
			return nil
		}
		spec := *base
		spec.Args = slices.Concat([]string{"/bin/sh", "-c", joined, "sh"}, base.Args, c.Args)
		spec.Limits.Wall, spec.Stdin = wall, []byte(c.Stdin)
		res, err := j.r.box.Run(ctx, spec)
		if err != nil {
			return err
		}
		j.usage(res)
		if res.Status == sandbox.Timeout && wall < j.limits.Wall {
			j.decide(Timeout, j.budgetReason())
			return nil
		}
		s, reason := j.cliCase(res, c)
		name := c.Name
		if name == "" {
			name = t.caseName(i)
		}
		more := j.count(name, s)
		if s != Passed && j.rep.Reason == "" {
			j.rep.Reason = reason
		}
		if !more {
			return nil
		}
	}
	return nil
}

// cliCase judges one case's run.
func (j *judgement) cliCase(res sandbox.Result, c CLICase) (Status, string) {
	if s := limitStatus(res.Status); s != "" {
		return s, limitReason(s, j.limits)
	}
	if res.Stdout.Truncated {
		return OutputLimit, limitReason(OutputLimit, j.limits)
	}
	if c.Exit == NonZero && res.ExitCode == 0 || c.Exit >= 0 && res.ExitCode != int(c.Exit) {
		return TestsFailed, fmt.Sprintf("tests failed: exit %d", res.ExitCode)
	}
	got, right := strings.TrimRight(string(res.Stdout.Data), "\r\n"), true
	switch c.Mode {
	case OutputEqual:
		right = got == c.Output
	case OutputPartial:
		right = strings.Contains(got, c.Output)
	case OutputRegexp:
		right = c.pattern.MatchString(got)
	case OutputNonempty:
		right = got != ""
	}
	if !right {
		return TestsFailed, "tests failed: wrong output"
	}
	return Passed, ""
}
