package verifiers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A letter is an option only where it stands alone. "A dog", "I think", "Vitamin-C", "C++", "f(A)", "U.S." and "25 °C" hold
// letters that no option is meant by; this file knows them apart.

// lone is a letter that stands alone in a text.
type lone struct {
	letter     byte // 'A' to 'Z'
	upper      bool
	start, end int
}

// letterAt is the letter that stands alone at s[i].
func letterAt(s string, i int) (lone, bool) {
	if i >= len(s) {
		return lone{}, false
	}
	o := lone{start: i, end: i + 1}
	c := rune(s[i])
	if c >= utf8.RuneSelf {
		var size int
		if c, size = utf8.DecodeRuneInString(s[i:]); c < 'Ａ' || c > 'ｚ' { // full width
			return lone{}, false
		}
		c, o.end = c-'Ａ'+'A', i+size
	}
	if c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		return lone{}, false
	}
	o.letter, o.upper = byte(c)&^0x20, c < 'a'
	return o, freeLeft(s, i) && freeRight(s, o.end)
}

// freeLeft: nothing on the left makes the letter part of something else.
func freeLeft(s string, i int) bool {
	if i == 0 {
		return true
	}
	r, size := utf8.DecodeLastRuneInString(s[:i])
	switch r {
	case '°', '\\', '^', '@':
		return false
	case '\'', '’', '-', '.', '/', '&':
		before, _ := utf8.DecodeLastRuneInString(s[:i-size])
		if r == '/' && isSingle(s, i-size) {
			return before != 'N' && before != 'n' // A/B, and not N/A
		}
		return !isPlain(before)
	case '_':
		return i < 2 || !isPlain(rune(s[i-2])) // __B__, and not x_B
	}
	return !isPlain(r)
}

// isSingle: the character before s[i] is a letter that no letter or digit stands before.
func isSingle(s string, i int) bool {
	return i > 0 && isLetter(rune(s[i-1])) && (i == 1 || !isPlain(rune(s[i-2])))
}

// freeRight: nothing on the right makes the letter part of something else.
func freeRight(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	rest := s[i+size:]
	next, nextSize := utf8.DecodeRuneInString(rest)
	switch r {
	case '+', '#', '^', '(', '{', '′', '@':
		return false
	case '_':
		return !isPlain(next) && next != '{'
	case '\'', '’':
		return !isPlain(next) || isSuffix(rest)
	case '-', '&':
		return !isPlain(next)
	case '/':
		return !isPlain(next) || !isPlainAt(rest, nextSize)
	case '.':
		return !isPlain(next) || 'A' <= next && next <= 'Z' && lowerAt(rest, nextSize) // "B.Paris", and not "U.S." or "i.e."
	}
	return !isPlain(r) && !equationFollows(s[i:])
}

// isSuffix: Turkish puts its "is" behind an apostrophe: B'dir.
func isSuffix(s string) bool {
	for _, suffix := range [...]string{"dir", "dır", "dur", "dür", "tir", "tır"} {
		if strings.HasPrefix(s, suffix) {
			return true
		}
	}
	return false
}

// equationFollows: the letter is the name of a quantity: "E = mc^2", "G ∨ H".
func equationFollows(s string) bool {
	s = strings.TrimLeft(s, " ")
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '=':
		return !strings.HasPrefix(s, "=>")
	case '∨', '∧', '⊃', '·', '•', '×', '÷', '≈', '≡', '≤', '≥', '∪', '∩', '+':
		return true
	case '<', '>':
		return strings.HasPrefix(s[size:], " ") // and not a tag
	}
	return false
}

func isPlainAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isPlain(r)
}

func lowerAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLower(r)
}

// isPlain: a letter or digit that a letter grows together with. Scripts that glue words to letters do not.
func isPlain(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r) || isDigit(r)
	}
	return r != utf8.RuneError && !isGlued(r) && !(r >= 'Ａ' && r <= 'ｚ') && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

