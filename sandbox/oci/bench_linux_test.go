package oci

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// A bar of BenchmarkBars, in processor time of the engine, the runtime and the containers together, and how much is measured.
const (
	warmMillis = 8.0
	barRounds  = 7
	warmJobs   = 20 // a round
	coldJobs   = 2  // a round: a container each
)

// BenchmarkBars measures a job of the shape of a graded answer in the plain interpreter, in a container of its own and forked from a
// warm interpreter in a container, on each runtime that starts. Figures are medians of rounds that take turns: make bench-sandbox.
func BenchmarkBars(b *testing.B) {
	for _, runtime := range []string{"runc", "crun", "runsc"} {
		b.Run(runtime, func(b *testing.B) {
			usage := sandboxtest.Account(b)
			o := open(b, runtime)
			if usage() == 0 {
				b.Skip("processor time of a tree cannot be counted here")
			}
			for range b.N {
				reportBars(b, o, usage)
			}
		})
	}
}

func reportBars(b *testing.B, o *OCI, usage func() float64) {
	py := sandboxtest.PythonOnPath(b)
	files := []sandbox.File{{Name: "main.py", Data: []byte(sandboxtest.Answer)}}
	job := func(spec sandbox.Spec) func() {
		return func() {
			if r, err := o.Run(b.Context(), spec); err != nil || r.Status != sandbox.OK {
				b.Fatal(r, err)
			}
		}
	}
	kinds := []struct {
		name string
		jobs int
		run  func()
	}{
		{"plain", warmJobs / 4, func() {
			if err := exec.Command(py.Path, "-I", "-c", sandboxtest.Answer).Run(); err != nil {
				b.Fatal(err)
			}
		}},
		{"cold", coldJobs, job(sandbox.Spec{Args: []string{py.Path, "-I", "main.py"}, Root: py.Root, Files: files})},
		{"warm", warmJobs, job(sandbox.Spec{Server: sandboxtest.WarmServer(py), Root: py.Root, Args: []string{"main.py"}, Files: files})},
	}
	if !o.Caps().Warm {
		kinds = kinds[:2]
	}
	ms := map[string][]float64{}
	for _, k := range kinds {
		k.run() // warm
	}
	for range barRounds {
		for _, k := range kinds {
			before := usage()
			for range k.jobs {
				k.run()
			}
			ms[k.name] = append(ms[k.name], (usage()-before)/float64(k.jobs))
		}
	}
	for name, all := range ms {
		b.ReportMetric(median(all), name+"-ms")
	}
	if warm := ms["warm"]; len(warm) > 0 && median(warm) > warmMillis {
		b.Errorf("missed: a warm job costs %.2f ms: at most %.1f", median(warm), warmMillis)
	}
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }
