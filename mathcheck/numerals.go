package mathcheck

import "strings"

// Numerals: mixed numbers and numerals in a base.

// numeral reads a number and, where one follows, its proper fraction: 2\frac{1}{2}, 2 1/2.
func (p *parser) numeral(t *token) *node {
	n := &node{op: opNum, num: t.num}
	if b := p.hexBase(t); b != nil {
		return b
	}
	if b := p.spokenBase(t); b != nil {
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

// maxBaseDigits bounds the look-ahead for a base behind digits that are letters.
const maxBaseDigits = 40

// baseDigits returns how many of the next tokens are digits and capitals that a base follows, 0 if none does.
func (p *parser) baseDigits() int {
	for k := 0; k < maxBaseDigits; k++ {
		u := p.at(k)
		switch {
		case u.kind == tSym && len(u.s) == 1 && u.s >= "A" && u.s <= "Z" && (!u.sp || u.text):
		case u.kind == tNum && u.num.isInt() && (!u.sp || p.at(k-1).text), u.kind == tWord && u.text && strings.Trim(u.s, "ABCDEF") == "":
		default:
			if u.kind == tOp && u.s == "_" {
				return k
			}
			return 0
		}
	}
	return 0
}

// textDigits reports whether digits above nine stand in \text before a base: \text{FF}_{16}.
func (p *parser) textDigits() bool {
	t := p.peek()
	return t.kind == tWord && t.text && strings.Trim(t.s, "ABCDEF") == "" && p.at(1).kind != tEOF && p.baseDigits() > 0
}

// digitText writes the next k tokens together.
func (p *parser) digitText(first string, k int) string {
	for n := 0; n < k; n++ {
		if u := p.at(n); u.kind == tNum {
			first += u.num.ip
		} else {
			first += u.s
		}
	}
	return first
}

// hexBase reads 1A_{16}: digits and capitals with a base.
func (p *parser) hexBase(t *token) *node {
	if u := p.peek(); !t.num.isInt() || u.kind != tSym && u.kind != tWord && !(u.kind == tNum && t.num.ip == "0") {
		return nil
	}
	k := p.baseDigits()
	if k == 0 {
		return nil
	}
	digits := p.digitText(t.num.ip, k)
	p.i += k + 1
	sub, ok := p.subscriptText()
	if !ok {
		return p.fail()
	}
	return p.baseNode(digits, sub)
}

// spokenBase reads "777 base 8", "777 (base 8)" and "777 in base eight".
func (p *parser) spokenBase(t *token) *node {
	if !t.num.isInt() {
		return nil
	}
	k := 0
	open := p.at(k).kind == tOpen && p.at(k).s == "("
	if open || p.at(k).kind == tWord && p.at(k).s == "in" {
		k++
	}
	if u := p.at(k); u.kind != tWord || u.s != "base" {
		return nil
	}
	u := p.at(k + 1)
	if u.s == "-" {
		u = p.at(k + 2)
		k++
	}
	base := 0
	switch u.kind {
	case tNum:
		base = baseNames[u.num.ip]
	case tWord:
		base = baseNames[u.s]
	}
	k += 2
	if open {
		if p.at(k).kind != tClose {
			return nil
		}
		k++
	}
	if base == 0 {
		return nil
	}
	p.i += k
	return &node{op: opBase, s: t.num.ip, n: base}
}

// bracketedBase reads (71C)_{15} behind its bracket, nil if something else stands there.
func (p *parser) bracketedBase() *node {
	digits, letters := "", false
	k := 0
	for ; k < maxBaseDigits; k++ {
		u := p.at(k)
		if u.kind == tNum && u.num.isInt() {
			digits += u.num.ip
		} else if u.kind == tSym && len(u.s) == 1 && u.s >= "A" && u.s <= "Z" {
			digits, letters = digits+u.s, true
		} else {
			break
		}
	}
	if !letters || k < 2 || p.at(k).s != ")" || p.at(k+1).kind != tOp || p.at(k+1).s != "_" {
		return nil
	}
	save := p.i
	p.i += k + 2
	sub, ok := p.subscriptText()
	if base := baseNames[sub]; ok && base > 10 && base <= 36 {
		return &node{op: opBase, s: digits, n: base}
	}
	p.i = save
	return nil
}

// letterBase reads FF_{16}: a run of capitals and digits, begun by a capital, with a base above ten.
func (p *parser) letterBase(t *token) *node {
	k := p.baseDigits()
	if k == 0 && !(len(t.s) > 1 && p.isOp("_")) {
		return nil
	}
	digits := p.digitText(t.s, k)
	save := p.i
	p.i += k + 1
	sub, ok := p.subscriptText()
	if base := baseNames[sub]; ok && base > 10 && base <= 16 {
		return &node{op: opBase, s: digits, n: base}
	}
	p.i = save
	return nil
}
