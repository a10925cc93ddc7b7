package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/sandbox"
)

// engineFlags are the flags of commands that judge rows.
type engineFlags struct {
	concurrency int
	timeout     time.Duration
	noUsage     bool
}

func (f *engineFlags) register(c *cobra.Command) {
	c.Flags().Var(&countFlag{value: &f.concurrency, most: 10000}, "concurrency", "rows judged at once (default, and 0: two a processor for programs, one for native checks)")
	c.Flags().Var(&durationFlag{&f.timeout, time.Millisecond, true}, "timeout", "time for one attempt at a row, for example 30s (default, and 0: none for native checks, 30m for others)")
	c.Flags().BoolVar(&f.noUsage, "no-usage", false, "leave what was measured (judge_meta.usage) out: equal runs are equal bytes")
}

// loadFactor is how much slower than on an idle machine a program may go and still meet its own limit before the
// deadline of its row: the load at which limits are promised to hold.
const loadFactor = 4

// engine makes the engine, and lets the limits of programs follow its deadlines. Called before a judge is built.
func (f *engineFlags) engine(a *app) (*engine.Engine, error) {
	config := engine.Config{Workers: f.concurrency, Timeout: f.timeout, Retry: machineFault}
	if terminal(a.err) {
		config.Observer = &a.judged
	}
	e, err := engine.New(config)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	if f.timeout > 0 {
		a.boxes.wall = e.Deadlines().Wall / loadFactor
	}
	return e, nil
}

// machineFault says whether another try is worth it.
func machineFault(err error) bool {
	var temporary interface{ Temporary() bool }
	return errors.Is(err, sandbox.ErrMachine) || errors.As(err, &temporary) && temporary.Temporary()
}
