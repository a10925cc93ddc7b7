package namespace

import (
	"fmt"
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

func TestPreparedSlotsAreUsed(t *testing.T) {
	n := open(t)
	if err := n.Prepare(sandbox.Root{}, nil, 3); err != nil {
		t.Fatal(err)
	}
	before := len(n.idle)
	if before < 3 {
		t.Fatalf("%d idle slots", before)
	}
	if _, err := n.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}}); err != nil {
		t.Fatal(err)
	}
	if len(n.idle) != before {
		t.Errorf("%d idle slots, before %d", len(n.idle), before)
	}
	if err := n.Prepare(sandbox.Root{}, nil, n.config.MaxIdle+1); err == nil {
		t.Error("more than are kept: no error")
	}
}

func TestTheLeastUsedSlotMakesRoom(t *testing.T) {
	n, err := New(Config{AllowWeak: true, MaxIdle: 2})
	if err != nil {
		t.Skipf("no walls here: %v", err)
	}
	defer func() { _ = n.Close() }()
	for i := range 5 {
		root := sandbox.Root{Binds: []sandbox.Bind{{Host: "/usr", Job: fmt.Sprintf("/extra%d", i)}}}
		r, err := n.Run(t.Context(), sandbox.Spec{Args: []string{fmt.Sprintf("/extra%d/bin/true", i)}, Root: root})
		if err != nil || r.Status != sandbox.OK {
			t.Errorf("%+v, %v", r, err)
		}
		if len(n.idle) > 2 {
			t.Errorf("%d idle slots", len(n.idle))
		}
	}
	if len(n.uids) > 2 {
		t.Errorf("%d user ids in use", len(n.uids))
	}
}

func TestCachedFilesOfOneJobAreNoBurdenOfTheNext(t *testing.T) {
	n := open(t)
	if !n.host.Caps.Memory {
		t.Skip("memory is not counted here")
	}
	limits := sandbox.Limits{Memory: 64 * sandbox.MiB}
	for range 3 {
		read := sandbox.Spec{Args: []string{"/bin/sh", "-c", "cat /usr/lib/*/*.so* /usr/bin/* > /dev/null 2>&1; exit 0"}, Limits: limits}
		if r, err := n.Run(t.Context(), read); err != nil || r.Status != sandbox.OK {
			t.Fatalf("%+v, %v", r, err)
		}
		use := sandbox.Spec{Args: []string{"/bin/sh", "-c", "head -c 40000000 /dev/zero > /tmp/x"}, Limits: limits}
		r, err := n.Run(t.Context(), use)
		if err != nil || r.Status != sandbox.OK || r.Usage.PeakMemory < 38*sandbox.MiB || r.Usage.PeakMemory > 48*sandbox.MiB {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
