package mathcheck

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
	c.bareList = isBareList(g, gi) || isBareList(p, pi)
	if ga, pa := c.assignments(gi), c.assignments(pi); ga != nil && pa != nil {
		return c.matchNames(ga, pa)
	} else if ga != nil && allNamed(pi) && len(pi) > 1 || pa != nil && allNamed(gi) && len(gi) > 1 {
		return no // several unknowns against several values of one
	} else if ga != nil && len(ga) > 1 {
		return c.namedAgainst(ga, gi, p)
	} else if pa != nil && len(pa) > 1 {
		return c.namedAgainst(pa, pi, g)
	}
	return c.members(gi, pi)
}

// isBareList reports whether a side is a comma list of bare values, whose brackets may have been left out.
func isBareList(n *node, items []stated) bool {
	return n.op == opList && n.s == "," && (len(items[0].names) == 0 || assigned(items) != nil)
}

func allNamed(items []stated) bool {
	for _, it := range items {
		if len(it.names) == 0 {
			return false
		}
	}
	return true
}

// settle prepares one side: ± expanded, semicolon groups turned to tuples, unsolved steps before a solved end dropped.
func (c *comparer) settle(n, other *node) *node {
	if n.op == opList && len(n.kids) > 0 && n.kids[0].op == opList {
		var flat []stated
		for _, k := range n.kids {
			for _, m := range k.kids {
				flat = append(flat, state(m))
			}
		}
		if t := grouped(flat); t != nil {
			return t
		}
		out := &node{op: opList, s: n.s}
		for _, k := range n.kids {
			out.kids = append(out.kids, k.kids...)
		}
		n = out
	}
	if c := condition(n); c != nil {
		return c
	}
	if n.op != opList {
		return n
	}
	states := make([]stated, len(n.kids))
	for i, k := range n.kids {
		states[i] = state(k)
	}
	if t := grouped(states); t != nil {
		return t
	}
	if !hasUnsolved(other) {
		if last := states[len(states)-1]; last.solved && len(last.names) > 0 {
			kept := &node{op: opList, s: n.s}
			for i, k := range n.kids {
				if k.op != opRel || states[i].solved || !isEquation(k) {
					kept.kids = append(kept.kids, k)
				}
			}
			if len(kept.kids) == 1 {
				return kept.kids[0]
			}
			return kept
		}
	}
	return n
}

func isEquation(n *node) bool {
	if n.op != opRel {
		return false
	}
	for _, o := range n.ops {
		if o != "=" && o != "~" {
			return false
		}
	}
	return true
}

func hasUnsolved(n *node) bool {
	for _, it := range itemsOf(n) {
		if !it.solved {
			return true
		}
	}
	return false
}

// itemsOf lists the members of a whole answer: of a list, a set, or the one item; ± counts as its two values.
func itemsOf(n *node) []stated {
	var kids []*node
	switch n.op {
	case opList, opSet:
		kids = n.kids
	case opEmpty:
		kids = []*node{n}
	default:
		kids = []*node{n}
	}
	var out []stated
	for _, k := range kids {
		s := state(k)
		v := s.val
		if s.solved && (v.op == opSet || v.op == opList) && n.op != opSet && len(s.names) > 0 {
			for _, m := range expand(v) {
				out = append(out, stated{names: s.names, val: m, solved: true})
			}
			continue
		}
		if n.op != opSet && n.op != opList && v.op == opSet {
			for _, m := range expand(v) {
				out = append(out, stated{names: s.names, val: m, solved: true})
			}
			continue
		}
		if s.solved && v.op == opUnion && finiteUnion(v) {
			for _, u := range v.kids {
				for _, m := range expand(u) {
					out = append(out, stated{names: s.names, val: m, solved: true})
				}
			}
			continue
		}
		if s.solved && v.hasOp(opPM) {
			for _, m := range plusMinus(v) {
				out = append(out, stated{names: s.names, val: m, solved: true})
			}
			continue
		}
		if n.op != opSet && n.op != opList && v.op == opTuple && len(v.kids) == 1 {
			out = append(out, stated{names: s.names, val: v.kids[0], solved: true})
			continue
		}
		out = append(out, s)
	}
	return out
}

