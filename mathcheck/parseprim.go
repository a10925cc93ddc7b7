package mathcheck

import "strings"

// primary reads the smallest whole: numeral, name, call, bracket, construction.
func (p *parser) primary() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	t := p.next()
	switch t.kind {
	case tNum:
		return p.numeral(t)
	case tSym:
		return p.name(t)
	case tFn:
		return p.function(t.s)
	case tCmd:
		return p.construct(t)
	case tOpen:
		return p.bracket(t.s)
	case tWord:
		if p.i--; p.wordsName() {
			from := p.peek().pos
			for !isRelation(p.peek()) {
				p.i++
			}
			return &node{op: opText, s: plainText(p.src[from:p.peek().pos])}
		}
		p.i++
	case tClose:
		if t.s == "]" { // ]a,b[
			return p.outward()
		}
	case tOp:
		switch t.s {
		case "|":
			return p.bar()
		case "dots":
			return mk(opDots)
		case "-", "+":
			p.i--
			return p.prefix()
		case "'":
			if p.peek().kind == tNum {
				return p.primary()
			}
		case "$":
			return p.primary()
		}
	}
	return p.fail()
}

// numeral reads a number and, where one follows, its proper fraction: 2\frac{1}{2}, 2 1/2.
func (p *parser) numeral(t *token) *node {
	n := &node{op: opNum, num: t.num}
	if b := p.hexBase(t); b != nil {
		return b
	}
	if !t.num.isInt() || len(t.num.ip) > 9 {
		return n
	}
	f := p.peek()
	if f.kind == tCmd && f.s == "frac" {
		save := p.i
		p.i++
		fr := p.fraction()
		if p.err == nil && properDigits(fr) {
			return mk(opMixed, n, fr)
		}
		if p.err == errParse {
			p.err = nil
		}
		p.i = save
		return n
	}
	if f.kind == tNum && f.sp && f.num.isInt() && p.at(1).kind == tOp && p.at(1).s == "/" && p.at(2).kind == tNum && p.at(2).num.isInt() {
		fr := mk(opDiv, &node{op: opNum, num: f.num}, &node{op: opNum, num: p.at(2).num})
		if properDigits(fr) {
			p.i += 3
			return mk(opMixed, n, fr)
		}
		return p.fail()
	}
	return n
}

// properDigits reports whether n is digits over digits with a value below one.
func properDigits(n *node) bool {
	if n == nil || n.op != opDiv || n.kids[0].op != opNum || n.kids[1].op != opNum {
		return false
	}
	a, b := n.kids[0].num, n.kids[1].num
	if !a.isInt() || !b.isInt() {
		return false
	}
	x, y := a.String(), b.String()
	return len(x) < len(y) || len(x) == len(y) && x < y
}

// hexBase reads 1A_{16}: digits and capitals with a base.
func (p *parser) hexBase(t *token) *node {
	if !t.num.isInt() {
		return nil
	}
	digits := t.num.ip
	k := 0
	for {
		u := p.at(k)
		if u.kind == tSym && len(u.s) == 1 && u.s >= "A" && u.s <= "Z" && !u.sp || u.kind == tSym && u.text && len(u.s) == 1 && u.s >= "A" && u.s <= "Z" {
			digits += u.s
		} else if u.kind == tNum && k > 0 && u.num.isInt() && !u.sp {
			digits += u.num.ip
		} else {
			break
		}
		k++
	}
	if k == 0 || !(p.at(k).kind == tOp && p.at(k).s == "_") {
		return nil
	}
	p.i += k + 1
	sub, ok := p.subscriptText()
	if !ok {
		return p.fail()
	}
	return p.baseNode(digits, sub)
}

// letterBase reads FF_{16}: a run of capitals and digits, begun by a capital, with a base above ten.
func (p *parser) letterBase(t *token) *node {
	digits, k := t.s, 0
	for {
		u := p.at(k)
		if u.kind == tSym && len(u.s) == 1 && u.s >= "A" && u.s <= "Z" && !u.sp {
			digits += u.s
		} else if u.kind == tNum && u.num.isInt() && !u.sp {
			digits += u.num.ip
		} else {
			break
		}
		k++
	}
	if k == 0 || !(p.at(k).kind == tOp && p.at(k).s == "_") {
		return nil
	}
	save := p.i
	p.i += k + 1
	sub, ok := p.subscriptText()
	if base := baseNames[sub]; ok && base > 10 && base <= 16 {
		return &node{op: opBase, s: digits, n: base}
	}
	p.i = save
	return nil
}

// name reads a letter; f, g and h before a bracket are functions.
func (p *parser) name(t *token) *node {
	if t.s == "inf" {
		return mk(opInf)
	}
	if len(t.s) == 1 && t.s >= "A" && t.s <= "F" {
		if b := p.letterBase(t); b != nil {
			return b
		}
	}
	if t.s == "angle" || t.s == "triangle" {
		s := t.s
		for p.peek().kind == tSym {
			s += " " + p.next().s
		}
		return sym(s)
	}
	switch t.s {
	case "f", "g", "h":
		return p.functionLetter(t.s)
	}
	return sym(t.s)
}

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

// close takes the closing bracket; a brace that is missing at the very end is supplied.
func (p *parser) close(s string) bool {
	t := p.peek()
	if t.kind == tClose && (t.s == s || t.s == "right") {
		p.i++
		return true
	}
	if t.kind == tEOF && s == "}" && p.forgiven < 2 {
		p.forgiven++
		return true
	}
	return false
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
	if t.kind == tOpen && (t.s == "(" || t.s == "[" || t.s == "{") {
		p.i++
		closer := map[string]string{"(": ")", "[": "]", "{": "}"}[t.s]
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
	return mk(opSet, n)
}

// round reads ( and [: a group, a tuple, an interval.
func (p *parser) round(open string) *node {
	if t := p.peek(); t.kind == tClose {
		return p.fail()
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
	n := p.list(false)
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
		out.kids = append(out.kids, k)
		p.accept(",")
		if !p.accept(`\\`) {
			break
		}
	}
	if !p.close("cases") {
		return p.fail()
	}
	return out
}

// plainText is the text normal form: no markup, no quotes, no closing punctuation, small letters, single blanks.
func plainText(s string) string {
	return strings.ToLower(bareText(s))
}
