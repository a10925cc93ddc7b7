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

func TestTrue(t *testing.T) {
	n := open(t)
	t.Logf("%+v", n.Caps())
	for _, args := range [][]string{{"/bin/true"}, {"sh", "-c", "id; ls -la / /dev /work /proc; cat /proc/self/status /proc/self/cgroup; exit 3"}, {"/usr/bin/python3", "-I", "-c", "print(1)"}} {
		res, err := n.Run(t.Context(), sandbox.Spec{Args: args, Env: []string{"PATH=/usr/bin:/bin"}})
		t.Logf("%v: %v %d %d %v\n%s%s", err, res.Status, res.ExitCode, res.Signal, res.Usage, res.Stdout.Data, res.Stderr.Data)
	}
}
