package stats

import "math"

// Z95 is the quantile of the normal distribution for a two-sided interval of 95 %.
const Z95 = 1.959963984540054

// Wilson returns the score interval of a rate of passed among n trials, 0 <= passed <= n; for n = 0 it is [0, 1].
//
// It solves |p - k/n| = z sqrt(p(1-p)/n) for p:
//
//	centre = (k + z²/2) / (n + z²)      half = z sqrt(k(n-k)/n + z²/4) / (n + z²)
//
// Unlike the textbook interval it stays within [0, 1] and is honest at 0 and n: 10 of 10 is [0.722, 1].
// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.
func Wilson(passed, n int64, z float64) (lo, hi float64) {
	if n <= 0 {
		return 0, 1
	}
	k, m, zz := float64(passed), float64(n), z*z
	centre := (k + zz/2) / (m + zz)
	half := z * math.Sqrt(k*(m-k)/m+zz/4) / (m + zz)
	lo, hi = centre-half, centre+half
	if passed == 0 { // exact at the ends, where the formula is off by rounding
		lo = 0
	}
	if passed == n {
		hi = 1
	}
	return max(lo, 0), min(hi, 1)
}
