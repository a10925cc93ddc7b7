package mathcheck

import "math/big"

// Definite integrals of polynomials are exact by interpolation: the integrand is evaluated at d+1 equally spaced
// rational points, and its (d+1)-th difference must vanish, otherwise it is no polynomial of degree d and the integral
// stays undecided. A limit is the value where there is one, and otherwise read off at two distances 2^-40 and 2^-60
// from the place; the two must agree to 2^-30, and the result is known no better.

const maxDegree = 12

func (pt *point) integral(n *node) (ball, bool) {
	x := pt.exact()
	lo, ok := x.eval(n.kids[1])
	if !ok {
		return ball{}, false
	}
	hi, ok := x.eval(n.kids[2])
	if !ok {
		return ball{}, false
	}
	// Newton's forward differences on t = 0, 1, 2, … with x = lo + t·h, h = (hi-lo)/m.
	m := int64(maxDegree)
	h := new(big.Rat).Quo(new(big.Rat).Sub(hi, lo), big.NewRat(m, 1))
	diffs := make([]*big.Rat, 0, m+3)
	for t := int64(0); t <= m+2; t++ {
		at := new(big.Rat).Add(lo, new(big.Rat).Mul(h, big.NewRat(t, 1)))
		v, ok := pt.with(n.kids[0].s, at).exact().eval(n.kids[3])
		if !ok {
			return ball{}, false
		}
		diffs = append(diffs, v)
	}
	for level := 1; level < len(diffs); level++ {
		for i := len(diffs) - 1; i >= level; i-- {
			diffs[i] = new(big.Rat).Sub(diffs[i], diffs[i-1])
		}
	}
	if diffs[m+1].Sign() != 0 || diffs[m+2].Sign() != 0 {
		return ball{}, false
	}
	// ∫ from 0 to m of Σ diffs[k]·C(t,k) dt, with C(t,k) expanded in powers of t.
	sum := new(big.Rat)
	poly := []*big.Rat{big.NewRat(1, 1)}
	for k := int64(0); k <= m; k++ {
		part := new(big.Rat)
		mp := big.NewRat(m, 1)
		for j, c := range poly {
			part.Add(part, new(big.Rat).Mul(c, new(big.Rat).Quo(mp, big.NewRat(int64(j)+1, 1))))
			mp = new(big.Rat).Mul(mp, big.NewRat(m, 1))
		}
		sum.Add(sum, part.Mul(part, diffs[k]))
		next := make([]*big.Rat, len(poly)+1) // times (t-k)/(k+1)
		for j := range next {
			next[j] = new(big.Rat)
		}
		for j, c := range poly {
			next[j+1].Add(next[j+1], new(big.Rat).Quo(c, big.NewRat(k+1, 1)))
			next[j].Sub(next[j], new(big.Rat).Mul(c, big.NewRat(k, k+1)))
		}
		poly = next
	}
	return pt.k.fromRat(sum.Mul(sum, h)), true
}

func (pt *point) limit(n *node) (ball, bool) {
	place := n.kids[1]
	body, name := n.kids[3], n.kids[0].s
	neg := place.op == opNeg
	if place.op == opInf || neg && place.kids[0].op == opInf {
		return pt.nearby(body, name, func(bits uint) *big.Rat {
			r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), bits))
			if neg {
				r.Neg(r)
			}
			return r
		})
	}
	a, ok := pt.exact().eval(place)
	if !ok {
		return ball{}, false
	}
	if v, ok := pt.with(name, a).eval(body); ok {
		return v, true
	}
	return pt.nearby(body, name, func(bits uint) *big.Rat {
		d := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), bits))
		return d.Add(d, a)
	})
}

func (pt *point) nearby(body *node, name string, at func(uint) *big.Rat) (ball, bool) {
	u, ok := pt.with(name, at(40)).eval(body)
	if !ok {
		return ball{}, false
	}
	v, ok := pt.with(name, at(60)).eval(body)
	if !ok {
		return ball{}, false
	}
	d := pt.k.sub(u, v)
	if !mayVanish(d.re, -30) || !mayVanish(d.im, -30) {
		return ball{}, false
	}
	v.e = max(v.e, -28)
	return v, true
}
