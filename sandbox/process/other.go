//go:build !unix

package process

import (
	"context"
	"fmt"
	"runtime"

	"github.com/verifyd/verifyd/sandbox"
)

// Process is a sandbox.Sandbox on Unix; elsewhere none can be made.
type Process struct{}

// New always fails here, with an error that wraps sandbox.ErrUnsupported.
func New(Config) (*Process, error) {
	return nil, fmt.Errorf("sandbox/process: on %s: %w", runtime.GOOS, sandbox.ErrUnsupported)
}

// Run always fails.
func (*Process) Run(context.Context, sandbox.Spec) (sandbox.Result, error) {
	return sandbox.Result{}, fmt.Errorf("sandbox/process: %w", sandbox.ErrUnsupported)
}

// Caps is empty.
func (*Process) Caps() sandbox.Caps { return sandbox.Caps{Backend: "process"} }

// Close does nothing.
func (*Process) Close() error { return nil }
