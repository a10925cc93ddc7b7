package jsoncheck

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a number literal in lowest terms: (-1)^neg * 0.digits * 10^exp, without leading or trailing zeros, so
// that two literals stand for the same number exactly when their decimals are equal. Nothing is ever expanded:
// 1e1000000 costs as much as 1. Zero has no digits, no sign and exponent 0.
type decimal struct {
	neg    bool
	digits string
	exp    string // canonical integer
}

// parseDecimal reads an RFC 8259 number literal. Cost is linear in the literal.
func parseDecimal(literal string) decimal {
	s, neg := strings.CutPrefix(literal, "-")
	exp := "0"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exp = s[:i], strings.TrimPrefix(s[i+1:], "+")
	}
	whole, frac, _ := strings.Cut(s, ".")
	point := len(whole)
	digits := whole + frac
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return decimal{exp: "0"}
	}
	return decimal{neg: neg, digits: trimmed, exp: addExponent(exp, point)}
}

// addExponent adds n to an exponent, whose sign and leading zeros may be anything. An exponent of more digits than an
// int64 takes is added to digit by digit: converting it to binary would take time beyond linear, by the candidate's choice.
func addExponent(exp string, n int) string {
	exp, neg := strings.CutPrefix(exp, "-")
	exp = strings.TrimLeft(exp, "0")
	sign, add := "", int64(n)
	if neg {
		sign, add = "-", -add
	}
	if len(exp) <= maxShort {
		e, err := strconv.ParseInt("0"+exp, 10, 64)
		if err != nil {
			return exp // no RFC 8259 literal
		}
		if neg {
			e = -e
		}
		return strconv.FormatInt(e+int64(n), 10)
	}
	// |n| is below 10^17, a length, so the sum keeps its sign, and at most one unit is carried or borrowed.
	high, low := exp[:len(exp)-maxShort], exp[len(exp)-maxShort:]
	e, err := strconv.ParseInt(low, 10, 64)
	if err != nil {
		return exp // no RFC 8259 literal
	}
	switch e += add; {
	case e >= shortEnd:
		high, e = step(high, '9', '0', 1), e-shortEnd
	case e < 0:
		high, e = step(high, '0', '9', -1), e+shortEnd
	}
	low = strconv.FormatInt(e, 10)
	return sign + strings.TrimLeft(high+strings.Repeat("0", maxShort-len(low))+low, "0")
}

const (
	maxShort = 17                             // digits of an exponent that an int64 holds with room to add
	shortEnd = int64(100_000_000_000_000_000) // 10^maxShort
)

// step adds by, 1 or -1, to the digits of a number above zero; digits at full turn over and pass it on.
func step(digits string, full, over byte, by int) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != full {
			b[i] = byte(int(b[i]) + by)
			return string(b)
		}
		b[i] = over
	}
	return "1" + string(b)
}

// equalNumbers compares two literals by value.
func equalNumbers(a, b string) bool {
	return a == b || parseDecimal(a) == parseDecimal(b)
}

// numberSize bounds the digits that a literal stands for when it is written out; math.MaxInt when beyond counting.
func numberSize(literal string) int {
	size := len(literal)
	i := strings.IndexAny(literal, "eE")
	if i < 0 {
		return size
	}
	exp := 0
	for _, c := range strings.TrimLeft(literal[i+1:], "+-") {
		if exp > math.MaxInt32 {
			return math.MaxInt
		}
		exp = exp*10 + int(c-'0')
	}
	return size + exp
}
