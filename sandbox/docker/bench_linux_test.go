package docker

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// Bars of BenchmarkBars, in processor time of the engine, the Docker engine, its helpers and the containers together.
const (
	warmMillis = 8.0
	warmRounds = 11
	warmJobs   = 20 // a round
	coldJobs   = 3  // all rounds together: a container each
)

// BenchmarkBars measures a job of the shape of a graded answer: in the plain interpreter, in a container of its own, and forked from a warm
// interpreter in a container; it fails where the bar is missed. Figures are medians of rounds that take turns: make bench-sandbox.
func BenchmarkBars(b *testing.B) {
	group := fmt.Sprintf("/verifyd-bench-%d", os.Getpid()) // what Account counts
	b.Cleanup(func() { removeGroups(globs("/sys/fs/cgroup/*" + group)) })
	usage := sandboxtest.Account(b)
	if usage() == 0 {
		b.Skip("processor time of a tree cannot be counted here")
	}
	host, _ := ownEngine(b, group+"/containers")
	open := func(c Config) *Docker {
		c.Host = host
		d, err := New(c)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = d.Close() }) // its Docker engine ends, too
		d.facts.parent = group + "/containers"
		return d
	}
	kept, fresh := open(Config{}), open(Config{Fresh: true})
	py := sandboxtest.PythonOnPath(b)
	files := []sandbox.File{{Name: "main.py", Data: []byte(sandboxtest.Answer)}}
	warm := sandbox.Spec{Server: sandboxtest.WarmServer(py), Root: py.Root, Args: []string{"main.py"}, Files: files}
	cold := sandbox.Spec{Args: []string{py.Path, "-I", "main.py"}, Root: py.Root, Files: files}
	job := func(d *Docker, spec sandbox.Spec) func() {
		return func() {
			if r, err := d.Run(b.Context(), spec); err != nil || r.Status != sandbox.OK {
				b.Fatal(r, err)
			}
		}
	}
	kinds := []struct {
		name string
		jobs int
		run  func()
	}{
		{"warm", warmJobs, job(kept, warm)},
		{"kept", warmJobs / 4, job(kept, cold)},
		{"plain", warmJobs / 4, func() {
			if err := exec.Command(py.Path, "-I", "-c", sandboxtest.Answer).Run(); err != nil {
				b.Fatal(err)
			}
		}},
	}
	for range b.N {
		ms := map[string][]float64{}
		for _, k := range kinds {
			k.run() // warm
		}
		for range warmRounds {
			for _, k := range kinds {
				ms[k.name] = append(ms[k.name], perJob(usage, k.jobs, k.run))
			}
		}
		for name, all := range ms {
			b.ReportMetric(median(all), name+"-ms")
		}
		b.ReportMetric(perJob(usage, coldJobs, job(fresh, cold)), "cold-ms")
		if got := median(ms["warm"]); got > warmMillis {
			b.Errorf("missed: a warm job costs %.2f ms: at most %.1f", got, warmMillis)
		} else {
			b.Logf("held: a warm job costs %.2f ms: at most %.1f", got, warmMillis)
		}
	}
}

// perJob is milliseconds of processor time.
func perJob(usage func() float64, jobs int, run func()) float64 {
	before := usage()
	for range jobs {
		run()
	}
	return (usage() - before) / float64(jobs)
}

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }
