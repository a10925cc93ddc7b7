package mathcheck

import (
	"math/big"
	"strconv"
	"strings"
)

// A number is a numeral as it was written: 12, 0.50, 0.1(6), 6.02e23. Digits are kept as text, so that a numeral of
// any length costs only its length; it becomes a big.Rat only when it is short enough (maxDigits).
type number struct {
	ip, fp, rep string // digits before the point, after it, and repeated without end
	exp         int    // decimal exponent
	point, sci  bool   // a point or an exponent was written
}

// maxDigits bounds the numerals that are turned into exact rationals; longer ones are compared digit by digit.
const maxDigits = 6000

func intNumber(i int) *number { return &number{ip: strconv.Itoa(i)} }

// isInt reports whether the numeral is written without point and exponent.
func (n *number) isInt() bool { return !n.point && !n.sci && n.rep == "" }

// isDecimal reports whether the numeral is a finite decimal fraction, to which the rounding rule applies.
func (n *number) isDecimal() bool { return n.point && n.rep == "" }

// String is a normal form: two numerals of equal value that are not repeating are written alike. A period is written as
// it stands, which costs nothing; 0.(3) and 0.3(3) are told equal by their values.
func (n *number) String() string {
	if n.rep != "" {
		return n.ip + "." + n.fp + "(" + n.rep + ")e" + strconv.Itoa(n.exp)
	}
	if n.isInt() {
		if s := strings.TrimLeft(n.ip, "0"); s != "" {
			return s
		}
		return "0"
	}
	all := n.ip + n.fp
	scale := n.exp - len(n.fp)
	t := strings.TrimRight(all, "0")
	scale += len(all) - len(t)
	t = strings.TrimLeft(t, "0")
	if t == "" {
		return "0"
	}
	if scale >= 0 && scale+len(t) <= maxDigits {
		return t + strings.Repeat("0", scale)
	}
	return t + "e" + strconv.Itoa(scale)
}

// significant returns how many significant digits are written.
func (n *number) significant() int {
	return len(strings.TrimLeft(n.ip+n.fp, "0"))
}

// lastPlace returns the decimal exponent of the last digit written.
func (n *number) lastPlace() int { return n.exp - len(n.fp) }

// rat returns the exact value, or false if it is too long to be worth it.
func (n *number) rat() (*big.Rat, bool) {
	digits := n.ip + n.fp
	if len(digits)+len(n.rep) > maxDigits || n.exp > maxDigits || n.exp < -maxDigits {
		return nil, false
	}
	if n.isInt() && len(digits) <= 18 {
		v, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, false
		}
		return new(big.Rat).SetInt64(v), true
	}
	if digits == "" {
		digits = "0"
	}
	m, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, false
	}
	r := new(big.Rat).SetInt(m)
	scale := n.lastPlace()
	if n.rep != "" { // x.yz(rep) = x.yz + rep / ((10^len-1)·10^places)
		q, ok := new(big.Int).SetString(n.rep, 10)
		if !ok {
			return nil, false
		}
		nines := new(big.Int).Sub(pow10(len(n.rep)), big.NewInt(1))
		r.Add(r, new(big.Rat).SetFrac(q, nines))
	}
	if scale >= 0 {
		return r.Mul(r, new(big.Rat).SetInt(pow10(scale))), true
	}
	return r.Quo(r, new(big.Rat).SetInt(pow10(-scale))), true
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
