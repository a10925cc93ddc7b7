package wasm

import (
	"testing"

	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestSuite(t *testing.T) {
	sandboxtest.Run(t, sandboxtest.Backend{Sandbox: backend(t), Boundary: true})
}

func TestAttacks(t *testing.T) {
	sandboxtest.Attacks(t, sandboxtest.Backend{Sandbox: backend(t), Boundary: true}, "../../testdata/corpus/attacks")
}
