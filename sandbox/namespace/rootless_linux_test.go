package namespace

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
)

const ordinaryUser = 65534

// TestAsOrdinaryUser runs this file's other tests again as a user without rights, from a process of that user.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: the other tests ran as an ordinary user already")
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run", "^TestSuite$|^TestOrdinary|^TestNothing|^TestPrepared", "-test.v")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}}
	cmd.Dir, cmd.Env = "/", append(os.Environ(), "TMPDIR=/tmp", "HOME=/tmp")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

func TestOrdinaryUserIsRefusedUnlessWeakWallsAreAllowed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root")
	}
	n, err := New(Config{AllowWeak: true})
	if err != nil {
		t.Skipf("no namespaces for ordinary users here: %v", err)
	}
	defer func() { _ = n.Close() }()
	if n.Caps().Memory {
		t.Skip("this user has a delegated cgroup")
	}
	if _, err := New(Config{}); !errors.Is(err, sandbox.ErrNoWalls) {
		t.Errorf("without AllowWeak: %v, want ErrNoWalls", err)
	}
	r, err := n.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}})
	if err != nil || len(r.Degraded) == 0 {
		t.Errorf("%+v, %v: want what is missing in Degraded", r, err)
	}
}
