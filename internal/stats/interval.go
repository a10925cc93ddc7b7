package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson is the exact interval of 1-alpha of a rate of passed among n trials, 0 <= passed <= n; for n = 0 it is [0, 1].
// Its coverage is never below nominal, at the price of being wide:
//
//	lo = B(alpha/2; k, n-k+1)      hi = B(1-alpha/2; k+1, n-k)      B: quantile of the beta distribution
//
// C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26
// (1934), 404-413.
func ClopperPearson(passed, n int64, alpha float64) (lo, hi float64) {
	k, m := float64(passed), float64(n)
	hi = 1
	if passed > 0 {
		lo = mathext.InvRegIncBeta(k, m-k+1, alpha/2)
	}
	if passed < n {
		hi = mathext.InvRegIncBeta(k+1, m-k, 1-alpha/2)
	}
	return lo, hi
}

// McNemar is the exact two-sided p-value that two judges or policies pass equally often, from the numbers of pairs on which only
// the first and only the second passed: twice the lower tail of a fair binomial, at most 1.
// Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages", Psychometrika 12
// (1947), 153-157.
func McNemar(onlyFirst, onlySecond int64) float64 {
	n := onlyFirst + onlySecond
	if n == 0 {
		return 1
	}
	b := distuv.Binomial{N: float64(n), P: 0.5}
	return min(1, 2*b.CDF(float64(min(onlyFirst, onlySecond))))
}

// Normal is the p-quantile of the standard normal distribution.
func Normal(p float64) float64 {
	return distuv.UnitNormal.Quantile(p)
}

// Student is the p-quantile of Student's distribution with df degrees of freedom.
func Student(p, df float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(p)
}

// TwoProportions is the two-sided p-value that two rates are equal, by the pooled z-test; 1 where both are all or none.
func TwoProportions(passed1, n1, passed2, n2 int64) float64 {
	if n1 == 0 || n2 == 0 {
		return 1
	}
	p1, p2 := float64(passed1)/float64(n1), float64(passed2)/float64(n2)
	p := float64(passed1+passed2) / float64(n1+n2)
	se := math.Sqrt(p * (1 - p) * (1/float64(n1) + 1/float64(n2)))
	if se == 0 {
		return 1
	}
	return 2 * distuv.UnitNormal.Survival(math.Abs(p1-p2)/se)
}
