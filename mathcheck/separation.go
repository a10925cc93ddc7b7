package mathcheck

import (
	"math"
	"math/big"
)

// Proofs of equality for algebraic constants by a root separation bound (Burnikel, Funke, Mehlhorn, Schirra & Schmitt,
// "A separation bound for real algebraic expressions", Algorithmica 55, 2009).
//
// Every expression E of integers, + - * / and roots is a quotient U/L of algebraic integers. Bounds u and l on the
// absolute values of all conjugates of U and L follow from the expression, and so does a bound D on the degree: the
// product of the indices of its roots. The product of all conjugates of U is an integer; so if E is not zero, then
//
//	|E| >= 1 / (u^(D-1) l).
//
// An enclosure of E that lies below this proves E = 0. Example: √2+√3-√(5+2√6) has D = 16 or less and u about 13, the
// bound is near 2^-60, and the ball at 160 bits is 2^-155 wide. Sines and cosines of rational angles are (ζ ± 1/ζ)/2
// for a root of unity ζ; all of them lie in one cyclotomic field, whose degree enters D once. The bounds are kept as
// logarithms in double precision, rounded up by a margin.

// sepBound collects log2 of u and l of one subexpression.
type sepBound struct{ u, l float64 }

// separator walks an expression; roots that are written alike count once.
type separator struct {
	degree float64         // log2 of D, without the cyclotomic field
	roots  map[string]bool // written forms of the roots met
	turn   int             // common denominator of the angles, in turns; the field is Q(ζ_turn)
	x      *exact
}

const (
	maxSeparation = 1900 // bits: what the highest precision can decide
	maxTurn       = 720
)

// sameAlgebraic reports whether two constants are proven equal as algebraic numbers.
func (c *comparer) sameAlgebraic(g, p *node) bool {
	s := &separator{roots: map[string]bool{}, turn: 1, x: &exact{b: c.b}}
	a, ok := s.bound(g)
	if !ok {
		return false
	}
	b, ok := s.bound(p)
	if !ok {
		return false
	}
	d := s.sum(a, b)
	degree := math.Exp2(s.degree) * float64(s.turn)
	bits := (degree-1)*max(d.u, 0) + max(d.l, 0) + 8
	if !(bits < maxSeparation) { // too many, or not a number
		return false
	}
	k := &kernel{prec: uint(bits) + 96, b: c.b}
	pt := &point{k: k}
	u, ok := pt.eval(g)
	if !ok {
		return false
	}
	v, ok := pt.eval(p)
	if !ok {
		return false
	}
	diff := k.sub(u, v)
	return max(diff.mag(), diff.e) < -int(bits)
}

func (s *separator) sum(a, b sepBound) sepBound {
	return sepBound{logSum(a.u+b.l, b.u+a.l), a.l + b.l}
}

// logSum is log2(2^a + 2^b), rounded up.
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log2(1+math.Exp2(b-a)) + 1e-9
}

func (s *separator) bound(n *node) (sepBound, bool) {
	if r, ok := s.x.eval(n); ok {
		return sepBound{float64(r.Num().BitLen()), float64(r.Denom().BitLen())}, bitsOf(r) < 4096
	}
	switch n.op {
	case opSym:
		if n.s == "i" {
			return sepBound{}, s.angle(4)
		}
		return sepBound{}, false
	case opNeg:
		return s.bound(n.kids[0])
	case opAdd, opMul, opDiv:
		return s.arithmetic(n)
	case opRoot:
		q, ok := smallInt(n.kids[1])
		if !ok || q < 2 || q > 12 {
			return sepBound{}, false
		}
		return s.root(n.kids[0], q, 1)
	case opPow:
		return s.power(n)
	case opFn:
		return s.function(n)
	}
	return sepBound{}, false
}

func (s *separator) arithmetic(n *node) (sepBound, bool) {
	acc, ok := s.bound(n.kids[0])
	if !ok {
		return sepBound{}, false
	}
	for _, k := range n.kids[1:] {
		b, ok := s.bound(k)
		if !ok {
			return sepBound{}, false
		}
		switch n.op {
		case opAdd:
			acc = s.sum(acc, b)
		case opMul:
			acc = sepBound{acc.u + b.u, acc.l + b.l}
		case opDiv:
			acc = sepBound{acc.u + b.l, acc.l + b.u}
		}
	}
	return acc, true
}

// root is the q-th root of x^p.
func (s *separator) root(x *node, q, p int) (sepBound, bool) {
	b, ok := s.bound(x)
	if !ok || p < 1 {
		return sepBound{}, false
	}
	if key := x.canon() + "^1/" + intText(q); !s.roots[key] {
		s.roots[key] = true
		s.degree += math.Log2(float64(q))
	}
	k := float64(q)
	r := sepBound{}
	if b.u >= b.l {
		r = sepBound{(b.u + (k-1)*b.l) / k, b.l}
	} else {
		r = sepBound{b.u, ((k-1)*b.u + b.l) / k}
	}
	return sepBound{r.u * float64(p), r.l * float64(p)}, true
}

