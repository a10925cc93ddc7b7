package stats

// PassAt is the unbiased chance that at least one of k rollouts of a task passes, from passed of n that were made:
//
//	1 - C(n-passed, k) / C(n, k)
//
// ok is false where k rollouts were not made (k > n) or k < 1: no estimate is made up for them.
// M. Chen et al., "Evaluating large language models trained on code" (2021), §2.1.
func PassAt(passed, n, k int) (p float64, ok bool) {
	if k < 1 || k > n {
		return 0, false
	}
	return 1 - chooseRatio(n-passed, n, k), true
}

// PassHat is pass^k, the unbiased chance that all k rollouts of a task pass: C(passed, k) / C(n, k). ok as for PassAt.
// S. Yao et al., "tau-bench: a benchmark for tool-agent-user interaction in real-world domains" (2024), §3.
func PassHat(passed, n, k int) (p float64, ok bool) {
	if k < 1 || k > n {
		return 0, false
	}
	return chooseRatio(passed, n, k), true
}

// chooseRatio is C(m, k) / C(n, k) for m <= n without a large number between.
func chooseRatio(m, n, k int) float64 {
	if m < k {
		return 0
	}
	ratio := 1.0
	for i := range k {
		ratio *= float64(m-i) / float64(n-i)
	}
	return ratio
}
