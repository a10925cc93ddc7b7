package docker

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

// open makes a sandbox, and skips the test where there is no Docker engine.
func open(t testing.TB, c Config) *Docker {
	t.Helper()
	engineOrSkip(t)
	d, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func engineOrSkip(t testing.TB) {
	t.Helper()
	api, _, err := openEngine("")
	if err != nil {
		t.Skip(err)
	}
	_, err = ask(t.Context(), api)
	_ = api.Close() // it was only asked
	if err != nil {
		t.Skipf("no Docker engine: %v (scripts/with-docker starts one)", err)
	}
}

func TestSuite(t *testing.T) {
	sandboxtest.Run(t, sandboxtest.Backend{Sandbox: open(t, Config{}), Boundary: true})
}

func TestAttacks(t *testing.T) {
	sandboxtest.Attacks(t, sandboxtest.Backend{Sandbox: open(t, Config{}), Boundary: true}, "../../testdata/corpus/attacks")
}
