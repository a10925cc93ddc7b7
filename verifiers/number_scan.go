package verifiers

import (
	"strings"
	"unicode/utf8"
)

// A text is searched for numbers by RULES 23 and 24. One literal is
//
//	sign, digits of any script, grouped thousands, decimals   -1,234.5   .5   ١٢
//	exponent                                                  1e3   1.5 × 10^3   2\cdot10^{-3}
//	power                                                     2^10   2**10   2^{10}   2¹⁰   (-2)^3   10^10^8
//	fraction                                                  3/4   \frac{3}{4}   \frac12   ½
//	mixed number                                              1 1/2   2½   1\frac{1}{2}
//
// Literals that are something else are recognised as a whole and passed over, so that no part of them is taken for a
// number: dates, clock times, versions, 1.000.000, 1/0, 2^n, 2\pi, \sqrt{2}, x_1, m^2, H2O. Nothing is computed here: a
// literal costs what its text is long, whatever its value.

// number is a literal's tree. Exactly as written: grouping marks are still in digits.
type number struct {
	neg    bool
	whole  string  // of a mixed number
	digits string  // may hold grouping marks and one point
	exp    int64   // power of ten
	ten    *number // a further power of ten, from "× 10^…"
	base   *number // in place of digits: a bracket or fraction that has a power
	power  *number
	over   *number // denominator
}

// literal is a number and where it stands, with sign and currency.
type literal struct {
	start, end int
	value      number
}

// scan is how an attempt to read a literal ended.
type scan uint8

const (
	absent scan = iota // none begins here
	notOne             // one begins here, and it is no number
	isOne
)

// maxNesting bounds fractions in fractions and towers of powers.
const maxNesting = 8

// nextNumber finds the first number that begins at or behind from. Characters before from are seen only for the sign.
func nextNumber(s string, from int) (literal, bool) {
	free := -1 // a place where a number may begin though a letter stands before it
	for i := from; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !numberByte[c] {
				i++
				continue
			}
		} else if r, size := utf8.DecodeRuneInString(s[i:]); !mayBegin(r) {
			i += size
			continue
		}
		if end := notNumberAt(s, i, i == free); end > i {
			i = end
			continue
		}
		n, end, got := numberAt(s, i, 0)
		switch got {
		case isOne:
			lit := literal{end: end, value: n}
			var neg bool
			neg, lit.start = signBefore(s, i)
			lit.value.neg = neg != n.neg
			return lit, true
		case notOne:
			i = end
			continue
		}
		switch {
		case c == '\\':
			if i = commandEnd(s, i); i > 0 && isLetter(rune(s[i-1])) {
				free = i
			}
		case c < utf8.RuneSelf:
			i++
		default:
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
		}
	}
	return literal{}, false
}

// mayBegin: a character outside ASCII with which a literal may begin. No digit stands in the two rows that are left out at
// once, which hold most of what is written in the east.
func mayBegin(r rune) bool {
	switch {
	case r == '√':
		return true
	case r >= 0x2190 && r < 0xa620, r >= 0xac00 && r < 0xff10:
		return false
	}
	above, _ := vulgar(r)
	return above != "" || isDigit(r)
}

// numberByte marks the ASCII bytes at which something has to be decided.
var numberByte = [utf8.RuneSelf]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'.': true, '\\': true, '(': true, '^': true, '_': true,
}

// notNumberAt passes over what begins at s[i] and looks like a number only out of its context: digits that belong to a
// word (H2O, x1), subscripts, powers of something else (m^2), denominators of something else (x/2). 0 where there is no
// such thing.
func notNumberAt(s string, i int, free bool) (end int) {
	prev, size := utf8.DecodeLastRuneInString(s[:i])
	switch c := s[i]; {
	case c == '^':
		return afterScript(s, i)
	case c == '_':
		if isLetter(prev) || prev == '}' || prev == ')' {
			return afterScript(s, i)
		}
		return i + 1
	case !startsWithDigit(s[i:]):
		return 0
	case !free && gluesDigits(prev) && !isCurrencyWord(s, i):
		return afterDigits(s, i)
	case prev == '/' && i > size:
		before, _ := utf8.DecodeLastRuneInString(s[:i-size])
		if gluesDigits(before) || before == ')' || before == '}' || before == 'π' {
			return afterDigits(s, i)
		}
	}
	return 0
}

// gluesDigits: a letter that digits grow together with.
func gluesDigits(r rune) bool { return isPlain(r) && !isDigit(r) }

// isCurrencyWord: the letters before s[i] name a currency: USD5, Rs500.
func isCurrencyWord(s string, i int) bool {
	switch s[runStart(s, i):i] {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "RMB", "Rs", "RM", "Rp", "kr", "zł":
		return true
	}
	return false
}

// afterDigits passes over digits and what a version or name goes on with.
func afterDigits(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isDigit(r) && !((r == '.' || r == '_') && startsWithDigit(s[i+size:])) {
			break
		}
		i += size
	}
	return i
}

// afterScript passes over ^ or _ with what it raises or lowers.
func afterScript(s string, i int) int {
	i++
	if i < len(s) && s[i] == '{' {
		return i + len(inBraces(s[i:])) + len("{}") - missingBrace(s[i:])
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+' || s[i] == '(') {
		i++
	}
	return afterDigits(s, i)
}

// missingBrace is 1 where the brace that s begins with is never closed.
func missingBrace(s string) int {
	if n := len(inBraces(s)) + 1; n < len(s) && s[n] == '}' {
		return 0
	}
	return 1
}

// commandEnd is behind the LaTeX command that begins at s[i].
func commandEnd(s string, i int) int {
	end := i + 1
	for end < len(s) && isLetter(rune(s[end])) {
		end++
	}
	if end == i+1 && end < len(s) && s[end] != '\\' && s[end] < utf8.RuneSelf {
		end++
	}
	return end
}

// signBefore looks for the sign of a number that begins at s[i], over a currency symbol. A hyphen behind an operand (a
// digit, letter or closing bracket) is no sign; nor is one with a blank behind it, except where an operand is due. start
// is where the number begins with all that.
func signBefore(s string, i int) (neg bool, start int) {
	start = beforeCurrency(s, i)
	j := start
	for j > 0 && s[j-1] == ' ' && start-j < 2 {
		j--
	}
	r, size := utf8.DecodeLastRuneInString(s[:j])
	minus := r == '-' || r == '−' || r == '－' || r == '﹣' || r == '–'
	if !minus && r != '+' && r != '＋' {
		return false, start
	}
	k := beforeCurrency(s, j-size)
	prev, _ := utf8.DecodeLastRuneInString(s[:k])
	if j < start { // blanks between
		for k > 0 && s[k-1] == ' ' {
			k--
		}
		prev, _ = utf8.DecodeLastRuneInString(s[:k])
		if k == 0 || !strings.ContainsRune("=:({[,≈：＝", prev) {
			return false, start
		}
	} else if k > 0 && (isPlain(prev) || isGlued(prev) && k == j-size || strings.ContainsRune(")]}%°!²³½", prev)) {
		return false, start
	}
	return minus, j - size
}

// beforeCurrency goes back over one currency symbol.
func beforeCurrency(s string, i int) int {
	r, size := utf8.DecodeLastRuneInString(s[:i])
	switch r {
	case '$':
		if i > 1 && s[i-2] == '\\' {
			size++
		}
		return i - size
	case '€', '£', '¥', '₹', '₩', '₽', '₺', '₫', '฿', '￥':
		return i - size
	}
	return i
}