// prose says that a capital A or I is the article or the pronoun: a word follows that cannot follow the name of an
// option. With caps, words in capitals count too.
func (o lone) prose(s string, caps bool) bool {
	if o.letter != 'A' && o.letter != 'I' {
		return false
	}
	i := o.end
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == o.end {
		return o.letter == 'I' && apostropheWord(s[i:])
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	if !isWordLetter(r) || isGlued(r) || !caps && !unicode.IsLower(r) {
		return false
	}
	if o.letter == 'I' && caps && tailsOff(s, i) {
		return false
	}
	class, end := wordAt(s, i)
	if end == i+1 && unicode.IsUpper(r) { // another letter: A B C
		return false
	}
	if o.letter == 'I' {
		return class&(tailWord|joinWord) == 0 && s[i:end] != "is" || class&auxWord != 0 || class&joinWord != 0 && romanAt(s, blanks(s, end))
	}
	return class&(tailWord|joinWord|isWord|rightWord|wrongWord) == 0
}

// romanAt: a number such as II or IV, which makes a number of an I beside it.
func romanAt(s string, i int) bool {
	n := 0
	for i+n < len(s) && (s[i+n] == 'I' || s[i+n] == 'V') {
		n++
	}
	return n > 1 && (i+n == len(s) || !isPlain(rune(s[i+n])))
}

// tailsOff: two blanks or a dash set the letter apart from what follows.
func tailsOff(s string, i int) bool { return i >= 2 && s[i-1] == ' ' && s[i-2] == ' ' }

func apostropheWord(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return isApostrophe(r) && letterFollows(s[size:])
}

// closers skips what closes markup, brackets and quotes behind a letter, but no white space.
func closers(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '*', '_', ')', ']', '}', '"', '\'', '”', '’', '»', '`', '$', '>', '）', '」', '』', '】', '〕', '》', '~':
			i += size
		case '\\':
			if i+1 >= len(s) || s[i+1] != ')' && s[i+1] != ']' {
				return i
			}
			i += 2
		default:
			return i
		}
	}
	return i
}

// blanks skips white space inside a line.
func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// markup skips white space, markup, brackets, quotes, symbols and LaTeX's wrappers before an answer. colon says that a
// colon, an equals sign, an arrow or the end of a tag was among them.
func markup(s string, i int) (end int, colon bool) {
	for i < len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '：' || r == '＝' || r == '→' || r == '⇒' {
				colon = true
			} else if !textSpace(r) && !strings.ContainsRune("“”‘’«»„「『【（〔《–—।", r) && !unicode.In(r, unicode.So, unicode.Cf, unicode.Variation_Selector) {
				return i, colon
			}
			i += size
			continue
		}
		switch {
		case c == ':' || c == '=' || c == '>':
			colon = true
			i++
		case c == '<' && tagLength(s[i:]) > 0:
			i += tagLength(s[i:])
			colon = true
		case c == '\\':
			n := wrapper(s[i:])
			if n == 0 {
				return i, colon
			}
			i += n
		case textSpace(rune(c)) || strings.IndexByte("*_~\"'<()[]{}$-|`#", c) >= 0:
			i++
		default:
			return i, colon
		}
	}
	return i, colon
}

// tagLength is the length of a tag of HTML that only marks text up, such as </b> or <strong>, else 0. A single letter in
// angles is a tag only where something stands behind it in its line: "<b>C</b>", and not "<b>".
func tagLength(s string) int {
	n := strings.IndexByte(s[:min(len(s), maxTag)], '>')
	if n < 2 {
		return 0
	}
	name := s[1:n]
	if name[0] == '/' {
		if strings.Trim(name[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789") != "" {
			return 0
		}
		return n + 1
	}
	switch strings.ToLower(name) {
	case "strong", "em", "span", "div", "code", "mark", "br", "br/", "br /", "li", "td", "th", "tt", "pre", "big", "h1", "h2", "h3", "h4":
		return n + 1
	case "b", "i", "u", "p":
		if r, _ := utf8.DecodeRuneInString(s[n+1:]); n+1 < len(s) && !textSpace(r) {
			return n + 1
		}
	}
	return 0
}

// maxTag is above the length in bytes of the tags that are passed over.
const maxTag = 24

// wrapper is the length of a LaTeX command that only wraps text, such as \text, \mathbf, \( or \boxed, else 0.
func wrapper(s string) int {
	n := 1
	for n < len(s) && isLetter(rune(s[n])) {
		n++
	}
	switch name := s[1:n]; name {
	case "":
		if n < len(s) && strings.IndexByte("([,;!: \\\n", s[n]) >= 0 {
			return n + 1
		}
		return 0
	case "text", "textbf", "textit", "textrm", "textsf", "texttt", "mathbf", "mathrm", "mathit", "mathsf", "mathtt", "mbox", "boxed", "fbox",
		"bf", "it", "rm", "bold", "boldsymbol", "bm", "left", "quad", "qquad", "large", "Large", "displaystyle", "color", "emph", "underline":
		return n
	}
	return 0
}
