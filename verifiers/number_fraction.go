package verifiers

import (
	"strings"
	"unicode/utf8"
)

// denominator reads "/4" behind a number. A second slash makes a date or worse of it.
func denominator(s string, i, depth int) (n number, end int, got scan) {
	j := blanks(s, i)
	r, size := utf8.DecodeRuneInString(s[j:])
	if r != '/' && r != '⁄' || j-i > 1 {
		return n, i, absent
	}
	j = blanks(s, j+size)
	neg := strings.HasPrefix(s[j:], "-")
	if neg {
		j++
	}
	if !startsWithDigit(s[j:]) && !strings.HasPrefix(s[j:], ".") {
		return n, i, absent
	}
	n, end, got = factorAt(s, j, depth+1)
	if got == absent {
		return n, i, absent
	}
	n.neg = neg
	if k := blanks(s, end); strings.HasPrefix(s[k:], "/") && startsWithDigit(s[blanks(s, k+1):]) {
		for strings.HasPrefix(s[k:], "/") && startsWithDigit(s[blanks(s, k+1):]) {
			end = afterDigits(s, blanks(s, k+1))
			k = blanks(s, end)
		}
		return n, end, notOne
	}
	return n, end, got
}

// mixedAt reads a proper fraction behind a whole number: "1 1/2", "2½", "1\frac{1}{2}".
func mixedAt(s string, whole number, i, depth int) (n number, end int, ok bool) {
	j := i
	for j < len(s) && j-i < 8 {
		if s[j] == ' ' {
			j++
		} else if strings.HasPrefix(s[j:], `\ `) || strings.HasPrefix(s[j:], `\,`) || strings.HasPrefix(s[j:], `\;`) || strings.HasPrefix(s[j:], "\u00a0") {
			j += 2
		} else {
			break
		}
	}
	if j >= len(s) || j == i && s[j] < utf8.RuneSelf && s[j] != '\\' {
		return n, i, false
	}
	if c := s[j]; c != '\\' && c < utf8.RuneSelf && (c < '0' || c > '9') {
		return n, i, false
	}
	n, end, got := numberAt(s, j, depth+1)
	if got != isOne || n.over == nil || n.whole != "" || n.base != nil || n.ten != nil || n.power != nil || n.over.power != nil || n.over.neg || n.neg {
		return n, i, false
	}
	if !less(n.digits, n.over.digits) {
		return n, i, false
	}
	n.whole = whole.digits
	return n, end, true
}

// less compares two whole numbers of at most 18 digits; anything else is not less.
func less(a, b string) bool {
	x, okA := smallInt(a)
	y, okB := smallInt(b)
	return okA && okB && x < y
}

func smallInt(s string) (n int64, ok bool) {
	if s == "" || len(s) > 64 {
		return 0, false
	}
	count := 0
	for _, r := range s {
		if count++; !isDigit(r) || count > 18 {
			return 0, false
		}
		n = n*10 + int64(digitValue(r))
	}
	return n, true
}

// vulgarAt reads a fraction that is one character.
func vulgarAt(s string, i int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '√' {
		return n, rootEnd(s, i), notOne
	}
	above, below := vulgar(r)
	if above == "" {
		return n, i, absent
	}
	return number{digits: above, over: &number{digits: below}}, i + size, isOne
}

func vulgar(r rune) (above, below string) {
	const at = "¼14½12¾34⅐17⅑19⅓13⅔23⅕15⅖25⅗35⅘45⅙16⅚56⅛18⅜38⅝58⅞78↉03"
	if r == '⅒' {
		return "1", "10"
	}
	if r < '¼' || r > '↉' {
		return "", ""
	}
	if i := strings.IndexRune(at, r); i >= 0 {
		i += utf8.RuneLen(r)
		return at[i : i+1], at[i+1 : i+2]
	}
	return "", ""
}

// fractionAt reads \frac and its kin with arguments in braces or of one digit; \sqrt is passed over.
func fractionAt(s string, i, depth int) (n number, end int, got scan) {
	if strings.HasPrefix(s[i:], `\sqrt`) {
		return n, rootEnd(s, i), notOne
	}
	name := s[i+1 : commandEnd(s, i)]
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac":
	default:
		return n, i, absent
	}
	above, end, got := argumentAt(s, i+1+len(name), depth)
	below, end, gotBelow := argumentAt(s, end, depth)
	if got != isOne || gotBelow != isOne || below.zero() {
		return n, end, notOne
	}
	if above.plain() {
		return number{neg: above.neg, digits: above.digits, over: heap(below)}, end, isOne
	}
	return number{base: heap(above), over: heap(below)}, end, isOne
}

// argumentAt reads an argument of a LaTeX command that must be one number.
func argumentAt(s string, i, depth int) (n number, end int, got scan) {
	i = blanks(s, i)
	if !strings.HasPrefix(s[i:], "{") {
		if !startsWithDigit(s[i:]) {
			return n, i, notOne
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		return number{digits: s[i : i+size]}, i + size, isOne
	}
	content := inBraces(s[i:])
	end = i + len(content) + 2 - missingBrace(s[i:])
	content = strings.TrimSpace(content)
	if depth >= maxNesting || len(content) > 1<<16 {
		return n, end, notOne
	}
	n, used, got := signedAt(content, 0, depth+1)
	if got != isOne || used != len(content) {
		return n, end, notOne
	}
	return n, end, isOne
}

// rootEnd is behind the root that begins at s[i], 0 where none does.
func rootEnd(s string, i int) int {
	rest, ok := strings.CutPrefix(s[i:], `\sqrt`)
	if !ok {
		if rest, ok = strings.CutPrefix(s[i:], "√"); !ok {
			return 0
		}
	}
	at := blanks(s, len(s)-len(rest))
	if at < len(s) && s[at] == '[' {
		if n := strings.IndexByte(s[at:min(len(s), at+64)], ']'); n >= 0 {
			at += n + 1
		}
	}
	switch {
	case strings.HasPrefix(s[at:], "{"):
		return at + len(inBraces(s[at:])) + 2 - missingBrace(s[at:])
	case strings.HasPrefix(s[at:], "("):
		at++
	}
	return afterDigits(s, at)
}
