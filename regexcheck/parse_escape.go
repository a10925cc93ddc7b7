package regexcheck

import "unicode/utf8"

// escape reads the rest of an escape outside of a set.
func (p *parser) escape(t token) *node {
	switch t.r {
	case 'A':
		return &node{kind: nodeAt, at: atTextBeg}
	case 'Z':
		return &node{kind: nodeAt, at: atTextEnd}
	case 'b':
		return &node{kind: nodeAt, at: atBoundary}
	case 'B':
		return &node{kind: nodeAt, at: atInside}
	case '0':
		return literal(number(append([]rune{'0'}, p.digits(2, isOctal)...), 8))
	}
	if it, ok := categoryItem(t.r); ok {
		return &node{kind: nodeSet, items: []setItem{it}}
	}
	if isDigit(t.r) {
		return p.octalOrReference(t)
	}
	return literal(p.escapedRune(t))
}

// octalOrReference reads \1 to \99 as a group's number and three octal digits as a character.
func (p *parser) octalOrReference(t token) *node {
	start := p.tell() - 2
	digits := append([]rune{t.r}, p.digits(1, isDigit)...)
	if len(digits) == 2 && isOctal(digits[0]) && isOctal(digits[1]) && !p.next.end && !p.next.escaped && isOctal(p.next.r) {
		digits = append(digits, p.get().r)
		r := number(digits, 8)
		if r > 0o377 {
			p.fail(start, "octal escape value \\%s outside of range 0-0o377", string(digits))
		}
		return literal(r)
	}
	g := int(number(digits, 10))
	if g >= len(p.names) {
		p.fail(start+1, "invalid group reference %d", g)
		return literal(0)
	}
	if n := p.reference(g, start); n != nil {
		return n
	}
	return literal(0)
}

// setEscape reads the rest of an escape within a set.
func (p *parser) setEscape(t token) setItem {
	if it, ok := categoryItem(t.r); ok {
		return it
	}
	start := p.tell() - 2
	switch {
	case t.r == 'b':
		return single('\b')
	case isOctal(t.r):
		digits := append([]rune{t.r}, p.digits(2, isOctal)...)
		r := number(digits, 8)
		if r > 0o377 {
			p.fail(start, "octal escape value \\%s outside of range 0-0o377", string(digits))
		}
		return single(r)
	}
	return single(p.escapedRune(t))
}

// escapedRune reads an escape that means one character, the same inside and outside of sets.
func (p *parser) escapedRune(t token) rune {
	start := p.tell() - 2
	switch t.r {
	case 'a':
		return '\a'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'x':
		return p.hex(t.r, 2, start)
	case 'u':
		return p.hex(t.r, 4, start)
	case 'U':
		return p.hex(t.r, 8, start)
	case 'N':
		return p.namedRune(start)
	}
	if isLetter(t.r) || isDigit(t.r) {
		p.fail(start, "bad escape %s", t)
	}
	return t.r
}

func (p *parser) hex(letter rune, size, start int) rune {
	digits := p.digits(size, isHex)
	if len(digits) != size {
		p.fail(start, "incomplete escape \\%c%s", letter, string(digits))
		return 0
	}
	r := number(digits, 16)
	if r < 0 || r > utf8.MaxRune {
		p.fail(start, "bad escape \\%c%s", letter, string(digits))
		return 0
	}
	return r
}

// namedRune reads the rest of \N{NAME}.
func (p *parser) namedRune(start int) rune {
	if !p.match('{') {
		p.fail(p.tell(), "missing {")
		return 0
	}
	name := p.until('}', "character name")
	r, ok := runeNamed(string(name))
	if !ok {
		p.fail(start, "undefined character name %s", quote(name))
	}
	return r
}

// set reads what follows an opening bracket.
func (p *parser) set() *node {
	here := p.tell() - 1
	n := &node{kind: nodeSet, negated: p.match('^')}
	for {
		t := p.get()
		switch {
		case t.end:
			p.fail(here, "unterminated character set")
			return n
		case t.is(']') && len(n.items) > 0:
			return n.simplify()
		}
		lo := p.setMember(t)
		if !p.match('-') {
			n.items = append(n.items, lo)
			continue
		}
		u := p.get()
		switch {
		case u.end:
			p.fail(here, "unterminated character set")
			return n
		case u.is(']'):
			n.items = append(n.items, lo, single('-'))
			return n.simplify()
		}
		hi := p.setMember(u)
		if lo.kind != itemRange || hi.kind != itemRange || hi.lo < lo.lo {
			p.fail(p.tell()-t.size()-1-u.size(), "bad character range %s-%s", t, u)
			return n
		}
		n.items = append(n.items, setItem{kind: itemRange, lo: lo.lo, hi: hi.lo, written: true})
	}
}

func (p *parser) setMember(t token) setItem {
	if t.escaped {
		return p.setEscape(t)
	}
	return single(t.r)
}

// simplify makes a set of one character a character.
func (n *node) simplify() *node {
	it := n.items[0]
	for _, other := range n.items {
		if other != it {
			return n
		}
	}
	if it.kind != itemRange || it.written {
		return n
	}
	if n.negated {
		return &node{kind: nodeNotLiteral, r: it.lo}
	}
	return literal(it.lo)
}
