package mathcheck

import "math/big"

// Elementary functions of real and complex balls. Each reduces its argument until a Taylor series needs few terms
// (Brent & Zimmermann, Modern Computer Arithmetic, 2010, ch. 4). They work with guard bits beyond the kernel's
// precision, so that their own error stays below one unit of its last place.

const guard = 48

// maxExpArg bounds |x| in exp(x): beyond it the result leaves every scale on which numbers are compared.
const maxExpArg = 26

func (k *kernel) guarded() *kernel { return &kernel{prec: k.prec + guard, b: k.b} }

// expReal is e^x: x = n ln 2 + r, then exp(r/2^s) by series, squared s times.
func (k *kernel) expReal(x *big.Float) (*big.Float, bool) {
	if mag(x) > maxExpArg || !k.price(50) {
		return nil, false
	}
	g := k.guarded()
	ln2 := g.float().Set(ln2Top())
	q, _ := g.float().Quo(x, ln2).Float64()
	n := int64(q)
	r := g.minus(x, g.float().Mul(ln2, g.float().SetInt64(n)))
	const s = 12
	r.SetMantExp(r, -s)
	sum, term := g.float().SetInt64(1), g.float().SetInt64(1)
	for i := int64(1); mag(term) > -int(g.prec) && i < 500; i++ {
		term.Mul(term, r)
		term.Quo(term, g.float().SetInt64(i))
		sum = g.plus(sum, term)
	}
	for i := 0; i < s; i++ {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(n)), true
}

// lnReal is ln x for x > 0: x = m 2^n, square roots bring m near 1, then 2 atanh((m-1)/(m+1)).
func (k *kernel) lnReal(x *big.Float) (*big.Float, bool) {
	if x.Sign() <= 0 || !k.price(50) {
		return nil, false
	}
	g := k.guarded()
	m := g.float()
	n := g.float().Set(x).MantExp(m)
	m.SetPrec(g.prec)
	const s = 7
	for i := 0; i < s; i++ {
		m = g.float().Sqrt(m)
	}
	one := g.float().SetInt64(1)
	y := g.float().Quo(g.float().Sub(m, one), g.float().Add(m, one))
	y2 := g.float().Mul(y, y)
	sum, term := g.float(), g.float().Set(y)
	for i := int64(1); mag(term) > -int(g.prec) && i < 1000; i += 2 {
		sum = g.plus(sum, g.float().Quo(term, g.float().SetInt64(i)))
		term.Mul(term, y2)
	}
	if sum.Sign() != 0 {
		sum.SetMantExp(sum, s+1)
	}
	ln2 := g.float().Mul(g.float().Set(ln2Top()), g.float().SetInt64(int64(n)))
	return g.plus(sum, ln2), true
}

// sinCos returns both for real x: reduced by multiples of π/2, halved s times, series, doubled again.
func (k *kernel) sinCos(x *big.Float) (sin, cos *big.Float, ok bool) {
	if mag(x) > 40 || !k.price(60) {
		return nil, nil, false
	}
	g := &kernel{prec: k.prec + guard + uint(max(0, mag(x))), b: k.b}
	half := g.float().Set(piTop())
	half.SetMantExp(half, -1)
	q := g.float().Quo(g.float().Set(x), half)
	f, _ := q.Float64()
	n := int64(f)
	r := g.minus(x, g.float().Mul(half, g.float().SetInt64(n)))
	const s = 8
	r.SetMantExp(r, -s)
	r2 := g.float().Mul(r, r)
	sn, cs := g.float(), g.float()
	term := g.float().SetInt64(1)
	for i := int64(0); mag(term) > -int(g.prec)-s && i < 400; i += 2 {
		cs = g.plus(cs, term)
		odd := g.float().Quo(g.float().Mul(term, r), g.float().SetInt64(i+1))
		sn = g.plus(sn, odd)
		term.Mul(term, r2)
		term.Quo(term, g.float().SetInt64((i+1)*(i+2)))
		term.Neg(term)
	}
	for i := 0; i < s; i++ {
		two := g.float().Mul(sn, cs)
		cs = g.minus(g.float().Mul(cs, cs), g.float().Mul(sn, sn))
		sn = two.Add(two, two)
	}
	switch ((n % 4) + 4) % 4 {
	case 1:
		sn, cs = cs, g.float().Neg(sn)
	case 2:
		sn, cs = g.float().Neg(sn), g.float().Neg(cs)
	case 3:
		sn, cs = g.float().Neg(cs), sn
	}
	return sn, cs, true
}

// atanReal is arctan x: two half-angle steps per bit of comfort, then the series.
func (k *kernel) atanReal(x *big.Float) (*big.Float, bool) {
	if !k.price(60) {
		return nil, false
	}
	g := k.guarded()
	one := g.float().SetInt64(1)
	y := g.float().Set(x)
	inv := y.Cmp(one) > 0 || y.Cmp(g.float().SetInt64(-1)) < 0
	if inv {
		y.Quo(one, y)
	}
	const s = 6
	for i := 0; i < s; i++ {
		d := g.float().Sqrt(g.plus(one, g.float().Mul(y, y)))
		y.Quo(y, g.plus(d, one))
	}
	y2 := g.float().Mul(y, y)
	sum, term := g.float(), g.float().Set(y)
	for i := int64(1); mag(term) > -int(g.prec) && i < 1500; i += 2 {
		sum = g.plus(sum, g.float().Quo(term, g.float().SetInt64(i)))
		term.Mul(term, y2)
		term.Neg(term)
	}
	if sum.Sign() != 0 {
		sum.SetMantExp(sum, s)
	}
	if inv {
		h := g.float().Set(piTop())
		h.SetMantExp(h, -1)
		if x.Sign() < 0 {
			h.Neg(h)
		}
		sum = g.minus(h, sum)
	}
	return sum, true
}

