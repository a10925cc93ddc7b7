package textsim

import (
	"errors"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// ErrLimit says that comparing two texts would take more steps than maxSteps.
var ErrLimit = errors.New("textsim: the texts are too long to compare")

// maxSteps bounds the words of 64 cells that a comparison computes: about half a second, and two texts of 130,000
// characters each.
const maxSteps = 1 << 28

// folded is full case folding, then NFC.
func folded(s string) string { return norm.NFC.String(cases.Fold().String(s)) }

// Words parts a text as ROUGE and BLEU do here: runs of letters, marks and digits, folded; each Han or kana character is
// one; nothing joins runs, nothing is stemmed.
func Words(s string) []string {
	s = folded(norm.NFC.String(strings.ToValidUTF8(s, "\ufffd")))
	var words []string
	start, alone := -1, false
	for i, r := range s {
		inside, ideograph := unicode.In(r, unicode.L, unicode.M, unicode.N), isIdeograph(r)
		if start >= 0 && (!inside || ideograph || alone && !unicode.Is(unicode.M, r)) {
			words = append(words, s[start:i])
			start = -1
		}
		if start < 0 && inside {
			start, alone = i, ideograph
		}
	}
	if start >= 0 {
		words = append(words, s[start:])
	}
	return words
}

func isIdeograph(r rune) bool {
	return r >= 0x2e80 && !unicode.Is(unicode.M, r) && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == 'ｰ')
}

// numbered gives both lists of words the same numbers for the same words.
func numbered(a, b []string) (x, y []int) {
	numbers := map[string]int{}
	number := func(words []string) []int {
		list := make([]int, len(words))
		for i, w := range words {
			n, ok := numbers[w]
			if !ok {
				n = len(numbers)
				numbers[w] = n
			}
			list[i] = n
		}
		return list
	}
	return number(a), number(b)
}
