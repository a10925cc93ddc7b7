package mathcheck

// Collections: lists and sets without order, tuples with it.

// members compares two collections without order and repetition.
func (c *comparer) members(g, p []stated) result {
	if hasDots(g) || hasDots(p) {
		return c.sequences(g, p)
	}
	if len(g) > maxMembers || len(p) > maxMembers {
		return unsure
	}
	if r, ok := c.orderedTuple(g, p); ok {
		return r
	}
	if r := c.rangesOf(g, p); r != unsure {
		return r
	}
	r := c.covered(g, p)
	if r == yes {
		r = c.covered(p, g)
	}
	return r
}

const maxMembers = 256

// covered reports whether every member of a has an equal member in b.
func (c *comparer) covered(a, b []stated) result {
	out := yes
	for i := range a {
		best := no
		for j := range b {
			k := j
			if len(a) == len(b) { // the same order is the likely case
				k = (i + j) % len(b)
			}
			r := c.items(a[i], b[k])
			if r == yes {
				best = yes
				break
			}
			if r == unsure {
				best = unsure
			}
			if !c.b.spend(1) {
				return unsure
			}
		}
		if best == no {
			return no
		}
		if best == unsure {
			out = unsure
		}
	}
	return out
}

// orderedTuple handles a tuple on one side and a bare list on the other: brackets may be missing, order counts.
func (c *comparer) orderedTuple(g, p []stated) (result, bool) {
	if len(g) > 1 && len(p) > 1 {
		return no, false
	}
	t, l := g, p
	if len(p) == 1 {
		t, l = p, g
	}
	if len(t) != 1 || t[0].val.op != opTuple && !isColumn(t[0].val) || len(l) < 2 || t[0].val.s == "[)" || t[0].val.s == "(]" {
		return no, false
	}
	for _, it := range l {
		if it.val.op == opTuple || it.val.op == opRel {
			return no, false
		}
	}
	v := t[0].val
	if c.opt.StrictTuples || !c.bareList {
		return no, true
	}
	if v.s == "[]" && len(v.kids) == 2 {
		return no, true // an interval stays one
	}
	if len(v.kids) != len(l) {
		return no, true
	}
	out := yes
	for i, k := range v.kids {
		r := c.values(k, l[i].val)
		if len(t) == len(g) && &t[0] == &g[0] {
			r = c.values(k, l[i].val)
		}
		if r == no {
			return no, true
		}
		if r == unsure {
			out = unsure
		}
	}
	return out, true
}

func isColumn(n *node) bool { return n.op == opMatrix && n.n == 1 }

func hasDots(items []stated) bool {
	for _, it := range items {
		if it.val.hasOp(opDots) {
			return true
		}
	}
	return false
}

// sequences compares lists with an ellipsis as written.
func (c *comparer) sequences(g, p []stated) result {
	if len(g) != len(p) {
		return no
	}
	for i := range g {
		if g[i].val.canon() != p[i].val.canon() && (g[i].val.hasOp(opDots) || p[i].val.hasOp(opDots) || c.values(g[i].val, p[i].val) != yes) {
			return no
		}
	}
	return yes
}

// innerSets compares sets inside other things: here a set of one is not its element.
func (c *comparer) innerSets(g, p *node) result {
	if g.op != p.op && !(g.op == opSet && p.op == opList || g.op == opList && p.op == opSet) {
		return no
	}
	if len(g.kids) == 1 && g.kids[0].op == opFn && g.kids[0].s == "such" {
		if g.canon() == p.canon() {
			return yes
		}
		return unsure
	}
	return c.members(bare(expand(g)), bare(expand(p)))
}

func (c *comparer) pairwise(a, b []*node) result {
	if len(a) != len(b) {
		return no
	}
	out := yes
	for i := range a {
		r := c.values(a[i], b[i])
		if r == no {
			return no
		}
		if r == unsure {
			out = unsure
		}
	}
	return out
}

func (c *comparer) tuples(g, p *node) result {
	if g.op != opTuple || p.op != opTuple {
		return no
	}
	if len(g.kids) == 2 && len(p.kids) == 2 && (g.s != "()" || p.s != "()") && (isBracket(g) || isBracket(p)) {
		if g.s != p.s && !(isVector(g) && p.s == "()" || isVector(p) && g.s == "()") {
			return no
		}
	}
	return c.pairwise(g.kids, p.kids)
}

func isBracket(n *node) bool { return n.s == "[]" || n.s == "[)" || n.s == "(]" || n.s == "<>" }

func isVector(n *node) bool { return n.s == "<>" }
