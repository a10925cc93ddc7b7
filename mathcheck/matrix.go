package mathcheck

// Matrices are reduced to one matrix of scalar trees before they are compared entry by entry, which is bounded by
// maxEntries. [[1,2],[3,4]] is a matrix too; a column (or row) equals the tuple of its entries.

const maxEntries = 400

// simplifyMatrix carries out sums, products and scalar multiples of matrices; other trees come back unchanged.
func simplifyMatrix(n *node) *node {
	if n.op == opMatrix && len(n.kids) == 1 {
		return n.kids[0]
	}
	switch n.op {
	case opAdd, opMul, opNeg, opPow, opDiv:
		if !n.hasOp(opMatrix) {
			return n
		}
	default:
		return n
	}
	if m := reduceMatrix(n); m != nil && m.within(maxDerived) {
		return m
	}
	return n
}

// alongAxes reads 2i - j + 3k as the tuple of its coefficients where the other side is a tuple or column of two or three;
// nil for anything else.
func alongAxes(n, other *node) *node {
	dim := len(other.kids)
	if dim < 2 || dim > 3 || !(other.op == opMatrix && other.n == 1 || other.op == opTuple && (other.s == "()" || other.s == "<>")) {
		return nil
	}
	terms := []*node{n}
	if n.op == opAdd {
		terms = n.kids
	}
	var coords [3]*node
	for _, t := range terms {
		axis, f := axisOf(t)
		if axis < 0 || axis >= dim || coords[axis] != nil {
			return nil
		}
		coords[axis] = f
	}
	out := &node{op: opTuple, s: "()"}
	for _, v := range coords[:dim] {
		if v == nil {
			v = intNode(0)
		}
		out.kids = append(out.kids, v)
	}
	return out
}

// axisOf returns which of i, j, k a term is a multiple of, and the factor; -1 if of none or of several.
func axisOf(t *node) (int, *node) {
	switch t.op {
	case opNeg:
		axis, f := axisOf(t.kids[0])
		if axis < 0 {
			return -1, nil
		}
		return axis, mk(opNeg, f)
	case opSym:
		if len(t.s) == 1 && t.s >= "i" && t.s <= "k" {
			return int(t.s[0] - 'i'), intNode(1)
		}
	case opMul:
		axis, rest := -1, mk(opMul)
		for _, k := range t.kids {
			if a, _ := axisOf(k); k.op == opSym && a >= 0 {
				if axis >= 0 {
					return -1, nil
				}
				axis = a
				continue
			}
			rest.kids = append(rest.kids, k)
		}
		switch len(rest.kids) {
		case 0:
			return -1, nil
		case 1:
			return axis, rest.kids[0]
		}
		return axis, rest
	}
	return -1, nil
}

func reduceMatrix(n *node) *node {
	switch n.op {
	case opMatrix:
		if len(n.kids) > maxEntries {
			return nil
		}
		return n
	case opNeg:
		if m := reduceMatrix(n.kids[0]); m != nil && m.op == opMatrix {
			return mapMatrix(m, func(k *node) *node { return mk(opNeg, k) })
		}
	case opAdd:
		return foldMatrix(n, addMatrix)
	case opMul:
		return foldMatrix(n, mulMatrix)
	case opDiv:
		if m := reduceMatrix(n.kids[0]); m != nil && m.op == opMatrix && !n.kids[1].hasOp(opMatrix) {
			return mapMatrix(m, func(k *node) *node { return mk(opDiv, k, n.kids[1]) })
		}
	case opPow:
		m := reduceMatrix(n.kids[0])
		if m == nil || m.op != opMatrix {
			return nil
		}
		if n.kids[1].op == opSym && n.kids[1].s == "T" {
			return transpose(m)
		}
		e, ok := smallInt(n.kids[1])
		if !ok || e < 1 || e > 6 || len(m.kids) > 25 {
			return nil
		}
		out := m
		for i := 1; i < e; i++ {
			if out = mulMatrix(out, m); out == nil {
				return nil
			}
		}
		return out
	}
	if !n.hasOp(opMatrix) {
		return n
	}
	return nil
}