func finiteUnion(n *node) bool {
	for _, k := range n.kids {
		if k.op != opSet {
			return false
		}
	}
	return true
}

// expand lists the members of a set or list, ± resolved.
func expand(n *node) []*node {
	if n.op != opSet && n.op != opList {
		return plusMinus(n)
	}
	var out []*node
	for _, k := range n.kids {
		out = append(out, plusMinus(k)...)
	}
	return out
}

// plusMinus returns the values of a tree with ±. With ∓ the signs go together, otherwise each ± is free; more than
// three are left alone.
func plusMinus(n *node) []*node {
	count, tied := 0, false
	n.has(func(m *node) bool {
		if m.op == opPM {
			count++
			tied = tied || m.s == "-"
		}
		return false
	})
	if count == 0 || count > 3 {
		return []*node{n}
	}
	total := 1 << count
	if tied {
		total = 2
	}
	out := make([]*node, 0, total)
	for mask := 0; mask < total; mask++ {
		m := mask
		if tied && mask == 1 {
			m = 1<<count - 1
		}
		k := 0
		out = append(out, resolve(n, m, &k))
	}
	return out
}

func resolve(n *node, mask int, k *int) *node {
	if n.op == opPM {
		minus := mask>>*k&1 == 1
		*k++
		if n.s == "-" {
			minus = !minus
		}
		v := resolve(n.kids[0], mask, k)
		if minus {
			return mk(opNeg, v)
		}
		return v
	}
	if len(n.kids) == 0 {
		return n
	}
	out := *n
	out.kids = make([]*node, len(n.kids))
	for i, kid := range n.kids {
		out.kids[i] = resolve(kid, mask, k)
	}
	return &out
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
	for name, v := range g {
		w, ok := p[name]
		if !ok {
			return no
		}
		if r := c.values(v, w); r == no {
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
	if len(g.names) == 1 && len(p.names) == 1 && g.names[0] != p.names[0] && (g.val.hasLetters() || p.val.hasLetters()) {
		if r := c.equations(g, p); r != unsure {
			return r
		}
	}
	return c.values(g.val, p.val)
}

// values compares two values of any kind.
func (c *comparer) values(g, p *node) result {
	if !c.b.spend(1) {
		return unsure
	}
	if g.op == opQty || p.op == opQty || g.op == opPct || p.op == opPct || g.op == opDeg || p.op == opDeg {
		return c.quantities(g, p)
	}
	g, p = simplifyMatrix(g), simplifyMatrix(p)
	g, p = pointOf(g), pointOf(p)
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

// onePoint reads the interval [a,a] as a.
func (c *comparer) onePoint(n *node) (*node, bool) {
	if n.op == opTuple && n.s == "[]" && len(n.kids) == 2 && c.scalars(n.kids[0], n.kids[1]) == yes {
		return n.kids[0], true
	}
	return nil, false
}

func bare(list []*node) []stated {
	out := make([]stated, len(list))
	for i, n := range list {
		out[i] = stated{val: n, solved: true}
	}
	return out
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
		if n.hasOp(opInf) {
			return true, 7
		}
	}
	return false, 0
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

// ratios compares a:b:c up to a common factor; a ratio of two also equals its quotient.
func (c *comparer) ratios(g, p *node) result {
	a, b := ratioParts(g), ratioParts(p)
	if len(a) != len(b) {
		return no
	}
	out := yes
	for i := 1; i < len(a); i++ { // a_i b_0 = a_0 b_i
		r := c.scalars(mk(opMul, a[i], b[0]), mk(opMul, a[0], b[i]))
		if r != yes {
			return r
		}
	}
	for i := range a { // 0:0 equals nothing
		if (a[i].op == opText) || (b[i].op == opText) {
			return no
		}
	}
	if c.zero(a[len(a)-1]) && len(a) == 2 && c.zero(a[0]) {
		return no
	}
	return out
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

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
