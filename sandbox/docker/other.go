//go:build !linux

package docker

import (
	"context"
	"fmt"
	"runtime"

	"github.com/verifyd/verifyd/sandbox"
)

// Docker is a sandbox.Sandbox on Linux; elsewhere none can be made.
type Docker struct{}

// New always fails here, with an error that wraps sandbox.ErrUnsupported.
func New(Config) (*Docker, error) {
	return nil, fmt.Errorf("sandbox/docker: on %s, where containers run in a machine of their own: %w", runtime.GOOS, sandbox.ErrUnsupported)
}

// Run always fails.
func (*Docker) Run(context.Context, sandbox.Spec) (sandbox.Result, error) {
	return sandbox.Result{}, fmt.Errorf("sandbox/docker: %w", sandbox.ErrUnsupported)
}

// Prepare always fails.
func (*Docker) Prepare(sandbox.Root, *sandbox.Server, int) error {
	return fmt.Errorf("sandbox/docker: %w", sandbox.ErrUnsupported)
}

// Caps is empty.
func (*Docker) Caps() sandbox.Caps { return sandbox.Caps{Backend: "docker"} }

// Close does nothing.
func (*Docker) Close() error { return nil }

// Probe tells that there is nothing to find.
func Probe(Config) []Finding {
	return []Finding{{Name: "docker engine", Needed: true, Detail: "on " + runtime.GOOS, Fix: "run verifyd on Linux"}}
}
