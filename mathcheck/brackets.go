package mathcheck

// Brackets: groups, sets, tuples, intervals, absolute values, matrices, cases.

// bracket reads what an opening bracket begins.
func (p *parser) bracket(open string) *node {
	bars, ns := p.bars, p.noSlash
	p.bars, p.noSlash = 0, 0
	defer func() { p.bars, p.noSlash = bars, ns }()
	switch open {
	case "pmatrix", "bmatrix", "matrix", "vmatrix", "Bmatrix", "Vmatrix", "smallmatrix", "array":
		return p.matrix(open)
	case "cases":
		return p.cases()
	case "floor", "ceil":
		n := p.sum()
		if p.err != nil || !p.close(open) {
			return p.fail()
		}
		return fn(open, n)
	case "<":
		return p.tuple("<", ">")
	case "{":
		return p.braces()
	case `\{`:
		return p.set(`\}`)
	}
	return p.round(open)
}

// braces reads a LaTeX group; with commas inside it is a set written without backslashes.
func (p *parser) braces() *node {
	if t := p.peek(); t.kind == tClose && t.s == "}" {
		if p.at(1).kind == tOp && p.at(1).s == "_" { // {}_5C_2
			p.i++
			return p.prescript()
		}
		return p.fail()
	}
	n := p.list(false)
	if p.err != nil || !p.close("}") {
		return p.fail()
	}
	if n.op == opList {
		return mk(opSet, n.kids...)
	}
	return n
}

// set reads \{…\}: members, or members with a condition.
func (p *parser) set(closer string) *node {
	if t := p.peek(); t.kind == tClose && t.s == closer {
		p.i++
		return mk(opEmpty)
	}
	n := p.list(false)
	if p.err != nil {
		return nil
	}
	if p.isOp("|") { // \{x | x > 3\}
		p.i++
		c := p.list(false)
		if p.err != nil || !p.close(closer) {
			return p.fail()
		}
		return mk(opSet, fn("such", n, c))
	}
	if n.op == opRatio && len(n.kids) == 2 && isRelation(p.peek()) { // \{x : x > 3\}
		out := mk(opRel, n.kids[1])
		for isRelation(p.peek()) && p.err == nil {
			out.ops = append(out.ops, p.next().s)
			out.kids = append(out.kids, p.sets())
		}
		if p.err != nil || !p.close(closer) {
			return p.fail()
		}
		return mk(opSet, fn("such", n.kids[0], out))
	}
	if !p.close(closer) {
		return p.fail()
	}
	if n.op == opList {
		return mk(opSet, n.kids...)
	}
	if n.op == opRel && n.kids[0].op == opRatio && len(n.kids[0].kids) == 2 { // \{x : -1 < x < 3\}
		r := n.kids[0]
		cond := &node{op: opRel, kids: append([]*node{r.kids[1]}, n.kids[1:]...), ops: n.ops}
		return mk(opSet, fn("such", r.kids[0], cond))
	}
	if n.op == opRel && n.ops[0] == "in" && n.kids[1].op == opRatio && len(n.kids[1].kids) == 2 && len(n.ops) > 1 { // \{x \in R : x > 3\}
		r := n.kids[1]
		domain := &node{op: opRel, kids: []*node{n.kids[0], r.kids[0]}, ops: n.ops[:1]}
		cond := &node{op: opRel, kids: append([]*node{r.kids[1]}, n.kids[2:]...), ops: n.ops[1:]}
		return mk(opSet, fn("such", domain, cond))
	}
	return mk(opSet, n)
}

