package mathcheck

import (
	"hash/fnv"
	"math/big"
)

// Numeric values of functions.

func (pt *point) function(n *node) (ball, bool) {
	k := pt.k
	if r, ok := pt.exact().function(n); ok {
		return k.fromRat(r), true
	}
	args := make([]ball, len(n.kids))
	for i, kid := range n.kids {
		v, ok := pt.eval(kid)
		if !ok {
			return ball{}, false
		}
		args[i] = v
	}
	if len(args) == 0 {
		return ball{}, false
	}
	if n.s[0] == '!' {
		return pt.opaque(n.s, args)
	}
	a := args[0]
	switch n.s {
	case "log":
		return pt.logarithm(n, args)
	case "max", "min", "gcd", "lcm", "binom", "mod", "pmod", "such":
		return ball{}, false
	}
	if len(args) != 1 {
		return ball{}, false
	}
	switch n.s {
	case "sin", "cos", "tan", "cot", "sec", "csc":
		return pt.circular(n.s, a)
	case "cis":
		s, cs, ok := k.trig(a)
		if !ok || !a.real() {
			return ball{}, false
		}
		return ball{cs.re, s.re, max(s.e, cs.e)}, true
	case "sinh", "cosh", "tanh", "coth", "sech", "csch":
		return pt.hyperbolic(n.s, a)
	case "ln":
		if a.real() && !a.zero() && a.re.Sign() < 0 && n.kids[0].hasLetters() {
			return ball{}, false
		}
		return k.ln(a)
	case "exp":
		v, ok := k.exp(a)
		return v.settleIf(ok, k.prec), ok
	case "abs":
		if a.real() {
			if a.zero() {
				return a, true
			}
			return ball{k.float().Abs(a.re), nil, a.e}, true
		}
		sq := k.add(k.mul(ball{a.re, nil, a.e}, ball{a.re, nil, a.e}), k.mul(ball{a.im, nil, a.e}, ball{a.im, nil, a.e}))
		return k.sqrt(sq)
	case "conj":
		if a.real() {
			return a, true
		}
		return ball{a.re, k.float().Neg(a.im), a.e}, true
	case "Re":
		return ball{a.re, nil, a.e}, true
	case "Im":
		return ball{k.orZero(a.im), nil, a.e}, true
	case "arctan", "arcsin", "arccos", "arccot", "arcsec", "arccsc":
		return pt.inverse(n.s, a)
	case "floor", "ceil":
		return pt.rounding(n.s, a)
	}
	return ball{}, false
}

func (pt *point) logarithm(n *node, args []ball) (ball, bool) {
	k := pt.k
	for i, a := range args {
		if a.real() && !a.zero() && a.re.Sign() < 0 && n.kids[i].hasLetters() {
			return ball{}, false
		}
	}
	base := k.fromRat(big.NewRat(10, 1))
	if len(args) == 2 {
		base = args[1]
	}
	x, ok := k.ln(args[0])
	if !ok {
		return ball{}, false
	}
	y, ok := k.ln(base)
	if !ok {
		return ball{}, false
	}
	if y, ok = k.inv(y); !ok {
		return ball{}, false
	}
	return k.mul(x, y), true
}

func (pt *point) circular(name string, a ball) (ball, bool) {
	k := pt.k
	s, c, ok := k.trig(a)
	if !ok {
		return ball{}, false
	}
	switch name {
	case "sin":
		return s.settle(k.prec), true
	case "cos":
		return c.settle(k.prec), true
	case "sec":
		return k.inv(c)
	case "csc":
		return k.inv(s)
	case "cot":
		s, c = c, s
	}
	d, ok := k.inv(c)
	if !ok {
		return ball{}, false
	}
	return k.mul(s, d), true
}

func (pt *point) hyperbolic(name string, a ball) (ball, bool) {
	k := pt.k
	p, ok := k.exp(a)
	if !ok {
		return ball{}, false
	}
	q, ok := k.exp(k.neg(a))
	if !ok {
		return ball{}, false
	}
	s, c := k.half(k.sub(p, q)), k.half(k.add(p, q))
	switch name {
	case "sinh":
		return s, true
	case "cosh":
		return c, true
	case "sech":
		return k.inv(c)
	case "csch":
		return k.inv(s)
	case "coth":
		s, c = c, s
	}
	d, ok := k.inv(c)
	if !ok {
		return ball{}, false
	}
	return k.mul(s, d), true
}

// inverse reduces the inverse circular functions of real numbers to the arctangent.
func (pt *point) inverse(name string, a ball) (ball, bool) {
	k := pt.k
	if !a.real() {
		return ball{}, false
	}
	one := k.fromRat(big.NewRat(1, 1))
	switch name {
	case "arctan":
		return k.atan(a)
	case "arccot":
		t, ok := k.atan(a)
		if !ok {
			return ball{}, false
		}
		return k.sub(k.half(k.pi()), t), true
	case "arcsec", "arccsc":
		b, ok := k.inv(a)
		if !ok {
			return ball{}, false
		}
		return pt.inverse(map[string]string{"arcsec": "arccos", "arccsc": "arcsin"}[name], b)
	}
	d := k.sub(one, k.mul(a, a)) // arcsin x = arctan(x / √(1-x²))
	var s ball
	switch {
	case d.zero():
		s = k.half(k.pi())
		if a.re.Sign() < 0 {
			s = k.neg(s)
		}
		s.e = max(s.e, (max(d.e, d.mag())+4)/2)
	case d.re.Sign() < 0:
		return ball{}, false
	default:
		r, ok := k.sqrt(d)
		if !ok {
			return ball{}, false
		}
		if r, ok = k.inv(r); !ok {
			return ball{}, false
		}
		if s, ok = k.atan(k.mul(a, r)); !ok {
			return ball{}, false
		}
	}
	if name == "arcsin" {
		return s, true
	}
	return k.sub(k.half(k.pi()), s), true
}

func (pt *point) rounding(name string, a ball) (ball, bool) {
	if !a.real() || a.mag() > 200 || a.mag() < -200 || a.e > -8 {
		return ball{}, false
	}
	r, _ := a.re.Rat(nil)
	if r == nil {
		return ball{}, false
	}
	eps := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(min(-a.e, 4000))))
	lo, hi := floorRat(new(big.Rat).Sub(r, eps)), floorRat(new(big.Rat).Add(r, eps))
	if lo.Cmp(hi) != 0 {
		return ball{}, false
	}
	if name == "ceil" {
		lo.Add(lo, big.NewInt(1))
	}
	return pt.k.fromRat(new(big.Rat).SetInt(lo)), true
}

// opaque gives an unknown function a random but repeatable value for each name and argument.
func (pt *point) opaque(name string, args []ball) (ball, bool) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	for _, a := range args {
		for _, x := range [...]*big.Float{a.re, a.im} {
			if x == nil {
				x = new(big.Float)
			}
			_, _ = h.Write([]byte(x.Text('p', 20) + ";"))
		}
	}
	s := splitmix(h.Sum64())
	return pt.k.fromRat(big.NewRat(int64(s.next()>>12)+1, 1<<50)), true
}
