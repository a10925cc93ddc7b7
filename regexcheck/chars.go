package regexcheck

import (
	"sort"
	"sync"
	"unicode/utf8"
)

func inSpans(spans []span, r rune) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].hi >= r })
	return i < len(spans) && spans[i].lo <= r
}

// A bitmap is one bit for each code point.
type bitmap []uint64

func (b bitmap) has(r rune) bool { return b[r>>6]&(1<<(r&63)) != 0 }

func newBitmap(spans []span) bitmap {
	b := make(bitmap, (utf8.MaxRune+1)/64)
	for _, s := range spans {
		for r := s.lo; r <= s.hi; r++ {
			b[r>>6] |= 1 << (r & 63)
		}
	}
	return b
}

// wordBitmap answers \w for any character without a search; 136 kB, made when first needed.
var wordBitmap = sync.OnceValue(func() bitmap {
	b := newBitmap(wordSpans)
	b['_'>>6] |= 1 << ('_' & 63)
	return b
})

func isASCIIWord(r rune) bool { return isDigit(r) || isLetter(r) || r == '_' }

// isIdentifier tells whether name is a Python identifier.
func isIdentifier(name []rune) bool {
	for i, r := range name {
		if !inSpans(identStartSpans, r) && (i == 0 || !inSpans(identMoreSpans, r)) {
			return false
		}
	}
	return len(name) > 0
}

// caseTables turn the runs of lower-case mappings into look-ups in both directions.
type caseTables struct {
	lower   map[rune]rune
	unlower map[rune][]rune // the characters other than itself that a lower-case character is the lower case of
	upper   map[rune]rune
}

var cases = sync.OnceValue(func() caseTables {
	t := caseTables{map[rune]rune{}, map[rune][]rune{}, map[rune]rune{}}
	for _, run := range lowerRuns {
		for r := run.lo; r <= run.hi; r += run.step {
			t.lower[r] = r + run.delta
			t.unlower[r+run.delta] = append(t.unlower[r+run.delta], r)
		}
	}
	for _, run := range upperRuns {
		for r := run.lo; r <= run.hi; r += run.step {
			t.upper[r] = r + run.delta
		}
	}
	return t
})

// lower returns the simple lower case of r, of A to Z only if ascii.
func lower(r rune, ascii bool) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf || ascii:
		return r
	}
	if l, ok := cases().lower[r]; ok {
		return l
	}
	return r
}

// unlower returns the characters other than r whose lower case is r.
func unlower(r rune, ascii bool) []rune {
	if ascii {
		if 'a' <= r && r <= 'z' {
			return []rune{r + 'A' - 'a'}
		}
		return nil
	}
	return cases().unlower[r]
}

// alikes are lower-case characters that differ and yet have one upper case: Python lets each stand for the others.
var alikes = [][]rune{
	{'i', 'ı'}, {'s', 'ſ'}, {'µ', 'μ'}, {0x345, 'ι', 0x1fbe}, {0x390, 0x1fd3}, {0x3b0, 0x1fe3}, {'β', 'ϐ'}, {'ε', 'ϵ'},
	{'θ', 'ϑ'}, {'κ', 'ϰ'}, {'π', 'ϖ'}, {'ρ', 'ϱ'}, {'ς', 'σ'}, {'φ', 'ϕ'}, {'в', 0x1c80}, {'д', 0x1c81}, {'о', 0x1c82},
	{'с', 0x1c83}, {'т', 0x1c84, 0x1c85}, {'ъ', 0x1c86}, {'ѣ', 0x1c87}, {0x1c88, 0xa64b}, {0x1e61, 0x1e9b}, {0xfb05, 0xfb06},
}

var alikeOf = sync.OnceValue(func() map[rune][]rune {
	m := map[rune][]rune{}
	for _, set := range alikes {
		for _, r := range set {
			m[r] = set
		}
	}
	return m
})

// decode appends the code points of s to buf. Three bytes that encode a surrogate are one; a byte that is no UTF-8 is U+FFFD.
func decode(s string, buf []rune) []rune {
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		buf = append(buf, r)
		i += n
	}
	return buf
}

func decodeRune(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, n
}
