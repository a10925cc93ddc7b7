package stats

import (
	"math"
	"slices"
)

// Kappa is Cohen's agreement beyond chance between two raters of two classes, from the four counts; yesNo is "the first said yes,
// the second no". Where chance alone agrees always (one class on both sides) it is 1 if they agreed and 0 if not; with no
// items it is NaN.
//
//	(po - pe) / (1 - pe)
//
// J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960), 37-46.
func Kappa(yesYes, yesNo, noYes, noNo int64) float64 {
	n := float64(yesYes + yesNo + noYes + noNo)
	if n == 0 {
		return math.NaN()
	}
	po := float64(yesYes+noNo) / n
	first, second := float64(yesYes+yesNo)/n, float64(yesYes+noYes)/n
	pe := first*second + (1-first)*(1-second)
	if pe == 1 {
		if po == 1 {
			return 1
		}
		return 0
	}
	return (po - pe) / (1 - pe)
}

// Pearson is the linear correlation of two samples of equal length; NaN where either does not vary.
// K. Pearson, "Notes on regression and inheritance in the case of two parents", Proceedings of the Royal Society 58 (1895), 240-242.
func Pearson(x, y []float64) float64 {
	mx, my := Mean(x), Mean(y)
	var xx, yy, xy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

// Spearman is Pearson's correlation of the ranks; equal values share the mean of their ranks.
// C. Spearman, "The proof and measurement of association between two things", American Journal of Psychology 15 (1904), 72-101.
func Spearman(x, y []float64) float64 {
	return Pearson(ranks(x), ranks(y))
}

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(values[a], values[b]) })
	ranked := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranked[k] = float64(i+j+1) / 2
		}
		i = j
	}
	return ranked
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Mean is the sum, in order, over the count; NaN of nothing.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Deviation is the sample standard deviation (n-1); NaN below two values.
func Deviation(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// BenjaminiHochberg turns p-values into adjusted ones, in the order given: calling all below q a discovery keeps the expected
// share of false ones at q, for independent or positively dependent tests.
// Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995), 289-300.
func BenjaminiHochberg(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(p[a], p[b]) })
	adjusted, least := make([]float64, len(p)), 1.0
	for rank := len(order); rank >= 1; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(p))/float64(rank))
		adjusted[i] = least
	}
	return adjusted
}

// RoganGladen corrects a measured pass rate for a judge's errors: (rate - falsePass) / (1 - falsePass - falseFail), clipped to
// [0, 1]. ok is false where the judge says no more than chance (the denominator is not positive).
// W. J. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test", American Journal of Epidemiology 107
// (1978), 71-76.
func RoganGladen(rate, falsePass, falseFail float64) (corrected float64, ok bool) {
	d := 1 - falsePass - falseFail
	if d <= 0 {
		return 0, false
	}
	return max(0, min(1, (rate-falsePass)/d)), true
}
