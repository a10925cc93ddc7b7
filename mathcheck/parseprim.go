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
		if p.textDigits() {
			p.i++
			if b := p.letterBase(t); b != nil {
				return b
			}
			p.i--
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
		case "_":
			p.i--
			return p.prescript()
		case "dots":
			return mk(opDots)
		case "-", "+":
			p.i--
			return p.prefix()
		case "'":
			if p.peek().kind == tNum {
				p.quoted = true
				return p.primary()
			}
		case "$":
			return p.primary()
		}
	}
	return p.fail()
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
		for n := 0; n < 8 && p.peek().kind == tSym; n++ {
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

// plainText is the text normal form: no markup, no quotes, no closing punctuation, small letters, single blanks.
func plainText(s string) string {
	return strings.ToLower(bareText(s))
}
