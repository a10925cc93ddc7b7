package mathcheck

import "strings"

// Comparison is a table over what the two sides are. What is not in the table is not equal. At the top level of an
// answer a list or set of one equals its element, names may be dropped and brackets of a tuple too; inside they count.

// answers compares two whole answers.
func (c *comparer) answers(g, p *node) result {
	g, p = c.settle(g, p), c.settle(p, g)
	if (g.op == opEmpty) != (p.op == opEmpty) && (g.op == opSet || p.op == opSet) {
		return no
	}
	gi, pi := itemsOf(g), itemsOf(p)
	if len(gi) == 1 && len(pi) == 1 {
		return c.items(gi[0], pi[0])
	}
	c.sepG, c.sepP = joinedBy(g), joinedBy(p)
	c.bareList = isBareList(g, gi) || isBareList(p, pi)
	if ga, pa := c.assignments(gi), c.assignments(pi); ga != nil && pa != nil {
		return c.matchNames(ga, pa)
	} else if ga != nil && allNamed(pi) && len(pi) > 1 || pa != nil && allNamed(gi) && len(gi) > 1 {
		if s := commonBase(gi); s == "" || s != commonBase(pi) {
			return no // several unknowns against several values of one
		}
	} else if len(ga) > 1 {
		return c.namedAgainst(ga, gi, p)
	} else if len(pa) > 1 {
		return c.namedAgainst(pa, pi, g)
	}
	return c.members(gi, pi)
}

// assignments returns the named values of a whole answer, nil if it is not made of named values.
func (c *comparer) assignments(items []stated) assignment {
	if len(items) == 0 {
		return nil
	}
	a := assigned(items)
	if len(a) < 2 {
		return nil
	}
	return a
}

func (c *comparer) matchNames(g, p assignment) result {
	if len(g) != len(p) {
		return no
	}
	out := yes
	for _, name := range g.names() {
		w, ok := p[name]
		if !ok {
			return no
		}
		if r := c.values(g[name], w); r == no {
			return no
		} else if r == unsure {
			out = unsure
		}
	}
	return out
}

// namedAgainst compares named values with a side that names nothing (or one tuple).
func (c *comparer) namedAgainst(a assignment, items []stated, other *node) result {
	o := itemsOf(other)
	if len(o) == 1 && o[0].val.op == opTuple && len(o[0].names) != 1 {
		return c.values(&node{op: opTuple, s: "()", kids: a.inOrder()}, o[0].val)
	}
	return c.members(items, o)
}

// items compares two single items.
func (c *comparer) items(g, p stated) result {
	if len(g.names) > 1 && len(p.names) > 1 {
		a, b := assigned([]stated{g}), assigned([]stated{p})
		if a != nil && b != nil {
			return c.matchNames(a, b)
		}
	}
	if g.val.op == opRel || p.val.op == opRel {
		return c.relations(g, p)
	}
	if g.lhs != nil && p.lhs != nil && g.lhs.op == opFn && p.lhs.op == opFn && inverseNames[g.lhs.s] != "" && inverseNames[p.lhs.s] != "" && g.lhs.canon() != p.lhs.canon() {
		return no // \sin\theta = 3/5 is not \cos\theta = 3/5
	}
	if len(g.names) == 1 && len(p.names) == 1 && g.names[0] != p.names[0] && !functionOf(g, p) && !functionOf(p, g) && (g.val.hasLetters() || p.val.hasLetters()) {
		if r := c.equations(g, p); r != unsure {
			return r
		}
	}
	return c.values(g.val, p.val)
}

// functionOf reports whether a defines a function by f(x) = … and b by y = … or g(x) = ….
func functionOf(a, b stated) bool {
	if a.lhs == nil || b.lhs == nil || a.lhs.op != opFn || !strings.HasPrefix(a.lhs.s, "!") {
		return false
	}
	if b.lhs.op == opSym {
		return b.lhs.s == "y" && !a.val.has(func(m *node) bool { return m.op == opSym && m.s == "y" })
	}
	return b.lhs.op == opFn && strings.HasPrefix(b.lhs.s, "!") && len(a.lhs.kids) == len(b.lhs.kids) && a.lhs.kids[0].canon() == b.lhs.kids[0].canon() && a.lhs.kids[0].op == opSym
}

