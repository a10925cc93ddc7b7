package mathcheck

import "slices"

// Ratios and numerals in a base.

// ratios compares a:b:c up to a common factor; a ratio of two also equals its quotient. With a part a_k that is not 0,
// the ratios are equal exactly when b_k is not 0 and a_i b_k = a_k b_i for each i. A ratio of zeros alone equals nothing.
func (c *comparer) ratios(g, p *node) result {
	a, b := ratioParts(g), ratioParts(p)
	if len(a) != len(b) {
		return no
	}
	for i := range a {
		if a[i].op == opText || b[i].op == opText {
			return no
		}
	}
	k := slices.IndexFunc(a, func(n *node) bool { return !c.zero(n) })
	if k < 0 || c.zero(b[k]) {
		return no
	}
	for i := range a {
		if i == k {
			continue
		}
		if r := c.scalars(mk(opMul, a[i], b[k]), mk(opMul, a[k], b[i])); r != yes {
			return r
		}
	}
	return yes
}

func (c *comparer) zero(n *node) bool {
	r, ok := (&exact{b: c.b}).eval(n)
	return ok && r.Sign() == 0
}

func ratioParts(n *node) []*node {
	if n.op == opRatio {
		return n.kids
	}
	return []*node{n, intNode(1)}
}

// bases compares numerals in a base: by value, or with a bare numeral digit by digit (house rule).
func (c *comparer) bases(g, p *node) result {
	g, p = letterDigit(g), letterDigit(p)
	if g.op == opBase && p.op == opBase {
		if g.n == p.n {
			if trimZeros(g.s) == trimZeros(p.s) {
				return yes
			}
			return no
		}
		if c.opt.StrictBase {
			return no
		}
		return c.scalars(g, p)
	}
	b, o := g, p
	if p.op == opBase {
		b, o = p, g
	}
	if c.opt.StrictBase {
		return no
	}
	if o.op == opNum && o.num.isInt() && trimZeros(o.num.ip) == trimZeros(b.s) {
		return yes
	}
	if o.op == opNum {
		return no
	}
	return c.scalars(g, p)
}

// letterDigit reads B_16 beside a numeral in a base as the numeral of one digit.
func letterDigit(n *node) *node {
	if n.op != opSym || len(n.s) < 4 || n.s[1] != '_' || n.s[0] < 'A' || n.s[0] > 'F' {
		return n
	}
	if b := baseNames[n.s[2:]]; b > int(n.s[0]-'A')+10 {
		return &node{op: opBase, s: n.s[:1], n: b}
	}
	return n
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
