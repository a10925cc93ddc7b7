package textsim

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Edit is 1 less the Levenshtein distance over the length of the longer text, in code points after NFC, white space folded
// and trimmed, case folded where fold is true. Two empty texts are alike.
//
// Levenshtein's distance is the least number of insertions, deletions and replacements of one character that make one text
// of the other: kitten and sitting have 3. It is computed a column at a time, 64 rows in one machine word: the vertical
// differences of a column are -1, 0 or 1, and two bit vectors hold where they are 1 and -1 (Myers 1999, "A fast bit-vector
// algorithm for approximate string matching", in the block form of Hyyrö 2003). Cost: n·⌈m/64⌉ steps.
func Edit(a, b string, fold bool) (float64, error) {
	x, y := []rune(prepared(a, fold)), []rune(prepared(b, fold))
	longer := max(len(x), len(y))
	if longer == 0 {
		return 1, nil
	}
	d, err := distance(x, y)
	if err != nil {
		return 0, err
	}
	return 1 - float64(d)/float64(longer), nil
}

func prepared(s string, fold bool) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, "\ufffd"))
	if fold {
		s = folded(s)
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }), " ")
}

// distance is Levenshtein's distance. What both begin and end with is left out first.
func distance(a, b []rune) (int, error) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b), nil
	}
	blocks := (len(a) + 63) / 64
	if blocks*len(b) > maxSteps {
		return 0, ErrLimit
	}
	return myers(a, b, blocks), nil
}

// myers computes the columns of the pattern a over the text b.
func myers(a, b []rune, blocks int) int {
	places := placesOf(a, blocks)
	none := make([]uint64, blocks)
	plus, minus := make([]uint64, blocks), make([]uint64, blocks)
	for i := range plus {
		plus[i] = ^uint64(0)
	}
	last := uint64(1) << ((len(a) - 1) % 64)
	score := len(a)
	for _, c := range b {
		eq := places[c]
		if eq == nil {
			eq = none
		}
		// The horizontal difference that enters the first row is 1: a longer text costs an insertion.
		inPlus, inMinus := uint64(1), uint64(0)
		for k := range blocks {
			p, m, e := plus[k], minus[k], eq[k]|inMinus
			v := eq[k] | m
			d := (((e & p) + p) ^ p) | e
			hp, hm := m|^(d|p), p&d
			if k == blocks-1 {
				if hp&last != 0 {
					score++
				} else if hm&last != 0 {
					score--
				}
			}
			outPlus, outMinus := hp>>63, hm>>63
			hp, hm = hp<<1|inPlus, hm<<1|inMinus
			plus[k], minus[k] = hm|^(v|hp), hp&v
			inPlus, inMinus = outPlus, outMinus
		}
	}
	return score
}

// placesOf are the places of each symbol of a, one bit a place.
func placesOf[T comparable](a []T, blocks int) map[T][]uint64 {
	places := map[T][]uint64{}
	for i, c := range a {
		bits := places[c]
		if bits == nil {
			bits = make([]uint64, blocks)
			places[c] = bits
		}
		bits[i/64] |= 1 << (i % 64)
	}
	return places
}
