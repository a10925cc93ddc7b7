package oci

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// open makes a sandbox on one runtime, and skips the test where it is not there or does not start, with its own words.
func open(t testing.TB, runtime string) *OCI { return openWith(t, Config{Runtime: runtime}) }

func openWith(t testing.TB, c Config) *OCI {
	t.Helper()
	if _, err := exec.LookPath(c.Runtime); err != nil {
		t.Skipf("no %s on this machine", c.Runtime)
	}
	if c.State == "" {
		c.State = stateDir(t)
	}
	o, err := New(c)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// stateDir is a folder that a container's root can walk to.
func stateDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

var full = flag.Bool("full", false, "the attacks on each runtime, not on runc alone, whose walls are the same as crun's")

// suites runs what every backend must pass. Containers are dear, so the attacks are left out where they were tried by the same walls.
func suites(t *testing.T, runtime string, attacks bool) {
	t.Helper()
	b := sandboxtest.Backend{Sandbox: open(t, runtime), Boundary: true, Dear: !*full}
	t.Run("suite", func(t *testing.T) { sandboxtest.Run(t, b) })
	t.Run("attacks", func(t *testing.T) {
		if !attacks {
			t.Skip("asked for with -full")
		}
		sandboxtest.Attacks(t, b, "../../testdata/corpus/attacks")
	})
}

func TestRunc(t *testing.T) { suites(t, "runc", true) }

func TestRunsc(t *testing.T) { suites(t, "runsc", true) } // it is on no machine unless it was built for this

// TestCrun runs itself again where crun refuses the machine's hybrid cgroups, behind the way out that the error names: a mount of the
// controllers that v2 still has, seen by nobody else.
func TestCrun(t *testing.T) {
	const again = "VERIFYD_TEST_CRUN_AGAIN"
	if os.Getenv(again) == "" && refusesHybrid(t) {
		const script = `for c in $(cat /sys/fs/cgroup/unified/cgroup.controllers); do mkdir -p "$0/$c" && mount -t cgroup -o "$c" none "$0/$c" || exit 77; done; exec "$@"`
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "unshare", "-m", "sh", "-c", script, t.TempDir(), self, "-test.run", "^TestCrun$", "-test.v", fmt.Sprintf("-full=%v", *full))
		cmd.Env = append(os.Environ(), again+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	suites(t, "crun", *full)
}

// refusesHybrid checks that the refusal of crun is told as what it is.
func refusesHybrid(t *testing.T) bool {
	t.Helper()
	if _, err := exec.LookPath("crun"); err != nil || os.Geteuid() != 0 {
		return false
	}
	o, err := New(Config{Runtime: "crun", State: stateDir(t)})
	if err == nil {
		_ = o.Close() // it works without
		return false
	}
	for _, word := range []string{"hybrid", "mount -t cgroup", "runc"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
	return strings.Contains(err.Error(), "hybrid")
}