func (k *kernel) fit(x *big.Float) *big.Float { return k.float().Set(x) }

// exp of a ball: |e^(z+d) - e^z| <= |e^z| 2|d| for small d.
func (k *kernel) exp(a ball) (ball, bool) {
	r, ok := k.expReal(a.re)
	if !ok || a.e > 0 {
		return ball{}, false
	}
	e := exactErr
	if a.e != exactErr {
		e = mag(r) + a.e + 2
	}
	if a.im == nil {
		return k.rounded(k.fit(r), nil, e), true
	}
	s, c, ok := k.sinCos(a.im)
	if !ok {
		return ball{}, false
	}
	m := mag(r)
	return ball{k.float().Mul(r, c), k.float().Mul(r, s), max(e, m-int(k.prec)+2) + 1}, true
}

// ln is the principal logarithm; it fails where the ball may hold zero or, off the real line, cross the cut.
func (k *kernel) ln(a ball) (ball, bool) {
	if a.zero() {
		return ball{}, false
	}
	m := a.mag()
	e := exactErr
	if a.e != exactErr {
		if a.e > m-4 {
			return ball{}, false
		}
		e = a.e - m + 4
	}
	if a.im == nil {
		x := k.float().Abs(a.re)
		r, ok := k.lnReal(x)
		if !ok {
			return ball{}, false
		}
		var im *big.Float
		if a.re.Sign() < 0 {
			im = k.float().Set(piTop())
		}
		return ball{k.fit(r), im, max(e, max(mag(r), 2)-int(k.prec)+1) + 1}, true
	}
	n := k.plus(k.float().Mul(a.re, a.re), k.float().Mul(a.im, a.im))
	r, ok := k.lnReal(n)
	if !ok {
		return ball{}, false
	}
	t, ok := k.arg(a)
	if !ok {
		return ball{}, false
	}
	r = k.fit(r)
	r.SetMantExp(r, -1)
	return ball{r, t, max(e, max(mag(r), 2)-int(k.prec)+4) + 1}, true
}

// arg is the angle of a number that is not zero.
func (k *kernel) arg(a ball) (*big.Float, bool) {
	if a.im == nil || mag(a.im) == exactErr {
		if a.re.Sign() < 0 {
			return k.float().Set(piTop()), true
		}
		return k.float(), true
	}
	pi := k.float().Set(piTop())
	half := k.float().SetMantExp(pi, -1)
	if mag(a.re) == exactErr || mag(a.re) < mag(a.im)-int(k.prec) {
		if a.im.Sign() < 0 {
			half.Neg(half)
		}
		return half, true
	}
	t, ok := k.atanReal(k.float().Quo(a.im, a.re))
	if !ok {
		return nil, false
	}
	out := k.fit(t)
	if a.re.Sign() < 0 {
		if mayVanish(a.im, a.e) {
			return nil, false
		}
		if a.im.Sign() > 0 {
			out = k.plus(out, pi)
		} else {
			out = k.minus(out, pi)
		}
	}
	return out, true
}

// sqrt is the principal root. A real ball around zero gives a ball around zero.
func (k *kernel) sqrt(a ball) (ball, bool) {
	if !k.price(6) {
		return ball{}, false
	}
	if a.im == nil {
		if a.zero() {
			if a.e == exactErr {
				return ball{re: k.float(), e: exactErr}, true
			}
			return ball{re: k.float(), e: (max(a.e, a.mag()) + 2) / 2}, true
		}
		r := k.float().Sqrt(k.float().Abs(a.re))
		e := exactErr
		if a.e != exactErr {
			e = a.e - mag(r) + 2
		}
		if a.re.Sign() < 0 {
			return k.rounded(k.float(), r, e), true
		}
		return k.rounded(r, nil, e), true
	}
	l, ok := k.ln(a)
	if !ok {
		return ball{}, false
	}
	return k.exp(k.half(l))
}

func (k *kernel) half(a ball) ball {
	out := ball{re: k.float().SetMantExp(a.re, -1), e: a.e}
	if a.im != nil {
		out.im = k.float().SetMantExp(a.im, -1)
	}
	return out
}

// trig returns sine and cosine of a ball, complex ones by way of exp(iz).
func (k *kernel) trig(a ball) (sin, cos ball, ok bool) {
	if a.e > 0 {
		return ball{}, ball{}, false
	}
	if a.im == nil {
		s, c, ok := k.sinCos(a.re)
		if !ok {
			return ball{}, ball{}, false
		}
		e := max(a.e, -int(k.prec)+1) + 1
		return ball{k.fit(s), nil, e}, ball{k.fit(c), nil, e}, true
	}
	iz := ball{k.float().Neg(a.im), a.re, a.e}
	p, ok := k.exp(iz)
	if !ok {
		return ball{}, ball{}, false
	}
	q, ok := k.exp(k.neg(iz))
	if !ok {
		return ball{}, ball{}, false
	}
	d := k.half(k.sub(p, q)) // (e^iz - e^-iz)/2 = i sin z
	return ball{k.orZero(d.im), k.float().Neg(d.re), d.e}, k.half(k.add(p, q)), true
}

func (k *kernel) orZero(x *big.Float) *big.Float {
	if x == nil {
		return k.float()
	}
	return x
}

// atan of a real ball.
func (k *kernel) atan(a ball) (ball, bool) {
	if a.im != nil {
		return ball{}, false
	}
	r, ok := k.atanReal(a.re)
	if !ok {
		return ball{}, false
	}
	return ball{k.fit(r), nil, max(a.e, max(mag(r), 1)-int(k.prec)+1) + 1}, true
}
