package mathcheck

import "math/big"

// result is the outcome of a comparison in three values.
type result uint8

const (
	no result = iota
	yes
	unsure // neither proven nor refuted; not equal for the caller
)

// comparer holds what one Check needs. It lives on one goroutine.
type comparer struct {
	opt        *Options
	b          *budget
	sepG, sepP string          // what joins the items of either side
	bareList   bool            // one side is a comma list without brackets
	known      map[*node]known // values of constants already found
	numeric    bool            // some part rests on numeric agreement
}

type known struct {
	ball ball
	ok   bool
}

// note remembers that an equality is numeric.
func (c *comparer) note(r result) result {
	if r == yes {
		c.numeric = true
	}
	return r
}

// scalars compares two values. Cheapest proof first:
//
//  1. the same tree up to the order of sums and products;
//  2. exact rationals, with the rounding rule for decimals;
//  3. the field identity (field.go) for rational functions;
//  4. balls at random points (numeric.go): disjoint balls refute, agreement at high precision counts as equal.
func (c *comparer) scalars(g, p *node) result {
	if g == p || g.canon() == p.canon() && (!transposed(g) || g.inOrder() == p.inOrder()) {
		return yes
	}
	if c.opt.StrictForm {
		return no
	}
	if transposed(g) && transposed(p) && g.inOrder() != p.inOrder() { // products of matrices do not commute
		return unsure
	}
	gl, pl := g.hasLetters(), p.hasLetters()
	if !gl && !pl {
		return c.constants(g, p)
	}
	return c.expressions(g, p)
}

// transposed reports whether a matrix with ^T occurs.
func transposed(n *node) bool {
	return n.has(func(m *node) bool {
		return m.op == opPow && m.kids[0].op == opSym && m.kids[1].op == opSym && m.kids[1].s == "T"
	})
}

// constants compares two values without letters.
func (c *comparer) constants(g, p *node) result {
	if tooLong(g) || tooLong(p) { // numerals of thousands of digits: written alike or different
		return no
	}
	x := &exact{b: c.b}
	a, okA := x.eval(g)
	b, okB := x.eval(p)
	if okA && okB {
		if a.Cmp(b) == 0 {
			return yes
		}
		return c.rounded(g, p, a, b)
	}
	if c.b.hit {
		return unsure
	}
	if r := c.decimalAgainst(g, p); r != unsure {
		return r
	}
	rng := seedOf("", "")
	if r := fieldEqual(g, p, nil, &rng, c.b); r != unsure {
		return r
	}
	before := c.numeric
	r := c.atPoints(g, p, nil)
	if r == yes && (c.sameAlgebraic(g, p) || c.sameLogarithm(g, p)) {
		c.numeric = before // agreement has become a proof
	}
	return r
}

func tooLong(n *node) bool {
	return n.op == opNum && len(n.num.ip)+len(n.num.fp) > maxDigits || n.op == opNeg && tooLong(n.kids[0])
}

// precisions of the balls: enough to part what fits on a line, then what is made to look equal.
var precisions = [...]uint{160, 640, 2200}

// atPoints compares by balls at one assignment (nil: none needed).
func (c *comparer) atPoints(g, p *node, env map[string]*big.Rat) result {
	levels := precisions[:]
	if env != nil {
		levels = levels[:2]
	}
	limit := g.has(isLimit) || p.has(isLimit)
	for i, prec := range levels {
		k := &kernel{prec: prec, b: c.b}
		pt := &point{k: k, env: env}
		a, ok := c.valueAt(pt, g, i == 0)
		if !ok {
			return unsure
		}
		b, ok := c.valueAt(pt, p, i == 0)
		if !ok {
			return unsure
		}
		d := k.sub(a, b)
		if !d.zero() {
			return no
		}
		scale := max(a.mag(), b.mag())
		if limit {
			if d.e < max(scale, 0)-20 {
				return c.note(yes)
			}
			return unsure
		}
		last := i == len(levels)-1 || env != nil && i == 0
		if last {
			if scale == exactErr || d.e < scale-int(prec)*3/8 || scale < -int(prec)/2 && d.e < -int(prec)/2 {
				return c.note(yes)
			}
		}
		if i == 0 && !needsMore(g) && !needsMore(p) && d.e < scale-int(prec)*3/8 {
			return c.note(yes)
		}
	}
	return unsure
}

// valueAt evaluates a tree; constants at the lowest precision are remembered, as a list compares each member with many.
func (c *comparer) valueAt(pt *point, n *node, low bool) (ball, bool) {
	if pt.env != nil || !low {
		return pt.eval(n)
	}
	if v, ok := c.known[n]; ok {
		return v.ball, v.ok
	}
	v, ok := pt.eval(n)
	if c.known == nil {
		c.known = map[*node]known{}
	}
	c.known[n] = known{v, ok}
	return v, ok
}

func isLimit(n *node) bool { return n.op == opBig && n.s == "lim" }

// needsMore reports whether the tree can be made to differ from another in very late digits only: large exponents,
// long numerals, factorials.
func needsMore(n *node) bool {
	return n.has(func(m *node) bool {
		switch m.op {
		case opNum:
			return len(m.num.ip)+len(m.num.fp) > 12 || m.num.sci
		case opPow:
			e, ok := smallInt(m.kids[1])
			return ok && (e > 8 || e < -8)
		case opFact, opBig:
			return true
		}
		return false
	})
}
