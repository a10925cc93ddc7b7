package mathcheck

// Functions and their arguments.

// functionLetter reads f(x), f'(x), f^{-1}(x) as a value of an unknown function, and f alone as a letter.
func (p *parser) functionLetter(s string) *node {
	save := p.i
	head := s
	if p.isOp("_") {
		p.i++
		sub, ok := p.subscriptText()
		if !ok {
			p.i = save
			return sym(s)
		}
		head += "_" + sub
	}
	for p.isOp("'") {
		p.i++
		head += "'"
	}
	if p.isOp("^") {
		q := p.at(1)
		if q.kind == tOpen && q.s == "{" && p.at(2).s == "-" && p.at(3).kind == tNum && p.at(3).num.ip == "1" && p.at(4).kind == tClose {
			p.i += 5
			head += "^-1"
		}
	}
	if t := p.peek(); t.kind == tOpen && t.s == "(" {
		p.i++
		args := p.arguments(")")
		if p.err != nil {
			return nil
		}
		return fn("!"+head, args...)
	}
	p.i = save
	return sym(s)
}

func (p *parser) arguments(closer string) []*node {
	bars, ns := p.bars, p.noSlash
	p.bars, p.noSlash = 0, 0
	n := p.list(false)
	p.bars, p.noSlash = bars, ns
	if p.err != nil || !p.close(closer) {
		p.fail()
		return nil
	}
	if n.op == opList {
		return n.kids
	}
	return []*node{n}
}

// function reads a named function with its powers, base and argument.
func (p *parser) function(name string) *node {
	var pow, base *node
	for p.err == nil {
		if p.accept("^") {
			pow = p.script()
		} else if p.isOp("_") {
			p.i++
			base = p.lowered()
		} else {
			break
		}
	}
	if p.err != nil {
		return nil
	}
	if pow != nil && isMinusOne(pow) && inverseNames[name] != "" {
		name, pow = inverseNames[name], nil
	}
	args := p.functionArgs(name)
	if p.err != nil {
		return nil
	}
	n := fn(name, args...)
	switch {
	case name == "lg":
		n = fn("log", args[0], intNode(10))
	case name == "log" && base != nil:
		n = fn("log", args[0], base)
	case name == "log" && len(args) == 1:
		n = fn("log", args[0])
	case name == "det" && args[0].op == opMatrix && determinant(args[0]) != nil:
		n = determinant(args[0])
	case name == "cbrt":
		n = mk(opRoot, args[0], intNode(3))
	case name == "factorial":
		n = mk(opFact, args[0])
	case base != nil:
		return p.fail()
	}
	if pow != nil {
		n = mk(opPow, n, pow)
	}
	return n
}

func isMinusOne(n *node) bool {
	return n.op == opNeg && n.kids[0].op == opNum && n.kids[0].num.String() == "1"
}

var inverseNames = map[string]string{"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot", "sec": "arcsec", "csc": "arccsc"}

// functionArgs reads (…) or, without brackets, the factors up to the next sign or function.
func (p *parser) functionArgs(name string) []*node {
	t := p.peek()
	if t.kind == tOpen && (t.s == "(" || t.s == "[" || t.s == "{" || t.s == `\{`) {
		p.i++
		closer := map[string]string{"(": ")", "[": "]", "{": "}", `\{`: `\}`}[t.s]
		args := p.arguments(closer)
		if p.err != nil {
			return nil
		}
		if t.s == "{" && p.isOp("^") && len(args) == 1 {
			args[0] = p.exponent(args[0])
		}
		return args
	}
	p.noSlash++
	defer func() { p.noSlash-- }()
	neg := false
	for p.isOp("-") {
		p.i++
		neg = !neg
	}
	if p.peek().kind == tFn { // \ln\sin x
		n := p.power()
		if p.err != nil {
			return nil
		}
		return []*node{n}
	}
	n := p.power()
	for p.err == nil && p.peek().kind != tFn && p.peek().kind != tNum && p.startsFactor(n) && !(p.peek().kind == tOpen && p.peek().s == "(") {
		n = times(n, p.power(), false)
	}
	if p.err != nil {
		return nil
	}
	if (p.isOp("/") || p.isOp("div")) && !n.hasLetters() && n.has(func(m *node) bool { return m.op == opSym || m.op == opDeg }) && p.at(1).kind == tNum {
		p.i++
		n = mk(opDiv, n, p.power()) // \sin \pi/6
	}
	if neg {
		n = mk(opNeg, n)
	}
	return []*node{n}
}
