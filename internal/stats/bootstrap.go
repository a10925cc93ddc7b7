package stats

import "slices"

// Draws is the number of resamples behind an interval.
const Draws = 2000

// MinResample is the smallest number of tasks that an interval is made for: with one or two the resamples say nothing.
const MinResample = 3

// Bootstrap is the percentile interval of 1-alpha of the mean of values, one a task, by Draws resamples of the tasks; ok is false
// below MinResample values. Rollouts of one task are not independent, so tasks are drawn, never rows.
// B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979), 1-26.
func Bootstrap(values []float64, alpha float64, seed int64) (lo, hi float64, ok bool) {
	if len(values) < MinResample {
		return 0, 0, false
	}
	r, means := NewRandom(seed), make([]float64, Draws)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[r.Intn(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	lo, hi = percentiles(means, alpha)
	return lo, hi, true
}

// BootstrapDifference is the same for the difference of the means of two unpaired samples, after minus before.
func BootstrapDifference(before, after []float64, alpha float64, seed int64) (lo, hi float64, ok bool) {
	if len(before) < MinResample || len(after) < MinResample {
		return 0, 0, false
	}
	r, diffs := NewRandom(seed), make([]float64, Draws)
	mean := func(values []float64) float64 {
		sum := 0.0
		for range values {
			sum += values[r.Intn(len(values))]
		}
		return sum / float64(len(values))
	}
	for i := range diffs {
		b := mean(before)
		diffs[i] = mean(after) - b
	}
	lo, hi = percentiles(diffs, alpha)
	return lo, hi, true
}

// percentiles sorts the draws and takes the entries that leave alpha/2 out on each side.
func percentiles(draws []float64, alpha float64) (lo, hi float64) {
	slices.Sort(draws)
	n := float64(len(draws))
	return draws[int(alpha/2*n)], draws[max(int((1-alpha/2)*n)-1, 0)]
}

// SignFlip is the two-sided p-value that paired differences have mean zero: the share of random sign patterns whose mean is at
// least as far from zero, (extreme+1)/(draws+1), by the generator of the seed.
// R. A. Fisher, "The design of experiments" (1935), §21.
func SignFlip(differences []float64, draws int, seed int64) float64 {
	sum := 0.0
	for _, d := range differences {
		sum += d
	}
	observed := abs(sum) - 1e-12*abs(sum)
	r, extreme := NewRandom(seed), 0
	for range draws {
		flipped := 0.0
		for _, d := range differences {
			if r.Float64() < 0.5 {
				d = -d
			}
			flipped += d
		}
		if abs(flipped) >= observed {
			extreme++
		}
	}
	return float64(extreme+1) / float64(draws+1)
}

func abs(x float64) float64 {
	return max(x, -x)
}
