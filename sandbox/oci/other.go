//go:build !linux

package oci

import (
	"context"
	"errors"
	"fmt"

	"github.com/verifyd/verifyd/sandbox"
)

// OCI is a sandbox.Sandbox. It is there on Linux only.
type OCI struct{}

// New fails: containers need Linux.
func New(Config) (*OCI, error) {
	return nil, fmt.Errorf("sandbox/oci: containers need Linux: %w", errors.ErrUnsupported)
}

// Caps is empty.
func (*OCI) Caps() sandbox.Caps { return sandbox.Caps{} }

// Run fails.
func (*OCI) Run(context.Context, sandbox.Spec) (sandbox.Result, error) {
	return sandbox.Result{}, errors.ErrUnsupported
}

// Prepare fails.
func (*OCI) Prepare(context.Context, sandbox.Root, *sandbox.Server, int) error {
	return errors.ErrUnsupported
}

// Close does nothing.
func (*OCI) Close() error { return nil }

// Probe says what is missing.
func Probe(Config) []Finding {
	return []Finding{{Name: "system", Needed: true, Detail: "containers need Linux", Fix: "run verifyd on Linux"}}
}
