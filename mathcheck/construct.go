package mathcheck

// construct reads a command with arguments.
func (p *parser) construct(t *token) *node {
	switch t.s {
	case "frac":
		return p.fraction()
	case "sqrt":
		return p.root()
	case "binom":
		a, b := p.argument(), p.argument()
		if p.err != nil {
			return nil
		}
		return fn("binom", a, b)
	case "abs":
		a := p.argument()
		if p.err != nil {
			return nil
		}
		return fn("abs", a)
	case "bar":
		return p.overline()
	case "bb":
		return p.numberSet()
	case "empty":
		return mk(opEmpty)
	case "sum", "prod":
		return p.bigOp(t.s)
	case "int":
		return p.integral()
	case "lim":
		return p.limit()
	}
	if len(t.s) == 4 && t.s[:3] == "set" {
		return &node{op: opNumbers, s: t.s[3:]}
	}
	return p.fail()
}

// fraction reads \frac with braces, or with single digits as TeX does: \frac12, \frac1{20}.
func (p *parser) fraction() *node {
	t := p.peek()
	if t.kind == tNum && t.num.isInt() && len(t.num.ip) >= 2 {
		d := t.num.ip
		num := &node{op: opNum, num: &number{ip: d[:1]}}
		if len(d) == 2 {
			p.i++
			return mk(opDiv, num, &node{op: opNum, num: &number{ip: d[1:]}})
		}
		return p.fail() // \frac123: nobody can tell
	}
	a := p.argument()
	if p.err != nil {
		return nil
	}
	if t := p.peek(); t.kind == tNum && len(t.num.ip) > 1 && !t.sp {
		return p.fail()
	}
	b := p.argument()
	if p.err != nil {
		return nil
	}
	return mk(opDiv, a, b)
}

// argument reads one argument of a command: a group, or one symbol.
func (p *parser) argument() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	t := p.peek()
	switch t.kind {
	case tOpen:
		if t.s == "{" || t.s == "(" {
			p.i++
			return p.bracket(t.s)
		}
	case tNum:
		p.i++
		return &node{op: opNum, num: t.num}
	case tSym:
		p.i++
		if t.s == "inf" {
			return mk(opInf)
		}
		return sym(t.s)
	case tCmd:
		p.i++
		return p.construct(t)
	case tFn:
		p.i++
		return p.function(t.s)
	case tOp:
		if t.s == "-" && p.at(1).kind == tNum {
			p.i++
			return mk(opNeg, p.argument())
		}
	}
	return p.fail()
}

// root reads \sqrt[n]{x}, \sqrt x, sqrt(x).
func (p *parser) root() *node {
	index := (*node)(nil)
	if t := p.peek(); t.kind == tOpen && t.s == "[" {
		p.i++
		index = p.sum()
		if p.err != nil || !p.close("]") {
			return p.fail()
		}
	}
	x := p.argument()
	if p.err != nil {
		return nil
	}
	if index == nil {
		index = intNode(2)
	}
	return mk(opRoot, x, index)
}

// overline reads a conjugate; over plain letters it is the name of a segment.
func (p *parser) overline() *node {
	a := p.argument()
	if p.err != nil {
		return nil
	}
	if a.op == opMul && a.has(func(m *node) bool { return m.op == opSym }) && !a.has(func(m *node) bool { return m.op != opSym && m.op != opMul }) {
		s := "seg"
		for _, k := range a.kids {
			s += " " + k.s
		}
		return sym(s)
	}
	if a.op == opNum {
		return p.fail() // a period without its decimal, or a residue class
	}
	return fn("conj", a)
}

func (p *parser) numberSet() *node {
	t := p.peek()
	if t.kind == tOpen && t.s == "{" {
		p.i++
		t = p.peek()
	}
	if t.kind != tSym && t.kind != tWord {
		return p.fail()
	}
	p.i++
	p.closeIf("}")
	switch t.s {
	case "R", "Z", "Q", "N", "C":
		if n := p.signedNumbers(t.s); n != nil {
			return n
		}
		return &node{op: opNumbers, s: t.s}
	}
	return sym("bb" + t.s)
}

// signedNumbers reads the sign behind a number set: \mathbb{R}^+, \mathbb{R}_{-}, \mathbb{Z}^{+}; nil if there is none.
func (p *parser) signedNumbers(set string) *node {
	if !p.isOp("^") && !p.isOp("_") {
		return nil
	}
	k, brace := 1, p.at(1).kind == tOpen && p.at(1).s == "{"
	if brace {
		k++
	}
	sign := p.at(k).s
	if p.at(k).kind != tOp || sign != "+" && sign != "-" || brace && p.at(k+1).kind != tClose {
		return nil
	}
	p.i += k + 1
	p.closeIf("}")
	switch {
	case set != "R":
		return &node{op: opNumbers, s: set + sign}
	case sign == "+":
		return &node{op: opTuple, s: "()", kids: []*node{intNode(0), mk(opInf)}}
	}
	return &node{op: opTuple, s: "()", kids: []*node{mk(opNeg, mk(opInf)), intNode(0)}}
}

func (p *parser) closeIf(s string) {
	if t := p.peek(); t.kind == tClose && t.s == s {
		p.i++
	}
}

// bigOp reads \sum_{k=a}^{b} body.
func (p *parser) bigOp(kind string) *node {
	var v, lo, hi *node
	for p.err == nil {
		if p.accept("_") {
			n := p.lowered()
			if p.err != nil || n.op != opRel || len(n.kids) != 2 || n.ops[0] != "=" || n.kids[0].op != opSym {
				return p.fail()
			}
			v, lo = n.kids[0], n.kids[1]
		} else if p.accept("^") {
			hi = p.lowered()
		} else {
			break
		}
	}
	if p.err != nil || v == nil || hi == nil {
		return p.fail()
	}
	body := p.product()
	if p.err != nil {
		return nil
	}
	return &node{op: opBig, s: kind, kids: []*node{v, lo, hi, body}}
}

// integral reads \int_a^b f dx.
func (p *parser) integral() *node {
	var lo, hi *node
	for p.err == nil {
		if p.accept("_") {
			lo = p.lowered()
		} else if p.accept("^") {
			hi = p.lowered()
		} else {
			break
		}
	}
	if p.err != nil || lo == nil || hi == nil {
		return p.fail()
	}
	body := p.sum()
	if p.err != nil || body.op != opMul || len(body.kids) < 2 {
		return p.fail()
	}
	k := len(body.kids)
	if d := body.kids[k-2]; d.op != opSym || d.s != "d" || body.kids[k-1].op != opSym {
		return p.fail()
	}
	rest := body.kids[:k-2]
	f := intNode(1)
	if len(rest) == 1 {
		f = rest[0]
	} else if len(rest) > 1 {
		f = mk(opMul, rest...)
	}
	return &node{op: opBig, s: "int", kids: []*node{body.kids[k-1], lo, hi, f}}
}

// limit reads \lim_{x\to a} f.
func (p *parser) limit() *node {
	if !p.accept("_") || !(p.peek().kind == tOpen && p.peek().s == "{") {
		return p.fail()
	}
	p.i++
	n := p.arrow()
	if p.err != nil || n.op != opSeq || len(n.kids) != 2 || n.kids[0].op != opSym || !p.close("}") {
		return p.fail()
	}
	body := p.product()
	if p.err != nil {
		return nil
	}
	return &node{op: opBig, s: "lim", kids: []*node{n.kids[0], n.kids[1], intNode(0), body}}
}
