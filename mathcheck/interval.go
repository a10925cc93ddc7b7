package mathcheck

// Sets of real numbers are sorted disjoint pieces with open or closed ends. Ends are compared exactly, by rationals or
// by balls; ends with letters make a set that is only compared as written.

// bound is an end of a piece: -1 and +1 stand for the infinities, 0 for a number.
type bound struct {
	inf int
	val *node
}

type piece struct {
	lo, hi             bound
	loClosed, hiClosed bool
}

// isSetLike reports whether a tree is a set of reals rather than a value: an interval with a square bracket or an
// infinite end, a union, a difference, the reals.
func isSetLike(n *node) bool {
	switch n.op {
	case opUnion, opInter, opMinus, opEmpty:
		return true
	case opNumbers:
		return n.s == "R"
	case opTuple:
		return isInterval(n) && (n.s == "[)" || n.s == "(]" || hasInfiniteEnd(n))
	}
	return false
}

func isInterval(n *node) bool {
	return n.op == opTuple && len(n.kids) == 2 && (n.s == "()" || n.s == "[]" || n.s == "[)" || n.s == "(]")
}

func hasInfiniteEnd(n *node) bool {
	a, _ := infinite(n.kids[0])
	b, _ := infinite(n.kids[1])
	return a || b
}

// setLike compares two sets of reals.
func (c *comparer) setLike(g, p *node) result {
	if g.canon() == p.canon() {
		return yes
	}
	if isInterval(g) && isInterval(p) {
		if g.s != p.s {
			return no
		}
		return c.pairwise(g.kids, p.kids)
	}
	a, ok := c.pieces(g, 0)
	if !ok {
		return c.setAsWritten(g, p)
	}
	b, ok := c.pieces(p, 0)
	if !ok {
		return c.setAsWritten(g, p)
	}
	return c.samePieces(a, b)
}

// setAsWritten compares unions with letters part by part.
func (c *comparer) setAsWritten(g, p *node) result {
	if g.op == opUnion && p.op == opUnion {
		return c.members(bare(g.kids), bare(p.kids))
	}
	if g.op == opEmpty || p.op == opEmpty || g.op != p.op {
		return no
	}
	if g.op == opMinus || g.op == opInter {
		return c.pairwise(g.kids, p.kids)
	}
	return no
}

// order compares two ends.
func (c *comparer) order(a, b bound) (int, bool) {
	if a.inf != 0 || b.inf != 0 {
		return a.inf - b.inf, true
	}
	return c.compareReals(a.val, b.val)
}

// compareReals returns the sign of a-b.
func (c *comparer) compareReals(a, b *node) (int, bool) {
	x := &exact{b: c.b}
	r, ok := x.eval(a)
	s, ok2 := x.eval(b)
	if ok && ok2 {
		return r.Cmp(s), true
	}
	for _, prec := range precisions {
		pt := &point{k: &kernel{prec: prec, b: c.b}}
		u, ok := pt.eval(a)
		if !ok || !u.real() {
			return 0, false
		}
		v, ok := pt.eval(b)
		if !ok || !v.real() {
			return 0, false
		}
		if d := pt.k.sub(u, v); !d.zero() {
			return d.re.Sign(), true
		}
		if !needsMore(a) && !needsMore(b) {
			break
		}
	}
	c.numeric = true
	return 0, true
}

// pieces turns a tree into its normal form.
func (c *comparer) pieces(n *node, depth int) ([]piece, bool) {
	if depth > 40 || !c.b.spend(4) {
		return nil, false
	}
	switch n.op {
	case opEmpty:
		return nil, true
	case opNumbers:
		return []piece{{lo: bound{inf: -1}, hi: bound{inf: 1}}}, n.s == "R"
	case opTuple:
		if !isInterval(n) {
			return nil, false
		}
		lo, ok := endOf(n.kids[0])
		hi, ok2 := endOf(n.kids[1])
		if !ok || !ok2 {
			return nil, false
		}
		pc := piece{lo, hi, n.s[0] == '[' && lo.inf == 0, n.s[1] == ']' && hi.inf == 0}
		if d, ok := c.order(lo, hi); !ok || d > 0 || d == 0 && !(pc.loClosed && pc.hiClosed) {
			return nil, false
		}
		return []piece{pc}, true
	case opSet:
		var out []piece
		for _, k := range expand(n) {
			b, ok := endOf(k)
			if !ok || b.inf != 0 {
				return nil, false
			}
			out = append(out, piece{b, b, true, true})
		}
		return c.merge(out)
	case opUnion:
		var out []piece
		for _, k := range n.kids {
			ps, ok := c.pieces(k, depth+1)
			if !ok {
				return nil, false
			}
			out = append(out, ps...)
		}
		return c.merge(out)
	case opMinus:
		a, ok := c.pieces(n.kids[0], depth+1)
		b, ok2 := c.pieces(n.kids[1], depth+1)
		if !ok || !ok2 {
			return nil, false
		}
		return c.meet(a, complement(b))
	case opInter:
		acc := []piece{{lo: bound{inf: -1}, hi: bound{inf: 1}}}
		for _, k := range n.kids {
			ps, ok := c.pieces(k, depth+1)
			if !ok {
				return nil, false
			}
			if acc, ok = c.meet(acc, ps); !ok {
				return nil, false
			}
		}
		return acc, true
	case opRel:
		return c.solvedRange(n)
	}
	if b, ok := endOf(n); ok && b.inf == 0 { // x = 0 beside 1 <= x <= 2
		return []piece{{b, b, true, true}}, true
	}
	return nil, false
}

