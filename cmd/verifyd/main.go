// Command verifyd turns rollouts into rewards: it grades rows of JSON Lines by programs, and stands around that core with
// the other steps of the loop. `verifyd help` lists the commands; each has its examples.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/verifyd/verifyd/sandbox"
)

func main() {
	sandbox.Init()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses, as docs/WIRE.md names them.
const (
	exitOK          = 0   // a result was made, also where rows ended in a status
	exitGate        = 1   // a gate refused
	exitUsage       = 2   // usage and refused arguments
	exitEngine      = 3   // a fault of verifyd or the machine
	exitUnavailable = 4   // what was asked for is not to be had here
	exitInterrupted = 130 // SIGINT or SIGTERM
)

// exitError is an error with the exit status it leads to.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

func unavailable(err error) error { return &exitError{exitUnavailable, err} }

var errInterrupted = errors.New("interrupted")

// errSilent ends a command whose message is out already.
var errSilent = errors.New("")

// run is main without the process: it returns the exit status.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { // a second signal ends the process at once
		<-ctx.Done()
		stop()
	}()
	a := &app{in: in, out: out, err: errOut}
	defer a.close()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	err = polish(c, err)
	code := exitUsage // what cobra itself refuses
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		code, err = exitInterrupted, errInterrupted
	}
	if !errors.Is(err, errSilent) {
		fmt.Fprintf(errOut, "verifyd: %v\n", err)
	}
	return code
}
