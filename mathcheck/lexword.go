package mathcheck

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// run reads letters that stand together and decides what they are: a function or constant of program notation, a
// word, a unit, or a product of letters.
func (l *lexer) run() {
	s, i := l.src, l.i
	j, ascii := i, true
	for j < len(s) {
		c := s[j]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[j:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				if j == i {
					if r == '¢' {
						l.emit(tWord, "cents", n)
						return
					}
					if isCurrency(string(r)) {
						l.emit(tOp, string(r), n)
						return
					}
					l.emit(tBad, string(r), n)
					return
				}
				break
			}
			ascii = false
			j += n
			continue
		}
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || (c == '\'' || c == '-') && j > i+1 && asciiLetter(s, j+1) && asciiLetter(s, j+2) || c == '\'' && j > i+1 && strings.HasPrefix(s[j:], "'s") {
			j++
			continue
		}
		break
	}
	if len(l.texts) > 0 {
		j = min(j, l.texts[len(l.texts)-1])
	}
	w := s[i:j]
	if !ascii {
		l.emit(tWord, w, j-i)
		return
	}
	l.word(w)
}

func asciiLetter(s string, i int) bool {
	return i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}

// word emits the tokens of a run of ASCII letters.
func (l *lexer) word(w string) {
	n := len(w)
	low := strings.ToLower(w)
	switch {
	case w == "US" && (strings.HasPrefix(l.src[l.i+n:], "$") || strings.HasPrefix(l.src[l.i+n:], `\$`)): // US$5
		l.i += n
		return
	case low == "and" || low == "or" || low == "und" || low == "oder":
		l.emit(tOp, map[string]string{"and": "and", "or": "or", "und": "and", "oder": "or"}[low], n)
		return
	case w == "U" && l.afterClose() && l.sp:
		l.emit(tOp, "cup", n)
		return
	case w == "x" && (l.sp && l.timesSign() || l.tightTimes()):
		l.emit(tOp, "*", n)
		return
	case w == "j" && l.digitAt(l.i-1) && strings.Trim(l.src, "0123456789+-*/(). ej$") == "": // 3-4j of program notation
		l.emit(tSym, "i", 1)
		return
	case n == 1:
		l.emit(tSym, w, 1)
		return
	}
	if strings.IndexByte(w, '-') >= 0 {
		l.hyphenated(w)
		return
	}
	if act, ok := plainNames[w]; ok {
		l.emit(act.kind.token(), act.s, n)
		return
	}
	if act, ok := plainNames[low]; ok && (act.kind == aFn && low != "min" && low != "max" || low == "infinity") {
		l.emit(act.kind.token(), act.s, n)
		return
	}
	if len(l.texts) > 0 {
		l.emit(tWord, w, n)
		return
	}
	if k := glued(w); k > 0 && l.afterValue() { // "1orW", "2andx"
		l.word(w[:k])
		return
	}
	if (l.afterValue() && plainUnits[w] || isWord(w)) && !(w == "hr" && strings.HasPrefix(l.src[l.i+n:], "^")) {
		l.emit(tWord, w, n)
		return
	}
	for _, f := range [...]string{"sin", "cos", "tan", "cot", "sec", "csc", "sqrt", "ln", "log", "exp"} {
		if n > len(f) && n <= len(f)+2 && strings.HasPrefix(w, f) {
			l.emit(plainNames[f].kind.token(), plainNames[f].s, len(f))
			return
		}
	}
	if k := strings.Index(w, "pi"); k >= 0 && n <= 4 { // pir, 2pir
		if k == 0 {
			l.emit(tSym, "pi", 2)
			return
		}
	}
	l.emit(tSym, w[:1], 1) // a product of letters; the rest is read again
	for k := 1; k < n; k++ {
		l.emit(tSym, w[k:k+1], 1)
	}
}

// hyphenated reads "x-y" as a difference of short runs and anything longer as one word.
func (l *lexer) hyphenated(w string) {
	k := strings.IndexByte(w, '-')
	if k <= 3 && !isWord(w[:k]) {
		rest := w[k+1:]
		if m := strings.IndexByte(rest, '-'); m >= 0 {
			rest = rest[:m]
		}
		if !isWord(rest) {
			l.word(w[:k])
			return
		}
	}
	l.emit(tWord, w, len(w))
}

func (l *lexer) afterClose() bool {
	if len(l.toks) == 0 {
		return false
	}
	return l.toks[len(l.toks)-1].kind == tClose
}

func (l *lexer) afterValue() bool {
	if len(l.toks) == 0 {
		return false
	}
	t := l.toks[len(l.toks)-1]
	return t.kind == tNum || t.kind == tClose || t.s == "pi" || t.text && t.kind == tWord || t.s == "per" || t.s == "/" || t.s == "$"
}

// timesSign reports whether the x just met stands between two numerals.
func (l *lexer) timesSign() bool {
	if len(l.toks) == 0 || l.toks[len(l.toks)-1].kind != tNum {
		return false
	}
	return l.i+1 < len(l.src) && l.src[l.i+1] == ' ' && l.digitAt(skipBlank(l.src, l.i+1))
}

// tightTimes reports whether the x just met stands directly between two numerals: 3x10^8, 4x5.
func (l *lexer) tightTimes() bool {
	j := l.i + 1
	if !l.digitAt(l.i-1) || !l.digitAt(j) {
		return false
	}
	for l.digitAt(j) {
		j++
	}
	return strings.HasPrefix(l.src[l.i+1:], "10") || j >= len(l.src) || l.src[j] != '^'
}

// glued returns the length of a leading "or" or "and" that lost its blank.
func glued(w string) int {
	for _, p := range [...]string{"or", "and"} {
		if strings.HasPrefix(w, p) && len(w) == len(p)+1 {
			return len(p)
		}
	}
	return 0
}

// isWord tells prose from a product of letters. Four letters or more are a word unless they are all capitals or hold no
// vowel (ABCD, xyzw); shorter runs are words only if listed.
func isWord(w string) bool {
	if shortWords[strings.ToLower(w)] {
		return true
	}
	if len(w) < 4 {
		return false
	}
	if w == strings.ToUpper(w) && len(w) <= 10 {
		return false
	}
	if w == "abcd" || w == "abcde" {
		return false
	}
	return strings.ContainsAny(w, "aeiouyAEIOUY")
}