func endOf(n *node) (bound, bool) {
	if ok, s := infinite(n); ok {
		return bound{inf: s}, s == 1 || s == -1
	}
	if n.hasLetters() || isStructured(n) || isSetLike(n) {
		return bound{}, false
	}
	return bound{val: n}, true
}

// merge sorts pieces and joins those that touch.
func (c *comparer) merge(in []piece) ([]piece, bool) {
	if len(in) > maxMembers {
		return nil, false
	}
	for i := 1; i < len(in); i++ { // insertion sort: few pieces, and a comparison that can fail
		for j := i; j > 0; j-- {
			d, ok := c.order(in[j].lo, in[j-1].lo)
			if !ok {
				return nil, false
			}
			if d > 0 || d == 0 && (in[j-1].loClosed || !in[j].loClosed) {
				break
			}
			in[j], in[j-1] = in[j-1], in[j]
		}
	}
	var out []piece
	for _, q := range in {
		if len(out) == 0 {
			out = append(out, q)
			continue
		}
		last := &out[len(out)-1]
		d, ok := c.order(q.lo, last.hi)
		if !ok {
			return nil, false
		}
		if d > 0 || d == 0 && !q.loClosed && !last.hiClosed {
			out = append(out, q)
			continue
		}
		e, ok := c.order(q.hi, last.hi)
		if !ok {
			return nil, false
		}
		if e > 0 {
			last.hi, last.hiClosed = q.hi, q.hiClosed
		} else if e == 0 {
			last.hiClosed = last.hiClosed || q.hiClosed
		}
	}
	return out, true
}

// complement of sorted disjoint pieces.
func complement(in []piece) []piece {
	lo, closed := bound{inf: -1}, false
	var out []piece
	for _, q := range in {
		if !(q.lo.inf == -1) {
			out = append(out, piece{lo, q.lo, closed, !q.loClosed})
		}
		lo, closed = q.hi, !q.hiClosed
	}
	if lo.inf != 1 {
		out = append(out, piece{lo, bound{inf: 1}, closed, false})
	}
	return out
}

// meet intersects two sets.
func (c *comparer) meet(a, b []piece) ([]piece, bool) {
	var out []piece
	for _, x := range a {
		for _, y := range b {
			if !c.b.spend(2) {
				return nil, false
			}
			q := x
			d, ok := c.order(y.lo, x.lo)
			if !ok {
				return nil, false
			}
			if d > 0 {
				q.lo, q.loClosed = y.lo, y.loClosed
			} else if d == 0 {
				q.loClosed = x.loClosed && y.loClosed
			}
			e, ok := c.order(y.hi, x.hi)
			if !ok {
				return nil, false
			}
			if e < 0 {
				q.hi, q.hiClosed = y.hi, y.hiClosed
			} else if e == 0 {
				q.hiClosed = x.hiClosed && y.hiClosed
			}
			f, ok := c.order(q.lo, q.hi)
			if !ok {
				return nil, false
			}
			if f < 0 || f == 0 && q.loClosed && q.hiClosed {
				out = append(out, q)
			}
		}
	}
	return c.merge(out)
}

func (c *comparer) samePieces(a, b []piece) result {
	if len(a) != len(b) {
		return no
	}
	for i := range a {
		if a[i].loClosed != b[i].loClosed || a[i].hiClosed != b[i].hiClosed || a[i].lo.inf != b[i].lo.inf || a[i].hi.inf != b[i].hi.inf {
			return no
		}
		if a[i].lo.inf == 0 {
			if r := c.scalars(a[i].lo.val, b[i].lo.val); r != yes {
				return r
			}
		}
		if a[i].hi.inf == 0 {
			if r := c.scalars(a[i].hi.val, b[i].hi.val); r != yes {
				return r
			}
		}
	}
	return yes
}
