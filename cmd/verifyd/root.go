package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/verifiers"
)

// app is what the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	boxes    boxes
}

func (a *app) close() { a.boxes.close() }

// registry builds the table of verifiers, with the sandboxes that code runs in.
func (a *app) registry() *verifiers.Registry {
	return verifiers.NewRegistry(verifiers.Config{Code: a.boxes.runner})
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "verifyd",
		Short: "Turn rollouts into rewards, by programs that can be trusted",
		Long: `verifyd grades rollouts: a row goes in, a verdict comes out, with a reward or a stated reason why there is none.

Exit status: 0 a result was made, 1 a gate refused, 2 usage, 3 a fault of verifyd or the machine, 4 not available here,
130 interrupted.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVar(&a.boxes.backend, "backend", "", "sandbox `NAME` for programs: "+backendNames()+" (default: the strongest that works here)")
	flags.BoolVar(&a.boxes.allowWeak, "allow-weak", false, "run programs although walls are missing; stamped into each verdict")
	for _, command := range commands {
		c := command(a)
		if c.RunE != nil {
			c.RunE = faults(c.RunE)
		}
		root.AddCommand(c)
	}
	return root
}

// commands are the subcommands, one file each.
var commands = []func(*app) *cobra.Command{
	newGrade, newVerify, newExplain, newMath, newRun, newDoctor, newDemo, newVersion, newCompletion,
}

// faults gives errors that name no exit status the one of an engine fault; what cobra refuses before stays usage.
func faults(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		err := run(c, args)
		var exit *exitError
		if err == nil || errors.As(err, &exit) {
			return err
		}
		return &exitError{exitEngine, err}
	}
}

// terminal says whether a stream is a person's screen.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// colour says whether a stream may be given colours: https://no-color.org.
func colour(w io.Writer) bool { return terminal(w) && os.Getenv("NO_COLOR") == "" }
