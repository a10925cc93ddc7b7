package mathcheck

import "strings"

// What stands raised or lowered.

func (p *parser) degree(n *node) *node {
	if t := p.peek(); t.kind == tSym && (t.s == "C" || t.s == "F") && !(p.at(1).kind == tSym) {
		p.i++
		return &node{op: opQty, s: "deg" + t.s, kids: []*node{n}}
	}
	return p.minutes(mk(opDeg, n))
}

// exponent reads ^x, ^{…}, ^\circ, ^T, ^\prime.
func (p *parser) exponent(base *node) *node {
	p.i++
	t := p.peek()
	if t.kind == tOp && (t.s == "circ" || t.s == "deg") {
		p.i++
		return p.degree(base)
	}
	if t.kind == tOpen && t.s == "{" && p.at(1).kind == tOp && (p.at(1).s == "circ" || p.at(1).s == "deg" || p.at(1).s == "'") && p.at(2).kind == tClose {
		p.i += 3
		if p.at(-2).s == "'" {
			if base.op == opSym {
				return sym(base.s + "'")
			}
			return p.fail()
		}
		return p.degree(base)
	}
	if t.kind == tOp && t.s == "'" && base.op == opSym {
		p.i++
		return sym(base.s + "'")
	}
	if t.kind == tWord && (t.s == "th" || t.s == "st" || t.s == "nd" || t.s == "rd") {
		p.i++
		return base
	}
	e := p.script()
	if p.err != nil {
		return nil
	}
	return mk(opPow, base, e)
}

// script reads what stands raised or lowered: a group, or a sign and one power (right to left: 2^3^2 is 2^9).
func (p *parser) script() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	neg := false
	for p.isOp("-") || p.isOp("+") {
		neg = neg != (p.next().s == "-")
	}
	n := p.lowered()
	if p.err == nil && p.isOp("^") {
		n = p.exponent(n)
	}
	if p.err == nil && p.isOp("!") && !p.peek().sp {
		p.i++
		n = mk(opFact, n)
	}
	if p.err != nil {
		return nil
	}
	if neg {
		return mk(opNeg, n)
	}
	return n
}

// prescript reads _5C_2 and _6P_2, which count choices and arrangements.
func (p *parser) prescript() *node {
	p.i++ // _
	a := p.lowered()
	t := p.next()
	if p.err != nil || t.kind != tSym || !p.accept("_") {
		return p.fail()
	}
	b := p.lowered()
	if p.err != nil {
		return nil
	}
	if n := selections(t.s, a, b); n != nil {
		return n
	}
	return p.fail()
}

// lowered reads one token or group, as TeX does behind _ and ^; a numeral takes no fraction along.
func (p *parser) lowered() *node {
	if t := p.peek(); t.kind == tNum {
		p.i++
		return &node{op: opNum, num: t.num}
	}
	return p.primary()
}

// subscripted joins a name with its subscript, or a numeral with its base.
func (p *parser) subscripted(n *node) *node {
	sub, ok := p.subscriptText()
	if !ok {
		return p.fail()
	}
	switch n.op {
	case opSym:
		return sym(n.s + "_" + sub)
	case opNum:
		if !n.num.isInt() {
			return p.fail()
		}
		return p.baseNode(strings.ToUpper(n.num.ip), sub)
	}
	return p.fail()
}

func (p *parser) baseNode(digits, sub string) *node {
	b := baseNames[strings.ToLower(strings.Trim(sub, "()"))]
	if b == 0 {
		return p.fail()
	}
	return &node{op: opBase, s: digits, n: b}
}

var baseNames = func() map[string]int {
	m := map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "sixteen": 16, "hex": 16, "bin": 2, "oct": 8, "dec": 10}
	for i := 2; i <= 36; i++ {
		m[intNode(i).num.ip] = i
	}
	return m
}()

// subscriptText reads a subscript as plain text: its tokens written together.
func (p *parser) subscriptText() (string, bool) {
	t := p.next()
	switch t.kind {
	case tNum:
		return t.num.ip, t.num.isInt()
	case tSym, tWord:
		return t.s, true
	case tOpen:
		if t.s != "{" && t.s != "(" {
			return "", false
		}
	default:
		return "", false
	}
	var b strings.Builder
	depth := 1
	for count := 0; count < 64; count++ {
		t = p.next()
		switch t.kind {
		case tEOF, tBad:
			return "", false
		case tOpen:
			depth++
		case tClose:
			if depth--; depth == 0 {
				return b.String(), b.Len() > 0
			}
		}
		if t.kind == tNum {
			b.WriteString(t.num.String())
		} else if t.s != "{" && t.s != "}" {
			b.WriteString(t.s)
		}
	}
	return "", false
}
