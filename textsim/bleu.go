package textsim

import (
	"encoding/binary"
	"math"
)

// Smoothing says what BLEU does with groups that never match.
type Smoothing uint8

const (
	NoSmoothing Smoothing = iota // no match at some length makes the score 0
	AddOne                       // one is added to both counts above single words, also to 0/0 (Lin and Och 2004)
)

// BLEU is BLEU-4 of a text against one reference (Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine
// translation"): the geometric mean of the shares of groups of one to four words that the reference has too, each counted
// at most as often as there, times exp(1 - r/c) where the text's c words are not more than the reference's r. Linear.
func BLEU(got, want string, smooth Smoothing) float64 {
	x, y := numbered(Words(got), Words(want))
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for n := 1; n <= 4; n++ {
		a, b := groups(x, n), groups(y, n)
		matches, all := 0, max(len(x)-n+1, 0)
		for g, k := range a {
			matches += min(k, b[g])
		}
		if smooth == AddOne && n > 1 {
			matches++
			all++
		}
		if matches == 0 {
			return 0
		}
		sum += math.Log(float64(matches) / float64(all))
	}
	score := math.Exp(sum / 4)
	if len(x) < len(y) {
		score *= math.Exp(1 - float64(len(y))/float64(len(x)))
	}
	return min(score, 1)
}

// groups counts the groups of n neighbouring words, each written as its numbers.
func groups(words []int, n int) map[string]int {
	counts := map[string]int{}
	key := make([]byte, 0, 4*n)
	for i := n; i <= len(words); i++ {
		key = key[:0]
		for _, w := range words[i-n : i] {
			key = binary.LittleEndian.AppendUint32(key, uint32(w))
		}
		counts[string(key)]++
	}
	return counts
}
