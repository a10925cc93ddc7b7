package mathcheck

import "strings"

// equations compares two equations: both sides are moved left, and the two left sides must be proportional by a
// constant that is not zero. Identities, whose left side vanishes everywhere, are compared side by side.
func (c *comparer) equations(g, p stated) result {
	ge, pe := wholeEquation(g), wholeEquation(p)
	if ge == nil || pe == nil {
		return no
	}
	if len(ge.ops) != 1 || len(pe.ops) != 1 || structuredKids(ge) || structuredKids(pe) {
		if ge.canon() == pe.canon() {
			return yes
		}
		return no
	}
	a, b := difference(ge.kids[0], ge.kids[1]), difference(pe.kids[0], pe.kids[1])
	if !a.hasLetters() || !b.hasLetters() {
		return no
	}
	zero := intNode(0)
	za, zb := c.scalars(a, zero), c.scalars(b, zero)
	if za == yes || zb == yes {
		if za != zb || strings.Join(a.letters(), " ") != strings.Join(b.letters(), " ") {
			return no
		}
		return c.pairwise(ge.kids, pe.kids)
	}
	if r := c.proportional(a, b, 0); r != no {
		return r
	}
	na, nb := numerator(a), numerator(b)
	if na == a && nb == b {
		return no
	}
	return c.proportional(na, nb, 0)
}

// wholeEquation rebuilds name = value.
func wholeEquation(s stated) *node {
	if s.val.op == opRel {
		if isEquation(s.val) {
			return s.val
		}
		return nil
	}
	if len(s.names) == 1 && s.lhs != nil && !isStructured(s.val) {
		return &node{op: opRel, kids: []*node{s.lhs, s.val}, ops: []string{"="}}
	}
	return nil
}

// numerator clears denominators: x/4 + 1/x = (x² + 4)/(4x) has the numerator x² + 4. Trees without a letter below a
// bar come back unchanged.
func numerator(n *node) *node {
	if !n.has(func(m *node) bool { return m.op == opDiv && m.kids[1].hasLetters() }) {
		return n
	}
	if num, _ := split(n); num.within(maxDerived) {
		return num
	}
	return n
}

// split returns numerator and denominator; den is nil for one.
func split(n *node) (num, den *node) {
	switch n.op {
	case opNeg:
		a, d := split(n.kids[0])
		return mk(opNeg, a), d
	case opDiv:
		a, d := split(n.kids[0])
		b, e := split(n.kids[1])
		return product(a, e), product(b, d)
	case opMul:
		for _, k := range n.kids {
			a, d := split(k)
			num, den = product(num, a), product(den, d)
		}
		if num == nil {
			num = intNode(1)
		}
		return num, den
	case opAdd:
		for i, k := range n.kids {
			a, d := split(k)
			if i == 0 {
				num, den = a, d
				continue
			}
			if den != nil && d != nil && den.canon() == d.canon() {
				num = mk(opAdd, num, a)
				continue
			}
			num = mk(opAdd, product(num, d), product(a, den))
			den = product(den, d)
		}
		return num, den
	}
	return n, nil
}

func product(a, b *node) *node {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return mk(opMul, a, b)
}

// proportional reports whether a = k·b for a constant k: positive if sign is 1, any but zero if it is 0. The constant
// is read off at one point as a ratio and the products a·b₀ = a₀·b compared as expressions.
func (c *comparer) proportional(a, b *node, sign int) result {
	names := unionNames(a.letters(), b.letters())
	if len(names) == 0 {
		return no
	}
	rng := seedOf(a.canon(), b.canon())
	for try := 0; try < 4; try++ {
		env := map[string]*node{}
		for _, s := range names {
			v := int(rng.next()%97) + 3
			env[s] = intNode(v)
			if try > 1 && rng.next()&1 == 1 {
				env[s] = mk(opNeg, intNode(v))
			}
		}
		a0, b0 := substitute(a, env), substitute(b, env)
		ka, ok := c.signOf(a0)
		kb, ok2 := c.signOf(b0)
		if !ok || !ok2 {
			continue
		}
		if ka == 0 && kb == 0 {
			continue
		}
		if ka == 0 || kb == 0 {
			return no
		}
		if sign == 1 && ka != kb {
			return no
		}
		return c.expressions(mk(opMul, a, b0), mk(opMul, a0, b))
	}
	return unsure
}

// signOf is the sign of a constant; a number that is not real counts as 1.
func (c *comparer) signOf(n *node) (int, bool) {
	if r, ok := (&exact{b: c.b}).eval(n); ok {
		return r.Sign(), true
	}
	pt := &point{k: &kernel{prec: 160, b: c.b}}
	v, ok := pt.eval(n)
	if !ok {
		return 0, false
	}
	if v.zero() {
		return 0, true
	}
	if !v.real() {
		return 1, true
	}
	return v.re.Sign(), true
}

// substitute replaces letters by values.
func substitute(n *node, env map[string]*node) *node {
	if n.op == opSym {
		if v, ok := env[n.s]; ok {
			return v
		}
		return n
	}
	if len(n.kids) == 0 {
		return n
	}
	if n.op == opBig {
		if _, bound := env[n.kids[0].s]; bound {
			inner := make(map[string]*node, len(env))
			for k, v := range env {
				if k != n.kids[0].s {
					inner[k] = v
				}
			}
			env = inner
		}
	}
	out := *n
	out.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		out.kids[i] = substitute(k, env)
	}
	return &out
}