func foldMatrix(n *node, f func(a, b *node) *node) *node {
	var acc *node
	for _, k := range n.kids {
		m := reduceMatrix(k)
		if m == nil {
			return nil
		}
		if acc == nil {
			acc = m
		} else if acc = f(acc, m); acc == nil {
			return nil
		}
	}
	return acc
}

func mapMatrix(m *node, f func(*node) *node) *node {
	out := &node{op: opMatrix, n: m.n, kids: make([]*node, len(m.kids))}
	for i, k := range m.kids {
		out.kids[i] = f(k)
	}
	return out
}

func addMatrix(a, b *node) *node {
	if a.op != opMatrix || b.op != opMatrix || a.n != b.n || len(a.kids) != len(b.kids) {
		return nil
	}
	out := &node{op: opMatrix, n: a.n, kids: make([]*node, len(a.kids))}
	for i := range a.kids {
		out.kids[i] = mk(opAdd, a.kids[i], b.kids[i])
	}
	return out
}

func mulMatrix(a, b *node) *node {
	if a.op != opMatrix && b.op != opMatrix {
		return mk(opMul, a, b)
	}
	if a.op != opMatrix {
		return mapMatrix(b, func(k *node) *node { return mk(opMul, a, k) })
	}
	if b.op != opMatrix {
		return mapMatrix(a, func(k *node) *node { return mk(opMul, k, b) })
	}
	rows, inner := len(a.kids)/a.n, a.n
	if len(b.kids)/b.n != inner || rows*b.n > maxEntries {
		return nil
	}
	out := &node{op: opMatrix, n: b.n}
	for i := 0; i < rows; i++ {
		for j := 0; j < b.n; j++ {
			terms := make([]*node, inner)
			for t := 0; t < inner; t++ {
				terms[t] = mk(opMul, a.kids[i*inner+t], b.kids[t*b.n+j])
			}
			out.kids = append(out.kids, mk(opAdd, terms...))
		}
	}
	return out
}

func transpose(m *node) *node {
	rows := len(m.kids) / m.n
	out := &node{op: opMatrix, n: rows}
	for j := 0; j < m.n; j++ {
		for i := 0; i < rows; i++ {
			out.kids = append(out.kids, m.kids[i*m.n+j])
		}
	}
	return out
}

// asMatrix reads a matrix, or a list of lists in square brackets.
func asMatrix(n *node) *node {
	if n.op == opMatrix {
		return n
	}
	if n.op != opTuple || len(n.kids) == 0 {
		return nil
	}
	out := mk(opMatrix)
	for _, row := range n.kids {
		if row.op != opTuple || out.n != 0 && len(row.kids) != out.n {
			return nil
		}
		out.n = len(row.kids)
		out.kids = append(out.kids, row.kids...)
	}
	return out
}

func (c *comparer) matrices(g, p *node) result {
	if g.op == opTuple && p.op == opMatrix || g.op == opMatrix && p.op == opTuple {
		m, t := g, p
		if p.op == opMatrix {
			m, t = p, g
		}
		flat := true
		for _, k := range t.kids {
			flat = flat && k.op != opTuple
		}
		if flat {
			if t.s == "[)" || t.s == "(]" || m.n != 1 && m.n != len(m.kids) {
				return no
			}
			return c.pairwise(g.kids, p.kids)
		}
	}
	a, b := asMatrix(g), asMatrix(p)
	if a == nil || b == nil || a.n != b.n {
		return no
	}
	return c.pairwise(a.kids, b.kids)
}

// determinant expands a square matrix of at most four rows along its first row; nil for others.
func determinant(m *node) *node {
	n := m.n
	if n < 1 || n > 4 || len(m.kids) != n*n || !m.within(maxDerived/24) {
		return nil
	}
	if n == 1 {
		return m.kids[0]
	}
	sum := mk(opAdd)
	for j := 0; j < n; j++ {
		minor := &node{op: opMatrix, n: n - 1}
		for r := 1; r < n; r++ {
			for c := 0; c < n; c++ {
				if c != j {
					minor.kids = append(minor.kids, m.kids[r*n+c])
				}
			}
		}
		term := mk(opMul, m.kids[j], determinant(minor))
		if j%2 == 1 {
			term = mk(opNeg, term)
		}
		sum.kids = append(sum.kids, term)
	}
	return sum
}
