package codecheck_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// The job of the benchmarks has the shape of a HumanEval answer: usual imports, a small function, a check with seven calls.
const (
	benchProgram = "import collections, math\nfrom typing import List\n" +
		"def close(numbers: List[float], threshold: float) -> bool:\n    for i, a in enumerate(numbers):\n" +
		"        for b in numbers[i + 1:]:\n            if abs(a - b) < threshold:\n                return True\n    return False\n"
	benchCheck = "def check(candidate):\n    assert candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3) == True\n" +
		"    assert candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.05) == False\n    assert candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.95) == True\n" +
		"    assert candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.8) == False\n    assert candidate([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1) == True\n" +
		"    assert candidate([1.1, 2.2, 3.1, 4.1, 5.1], 1.0) == True\n    assert candidate([1.1, 2.2, 3.1, 4.1, 5.1], 0.5) == False\n"
)

// BenchmarkJobs measures what a verdict costs beside the plain interpreter on the same program and tests. In each iteration
// both run once, so that load on the machine meets both alike; cpu-ms/op and plain-ms/op are processor time of the whole tree.
func BenchmarkJobs(b *testing.B) {
	usage := sandboxtest.Account(b)
	r := runner(b)
	python, err := r.Toolchain("python")
	if err != nil {
		b.Skip(err)
	}
	plain := benchProgram + benchCheck + "check(close)\n"
	cases := func(n int) string {
		list := func(one string) string { return "[" + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + "]" }
		return `{"format": "fn_call", "fn_name": "close", "inputs": ` + list("[[1.0, 2.8, 3.0], 0.3]") + `, "outputs": ` + list("true") + `}`
	}
	for _, c := range []struct {
		name, tests string
		task        codecheck.Task
		count       int // of the same things in it
	}{
		{"split", fmt.Sprintf(`{"format": "check_fn", "check": %q, "entry_point": "close"}`, benchCheck), codecheck.Task{}, 1},
		{"split-cold", fmt.Sprintf(`{"format": "check_fn", "check": %q, "entry_point": "close"}`, benchCheck), codecheck.Task{Cold: true}, 1},
		{"lineup", fmt.Sprintf(`{"format": "check_fn", "check": %q, "entry_point": "close"}`, benchCheck), codecheck.Task{Integrity: codecheck.Lineup}, 1},
		{"function", cases(1), codecheck.Task{}, 1},
		{"function-100-cases", cases(101), codecheck.Task{}, 101},
		{"stdin", `{"format": "stdin_stdout", "inputs": [""], "outputs": [""]}`, codecheck.Task{}, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.task.Answer, c.task.Tests = benchProgram, parse(b, c.tests)
			check(b, c.task)
			var mine, theirs float64
			for range b.N {
				start := usage()
				if rep := check(b, c.task); rep.Status != codecheck.Passed {
					b.Fatalf("%s: %s", rep.Status, rep.Reason)
				}
				middle := usage()
				if err := exec.Command(python.Exe, "-I", "-c", plain).Run(); err != nil {
					b.Fatal(err)
				}
				mine, theirs = mine+middle-start, theirs+usage()-middle
			}
			if mine > 0 {
				b.ReportMetric(mine/float64(b.N), "cpu-ms/op")
				b.ReportMetric(theirs/float64(b.N), "plain-ms/op")
				b.ReportMetric(mine/float64(b.N*c.count), "cpu-ms/case")
			}
		})
	}
}
