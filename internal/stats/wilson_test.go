package stats

import (
	"math"
	"testing"
)

// Values by Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
// method 3.
func TestWilsonAgreesWithPublishedIntervals(t *testing.T) {
	for _, c := range []struct {
		name      string
		passed, n int64
		lo, hi    float64
	}{
		{"81 of 263", 81, 263, 0.2553, 0.3662},
		{"15 of 148", 15, 148, 0.0624, 0.1605},
		{"0 of 20", 0, 20, 0, 0.1611},
		{"1 of 29", 1, 29, 0.0061, 0.1718},
		{"all of 10", 10, 10, 0.7225, 1},
		{"nothing tried", 0, 0, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			lo, hi := Wilson(c.passed, c.n, Z95)
			if math.Abs(lo-c.lo) > 5e-5 || math.Abs(hi-c.hi) > 5e-5 {
				t.Errorf("Wilson(%d, %d) = [%.4f, %.4f], want [%.4f, %.4f]", c.passed, c.n, lo, hi, c.lo, c.hi)
			}
		})
	}
}