// values compares two values of any kind.
func (c *comparer) values(g, p *node) result {
	if !c.b.spend(1) {
		return unsure
	}
	if hasUnit(g) || hasUnit(p) {
		return c.quantities(g, p)
	}
	g, p = simplifyMatrix(g), simplifyMatrix(p)
	if a := counted(g); a != nil && !isStructured(p) && !isSetLike(p) {
		g = a
	}
	if b := counted(p); b != nil && !isStructured(g) && !isSetLike(g) {
		p = b
	}
	g, p = pointOf(g), pointOf(p)
	if v := alongAxes(g, p); v != nil {
		g = v
	} else if v := alongAxes(p, g); v != nil {
		p = v
	}
	if a, ok := c.onePoint(g); ok && !isStructured(p) && !isSetLike(p) {
		g = a
	} else if b, ok := c.onePoint(p); ok && !isStructured(g) && !isSetLike(g) {
		p = b
	}
	if g.op == opText || p.op == opText {
		if g.op == opText && p.op == opText && sameText(g.s, p.s) {
			return yes
		}
		return no
	}
	if isSetLike(g) || isSetLike(p) {
		return c.setLike(g, p)
	}
	switch {
	case g.op == opMatrix || p.op == opMatrix:
		return c.matrices(g, p)
	case g.op == opTuple || p.op == opTuple:
		return c.tuples(g, p)
	case g.op == opRatio || p.op == opRatio:
		return c.ratios(g, p)
	case g.op == opSeq || p.op == opSeq:
		if g.op != p.op {
			return no
		}
		return c.pairwise(g.kids, p.kids)
	case g.op == opBase || p.op == opBase:
		return c.bases(g, p)
	case g.op == opRel || p.op == opRel:
		if g.op != p.op {
			return no
		}
		return c.relations(stated{val: g}, stated{val: p})
	case g.op == opSet || p.op == opSet || g.op == opList || p.op == opList:
		return c.innerSets(g, p)
	case g.op == opNumbers || p.op == opNumbers, g.op == opDots || p.op == opDots:
		if g.op == p.op && g.s == p.s {
			return yes
		}
		return no
	}
	if gi, gs := infinite(g); gi {
		pi, ps := infinite(p)
		if pi && gs == ps {
			return yes
		}
		return no
	} else if pi, _ := infinite(p); pi {
		return no
	}
	if g.hasOp(opPM) || p.hasOp(opPM) {
		a, b := plusMinus(g), plusMinus(p)
		if len(a) == 1 && len(b) == 1 { // too many signs to try
			return unsure
		}
		return c.members(bare(a), bare(b))
	}
	return c.scalars(g, p)
}

// hasUnit reports whether a value is a quantity, a percentage or an angle in degrees, sums and parts of those included.
func hasUnit(n *node) bool {
	switch n.op {
	case opQty, opPct, opDeg:
		return true
	case opAdd, opMul, opDiv, opNeg:
		_, ok := inDegrees(n)
		return ok
	}
	return false
}

// onePoint reads the interval [a,a] as a.
func (c *comparer) onePoint(n *node) (*node, bool) {
	if n.op == opTuple && n.s == "[]" && len(n.kids) == 2 && c.scalars(n.kids[0], n.kids[1]) == yes {
		return n.kids[0], true
	}
	return nil, false
}

// counted reads C(8,3), C_8^3 and P(8,3), A_8^3 between numerals as the numbers of choices and of arrangements; nil for
// anything else.
func counted(n *node) *node {
	var head string
	var a, b *node
	switch {
	case n.op == opMul && n.call && len(n.kids) == 2 && n.kids[0].op == opSym && n.kids[1].op == opTuple && n.kids[1].s == "()" && len(n.kids[1].kids) == 2:
		head, a, b = n.kids[0].s, n.kids[1].kids[0], n.kids[1].kids[1]
	case n.op == opPow && n.kids[0].op == opSym && len(n.kids[0].s) > 2 && n.kids[0].s[1] == '_':
		low, ok := digitsOf(n.kids[0].s[2:], 4)
		if !ok {
			return nil
		}
		head, a, b = n.kids[0].s[:1], intNode(low), n.kids[1]
	default:
		return nil
	}
	return selections(head, a, b)
}

// selections is the number of choices (C) or arrangements (A, P) of b out of a, both numerals; nil for anything else.
func selections(head string, a, b *node) *node {
	x, okA := smallInt(a)
	y, okB := smallInt(b)
	if !okA || !okB || y < 0 || y > x {
		return nil
	}
	switch head {
	case "C":
		return fn("binom", a, b)
	case "P", "A":
		return mk(opDiv, mk(opFact, a), mk(opFact, intNode(x-y)))
	}
	return nil
}

// pointOf drops the name of a point, A(1,2), and reads a sign before a bracket list as no value.
func pointOf(n *node) *node {
	if n.op == opMul && n.call && len(n.kids) == 2 && n.kids[1].op == opTuple && n.kids[0].op == opSym && n.kids[0].s >= "A" && n.kids[0].s < "[" {
		return n.kids[1]
	}
	return n
}

func infinite(n *node) (bool, int) {
	switch n.op {
	case opInf:
		return true, 1
	case opNeg:
		ok, s := infinite(n.kids[0])
		return ok, -s
	case opAdd, opMul, opDiv, opPow:
		if n.hasOp(opInf) && !n.hasOp(opBig) {
			return true, 7
		}
	}
	return false, 0
}

// joinedBy is what stands between the items of a list: ",", "and" or "or"; "" for anything else.
func joinedBy(n *node) string {
	if n.op == opList {
		return n.s
	}
	return ""
}

// commonBase is the letter that all names share up to numbered subscripts, "" if there is none: x_1 and x_2 are values
// of x.
func commonBase(items []stated) string {
	base := ""
	for _, it := range items {
		if len(it.names) != 1 {
			return ""
		}
		s, sub, _ := strings.Cut(it.names[0], "_")
		if strings.Trim(sub, "0123456789") != "" || base != "" && s != base {
			return ""
		}
		base = s
	}
	return base
}
