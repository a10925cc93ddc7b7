package regexcheck

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

type itemKind uint8

const (
	itemRange itemKind = iota // lo to hi
	itemWord                  // \w
	itemDigit                 // \d
	itemSpace                 // \s
)

// A setItem is one member of a set as it is written.
type setItem struct {
	kind    itemKind
	not     bool // \W, \D, \S
	written bool // as a range, even if of one character
	lo, hi  rune
}

func single(r rune) setItem { return setItem{kind: itemRange, lo: r, hi: r} }

func categoryItem(letter rune) (setItem, bool) {
	switch letter {
	case 'w', 'W':
		return setItem{kind: itemWord, not: letter == 'W'}, true
	case 'd', 'D':
		return setItem{kind: itemDigit, not: letter == 'D'}, true
	case 's', 'S':
		return setItem{kind: itemSpace, not: letter == 'S'}, true
	}
	return setItem{}, false
}

// A charSet is a set of characters ready to be asked. Case folding is already in it: it holds every character that the written
// set matches, so the text is never folded.
type charSet struct {
	latin   [4]uint64 // the answer for U+0000 to U+00FF
	negated bool
	spans   []span // sorted, apart, of what is above U+00FF
	words   int8   // 1: \w, -1: \W above U+00FF, 2: both; asked apart because its spans are many
}

// has tells whether r is in the set.
func (s *charSet) has(r rune) bool {
	if r < 256 {
		return s.latin[r>>6]&(1<<(r&63)) != 0
	}
	return s.hasWide(r)
}

func (s *charSet) hasWide(r rune) bool {
	if s.words != 0 && (s.words == 2 || wordBitmap().has(r) == (s.words == 1)) {
		return !s.negated
	}
	switch len(s.spans) {
	case 0:
		return s.negated
	case 1:
		return (s.spans[0].lo <= r && r <= s.spans[0].hi) != s.negated
	}
	return inSpans(s.spans, r) != s.negated
}

// newSet makes a set of what is written under the flags f.
func newSet(items []setItem, negated bool, f Flags) *charSet {
	s := &charSet{negated: negated}
	var spans []span
	for _, it := range items {
		switch {
		case it.kind == itemRange && f&IgnoreCase != 0:
			spans = append(spans, foldRange(it, f.ascii())...)
		case it.kind == itemRange:
			spans = append(spans, span{it.lo, it.hi})
		case it.kind == itemWord && !f.ascii():
			s.addWords(it.not)
			spans = append(spans, latinWords(it.not)...)
		default:
			spans = append(spans, categorySpans(it, f.ascii())...)
		}
	}
	s.fill(spans)
	return s
}

func (s *charSet) addWords(not bool) {
	w := int8(1)
	if not {
		w = -1
	}
	if s.words != 0 && s.words != w {
		w = 2
	}
	s.words = w
}

// literalSet makes the set of what one character written outside of a set matches without regard to case.
func literalSet(r rune, negated bool, ascii bool) *charSet {
	s := &charSet{negated: negated}
	var spans []span
	for _, l := range foldLower(lower(r, ascii), ascii) {
		spans = append(spans, span{l, l})
		for _, u := range unlower(l, ascii) {
			spans = append(spans, span{u, u})
		}
	}
	s.fill(spans)
	return s
}

// latinWords returns the characters up to U+00FF that are in \w, or are not.
func latinWords(not bool) []span {
	var out []span
	for r := rune(0); r < 256; r++ {
		if isWord(r, false) != not {
			out = append(out, span{r, r})
		}
	}
	return out
}

// categorySpans returns the characters of \d, \s and ASCII's \w, or what is not in them.
func categorySpans(it setItem, ascii bool) []span {
	var spans []span
	switch it.kind {
	case itemWord:
		spans = []span{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	case itemDigit:
		spans = digitSpans
	case itemSpace:
		spans = spaceSpans
	}
	if ascii {
		spans = within(spans, utf8.RuneSelf-1)
		if it.kind == itemSpace {
			spans = []span{{'\t', '\r'}, {' ', ' '}}
		}
	}
	if it.not {
		return complement(spans)
	}
	return spans
}

func complement(spans []span) []span {
	var out []span
	at := rune(0)
	for _, s := range spans {
		if at < s.lo {
			out = append(out, span{at, s.lo - 1})
		}
		at = s.hi + 1
	}
	if at <= utf8.MaxRune {
		out = append(out, span{at, utf8.MaxRune})
	}
	return out
}

// within returns the part of the spans that is not above limit.
func within(spans []span, limit rune) []span {
	var out []span
	for _, s := range spans {
		if s.lo <= limit {
			out = append(out, span{s.lo, min(s.hi, limit)})
		}
	}
	return out
}

// tidy sorts spans and joins those that touch.
func tidy(spans []span) []span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo - b.lo) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// fill takes the spans over into the set.
func (s *charSet) fill(spans []span) {
	for _, sp := range tidy(spans) {
		for r := sp.lo; r <= min(sp.hi, 255); r++ {
			s.latin[r>>6] |= 1 << (r & 63)
		}
		if sp.hi > 255 {
			s.spans = append(s.spans, span{max(sp.lo, 256), sp.hi})
		}
	}
	if s.negated {
		for i := range s.latin {
			s.latin[i] = ^s.latin[i]
		}
	}
}

// size returns the number of members of a set made of spans that is not negated, up to 2.
func (s *charSet) size() int {
	n := 0
	for _, w := range s.latin {
		n += bits.OnesCount64(w)
	}
	for _, sp := range s.spans {
		n += int(min(sp.hi-sp.lo+1, 2))
	}
	return min(n, 2)
}
