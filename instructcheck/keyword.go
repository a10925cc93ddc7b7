package instructcheck

import "strings"

// A keyword is literal text: no pattern. It is found folded, its white space matching any white space, and not beside a
// letter, mark, digit or _ where its own end is one: art is not in start, and c++ is found in C++. Ends in Han, kana, Thai,
// Lao, Khmer and Burmese need no boundary. Matches do not overlap.
type keyword struct {
	text        string
	cased       bool
	left, right bool // this end needs a boundary
}

func newKeyword(s string) keyword { return boundedKeyword(spaced(fold(normalized(s)))) }

// newCasedKeyword is a keyword that is found with its case.
func newCasedKeyword(s string) keyword {
	k := boundedKeyword(spaced(plainApostrophes(normalized(s))))
	k.cased = true
	return k
}

func boundedKeyword(text string) keyword {
	k := keyword{text: text}
	first, _ := runeAt(text, 0)
	last, _ := runeBefore(text, len(text))
	k.left = bindsKeyword(first) && !needsNoBoundary(first)
	k.right = bindsKeyword(last) && !needsNoBoundary(last)
	return k
}

// count is how often the keyword occurs in a text.
func (k keyword) count(t *Text) int {
	if k.cased {
		return k.countIn(t.casedText(), -1)
	}
	return k.countIn(t.foldedText(), -1)
}

// in says whether the keyword occurs.
func (k keyword) in(t *Text) bool {
	if k.cased {
		return k.countIn(t.casedText(), 1) > 0
	}
	return k.countIn(t.foldedText(), 1) > 0
}

// countIn counts in a text that is folded as the keyword is, up to a limit if that is not negative.
func (k keyword) countIn(s string, limit int) int {
	n := 0
	for from := 0; n != limit; {
		i := strings.Index(s[from:], k.text)
		if i < 0 {
			break
		}
		i += from
		if k.standsAt(s, i) {
			n++
			from = i + len(k.text)
			continue
		}
		_, size := runeAt(s, i)
		from = i + size
	}
	return n
}

// standsAt says whether both ends of the match at i have the boundary that they need.
func (k keyword) standsAt(s string, i int) bool {
	if k.left {
		if r, size := runeBefore(s, i); size > 0 && bindsKeyword(r) {
			return false
		}
	}
	if k.right {
		if r, size := runeAt(s, i+len(k.text)); size > 0 && bindsKeyword(r) {
			return false
		}
	}
	return true
}
