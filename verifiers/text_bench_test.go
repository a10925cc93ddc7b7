//go:build unix

package verifiers

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// cpuTime is what this process has used, in nanoseconds.
func cpuTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkText judges short, 200-byte and kilobyte answers, and a megabyte. cpu-ns/op is what counts on a busy machine.
func BenchmarkText(b *testing.B) {
	prose := strings.Repeat("She has 3 apples and gives Tom 2 of them, so that I see one left. ", 16<<10)
	for _, c := range []struct{ kind, name, answer, gold string }{
		{"exact_match", "hit", "Paris", `"Paris"`},
		{"exact_match", "folded", "The capital, Paris.", `"the capital paris"`},
		{"exact_match", "miss", "42", `"43"`},
		{"exact_match", "1kB", prose[:1000], `"Paris"`},
		{"includes", "200B", prose[:200], `"Tom"`},
		{"includes", "1kB", prose[:1000], `"Paris"`},
		{"multiple_choice", "short", "B", `"B"`},
		{"multiple_choice", "200B", prose[:180] + "The answer is (B).", `"B"`},
		{"multiple_choice", "1kB", prose[:980] + "The answer is (B).", `"B"`},
		{"multiple_choice", "1kB-none", prose[:1000], `"B"`},
		{"numeric", "short", "42", `"42"`},
		{"numeric", "200B", prose[:180] + "The answer is 42.", `"42"`},
		{"numeric", "1kB", prose[:980] + "\nThe answer is 42.", `"42"`},
		{"numeric", "1kB-unmarked", prose[:1000], `"42"`},
		{"multiple_choice", "1MB", prose[:1<<20], `"B"`},
		{"numeric", "1MB", prose[:1<<20], `"42"`},
		{"exact_match", "1MB", prose[:1<<20], `"42"`},
		{"includes", "1MB", prose[:1<<20], `"Paris"`},
	} {
		b.Run(c.kind+"/"+c.name, func(b *testing.B) {
			v, err := NewRegistry(Config{}).Build(jsontext.Value(`{"kind":"` + c.kind + `"}`))
			if err != nil {
				b.Fatal(err)
			}
			quoted, _ := json.Marshal(c.answer)
			r, err := rollout.Parse([]byte(`{"final_text":` + string(quoted) + `,"privileged":{"reference":` + c.gold + `}}`))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				if _, err := v.Judge(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
		})
	}
}
