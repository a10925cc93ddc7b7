package namespace

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

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
	usage := sandboxtest.Account(b)
	n, err := New(Config{})
	if err != nil {
		b.Skip(err)
	}
	defer func() { _ = n.Close() }()
	py := sandboxtest.Python(b)
	static := b.TempDir() + "/p"
	program := sandboxtest.Compile(b, "int main(void) { return 0; }")
	if err := os.WriteFile(static, program, 0o755); err != nil {
		b.Fatal(err)
	}
	server, root := sandboxtest.WarmPython(b)
	job := []sandbox.File{{Name: "main.py", Data: []byte(sandboxtest.Answer)}}
	for _, c := range []struct {
		name  string
		spec  sandbox.Spec
		plain []string // the same without walls
	}{
		{"true", sandbox.Spec{Args: []string{"/bin/true"}}, []string{"/bin/true"}},
		{"static", sandbox.Spec{Args: []string{"./p"}, Files: []sandbox.File{{Name: "p", Data: program, Exec: true}}}, []string{static}},
		{"python", sandbox.Spec{Args: []string{py.Path, "-I", "-c", "print(1)"}, Root: py.Root}, []string{py.Path, "-I", "-c", "print(1)"}},
		{"heval-cold", sandbox.Spec{Args: []string{py.Path, "-I", "main.py"}, Root: py.Root, Files: job}, []string{py.Path, "-I", "-c", sandboxtest.Answer}},
		{"heval-warm", sandbox.Spec{Server: server, Root: root, Args: []string{"main.py"}, Files: job}, nil},
	} {
		b.Run(c.name, func(b *testing.B) { measure(b, usage, runs(b, n, c.spec)) })
		if c.plain != nil {
			b.Run(c.name+"-plain", func(b *testing.B) { measure(b, usage, plain(b, c.plain...)) })
		}
	}
	b.Run("slot", func(b *testing.B) {
		measure(b, usage, func() {
			s, err := n.newSlot(&rootfs.Root{WorkDir: sandbox.WorkDir, Hostname: "sandbox", JobID: slot.JobID}, n.uidBase+maxSlots, nil)
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		})
	})
}

// runs gives what runs a job, which must end well.
func runs(b *testing.B, n *Namespace, spec sandbox.Spec) func() {
	return func() {
		if r, err := n.Run(b.Context(), spec); err != nil || r.Status != sandbox.OK {
			b.Fatal(r, err)
		}
	}
}

// plain gives what runs a program without walls.
func plain(b *testing.B, args ...string) func() {
	return func() {
		if err := exec.Command(args[0], args[1:]...).Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// Bars of BenchmarkBars, in processor time, which load on the machine moves less than any other.
const (
	warmShare   = 6.0 // times less than the plain interpreter
	warmMillis  = 4.5
	coldMillis  = 4.0 // a static program of C, whole
	extraMillis = 3.0 // more than the same program costs without walls
	barRounds   = 11
	barJobs     = 40 // of each kind in a round; of the plain interpreter a fifth, which takes as long
)

// BenchmarkBars compares jobs with the same programs without walls, taking turns, and fails where a bar is missed. Figures are
// medians of rounds: make bench-sandbox. The interpreter is the one that python3 stands for, as in the engine; the system's own is
// measured beside it, since a start that finds no packages is shorter.
func BenchmarkBars(b *testing.B) {
	usage := sandboxtest.Account(b)
	n, err := New(Config{})
	if err != nil {
		b.Skip(err)
	}
	defer func() { _ = n.Close() }()
	if usage() == 0 || !n.Caps().Warm {
		b.Skip("processor time cannot be counted here, or no warm servers")
	}
	py, own, static := sandboxtest.PythonOnPath(b), sandboxtest.Python(b), sandboxtest.Compile(b, "int main(void) { return 0; }")
	program := b.TempDir() + "/p"
	if err := os.WriteFile(program, static, 0o755); err != nil {
		b.Fatal(err)
	}
	warm := func(py sandboxtest.Runtime) sandbox.Spec {
		return sandbox.Spec{Server: sandboxtest.WarmServer(py), Root: py.Root, Args: []string{"main.py"}, Files: []sandbox.File{{Name: "main.py", Data: []byte(sandboxtest.Answer)}}}
	}
	kinds := map[string]func(){
		"warm":         runs(b, n, warm(py)),
		"plain":        plain(b, py.Path, "-I", "-c", sandboxtest.Answer),
		"system-warm":  runs(b, n, warm(own)),
		"system-plain": plain(b, own.Path, "-I", "-c", sandboxtest.Answer),
		"static":       runs(b, n, sandbox.Spec{Args: []string{"./p"}, Files: []sandbox.File{{Name: "p", Data: static, Exec: true}}}),
		"static-plain": plain(b, program),
	}
	for range b.N {
		reportBars(b, rounds(usage, kinds))
	}
}

// rounds runs all kinds in turn, and gives milliseconds of processor time a job in each round.
func rounds(usage func() float64, kinds map[string]func()) map[string][]float64 {
	ms := map[string][]float64{}
	for _, run := range kinds {
		run() // warm
	}
	for range barRounds {
		for name, run := range kinds {
			jobs := barJobs
			if name == "plain" || name == "system-plain" {
				jobs /= 5
			}
			before := usage()
			for range jobs {
				run()
			}
			ms[name] = append(ms[name], (usage()-before)/float64(jobs))
		}
	}
	return ms
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// reportBars compares within each round, since the machine is not equally fast in all of them.
func reportBars(b *testing.B, rounds map[string][]float64) {
	ms := map[string]float64{}
	for name, all := range rounds {
		ms[name] = median(all)
		b.ReportMetric(ms[name], name+"-ms")
	}
	var shares, extras []float64
	for i := range barRounds {
		shares = append(shares, rounds["plain"][i]/rounds["warm"][i])
		extras = append(extras, rounds["static"][i]-rounds["static-plain"][i])
	}
	share, extra := median(shares), median(extras)
	b.ReportMetric(share, "plain/warm")
	b.ReportMetric(ms["system-plain"]/ms["system-warm"], "system-plain/warm") // the same, for an interpreter with no packages of its own
	load, _ := os.ReadFile("/proc/loadavg")
	b.Logf("load %s", load)
	for _, bar := range []struct {
		name string
		held bool
	}{
		{fmt.Sprintf("a warm job costs 1/%.2f of %.2f ms: at most 1/%.0f", share, ms["plain"], warmShare), share >= warmShare},
		{fmt.Sprintf("a warm job costs %.2f ms: at most %.1f", ms["warm"], warmMillis), ms["warm"] <= warmMillis},
		{fmt.Sprintf("a static program costs %.2f ms: at most %.1f", ms["static"], coldMillis), ms["static"] <= coldMillis},
		{fmt.Sprintf("a static program costs %.2f ms more than plain: at most %.1f", extra, extraMillis), extra <= extraMillis},
	} {
		if !bar.held {
			b.Errorf("missed: %s", bar.name)
			continue
		}
		b.Logf("held: %s", bar.name)
	}
}
