package namespace

import (
	"os"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

func open(t *testing.T) *Namespace {
	t.Helper()
	n, err := New(Config{AllowWeak: true})
	if err != nil {
		t.Skipf("no walls here: %v", err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func TestProbeNamesEverythingAndAFixForWhatIsMissing(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Probe() {
		t.Logf("%v %s: %s (%s)", f.OK, f.Name, f.Detail, f.Fix)
		if f.Name == "" || f.Detail == "" || !f.OK && f.Fix == "" || names[f.Name] {
			t.Errorf("finding %+v", f)
		}
		names[f.Name] = true
	}
	for _, want := range []string{"user", "kernel", "walls"} {
		if !names[want] {
			t.Errorf("no finding %q", want)
		}
	}
}

func TestUserIDsAreChosenFromWhatIsMapped(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"the whole range", "         0          0 4294967295\n", preferredUID},
		{"a container with 65536 ids", "0 100000 65536\n", 65536 - maxSlots - 2},
		{"two ranges, the larger one counts", "0 1000 1\n1 100000 65536\n", 65537 - maxSlots - 2},
		{"too few", "0 1000 1\n", preferredUID},
		{"nothing readable", "", preferredUID},
	} {
		if got := uidsFrom(c.text); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
