package namespace

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// account moves the test process into a cpuacct group of its own, so that the processor time of all later descendants,
// slots and jobs included, can be read in milliseconds.
func account(b *testing.B) func() float64 {
	b.Helper()
	dir := fmt.Sprintf("/sys/fs/cgroup/cpuacct/verifyd-bench-%d", os.Getpid())
	if os.Mkdir(dir, 0o755) == nil {
		b.Cleanup(func() {
			_ = os.WriteFile("/sys/fs/cgroup/cpuacct/cgroup.procs", []byte(strconv.Itoa(os.Getpid())), 0)
			_ = os.Remove(dir) // a process that is still ending keeps it
		})
		_ = os.WriteFile(dir+"/cgroup.procs", []byte(strconv.Itoa(os.Getpid())), 0)
	}
	return func() float64 {
		text, err := os.ReadFile(dir + "/cpuacct.usage")
		if err != nil {
			return 0
		}
		ns, _ := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		return ns / 1e6
	}
}

// measure reports cpu-ms/op, which load on the machine hardly moves.
func measure(b *testing.B, usage func() float64, run func()) {
	b.Helper()
	run() // warm
	before := usage()
	b.ResetTimer()
	for range b.N {
		run()
	}
	b.StopTimer()
	if cpu := usage() - before; cpu > 0 {
		b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
	}
}

func BenchmarkRun(b *testing.B) {
	usage := account(b)
	n, err := New(Config{})
	if err != nil {
		b.Skip(err)
	}
	defer func() { _ = n.Close() }()
	py := sandboxtest.Python(b)
	static := sandboxtest.Compile(b, "int main(void) { return 0; }")
	for _, c := range []struct {
		name string
		spec sandbox.Spec
	}{
		{"true", sandbox.Spec{Args: []string{"/bin/true"}}},
		{"static", sandbox.Spec{Args: []string{"./p"}, Files: []sandbox.File{{Name: "p", Data: static, Exec: true}}}},
		{"python", sandbox.Spec{Args: []string{py.Path, "-I", "-c", "print(1)"}, Root: py.Root}},
	} {
		b.Run(c.name, func(b *testing.B) {
			measure(b, usage, func() {
				if r, err := n.Run(b.Context(), c.spec); err != nil || r.Status != sandbox.OK {
					b.Fatal(r, err)
				}
			})
		})
		b.Run(c.name+"-plain", func(b *testing.B) {
			args := c.spec.Args
			if args[0] == "./p" {
				args = []string{b.TempDir() + "/p"}
				if err := os.WriteFile(args[0], static, 0o755); err != nil {
					b.Fatal(err)
				}
			}
			measure(b, usage, func() {
				if err := exec.Command(args[0], args[1:]...).Run(); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
	server, root := sandboxtest.WarmPython(b)
	warm := sandbox.Spec{Server: server, Root: root, Args: []string{"main.py"}, Files: []sandbox.File{{Name: "main.py", Data: []byte(humanEval)}}}
	cold := sandbox.Spec{Args: []string{py.Path, "-I", "main.py"}, Root: py.Root, Files: warm.Files}
	for name, spec := range map[string]sandbox.Spec{"heval-warm": warm, "heval-cold": cold} {
		b.Run(name, func(b *testing.B) {
			measure(b, usage, func() {
				if r, err := n.Run(b.Context(), spec); err != nil || r.Status != sandbox.OK {
					b.Fatal(r, err)
				}
			})
		})
	}
	b.Run("heval-plain", func(b *testing.B) {
		measure(b, usage, func() {
			if err := exec.Command(py.Path, "-I", "-c", humanEval).Run(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("slot", func(b *testing.B) {
		measure(b, usage, func() {
			s, err := n.newSlot("fresh", setup{JobUser: n.uidBase + maxSlots, Rootless: n.rootless, Root: rootfs.Root{WorkDir: sandbox.WorkDir, Hostname: "sandbox", JobID: jobID}}, nil)
			if err != nil {
				b.Fatal(err)
			}
			s.close()
		})
	})
}

// humanEval has the shape of a graded answer: common imports, a small function, asserts.
const humanEval = `
import collections, math
from typing import List
def close(numbers: List[float], threshold: float) -> bool:
    for i, a in enumerate(numbers):
        for b in numbers[i + 1:]:
            if abs(a - b) < threshold:
                return True
    return False
assert close([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3)
assert not close([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.05)
assert close([1.0, 2.0, 5.9, 4.0, 5.0], 0.95)
assert not close([1.0, 2.0, 5.9, 4.0, 5.0], 0.8)
assert close([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1)
assert close([1.1, 2.2, 3.1, 4.1, 5.1], 1.0)
assert not close([1.1, 2.2, 3.1, 4.1, 5.1], 0.5)
`
