package regexcheck

import "slices"

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
