package mathcheck

import "math/big"

// Proofs of equality for logarithms. A constant of the form
//
//	c0 + c1 ln r1 + … + cn ln rn      (ci, ri rational, ri > 0)
//
// is zero exactly if c0 = 0 and r1^c1 … rn^cn = 1: the sum is the logarithm of the product, an algebraic number, and
// by Lindemann (1882) that is rational and not zero for none. The exponents are cleared of denominators, and the powers
// multiplied out under the usual size estimate. Quotients of two single logarithms, log_a b, are compared crosswise.

// logSums is c0 and the terms of such a form.
type logSums struct {
	free  *big.Rat
	terms []logTerm
}

type logTerm struct{ c, arg *big.Rat }

const maxLogTerms = 24

// sameLogarithm reports whether two constants are proven equal as combinations of logarithms.
func (c *comparer) sameLogarithm(g, p *node) bool {
	x := &exact{b: c.b}
	a, ok := logForm(x, g)
	if !ok {
		return false
	}
	b, ok := logForm(x, p)
	if !ok {
		return false
	}
	d := a.plus(b, big.NewRat(-1, 1))
	return d.free.Sign() == 0 && d.vanishes(c.b)
}

func logForm(x *exact, n *node) (logSums, bool) {
	if r, ok := x.eval(n); ok {
		return logSums{free: r}, true
	}
	switch n.op {
	case opFn:
		return logValue(x, n)
	case opNeg:
		a, ok := logForm(x, n.kids[0])
		return a.times(big.NewRat(-1, 1)), ok
	case opAdd:
		acc := logSums{free: new(big.Rat)}
		for _, k := range n.kids {
			a, ok := logForm(x, k)
			if !ok || len(acc.terms)+len(a.terms) > maxLogTerms {
				return logSums{}, false
			}
			acc = acc.plus(a, big.NewRat(1, 1))
		}
		return acc, true
	case opMul:
		scale := big.NewRat(1, 1)
		out, found := logSums{}, false
		for _, k := range n.kids {
			if r, ok := x.eval(k); ok {
				scale.Mul(scale, r)
				continue
			}
			a, ok := logForm(x, k)
			if !ok || found {
				return logSums{}, false
			}
			out, found = a, true
		}
		return out.times(scale), found
	case opDiv:
		r, ok := x.eval(n.kids[1])
		if !ok || r.Sign() == 0 {
			return logSums{}, false
		}
		a, ok := logForm(x, n.kids[0])
		return a.times(r.Inv(r)), ok
	}
	return logSums{}, false
}

// logValue reads ln r, and ln of powers of e: ln(e^3), ln(2e).
func logValue(x *exact, n *node) (logSums, bool) {
	if n.s != "ln" || len(n.kids) != 1 {
		return logSums{}, false
	}
	arg := n.kids[0]
	if r, ok := x.eval(arg); ok && r.Sign() > 0 {
		return logSums{free: new(big.Rat), terms: []logTerm{{big.NewRat(1, 1), r}}}, true
	}
	if arg.op == opSym && arg.s == "e" {
		return logSums{free: big.NewRat(1, 1)}, true
	}
	if arg.op == opPow && arg.kids[0].op == opSym && arg.kids[0].s == "e" {
		e, ok := x.eval(arg.kids[1])
		return logSums{free: e}, ok
	}
	if arg.op == opRoot {
		q, ok := x.eval(arg.kids[1])
		if !ok || q.Sign() <= 0 {
			return logSums{}, false
		}
		a, ok := logValue(x, fn("ln", arg.kids[0]))
		return a.times(new(big.Rat).Inv(q)), ok
	}
	return logSums{}, false
}

func (a logSums) times(c *big.Rat) logSums {
	if a.free == nil {
		return a
	}
	out := logSums{free: new(big.Rat).Mul(a.free, c)}
	for _, t := range a.terms {
		out.terms = append(out.terms, logTerm{new(big.Rat).Mul(t.c, c), t.arg})
	}
	return out
}

func (a logSums) plus(b logSums, c *big.Rat) logSums {
	s := b.times(c)
	return logSums{free: new(big.Rat).Add(a.free, s.free), terms: append(append([]logTerm(nil), a.terms...), s.terms...)}
}

// vanishes reports whether the product of the powers is one.
func (a logSums) vanishes(b *budget) bool {
	lcm := big.NewInt(1)
	for _, t := range a.terms {
		g := new(big.Int).GCD(nil, nil, lcm, t.c.Denom())
		lcm.Mul(lcm, new(big.Int).Quo(t.c.Denom(), g))
		if lcm.BitLen() > 16 {
			return false
		}
	}
	prod := big.NewRat(1, 1)
	for _, t := range a.terms {
		e := new(big.Rat).Mul(t.c, new(big.Rat).SetInt(lcm))
		v, ok := ratPow(t.arg, e)
		if !ok || !b.spend(words(prod)+words(v)) || bitsOf(prod)+bitsOf(v) > 2*maxBits {
			return false
		}
		prod.Mul(prod, v)
	}
	return prod.Cmp(big.NewRat(1, 1)) == 0
}