func (s *separator) power(n *node) (sepBound, bool) {
	e, ok := s.x.eval(n.kids[1])
	if !ok || !e.Num().IsInt64() || !e.Denom().IsInt64() || e.Denom().Int64() > 12 {
		return sepBound{}, false
	}
	p, q := e.Num().Int64(), e.Denom().Int64()
	if p > 64 || p < -64 || p == 0 {
		return sepBound{}, false
	}
	var b sepBound
	if q == 1 {
		if b, ok = s.bound(n.kids[0]); !ok {
			return sepBound{}, false
		}
		m := float64(max(p, -p))
		b = sepBound{b.u * m, b.l * m}
	} else if b, ok = s.root(n.kids[0], int(q), int(max(p, -p))); !ok {
		return sepBound{}, false
	}
	if p < 0 {
		b.u, b.l = b.l, b.u
	}
	return b, true
}

// function bounds |x| and the circular functions of rational angles.
func (s *separator) function(n *node) (sepBound, bool) {
	if len(n.kids) != 1 {
		return sepBound{}, false
	}
	switch n.s {
	case "abs":
		if n.kids[0].has(func(m *node) bool { return m.op == opSym && m.s == "i" || m.op == opRoot }) {
			return sepBound{}, false // of a complex number it brings another root
		}
		return s.bound(n.kids[0])
	case "sin", "cos", "tan", "cot", "sec", "csc":
	default:
		return sepBound{}, false
	}
	turns, ok := s.turns(n.kids[0])
	if !ok || !turns.Denom().IsInt64() || turns.Denom().Int64() > maxTurn || !s.angle(int(turns.Denom().Int64())) || !s.angle(4) {
		return sepBound{}, false
	}
	switch n.s { // (ζ ± 1/ζ)/2 and quotients of such
	case "sin", "cos":
		return sepBound{1, 1}, true
	case "sec", "csc":
		return sepBound{1, 1}, true
	}
	return sepBound{2, 2}, true
}

// angle adds the roots of unity of order n to the field.
func (s *separator) angle(n int) bool {
	g := new(big.Int).GCD(nil, nil, big.NewInt(int64(s.turn)), big.NewInt(int64(n))).Int64()
	s.turn = s.turn / int(g) * n
	return s.turn <= maxTurn
}

// turns reads an angle as a fraction of a full turn: degrees, or a rational multiple of π.
func (s *separator) turns(n *node) (*big.Rat, bool) {
	pi := &piMultiple{x: s.x}
	r, ok := pi.eval(n)
	if !ok || r.free.Sign() != 0 {
		return nil, false
	}
	return r.pi.Quo(r.pi, big.NewRat(2, 1)), true
}

// linear is free + pi·π with rational parts.
type linear struct{ free, pi *big.Rat }

// piMultiple reads expressions that are linear in π.
type piMultiple struct{ x *exact }

func (m *piMultiple) eval(n *node) (linear, bool) {
	if r, ok := m.x.eval(n); ok {
		return linear{r, new(big.Rat)}, true
	}
	switch n.op {
	case opSym:
		return linear{new(big.Rat), big.NewRat(1, 1)}, n.s == "pi"
	case opDeg:
		a, ok := m.x.eval(n.kids[0])
		if !ok {
			return linear{}, false
		}
		return linear{new(big.Rat), new(big.Rat).Quo(a, big.NewRat(180, 1))}, true
	case opNeg:
		a, ok := m.eval(n.kids[0])
		if !ok {
			return linear{}, false
		}
		return linear{new(big.Rat).Neg(a.free), new(big.Rat).Neg(a.pi)}, true
	case opAdd, opMul, opDiv:
	default:
		return linear{}, false
	}
	acc, ok := m.eval(n.kids[0])
	if !ok {
		return linear{}, false
	}
	for _, k := range n.kids[1:] {
		b, ok := m.eval(k)
		if !ok {
			return linear{}, false
		}
		switch {
		case n.op == opAdd:
			acc = linear{new(big.Rat).Add(acc.free, b.free), new(big.Rat).Add(acc.pi, b.pi)}
		case n.op == opDiv && b.pi.Sign() == 0 && b.free.Sign() != 0:
			acc = linear{new(big.Rat).Quo(acc.free, b.free), new(big.Rat).Quo(acc.pi, b.free)}
		case n.op == opMul && b.pi.Sign() == 0:
			acc = linear{new(big.Rat).Mul(acc.free, b.free), new(big.Rat).Mul(acc.pi, b.free)}
		case n.op == opMul && acc.pi.Sign() == 0:
			acc = linear{new(big.Rat).Mul(acc.free, b.free), new(big.Rat).Mul(b.pi, acc.free)}
		default:
			return linear{}, false
		}
	}
	return acc, true
}
