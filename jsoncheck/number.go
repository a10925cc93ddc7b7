package jsoncheck

import (
	"math"
	"math/big"
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

// parseDecimal reads an RFC 8259 number literal. Cost is linear in the literal, but for exponents of more than 18
// digits, which are added in math/big.
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

func addExponent(exp string, n int) string {
	if len(exp) <= 17 {
		if e, err := strconv.ParseInt(exp, 10, 64); err == nil {
			return strconv.FormatInt(e+int64(n), 10)
		}
	}
	e, ok := new(big.Int).SetString(exp, 10)
	if !ok {
		e = new(big.Int)
	}
	return e.Add(e, big.NewInt(int64(n))).String()
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
