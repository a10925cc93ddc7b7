package textsim

import "math/bits"

// RougeN is ROUGE-N (Lin 2004, "ROUGE: a package for automatic evaluation of summaries"): the harmonic mean of the shares
// of groups of n words that one text has of the other's, each group counted as often as both have it. 0 where one has no
// group. Cost is linear.
func RougeN(got, want string, n int) float64 {
	x, y := numbered(Words(got), Words(want))
	a, b := groups(x, n), groups(y, n)
	common := 0
	for g, k := range a {
		common += min(k, b[g])
	}
	return harmonic(common, len(x)-n+1, len(y)-n+1)
}

// RougeL is ROUGE-L: the same mean for the longest common subsequence of words, in order but not side by side.
//
// The subsequence is counted 64 words at a time: a bit vector holds the rows at which the length grows in a column, and one
// addition carries a match to the next growth above it (Crochemore et al. 2001, "A fast and practical bit-vector algorithm
// for the longest common subsequence problem"). Cost: n·⌈m/64⌉ steps; above the bound ErrLimit.
func RougeL(got, want string) (float64, error) {
	x, y := numbered(Words(got), Words(want))
	common, err := subsequence(x, y)
	if err != nil {
		return 0, err
	}
	return harmonic(common, len(x), len(y)), nil
}

// harmonic is F1 of common/got and common/want.
func harmonic(common, got, want int) float64 {
	if common == 0 {
		return 0
	}
	return 2 * float64(common) / float64(got+want)
}

// subsequence is the length of the longest common subsequence.
func subsequence(a, b []int) (int, error) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0, nil
	}
	blocks := (len(a) + 63) / 64
	if blocks*len(b) > maxSteps {
		return 0, ErrLimit
	}
	places := placesOf(a, blocks)
	rows := make([]uint64, blocks) // a zero bit is a row at which the length grows
	for i := range rows {
		rows[i] = ^uint64(0)
	}
	for _, c := range b {
		eq := places[c]
		if eq == nil {
			continue
		}
		carry := uint64(0)
		for k, v := range rows {
			u := v & eq[k]
			sum, out := bits.Add64(v, u, carry)
			rows[k], carry = sum|v&^u, out
		}
	}
	n := 0
	for k, v := range rows {
		if k == blocks-1 && len(a)%64 != 0 {
			v |= ^uint64(0) << (len(a) % 64)
		}
		n += bits.OnesCount64(^v)
	}
	return n, nil
}
