package verifiers

import (
	"strings"
	"unicode/utf8"
)

// powerAt reads a power behind a number: got is absent where none follows, with end behind a degree sign or ordinal.
func powerAt(s string, i, depth int) (n *number, end int, got scan) {
	if raised, after := superscript(s, i); after > i {
		return heap(raised), after, isOne
	}
	j := blanks(s, i)
	switch {
	case j-i <= 1 && strings.HasPrefix(s[j:], "^"):
		j = blanks(s, j+1)
	case strings.HasPrefix(s[i:], "**") && i+2 < len(s) && (startsWithDigit(s[i+2:]) || s[i+2] == '-' || s[i+2] == '('):
		j = i + 2
	default:
		return nil, i, absent
	}
	return exponentTerm(s, j, depth)
}

// exponentTerm reads what stands behind a caret.
func exponentTerm(s string, j, depth int) (n *number, end int, got scan) {
	open, shut := "", ""
	switch {
	case strings.HasPrefix(s[j:], "{"):
		open, shut = "{", "}"
	case strings.HasPrefix(s[j:], "("):
		open, shut = "(", ")"
	}
	inner := blanks(s, j+len(open))
	for _, unit := range [...]string{`\circ`, "°", `\degree`, `\text`, `\mathrm`, "th", "st", "nd", "rd", `\prime`, "'", "∘"} {
		if strings.HasPrefix(s[inner:], unit) { // 30^\circ, 10^{th}
			if open == "{" {
				return nil, j + len(inBraces(s[j:])) + 2 - missingBrace(s[j:]), absent
			}
			return nil, inner + len(unit), absent
		}
	}
	var p number
	if open == "" {
		p, end, got = powerFactor(s, inner, depth+1)
	} else {
		p, end, got = signedAt(s, inner, depth+1)
		end = blanks(s, end)
		if got == isOne && strings.HasPrefix(s[end:], shut) {
			end += len(shut)
		} else {
			got = notOne
		}
	}
	if got != isOne || p.over != nil || strings.ContainsAny(p.digits, ".٫．") {
		return nil, max(afterScript(s, j-1), end), notOne
	}
	return heap(p), end, isOne
}

// powerFactor reads an exponent without brackets: a sign and a number, which may have a power itself.
func powerFactor(s string, i, depth int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '-' || r == '+' || r == '−' {
		i += size
	}
	if !startsWithDigit(s[i:]) {
		return n, i, notOne
	}
	n, end, got = factorAt(s, i, depth)
	n.neg = r == '-' || r == '−'
	return n, end, got
}

// superscript reads raised digits: ⁻¹². end is i where none stand there.
func superscript(s string, i int) (n number, end int) {
	end = i
	if i >= len(s) || s[i] < utf8.RuneSelf {
		return n, i
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '⁻' || r == '⁺' {
		n.neg = r == '⁻'
		end += size
	}
	start := end
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if raisedDigit(r) < 0 {
			break
		}
		end += size
	}
	if end == start {
		return number{}, i
	}
	n.digits = s[start:end]
	return n, end
}

// raisedDigit is the value of a raised digit, -1 for anything else.
func raisedDigit(r rune) int {
	switch {
	case r >= '⁴' && r <= '⁹':
		return int(r-'⁴') + 4
	case r == '⁰':
		return 0
	case r == '¹':
		return 1
	case r == '²':
		return 2
	case r == '³':
		return 3
	}
	return -1
}

// timesTen reads "× 10^3" behind a number. absent where something else follows.
func timesTen(s string, i, depth int) (n *number, end int, got scan) {
	j := blanks(s, i)
	sign := 0
	for _, times := range [...]string{"x", "X", "×", "*", "·", "⋅", `\times`, `\cdot`, "✕"} {
		if strings.HasPrefix(s[j:], times) {
			sign = len(times)
		}
	}
	if sign == 0 {
		return nil, i, absent
	}
	j = blanks(s, j+sign)
	if !strings.HasPrefix(s[j:], "10") {
		return nil, i, absent
	}
	return powerAt(s, j+2, depth)
}