// round reads ( and [: a group, a tuple, an interval.
func (p *parser) round(open string) *node {
	if t := p.peek(); t.kind == tClose {
		return p.fail()
	}
	if b := p.bracketedBase(); b != nil {
		return b
	}
	n := p.list(false)
	if p.err != nil {
		return nil
	}
	t := p.peek()
	closer := ""
	switch {
	case t.kind == tClose && (t.s == ")" || t.s == "]"):
		closer = t.s
	case t.kind == tClose && t.s == "right":
		closer = map[string]string{"(": ")", "[": "]"}[open]
	case t.kind == tOpen && t.s == "[": // [a,b[
		closer = ")"
	default:
		return p.fail()
	}
	p.i++
	if n.op == opList {
		if n.s != "," {
			return p.fail()
		}
		if len(n.kids) != 2 && (open == "(") != (closer == ")") {
			return p.fail() // half open with three ends
		}
		return &node{op: opTuple, s: open + closer, kids: n.kids}
	}
	if open == "[" && closer == "]" {
		return &node{op: opTuple, s: "[]", kids: []*node{n}}
	}
	if open == "(" && closer != ")" || open == "[" {
		return p.fail()
	}
	if n.op == opText || n.op == opRel {
		return &node{op: opTuple, s: "()", kids: []*node{n}}
	}
	return n
}

// outward reads ]a,b[ and ]a,b].
func (p *parser) outward() *node {
	p.outside++
	n := p.list(false)
	p.outside--
	if p.err != nil || n.op != opList || len(n.kids) != 2 {
		return p.fail()
	}
	t := p.next()
	if t.s != "[" && t.s != "]" {
		return p.fail()
	}
	if t.s == "[" {
		return &node{op: opTuple, s: "()", kids: n.kids}
	}
	return &node{op: opTuple, s: "(]", kids: n.kids}
}

func (p *parser) tuple(open, closer string) *node {
	n := p.list(false)
	if p.err != nil || !p.close(closer) {
		return p.fail()
	}
	kids := []*node{n}
	if n.op == opList {
		kids = n.kids
	}
	return &node{op: opTuple, s: open + closer, kids: kids}
}

func (p *parser) bar() *node {
	p.bars++
	ns := p.noSlash
	p.noSlash = 0
	n := p.sum()
	p.noSlash = ns
	p.bars--
	if p.err != nil || !p.accept("|") {
		return p.fail()
	}
	if p.isOp("|") { // ‖v‖ written with two bars
		return p.fail()
	}
	return fn("abs", n)
}

// matrix reads rows up to \end{…}.
func (p *parser) matrix(kind string) *node {
	out := mk(opMatrix)
	cols := 0
	for p.err == nil {
		if t := p.peek(); t.kind == tClose && t.s == "matrix" && len(out.kids) > 0 {
			break
		}
		row := 0
		for {
			k := p.relation()
			if p.err != nil {
				return nil
			}
			out.kids = append(out.kids, k)
			row++
			if !p.accept("&") {
				break
			}
		}
		if cols == 0 {
			cols = row
		}
		if row != cols {
			return p.fail()
		}
		if !p.accept(`\\`) {
			break
		}
	}
	if t := p.peek(); p.err != nil || t.kind != tClose || t.s != "matrix" {
		return p.fail()
	}
	p.i++
	out.n = cols
	if kind == "vmatrix" {
		if d := determinant(out); d != nil {
			return d
		}
		return fn("det", out)
	}
	return out
}

// cases reads a system of equations or a definition by cases as a list of its rows.
func (p *parser) cases() *node {
	out := &node{op: opList, s: "and"}
	for p.err == nil {
		if t := p.peek(); t.kind == tClose && t.s == "cases" {
			break
		}
		k := p.item(false)
		if p.err != nil {
			return nil
		}
		p.accept(",")
		if p.accept("&") { // a value and where it holds
			for p.peek().kind == tWord {
				p.i++
			}
			where := &node{op: opText, s: "otherwise"}
			if t := p.peek(); !(t.kind == tClose || t.kind == tOp && t.s == `\\`) {
				where = p.item(false)
			}
			if p.err != nil {
				return nil
			}
			k = &node{op: opTuple, s: "()", kids: []*node{k, where}}
		}
		out.kids = append(out.kids, k)
		if !p.accept(`\\`) {
			break
		}
	}
	if !p.close("cases") {
		return p.fail()
	}
	return out
}
