//go:build !linux

package namespace

import (
	"context"
	"fmt"
	"runtime"

	"github.com/verifyd/verifyd/sandbox"
)

// Namespace is a sandbox.Sandbox on Linux; elsewhere none can be made.
type Namespace struct{}

// New always fails here, with an error that wraps sandbox.ErrNoWalls.
func New(Config) (*Namespace, error) {
	return nil, fmt.Errorf("sandbox/namespace: %s has no namespaces: %w", runtime.GOOS, sandbox.ErrNoWalls)
}

// Run always fails.
func (*Namespace) Run(context.Context, sandbox.Spec) (sandbox.Result, error) {
	return sandbox.Result{}, fmt.Errorf("sandbox/namespace: %w", sandbox.ErrNoWalls)
}

// Caps is empty.
func (*Namespace) Caps() sandbox.Caps { return sandbox.Caps{Backend: "namespace"} }

// Close does nothing.
func (*Namespace) Close() error { return nil }

// Prepare always fails.
func (*Namespace) Prepare(sandbox.Root, *sandbox.Server, int) error {
	return fmt.Errorf("sandbox/namespace: %w", sandbox.ErrNoWalls)
}

// Probe says that there is nothing to probe.
func Probe() []Finding {
	return []Finding{{Name: "walls", Needed: true, Detail: runtime.GOOS + " has no namespaces", Fix: "use another backend, or Linux"}}
}
