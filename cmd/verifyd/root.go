package main

import (
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/verifiers"
)

// app is what the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	boxes    boxes
	models   model.Pool
	judged   rowCounter // counts where progress is shown
}

func (a *app) close() { a.boxes.close() }

// registry builds the table of verifiers, with the sandboxes that code runs in.
func (a *app) registry() *verifiers.Registry {
	return verifiers.NewRegistry(verifiers.Config{Code: a.boxes.runner, Model: a.model})
}

// model makes a client for a judge that is a model. Answers are kept in the folder that VERIFYD_MODEL_CACHE names, if any.
func (a *app) model(c model.Config) (*model.Client, error) {
	c.CacheDir = os.Getenv("VERIFYD_MODEL_CACHE")
	return a.models.Client(c)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "verifyd",
		Short: "Turn rollouts into rewards, by programs that can be trusted",
		Long: `verifyd grades rollouts: a row goes in, a verdict comes out, with a reward or a stated reason why there is none.

New here? verifyd demo grades answers that it carries, and explains three verdicts. verifyd doctor tells what works on
this machine.

Exit status: 0 a result was made, 1 a gate refused, 2 usage, 3 a fault of verifyd or the machine, 4 not available here,
130 interrupted.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return a.boxes.check()
		},
		DisableSuggestions: true, // polish makes them
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetHelpCommand(newHelp(a))
	root.CompletionOptions.DisableDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVar(&a.boxes.backend, "backend", "", "sandbox `NAME` for programs: "+backendHelp()+" (default: the strongest that works here and needs no other program)")
	flags.BoolVar(&a.boxes.allowWeak, "allow-weak", false, "run programs although walls are missing; stamped into each verdict")
	completes(root, "backend", backendNames)
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
	newGrade, newVerify, newExplain, newSpec, newMath, newLint, newPassAt, newDelta, newCurriculum, newRetire, newTrust, newAgreement, newHackScan, newOptimize, newRows, newPush, newRun, newRuntime, newImage, newDoctor, newDemo, newVersion, newCompletion,
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

// screenWidth is where lines are broken: COLUMNS where it is set, else the width of the terminal; 0 for no bound, so that
// what goes to a file or a pipe is one line a thing.
func screenWidth(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := w.(*os.File); ok && terminal(w) {
		return windowColumns(f)
	}
	return 0
}
