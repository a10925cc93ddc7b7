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

// foldLower returns the lower-case characters that stand for the lower-case character l.
func foldLower(l rune, ascii bool) []rune {
	if !ascii {
		if set := alikeOf()[l]; set != nil {
			return set
		}
	}
	return []rune{l}
}

// foldRange returns what a member of a set matches without regard to case. Python folds the members up to U+FFFF, lower-cases
// the text, and compares. Beyond U+FFFF it takes a single character as it is written, so that a capital one matches nothing,
// and a range that goes beyond it together with everything whose capital is in the range, even where folding is ASCII's.
func foldRange(it setItem, ascii bool) []span {
	if it.lo == it.hi && it.lo > 0xffff && !it.written {
		if lower(it.lo, ascii) != it.lo {
			return nil
		}
		return withCapitals([]span{{it.lo, it.hi}}, ascii)
	}
	lowered := []span{{it.lo, it.hi}}
	add := func(r rune) {
		if l := lower(r, ascii); l != r || !ascii && alikeOf()[l] != nil {
			for _, l := range foldLower(l, ascii) {
				lowered = append(lowered, span{l, l})
			}
		}
	}
	switch {
	case ascii:
		for r := max(it.lo, 'A'); r <= min(it.hi, 'Z'); r++ {
			add(r)
		}
	case it.hi-it.lo < 256:
		for r := it.lo; r <= it.hi; r++ {
			add(r)
		}
	default:
		for r := range cases().lower {
			if it.lo <= r && r <= it.hi {
				add(r)
			}
		}
		for r := range alikeOf() {
			if it.lo <= r && r <= it.hi {
				add(r)
			}
		}
	}
	if it.hi > 0xffff {
		for l, u := range cases().upper {
			if it.lo <= u && u <= it.hi {
				lowered = append(lowered, span{l, l})
			}
		}
	}
	return withCapitals(lowered, ascii)
}

// withCapitals returns the characters whose lower case is in the spans.
func withCapitals(lowered []span, ascii bool) []span {
	lowered = tidy(lowered)
	var out []span
	next := func(r rune) (rune, bool) { return lower(r, ascii), lower(r, ascii) != r }
	for _, s := range lowered {
		for r := s.lo; r <= s.hi; r++ {
			if s.hi-s.lo >= 256 && r >= 256 && !ascii {
				break
			}
			if _, changes := next(r); !changes {
				out = append(out, span{r, r})
			}
			for _, u := range unlower(r, ascii) {
				out = append(out, span{u, u})
			}
			if ascii && r > 'z' {
				out = append(out, span{r, s.hi})
				break
			}
		}
		if s.hi-s.lo >= 256 && !ascii {
			out = append(out, wideCapitals(span{max(s.lo, 256), s.hi})...)
		}
	}
	return out
}

// wideCapitals is withCapitals for a long span: the span without its capitals, and the capitals of what is in it.
func wideCapitals(s span) []span {
	var capitals []rune
	var out []span
	for u, l := range cases().lower {
		if s.lo <= u && u <= s.hi {
			capitals = append(capitals, u)
		}
		if s.lo <= l && l <= s.hi {
			out = append(out, span{u, u})
		}
	}
	slices.Sort(capitals)
	at := s.lo
	for _, u := range capitals {
		if at < u {
			out = append(out, span{at, u - 1})
		}
		at = u + 1
	}
	if at <= s.hi {
		out = append(out, span{at, s.hi})
	}
	return out
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
