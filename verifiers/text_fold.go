package verifiers

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folding makes two texts comparable (RULES 14-16): lower case, ASCII punctuation removed, white space folded to single
// spaces. Punctuation with meaning stays, since "-5" is not "5" and "C++" is not "C":
//
//	a sign or point that begins a number     -5  .5  -.5  -$5
//	a mark between two digits                1.5  10-5  1/2  12:30   (a comma that groups thousands goes: 1,234)
//	+ and # after a letter                   C++  C#
//
// One pass over the bytes, no look-behind further than the character before: the state carries what is needed.

// folder says how a text is folded. Its zero value only folds white space.
type folder struct{ lower, punct bool }

// before is what stood directly before the current character.
type before uint8

const (
	other   before = iota
	letter         // a letter, or + and # that follow one
	digit          // a digit
	pointed        // a full stop
)

// foldState is the state of one pass.
type foldState struct {
	prev    before
	space   bool // white space stands before the next character that is kept
	run     int  // digits directly before
	grouped bool // these digits may be a group of thousands: they begin a number, or follow a grouping comma
	comma   bool // the character before was a grouping comma
}

// append appends s, folded.
func (f folder) append(dst []byte, s string) []byte { return f.appendUpTo(dst, s, math.MaxInt) }

// appendUpTo appends s, folded, and stops soon behind limit bytes: two texts of which one is longer are not equal.
func (f folder) appendUpTo(dst []byte, s string, limit int) []byte {
	start := len(dst)
	st := foldState{}
	for i := 0; i < len(s) && len(dst)-start <= limit; {
		c := s[i]
		size := 1
		r := rune(c)
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if textSpace(r) {
			st.space, st.prev = len(dst) > start, other
			i += size
			continue
		}
		keep := true
		if f.punct && isPunct(c) {
			keep = st.mark(s, i)
		} else {
			st.plain(r)
		}
		if keep {
			if st.space {
				dst, st.space = append(dst, ' '), false
			}
			dst = f.appendRune(dst, r, s[i:i+size])
		}
		i += size
	}
	return dst
}

func (f folder) appendRune(dst []byte, r rune, raw string) []byte {
	switch {
	case !f.lower || 'a' <= r && r <= 'z':
		return append(dst, raw...)
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r |= 0x20
		}
		return append(dst, byte(r))
	case r == utf8.RuneError:
		return append(dst, raw...)
	}
	return appendLower(dst, r)
}

// plain notes a character that is neither white space nor a mark.
func (st *foldState) plain(r rune) {
	if !isDigit(r) {
		st.prev = other
		if isLetter(r) {
			st.prev = letter
		}
		return
	}
	if st.prev != digit {
		st.run, st.grouped = 0, st.comma || st.prev != pointed
	}
	st.prev, st.comma = digit, false
	st.run++
}

// mark says whether the punctuation at s[i] has a meaning, and notes it.
func (st *foldState) mark(s string, i int) (keep bool) {
	c, rest := s[i], s[i+1:]
	prev := st.prev
	st.prev, st.comma = other, false
	switch {
	case c == '.':
		st.prev = pointed
	case (c == '+' || c == '#') && prev == letter:
		st.prev = letter
		return true
	}
	switch {
	case prev == digit && c == ',' && st.grouped && st.run <= 3 && groupFollows(rest):
		st.comma = true
		return false
	case prev == digit:
		st.grouped = false
		if beginsNumber(rest) {
			st.prev = pointed // what follows is no group of thousands
			return true
		}
		return false
	case prev == letter:
		return false
	case c == '.':
		return prev != pointed && startsWithDigit(rest)
	case c == '-' || c == '+':
		return beginsNumber(strings.TrimPrefix(rest, "$"))
	}
	return false
}

// groupFollows: exactly three digits, and no fourth.
func groupFollows(s string) bool {
	for range 3 {
		r, n := utf8.DecodeRuneInString(s)
		if !isDigit(r) {
			return false
		}
		s = s[n:]
	}
	return !startsWithDigit(s)
}

// beginsNumber: digits, behind at most one sign and one point.
func beginsNumber(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	if s != "" && s[0] == '.' {
		s = s[1:]
	}
	return startsWithDigit(s)
}

func startsWithDigit(s string) bool {
	if s == "" {
		return false
	}
	if s[0] < utf8.RuneSelf {
		return '0' <= s[0] && s[0] <= '9'
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

// foldedLower is s in lower case, the way Python's str.lower means it.
func foldedLower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return string(folder{lower: true}.appendAll(make([]byte, 0, len(s)+8), s))
		}
	}
	return s
}

// appendAll appends every character of s in its case.
func (f folder) appendAll(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = f.appendRune(dst, r, s[i:i+size])
		i += size
	}
	return dst
}

// appendLower appends the lower case of a character outside ASCII. As in Python, a dotted capital I keeps its dot; the
// two small sigmas, which Python tells apart by their place in the word, are one.
func appendLower(dst []byte, r rune) []byte {
	switch r {
	case 'İ':
		return append(dst, "i̇"...)
	case 'ς':
		r = 'σ'
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// isPunct: one of the 32 marks of ASCII.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

func isDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r)
}

// textSpace: white space as Python's str.split and str.strip know it, which is Unicode's and the four ASCII separators.
func textSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	}
	return unicode.IsSpace(r)
}

// stripText cuts white space off both ends, as Python's str.strip.
func stripText(s string) string { return strings.TrimFunc(s, textSpace) }

// lastLine is what stands behind the last line break. Lines end where Python's str.splitlines ends them: LF, CR, VT, FF,
// FS, GS, RS, NEL, U+2028, U+2029.
func lastLine(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case '\n' <= c && c <= '\r', 0x1c <= c && c <= 0x1e:
			return s[i+1:]
		case c == 0x85 && i > 0 && s[i-1] == 0xc2:
			return s[i+1:]
		case (c == 0xa8 || c == 0xa9) && i > 1 && s[i-1] == 0x80 && s[i-2] == 0xe2:
			return s[i+1:]
		}
	}
	return s
}
