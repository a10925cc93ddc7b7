package namespace

import (
	"testing"

	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// TestSuite and TestAttacks give the same statuses with -load=4 as on an idle machine.
func TestSuite(t *testing.T) {
	spinners(t, *loadFactor)
	sandboxtest.Run(t, sandboxtest.Backend{Sandbox: open(t), Boundary: true})
}

func TestAttacks(t *testing.T) {
	spinners(t, *loadFactor)
	sandboxtest.Attacks(t, sandboxtest.Backend{Sandbox: open(t), Boundary: true}, "../../testdata/corpus/attacks")
}
