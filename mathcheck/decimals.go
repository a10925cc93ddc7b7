package mathcheck

import "math/big"

// The rounding rule: a decimal stands for an exact value written otherwise if it is its correct rounding.

// decimalOf returns the numeral if the tree is one decimal numeral, perhaps signed or in percent or scientific form.
func decimalOf(n *node) (*number, bool) {
	switch n.op {
	case opNeg, opPct:
		return decimalOf(n.kids[0])
	case opNum:
		return n.num, n.num.isDecimal()
	case opMul:
		if len(n.kids) == 2 && n.kids[0].op == opNum && n.kids[0].num.isDecimal() && isPowerOfTen(n.kids[1]) {
			return n.kids[0].num, true
		}
	}
	return nil, false
}

func isPowerOfTen(n *node) bool {
	if n.op != opPow || n.kids[0].op != opNum || n.kids[0].num.String() != "10" {
		return false
	}
	_, ok := smallInt(n.kids[1])
	return ok
}

// plainNumeral reports whether the tree is a numeral or a power of ten times one, so that comparison is exact.
func plainNumeral(n *node) bool {
	switch n.op {
	case opNeg, opPct:
		return plainNumeral(n.kids[0])
	case opNum:
		return n.num.rep == ""
	case opMul:
		return len(n.kids) == 2 && n.kids[0].op == opNum && isPowerOfTen(n.kids[1])
	}
	return isPowerOfTen(n)
}

// rounded applies the rounding rule to two different rationals: a decimal stands for an exact value written otherwise
// if it is its correct rounding to enough significant digits.
func (c *comparer) rounded(g, p *node, a, b *big.Rat) result {
	dg, okG := decimalOf(g)
	dp, okP := decimalOf(p)
	switch {
	case okG == okP || plainNumeral(g) && plainNumeral(p):
		return no
	case okG:
		return c.roundsTo(dg, g, a, b)
	}
	return c.roundsTo(dp, p, b, a)
}

// printedDigits is the length from which a decimal counts as a printed double, whose last digit may be off by one.
const printedDigits = 15

func (c *comparer) roundsTo(d *number, n *node, dec, exact *big.Rat) result {
	sig := d.significant()
	if sig < c.opt.roundingDigits() {
		return no
	}
	unit := lastUnit(d, n)
	diff := new(big.Rat).Sub(dec, exact)
	diff.Abs(diff)
	limit := unit
	if sig < printedDigits {
		limit = new(big.Rat).Quo(unit, big.NewRat(2, 1))
	}
	if diff.Cmp(limit) <= 0 || (sig == doubleDigits || sig == doubleDigits+1) && diff.Cmp(lastBit(exact)) <= 0 {
		return yes
	}
	return no
}

// Doubles are printed with doubleDigits digits or one more: one bit of them may be lost in computing,
// which is up to two units of the last digit.
const doubleDigits = 16

// lastBit is the weight of the last bit of a double near v: |v|·2^-52.
func lastBit(v *big.Rat) *big.Rat {
	w := new(big.Rat).Abs(v)
	return w.Quo(w, new(big.Rat).SetInt64(1<<52))
}

// lastUnit is the value of one unit of the last digit written.
func lastUnit(d *number, n *node) *big.Rat {
	place := d.lastPlace()
	for m := n; ; {
		switch m.op {
		case opPct:
			place -= 2
			m = m.kids[0]
			continue
		case opNeg:
			m = m.kids[0]
			continue
		case opMul:
			if e, ok := smallInt(m.kids[1].kids[1]); ok {
				place += e
			}
		}
		break
	}
	if place < -maxDigits || place > maxDigits {
		return new(big.Rat)
	}
	if place < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), pow10(-place))
	}
	return new(big.Rat).SetInt(pow10(place))
}

// decimalAgainst compares one decimal numeral with an irrational value by the rounding rule.
func (c *comparer) decimalAgainst(g, p *node) result {
	dg, okG := decimalOf(g)
	dp, okP := decimalOf(p)
	if okG == okP {
		return unsure
	}
	d, dn, other := dg, g, p
	if okP {
		d, dn, other = dp, p, g
	}
	x := &exact{b: c.b}
	dec, ok := x.eval(dn)
	if !ok || d.significant() > 60 {
		return unsure
	}
	pt := &point{k: &kernel{prec: 384, b: c.b}}
	v, ok := pt.eval(other)
	if !ok || !v.real() || v.e > v.mag()-250 || v.mag() > 4*maxDigits || v.mag() < -4*maxDigits {
		return unsure
	}
	r, _ := v.re.Rat(nil)
	if r == nil {
		return no
	}
	if pt.k.sub(pt.k.fromRat(dec), v).zero() {
		return c.note(yes)
	}
	return c.note(c.roundsTo(d, dn, dec, r))
}
