//go:build unix

package process

import (
	"os"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

func TestSuite(t *testing.T) {
	p, err := New(Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	sandboxtest.Run(t, sandboxtest.Backend{Sandbox: p})
	if left, _ := os.ReadDir(p.config.TempDir); len(left) > 0 {
		t.Errorf("%d folders left", len(left))
	}
}

func TestNothingOutlivesAKilledEngine(t *testing.T) {
	sandboxtest.KilledEngine(t, func(t *testing.T) sandbox.Sandbox {
		p, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	})
}
