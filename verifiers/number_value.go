package verifiers

import (
	"errors"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Numbers are compared exactly, as fractions of whole numbers. A short text can stand for a number that fills no memory
// there is (10^10^8), so the size of each step is estimated first, and what is over the bound is not computed.

// maxDigits bounds the decimal digits of a number and of its denominator. 1e400 and factorials of hundreds are far below;
// the arithmetic of one verdict stays within a few milliseconds.
const maxDigits = 10000

// maxBits is maxDigits in bits.
const maxBits = 33300

var (
	errTooLarge  = errors.New("the number has more than 10000 digits")
	errUndefined = errors.New("the number is not defined")
)

// rat is the number's exact value.
func (n *number) rat() (*big.Rat, error) {
	v, err := n.mantissa()
	if err != nil {
		return nil, err
	}
	if n.power != nil {
		if v, err = raised(v, n.power); err != nil {
			return nil, err
		}
	}
	if n.over != nil {
		below, err := n.over.rat()
		if err != nil {
			return nil, err
		}
		if below.Sign() == 0 {
			return nil, errUndefined
		}
		v.Quo(v, below)
	}
	if n.whole != "" {
		whole, err := decimalRat(n.whole, 0)
		if err != nil {
			return nil, err
		}
		v.Add(v, whole)
	}
	if n.neg {
		v.Neg(v)
	}
	return v, nil
}

// mantissa is the value before power and denominator.
func (n *number) mantissa() (*big.Rat, error) {
	if n.base != nil {
		return n.base.rat()
	}
	exp := n.exp
	if n.ten != nil && !n.zero() {
		power, err := n.ten.rat()
		if err != nil {
			return nil, err
		}
		if !power.IsInt() || power.Num().BitLen() > 40 {
			return nil, errTooLarge
		}
		exp += power.Num().Int64()
	}
	return decimalRat(n.digits, exp)
}

// decimalRat is digits · 10^exp.
func decimalRat(digits string, exp int64) (*big.Rat, error) {
	if v, ok := shortInt(digits); ok && exp == 0 {
		return new(big.Rat).SetInt64(v), nil
	}
	plain, scale := plainDigits(digits)
	if plain == "" {
		return new(big.Rat), nil
	}
	exp -= int64(scale)
	size := int64(len(plain))
	if exp > 0 {
		size += exp
	}
	if size > maxDigits || -exp > maxDigits {
		return nil, errTooLarge
	}
	num, ok := new(big.Int).SetString(plain, 10)
	if !ok {
		return nil, errUndefined
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exp, -exp)), nil)
	if exp >= 0 {
		return new(big.Rat).SetInt(num.Mul(num, ten)), nil
	}
	return new(big.Rat).SetFrac(num, ten), nil
}

// shortInt reads up to 18 ASCII digits at once: most numbers are such.
func shortInt(s string) (n int64, ok bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// plainDigits are the digits in ASCII without leading zeros and grouping, and how many stand behind the point.
func plainDigits(s string) (plain string, scale int) {
	var b strings.Builder
	point := false
	for _, r := range s {
		switch d := raisedDigit(r); {
		case isDigit(r), d >= 0:
			if point {
				scale++
			}
			if d < 0 {
				d = int(digitValue(r))
			}
			if d != 0 || b.Len() > 0 {
				b.WriteByte('0' + byte(d))
			}
		case r == '.' || r == '٫' || r == '．':
			point = true
		}
	}
	return b.String(), scale
}

// digitValue is the value of a decimal digit of any script. Unicode keeps each script's ten digits in one row, from zero.
func digitValue(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r - '0')
	}
	for _, row := range unicode.Nd.R16 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return byte((r - rune(row.Lo)) % 10)
		}
	}
	for _, row := range unicode.Nd.R32 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return byte((r - rune(row.Lo)) % 10)
		}
	}
	return 0
}

// raised is v to the given power, a whole number.
func raised(v *big.Rat, power *number) (*big.Rat, error) {
	unit := v.IsInt() && v.Num().IsInt64() && (v.Num().Int64() == 0 || v.Num().Int64() == 1)
	if unit && v.Sign() > 0 {
		return v, nil
	}
	p, err := power.rat()
	switch {
	case err != nil:
		return nil, err
	case !p.IsInt():
		return nil, errUndefined
	case v.Sign() == 0 && p.Sign() < 0:
		return nil, errUndefined
	case v.Sign() == 0 && p.Sign() > 0:
		return v, nil
	}
	if v.IsInt() && v.Num().IsInt64() && v.Num().Int64() == -1 {
		if p.Num().Bit(0) == 0 {
			v.Neg(v)
		}
		return v, nil
	}
	e := new(big.Int).Abs(p.Num())
	bits := int64(max(v.Num().BitLen(), v.Denom().BitLen()))
	if !e.IsInt64() || e.Int64() > maxBits || bits*e.Int64() > maxBits+bits {
		return nil, errTooLarge
	}
	num, den := new(big.Int).Exp(v.Num(), e, nil), new(big.Int).Exp(v.Denom(), e, nil)
	if p.Sign() < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den), nil
}

// wholeNumber reads a text that is a number as a whole, but for currency, percent signs, markup and a full stop.
func wholeNumber(s string) (*big.Rat, bool) {
	lit, ok := nextNumber(s, 0)
	if !ok || strings.Trim(s[:lit.start], " \t*_$`\"'({[\\") != "" || strings.Trim(s[lit.end:], " \t*_$`\"')}]%\\.!") != "" {
		return nil, false
	}
	v, err := lit.value.rat()
	return v, err == nil
}
