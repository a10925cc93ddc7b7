package verifiers

import (
	"strings"
	"unicode/utf8"
)

// numberAt reads one literal, without its sign, that begins at s[i].
func numberAt(s string, i, depth int) (n number, end int, got scan) {
	if startsWithDigit(s[i:]) {
		if n, end, got = decimalAt(s, i); got == isOne && endsNumber(s[end:]) {
			return n, end, got
		}
	}
	n, end, got = factorAt(s, i, depth)
	if got != isOne {
		return n, end, got
	}
	if n.plain() {
		if end := calendar(s, i, end); end > 0 {
			return number{}, end, notOne
		}
		if whole, after, ok := mixedAt(s, n, end, depth); ok {
			n, end = whole, after
			return settle(s, n, end)
		}
	}
	if n.power == nil && n.over == nil && n.base == nil && n.exp == 0 {
		if power, after, got := timesTen(s, end, depth); got == isOne {
			n.ten, end = power, after
		} else if got == notOne {
			return number{}, after, notOne
		}
	}
	if !strings.HasPrefix(s[i:], `\`) {
		below, after, got := denominator(s, end, depth)
		switch {
		case got == notOne, got == isOne && below.zero():
			return number{}, after, notOne
		case got == isOne:
			if n.over != nil {
				n = number{base: heap(n)}
			}
			n.over, end = heap(below), after
		}
	}
	return settle(s, n, end)
}

// endsNumber sees at a glance that no number goes on with s: a word, the end of a sentence or of the text follows.
func endsNumber(s string) bool {
	if s == "" || s[0] == '\n' {
		return true
	}
	if s[0] == '.' || s[0] == ',' {
		return len(s) == 1 || s[1] == ' ' || s[1] == '\n'
	}
	if s[0] == ' ' {
		if s = s[1:]; s == "" {
			return true
		}
	}
	c := s[0] | 0x20
	return 'a' <= c && c <= 'z' && c != 'x'
}

// settle passes a number unless an irrational factor follows: 2π and 3\sqrt{2} are no such numbers.
func settle(s string, n number, end int) (number, int, scan) {
	i := blanks(s, end)
	for _, times := range [...]string{"*", "·", `\cdot`, `\times`, "×", `\,`} {
		if strings.HasPrefix(s[i:], times) {
			i = blanks(s, i+len(times))
			break
		}
	}
	for _, factor := range [...]string{"π", `\pi`, `\sqrt`, "√"} {
		if !strings.HasPrefix(s[i:], factor) {
			continue
		}
		if after := rootEnd(s, i); after > 0 {
			return number{}, after, notOne
		}
		return number{}, i + len(factor), notOne
	}
	return n, end, isOne
}

// heap is n in memory of its own: only numbers that are parts of others need that.
func heap(n number) *number { return &n }

// plain: digits and nothing else, not even a point.
func (n *number) plain() bool {
	return n.digits != "" && n.exp == 0 && n.ten == nil && n.power == nil && n.over == nil && n.base == nil && !strings.ContainsAny(n.digits, ".٫．")
}

// zero: written with no digit but 0.
func (n *number) zero() bool {
	if n.digits == "" || n.power != nil || n.over != nil {
		return false
	}
	for _, r := range n.digits {
		if isDigit(r) && digitValue(r) != 0 {
			return false
		}
	}
	return true
}

// factorAt reads a number with its power.
func factorAt(s string, i, depth int) (n number, end int, got scan) {
	if i >= len(s) || depth > maxNesting {
		return n, i, absent
	}
	switch c := s[i]; {
	case c == '(':
		return bracketAt(s, i, depth)
	case c == '\\':
		n, end, got = fractionAt(s, i, depth)
	case c == '.' || startsWithDigit(s[i:]):
		n, end, got = decimalAt(s, i)
	default:
		n, end, got = vulgarAt(s, i)
	}
	if got != isOne {
		return n, end, got
	}
	power, after, got := powerAt(s, end, depth)
	switch got {
	case notOne:
		return n, after, notOne
	case isOne:
		if n.over != nil {
			n = number{base: heap(n)}
		}
		n.power = power
	}
	return n, after, isOne
}

// bracketAt reads a bracketed number that has a power: (-2)^3. Without one a bracket means nothing here.
func bracketAt(s string, i, depth int) (n number, end int, got scan) {
	shut := strings.IndexByte(s[i:min(len(s), i+64)], ')') + i + 1
	if shut == i || shut >= len(s) || !strings.ContainsRune("^*⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ ", firstRune(s[shut:])) {
		return n, i, absent
	}
	inner, end, got := signedAt(s, blanks(s, i+1), depth+1)
	end = blanks(s, end)
	if got != isOne || end >= len(s) || s[end] != ')' {
		return n, i, absent
	}
	power, after, got := powerAt(s, end+1, depth)
	if got != isOne {
		return n, i, absent
	}
	return number{base: heap(inner), power: power}, after, isOne
}

// signedAt reads a literal that may begin with a sign.
func signedAt(s string, i, depth int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '-', '−', '+':
		i = blanks(s, i+size)
	}
	n, end, got = numberAt(s, i, depth)
	n.neg = n.neg != (r == '-' || r == '−')
	return n, end, got
}

// decimalAt reads digits, grouped thousands, a point with decimals, and an exponent.
func decimalAt(s string, i int) (n number, end int, got scan) {
	end = i
	if s[i] == '.' {
		prev, _ := utf8.DecodeLastRuneInString(s[:i])
		if !startsWithDigit(s[i+1:]) || i > 0 && (isPlain(prev) || strings.ContainsRune(".)]}", prev)) {
			return n, i, absent
		}
	} else {
		end = digitsEnd(s, i)
		if strings.HasPrefix(s[i:], "0x") && end == i+1 && end+1 < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[end+1]) >= 0 {
			return n, wordRunEnd(s, end), notOne
		}
		end = groupsEnd(s, i, end)
	}
	if point := pointAt(s, end); point > 0 && startsWithDigit(s[end+point:]) {
		end = digitsEnd(s, end+point)
		if strings.HasPrefix(s[end:], ".") && startsWithDigit(s[end+1:]) { // 1.2.3
			return n, afterDigits(s, end), notOne
		}
	}
	n.digits = s[i:end]
	n.exp, end = exponentAt(s, end)
	return n, end, isOne
}

func pointAt(s string, i int) int {
	if i < len(s) && s[i] == '.' {
		return 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '٫' || r == '．' {
		return size
	}
	return 0
}

func digitsEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if c < '0' || c > '9' {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isDigit(r) {
			return i
		}
		i += size
	}
	return i
}

func wordRunEnd(s string, i int) int {
	for i < len(s) && (isLetter(rune(s[i])) || isDigit(rune(s[i]))) {
		i++
	}
	return i
}

// groupMarks part groups of thousands. A plain blank is not among them: "1 000" may be two numbers.
var groupMarks = [...]string{",", "{,}", `,\!`, `{,}\!`, `\,`, "٬", "，", "\u2009", "\u202f"}

// groupsEnd is behind the groups of thousands that follow the digits s[start:end].
func groupsEnd(s string, start, end int) int {
	if utf8.RuneCountInString(s[start:min(end, start+16)]) > 3 {
		return end
	}
	for {
		mark := 0
		if end < len(s) && (strings.IndexByte(`,{\`, s[end]) >= 0 || s[end] >= utf8.RuneSelf) {
			for _, m := range groupMarks {
				if strings.HasPrefix(s[end:], m) && groupFollows(s[end+len(m):]) {
					mark = len(m)
				}
			}
		}
		if mark == 0 {
			return end
		}
		end = digitsEnd(s, end+mark)
	}
}

// exponentAt reads e3, E-5, e+400 behind a number. Exponents too large for any use are cut at 10^12.
func exponentAt(s string, i int) (exp int64, end int) {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return 0, i
	}
	j, neg := i+1, false
	if r, size := utf8.DecodeRuneInString(s[j:]); r == '-' || r == '+' || r == '−' {
		j, neg = j+size, r != '+'
	}
	if !startsWithDigit(s[j:]) {
		return 0, i
	}
	end = digitsEnd(s, j)
	for _, r := range s[j:end] {
		exp = min(exp*10+int64(digitValue(r)), 1e12)
	}
	if neg {
		exp = -exp
	}
	return exp, end
}
