//go:build unix

package process

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

func TestSuite(t *testing.T) {
	p, err := New(Config{AllowWeak: true, TempDir: t.TempDir()})
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
		p, err := New(Config{AllowWeak: true})
		if err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func TestWhatIsNotEnforcedIsRefusedUnlessTheCallerKnows(t *testing.T) {
	_, err := New(Config{})
	if !errors.Is(err, sandbox.ErrNoWalls) {
		t.Fatalf("error %v, want one that wraps ErrNoWalls", err)
	}
	p, err := New(Config{AllowWeak: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}})
	if err != nil || !slices.Equal(r.Degraded, p.Caps().Missing) || !slices.Contains(r.Degraded, "boundary") {
		t.Errorf("degraded %q, %v; want %q", r.Degraded, err, p.Caps().Missing)
	}
	caps := p.Caps()
	for name, held := range map[string]bool{"memory": caps.Memory, "processes": caps.Processes, "cpu": caps.CPU, "disk": caps.Disk, "inodes": caps.Inodes, "own_time": caps.OwnTime} {
		if held == slices.Contains(caps.Missing, name) {
			t.Errorf("%s: enforced %v, missing %q", name, held, caps.Missing)
		}
	}
}
