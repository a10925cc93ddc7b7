package mathcheck

import "strings"

// What a whole answer is made of: its items, sets spelled out, ± as two values.

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
	if v := c.chainValue(n); v != nil {
		return v
	}
	n = c.finite(withoutDomains(n))
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

// chainValue is the end of a chain that evaluates something, 3·4 = 12 or P(A)P(B) = 1/4·1/3 = 1/12: its members without
// letters must all be equal, and there must be two of them. nil for anything else.
func (c *comparer) chainValue(n *node) *node {
	if n.op != opRel || !isEquation(n) || isName(n.kids[0]) || n.kids[0].op == opNum { // 42 = 42 evaluates nothing
		return nil
	}
	from := len(n.kids)
	for from > 0 && !n.kids[from-1].hasLetters() && !isStructured(n.kids[from-1]) && !isSetLike(n.kids[from-1]) {
		from--
	}
	if len(n.kids)-from < 2 {
		return nil
	}
	for i := from + 1; i < len(n.kids); i++ {
		if n.ops[i-1] == "~" { // the exact value before counts
			return n.kids[i-1]
		}
		if r := c.values(n.kids[i-1], n.kids[i]); r == no || r == unsure && !n.kids[i-1].hasOp(opBig) {
			return nil
		}
	}
	return n.kids[len(n.kids)-1]
}

// finite works out the intersection or difference of two written-out sets; other trees come back as they are.
func (c *comparer) finite(n *node) *node {
	if n.op != opInter && n.op != opMinus || len(n.kids) != 2 || n.kids[0].op != opSet || n.kids[1].op != opSet {
		return n
	}
	a, b := expand(n.kids[0]), expand(n.kids[1])
	if len(a)*len(b) > maxMembers {
		return n
	}
	out := mk(opSet)
	for _, x := range a {
		in := false
		for _, y := range b {
			in = in || c.values(x, y) == yes
		}
		if in == (n.op == opInter) {
			out.kids = append(out.kids, x)
		}
	}
	if len(out.kids) == 0 {
		return mk(opEmpty)
	}
	return out
}

// withoutDomains drops statements such as k ∈ ℤ beside other items: they say what a letter ranges over.
func withoutDomains(n *node) *node {
	if n.op != opList {
		return n
	}
	var kept []*node
	for _, k := range n.kids {
		if !isDomain(k) {
			kept = append(kept, k)
		}
	}
	switch {
	case len(kept) == len(n.kids) || len(kept) == 0:
		return n
	case len(kept) == 1:
		return kept[0]
	}
	return &node{op: opList, s: n.s, kids: kept}
}

func isDomain(n *node) bool {
	if n.op != opRel || len(n.ops) != 1 || n.ops[0] != "in" || n.kids[0].op != opSym {
		return false
	}
	r := n.kids[1]
	if r.op == opPow {
		r = r.kids[0]
	}
	if r.op == opNumbers {
		return r.s != "R"
	}
	return r.op == opSym && (r.s == "Z" || r.s == "N" || r.s == "Q" || strings.HasPrefix(r.s, "N_") || strings.HasPrefix(r.s, "Z_"))
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

func bare(list []*node) []stated {
	out := make([]stated, len(list))
	for i, n := range list {
		out[i] = stated{val: n, solved: true}
	}
	return out
}
