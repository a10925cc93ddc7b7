package mathcheck

// Inequalities. A solved one (a single name, alone up to its sign, between numbers) is a set of reals and equals the
// interval that describes it. Others are equal if their differences are positive multiples of each other, link by
// link. An unsolved answer never satisfies a solved gold.

// flip gives the relation read from right to left.
func flip(o string) string {
	switch o {
	case "<":
		return ">"
	case ">":
		return "<"
	case "<=":
		return ">="
	case ">=":
		return "<="
	}
	return o
}

// ascending turns a chain so that it reads with < and <=.
func ascending(n *node) *node {
	down := false
	for _, o := range n.ops {
		if o == "<" || o == "<=" {
			return n
		}
		down = down || o == ">" || o == ">="
	}
	if !down {
		return n
	}
	out := &node{op: opRel}
	for i := len(n.kids) - 1; i >= 0; i-- {
		out.kids = append(out.kids, n.kids[i])
		if i > 0 {
			out.ops = append(out.ops, flip(n.ops[i-1]))
		}
	}
	return out
}

// solvedRange reads x>5, -1<x<=4, x≠3, 1<|z|<2, 3 > -x as a set of reals.
func (c *comparer) solvedRange(n *node) ([]piece, bool) {
	n = ascending(n)
	at := -1
	for i, k := range n.kids {
		if _, ok := endOf(stripUnit(k)); ok {
			continue
		}
		if at >= 0 {
			return nil, false
		}
		at = i
	}
	if at < 0 || len(n.kids) > 3 || len(n.kids) == 3 && at != 1 {
		return nil, false
	}
	name, neg := n.kids[at], false
	if name.op == opNeg {
		name, neg = name.kids[0], true
	}
	if !isName(name) || name.op == opTuple || name.op == opText && len(name.s) > 40 {
		return nil, false
	}
	q := piece{lo: bound{inf: -1}, hi: bound{inf: 1}}
	for i, o := range n.ops {
		end, _ := endOf(stripUnit(n.kids[i+boolInt(i == at)]))
		if i != at && i+1 != at {
			return nil, false
		}
		switch o {
		case "<", "<=":
			if i == at {
				q.hi, q.hiClosed = end, o == "<=" && end.inf == 0
			} else {
				q.lo, q.loClosed = end, o == "<=" && end.inf == 0
			}
		case "!=":
			if len(n.ops) != 1 || end.inf != 0 {
				return nil, false
			}
			out := complement([]piece{{end, end, true, true}})
			if neg {
				out = mirror(out)
			}
			return out, true
		default:
			return nil, false
		}
	}
	if d, ok := c.order(q.lo, q.hi); !ok || d > 0 {
		return nil, false
	}
	out := []piece{q}
	if neg {
		out = mirror(out)
	}
	if name.op == opFn && name.s == "abs" {
		pos, ok := c.meet(out, []piece{{lo: bound{val: intNode(0)}, hi: bound{inf: 1}, loClosed: true}})
		if !ok {
			return nil, false
		}
		return c.merge(append(mirror(pos), pos...))
	}
	return out, true
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func stripUnit(n *node) *node {
	if n.op == opQty && n.s != "" {
		return n.kids[0]
	}
	return n
}

// mirror maps a set to its negative.
func mirror(in []piece) []piece {
	out := make([]piece, 0, len(in))
	for i := len(in) - 1; i >= 0; i-- {
		q := in[i]
		out = append(out, piece{negBound(q.hi), negBound(q.lo), q.hiClosed, q.loClosed})
	}
	return out
}

func negBound(b bound) bound {
	if b.inf != 0 {
		return bound{inf: -b.inf}
	}
	return bound{val: mk(opNeg, b.val)}
}

// rangesOf compares two collections that together describe sets of reals, of which at least one has an inequality:
// "x<-2 or x>2" against a union. It is unsure if they do not.
func (c *comparer) rangesOf(g, p []stated) result {
	rel := false
	for _, it := range append(append([]stated(nil), g...), p...) {
		rel = rel || it.val.op == opRel || isSetLike(it.val) && it.val.op != opEmpty
	}
	if !rel {
		return unsure
	}
	a, ok := c.unionOf(g, c.sepG)
	if !ok {
		return unsure
	}
	b, ok := c.unionOf(p, c.sepP)
	if !ok {
		return unsure
	}
	return c.samePieces(a, b)
}

// unionOf joins the sets that the items describe; conditions joined by "and" are met together if they can be,
// and so are those joined by a comma if together they would exclude nothing.
func (c *comparer) unionOf(items []stated, sep string) ([]piece, bool) {
	if sep == "and" {
		acc := []piece{{lo: bound{inf: -1}, hi: bound{inf: 1}}}
		for _, it := range items {
			ps, ok := c.pieces(it.val, 0)
			if !ok {
				return nil, false
			}
			if acc, ok = c.meet(acc, ps); !ok {
				return nil, false
			}
		}
		if len(acc) > 0 {
			return acc, true
		}
	}
	var out []piece
	for _, it := range items {
		ps, ok := c.pieces(it.val, 0)
		if !ok {
			return nil, false
		}
		out = append(out, ps...)
	}
	all, ok := c.merge(out)
	if ok && sep == "," && len(items) > 1 && len(all) == 1 && all[0].lo.inf != 0 && all[0].hi.inf != 0 { // "x>2, x<5" says both
		return c.unionOf(items, "and")
	}
	return all, ok
}

// relations compares two items of which at least one is an equation or inequality.
func (c *comparer) relations(g, p stated) result {
	a, okA := c.rangeOf(g)
	b, okB := c.rangeOf(p)
	if boundsAbs(p.val) && !boundsAbs(g.val) { // |x| < 3 is still to be solved
		return no
	}
	if okA && okB && !c.opt.NoSetRelation {
		return c.samePieces(a, b)
	}
	if okA && !okB && g.val.op == opRel {
		return c.asWritten(g, p) // a solved gold wants a solved answer
	}
	if isSetLike(g.val) || isInterval(g.val) {
		return no
	}
	if isEquation(g.val) || isEquation(p.val) {
		if g.solved && !p.solved && !(len(g.names) > 0 && g.val.hasLetters()) {
			return no
		}
		return c.equations(g, p)
	}
	if g.val.op != opRel || p.val.op != opRel {
		return no
	}
	return c.chains(ascending(g.val), ascending(p.val))
}

// boundsAbs reports an inequality on the absolute value of a name.
func boundsAbs(n *node) bool {
	if n.op != opRel {
		return false
	}
	for _, k := range n.kids {
		if k.op == opFn && k.s == "abs" && k.hasLetters() {
			return true
		}
	}
	return false
}

func (c *comparer) rangeOf(s stated) ([]piece, bool) {
	if s.val.op == opRel {
		return c.solvedRange(s.val)
	}
	if isSetLike(s.val) || isInterval(s.val) {
		return c.pieces(s.val, 0)
	}
	return nil, false
}

func (c *comparer) asWritten(g, p stated) result {
	if p.val.op == opRel && ascending(g.val).canon() == ascending(p.val).canon() {
		return yes
	}
	return no
}

// chains compares inequalities link by link, as differences up to a positive factor.
func (c *comparer) chains(g, p *node) result {
	if len(g.ops) != len(p.ops) {
		return no
	}
	same := true
	for i, o := range g.ops {
		same = same && o == p.ops[i]
	}
	if same {
		if r := c.pairwise(g.kids, p.kids); r == yes || len(g.ops) > 1 {
			return r
		}
	}
	if len(g.ops) != 1 {
		return no
	}
	a := difference(g.kids[0], g.kids[1])
	b := difference(p.kids[0], p.kids[1])
	if g.ops[0] != p.ops[0] {
		if flip(g.ops[0]) != p.ops[0] {
			return no
		}
		b = mk(opNeg, b)
	}
	sign := 1
	if g.ops[0] == "!=" || g.ops[0] == "in" || g.ops[0] == "notin" {
		if g.ops[0] != "!=" {
			return no
		}
		sign = 0
	}
	return c.proportional(a, b, sign)
}

func difference(a, b *node) *node {
	if b.op == opNum && b.num.String() == "0" {
		return a
	}
	if a.op == opNum && a.num.String() == "0" {
		return mk(opNeg, b)
	}
	return mk(opAdd, a, mk(opNeg, b))
}

func structuredKids(n *node) bool {
	for _, k := range n.kids {
		if isStructured(k) || isSetLike(k) || k.op == opDots || k.op == opRatio {
			return true
		}
	}
	return false
}
