//go:build unix

package regexcheck

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perSearch is the CPU time of one search in ns: the least of five rounds of some 10 ms.
func perSearch(p *Pattern, text string) float64 {
	search := func(n int) time.Duration {
		start := cpuTime()
		for range n {
			_, _ = p.Search(text) // its error is the bound, which no pattern here meets
		}
		return cpuTime() - start
	}
	n := 1
	for search(n) < 10*time.Millisecond {
		n *= 2
	}
	best := search(n)
	for range 4 {
		best = min(best, search(n))
	}
	return float64(best.Nanoseconds()) / float64(n)
}

// pythonTimes asks CPython for the same figures, by pattern and text.
func pythonTimes(b *testing.B, questions []map[string]string) []float64 {
	b.Helper()
	q, err := json.Marshal(questions)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command("python3", "-I", "testdata/bench.py")
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(q)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("python3: %v", err)
	}
	var times []float64
	if err := json.Unmarshal(out, &times); err != nil {
		b.Fatal(err)
	}
	return times
}

// BenchmarkBoundPython searches a kilobyte with one pattern of each kind, found and not found, beside CPython's re by CPU
// time. Under VERIFYD_BOUNDS (make bench-verifiers) it fails where the median of the ratios is above 1, one ratio is above 2,
// or the median time above 12 µs.
func BenchmarkBoundPython(b *testing.B) {
	var questions []map[string]string
	for _, bp := range benchPatterns {
		for _, text := range []string{benchFiller + bp.hit, benchFiller} {
			questions = append(questions, map[string]string{"pattern": bp.pattern, "flags": bp.flags, "text": text})
		}
	}
	theirs := pythonTimes(b, questions)
	var ratios, times []float64
	for i, q := range questions {
		f, err := ParseFlags(q["flags"])
		if err != nil {
			b.Fatal(err)
		}
		p, err := Compile(q["pattern"], f)
		if err != nil {
			b.Fatal(err)
		}
		ours := perSearch(p, q["text"])
		ratios, times = append(ratios, ours/theirs[i]), append(times, ours)
		kind := "hit"
		if i%2 == 1 {
			kind = "miss"
		}
		b.Logf("%-15s %-4s %8.0f ns, CPython %8.0f ns, ratio %.2f", benchPatterns[i/2].name, kind, ours, theirs[i], ours/theirs[i])
	}
	worst := slices.Max(ratios)
	ratio, typical := median(ratios), median(times)
	b.ReportMetric(ratio, "median-ratio")
	b.ReportMetric(worst, "worst-ratio")
	b.ReportMetric(typical, "median-cpu-ns")
	if os.Getenv("VERIFYD_BOUNDS") != "" && (ratio > 1 || worst > 2 || typical > 12000) {
		b.Errorf("median ratio %.2f, worst %.2f, median %.0f ns; the bounds are 1, 2 and 12000 ns", ratio, worst, typical)
	}
}

func median(list []float64) float64 {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, cmp.Compare[float64])
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
