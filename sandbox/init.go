package sandbox

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// Stages.
//
// A backend's child is this same binary started again: no helper program to install, none to go missing. The first
// argument of such a start names the stage, and the process goes there as soon as the stage is known:
//
//	packages are initialised ── RegisterStage ──▶ (ordinary start) ── … ── main ── Init ── rest of main
//	                                        └───▶ (Args[0] is "sandbox-stage:NAME") ── the stage's function ── exit
//
// Backends are initialised before most packages that are larger: of the packages whose imports are ready the one with the
// lowest path goes first (go.dev/ref/spec#Program_initialization), and backends need little. So a stage does not pay for what
// the rest of the program prepares at its start. The function may use its own package and what that imports, nothing else.
//
// The name stands in Args[0] and not in the environment, so a program that inherits an environment can never be sent
// into a stage by accident.

const stagePrefix = "sandbox-stage:"

var (
	stages      = map[string]func() error{} // filled by RegisterStage from package initialisation only
	initialised atomic.Bool
)

// RegisterStage makes name a stage, and does not return in a process that was started for it. It is called while packages are
// initialised, never later, as the last thing that its package does then; a name that is taken panics. The function's error is
// printed on standard error as "sandbox-stage NAME: step: cause" and the process ends with exit code 125; nil ends it with 0.
func RegisterStage(name string, run func() error) {
	if _, taken := stages[name]; taken {
		panic("sandbox: stage " + name + " is registered twice")
	}
	stages[name] = run
	if len(os.Args) == 0 || os.Args[0] != stagePrefix+name {
		return
	}
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "sandbox-stage %s: %v\n", name, err)
		os.Exit(125)
	}
	os.Exit(0)
}

// Init is the first line of main, and of TestMain in every test binary that starts a backend: it says that this binary can be
// started again. In an ordinary start it returns at once; in a start for a stage that this binary does not have it ends the
// process.
func Init() {
	initialised.Store(true)
	if name, isStage := strings.CutPrefix(strings.Join(os.Args[:min(1, len(os.Args))], ""), stagePrefix); isStage {
		fmt.Fprintf(os.Stderr, "sandbox-stage %s: this binary has no such stage\n", name)
		os.Exit(125)
	}
}

// StageArgs gives the argument list that starts this binary in a stage, or an error where Init was never called: the
// child would then run main again instead of the stage.
func StageArgs(name string, args ...string) ([]string, error) {
	if !initialised.Load() {
		return nil, fmt.Errorf("sandbox: start stage %s: call sandbox.Init first in main (in tests: in TestMain)", name)
	}
	if _, known := stages[name]; !known {
		return nil, fmt.Errorf("sandbox: start stage %s: no such stage", name)
	}
	return append([]string{stagePrefix + name}, args...), nil
}
