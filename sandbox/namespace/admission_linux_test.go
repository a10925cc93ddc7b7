package namespace

import (
	"flag"
	"fmt"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/pool"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

var largeJobs = flag.Int("large", 64, "MiB of each of the fifty jobs of TestLargeJobsOnASmallBudget, which has four times as much")

// all runs so many jobs at once through a pool, and gives what came of them.
func all(t *testing.T, p *pool.Pool, jobs int, spec func(i int) sandbox.Spec) []sandbox.Result {
	t.Helper()
	results := make([]sandbox.Result, jobs)
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() {
			r, err := p.Run(t.Context(), spec(i))
			if err != nil {
				t.Errorf("job %d: %v", i, err)
			}
			results[i] = r
		})
	}
	wg.Wait()
	return results
}

func TestManySubmissionsForTwoSlotsAreAllAnswered(t *testing.T) {
	p := pool.New(open(t), pool.Budget{Jobs: 2})
	results := all(t, p, 512, func(i int) sandbox.Spec {
		return sandbox.Spec{Args: []string{"/bin/sh", "-c", "read x; echo $x"}, Stdin: fmt.Appendln(nil, i)}
	})
	for i, r := range results {
		if r.Status != sandbox.OK || string(r.Stdout.Data) != fmt.Sprintln(i) {
			t.Errorf("job %d: %q %q", i, r.Status, r.Stdout.Data)
		}
	}
	if load := p.Load(); load.Running != 0 || load.Waiting != 0 || load.Admitted != 512 {
		t.Errorf("load %+v", load)
	}
}

func TestLargeJobsOnASmallBudget(t *testing.T) {
	n := open(t)
	if !n.Caps().Memory {
		t.Skip("memory is not limited here")
	}
	py := sandboxtest.Python(t)
	size := sandbox.Size(*largeJobs) * sandbox.MiB
	p := pool.New(n, pool.Budget{Memory: 4 * size})
	program := fmt.Sprintf("b = bytearray(%d << 20)\nfor i in range(0, len(b), 4096): b[i] = 1\nprint(len(b))", *largeJobs*4/5)
	for i, r := range all(t, p, 50, func(int) sandbox.Spec {
		return sandbox.Spec{Args: []string{py.Path, "-I", "-S", "-c", program}, Root: py.Root, Limits: sandbox.Limits{Memory: size}}
	}) {
		if r.Status != sandbox.OK {
			t.Errorf("job %d: %q, %v", i, r.Status, r.Usage)
		}
	}
	if load := p.Load(); load.Waited < 40 {
		t.Errorf("%d jobs waited, want nearly all", load.Waited)
	}
}
