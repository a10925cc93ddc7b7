package mathcheck

// product reads factors joined by signs or by nothing. Division binds as written, from left to right: 1/2x is x/2.
func (p *parser) product() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	n := p.prefix()
	for p.err == nil {
		t := p.peek()
		switch {
		case t.kind == tOp && (t.s == "*" || t.s == "/" || t.s == "div"):
			if t.s != "*" && p.noSlash > 0 {
				return n
			}
			p.i++
			r := p.prefix()
			if p.err != nil {
				return nil
			}
			if t.s == "*" {
				n = times(n, r, false)
			} else {
				n = mk(opDiv, n, r)
			}
		case t.kind == tOp && t.s == "over", t.kind == tOp && t.s == "choose":
			p.i++
			r := p.sum()
			if p.err != nil {
				return nil
			}
			if t.s == "over" {
				return mk(opDiv, n, r)
			}
			return fn("binom", n, r)
		case t.kind == tCmd && (t.s == "mod" || t.s == "pmod"):
			return p.modulus(n)
		case t.kind == tOpen && t.s == "(" && p.at(1).kind == tCmd && p.at(1).s == "mod": // 2 (mod 5)
			p.i += 2
			m := p.prefix()
			if p.err != nil || !p.close(")") {
				return p.fail()
			}
			return fn("pmod", n, m)
		case p.startsFactor(n):
			call := n.op == opSym && t.kind == tOpen && t.s == "(" && !t.sp
			r := p.power()
			if p.err != nil {
				return nil
			}
			n = times(n, r, call)
		default:
			return n
		}
		if p.nodes++; p.nodes > maxNodes {
			p.err = errDeep
			return nil
		}
	}
	return nil
}

// modulus reads "a mod m" as a residue; "a (mod m)" is a congruence, which is no number.
func (p *parser) modulus(n *node) *node {
	t := p.next()
	r := p.prefix()
	if p.err != nil {
		return nil
	}
	if t.s == "pmod" {
		return fn("pmod", n, r)
	}
	return fn("mod", n, r)
}

func times(a, b *node, call bool) *node {
	if a.op == opMul && !call {
		a.kids = append(a.kids, b)
		a.call = false
		return a
	}
	n := mk(opMul, a, b)
	n.call = call
	return n
}

// startsFactor reports whether the next token begins a factor that may stand behind n without a sign. A numeral may
// not, unless n is a power or comes from brackets: "4 2 1" and `\frac{1}{2}0` are no products.
func (p *parser) startsFactor(n *node) bool {
	t := p.peek()
	switch t.kind {
	case tNum:
		last := n
		if n.op == opMul {
			last = n.kids[len(n.kids)-1]
		}
		raised := p.at(1).kind == tOp && p.at(1).s == "^"
		return (last.op == opPow || last.op == opFact) && t.sp || last.op == opSym && raised && !t.sp // 2^6 3^5, 5!\,3!, n2^{n-1}
	case tSym:
		if p.ohms(n) {
			return false
		}
		return !(t.text && len(t.s) == 1 && unitKnown(t.s) && !n.hasLetters()) && !(p.unitMode && p.unitAhead(n))
	case tFn: // 60\text{ min} and 150\deg are quantities
		return !((t.s == "min" || t.s == "sec") && (t.text || p.at(1).kind != tOpen && p.at(1).kind != tOp) || t.s == "deg" && p.at(1).kind != tOpen)
	case tCmd:
		return t.s != "mod" && t.s != "pmod" && t.s != "empty" && !(t.s == "frac" && !n.hasLetters() && p.unitFraction())
	case tOpen:
		if t.s == "{" && p.braceEnds() && (p.at(1).kind == tWord || p.unitMode && p.unitFollows(1)) {
			return false
		}
		if t.s == "(" && p.wordGroup() > 0 {
			return false
		}
		return t.s != "<" && t.s != `\{` && t.s != "cases" && !(t.s == "[" && (n.op == opNum || p.outside > 0))
	case tOp:
		return t.s == "|" && p.bars == 0 && p.barOpens()
	}
	return false
}

// ohms reports whether the letter behind a numeral at the end is the unit \Omega.
func (p *parser) ohms(n *node) bool {
	return p.peek().s == "Omega" && n.op == opNum && (p.at(1).kind == tEOF || p.at(1).kind == tOp && p.at(1).s == ".")
}

// unitAhead reports, in unit mode, whether a single letter behind a numeral is to be read as a unit.
func (p *parser) unitAhead(n *node) bool {
	if n.op == opSym {
		return false
	}
	_, ok := unitTable[p.peek().s]
	return ok
}

// barOpens reports whether a second bar follows, so that the bar at hand may open an absolute value.
func (p *parser) barOpens() bool {
	for k := 1; p.i+k < len(p.toks) && k < 200; k++ {
		t := p.at(k)
		if t.kind == tOp && t.s == "|" {
			return k > 1
		}
		if t.kind == tEOF || t.kind == tOp && (t.s == "," || t.s == ";") {
			return false
		}
	}
	return false
}

// prefix reads signs, in a loop so that a thousand of them cost no stack.
func (p *parser) prefix() *node {
	neg, count := false, 0
	for p.isOp("-") || p.isOp("+") {
		if p.next().s == "-" {
			neg = !neg
		}
		count++
	}
	if count > 3 {
		return p.fail()
	}
	var n *node
	if p.isOp("pm") || p.isOp("mp") {
		s := map[string]string{"pm": "+", "mp": "-"}[p.next().s]
		n = &node{op: opPM, s: s, kids: []*node{p.power()}}
	} else {
		n = p.power()
	}
	if p.err != nil {
		return nil
	}
	if neg {
		return mk(opNeg, n)
	}
	return n
}

// power reads a primary with its postfixes and exponent.
func (p *parser) power() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	n := p.primary()
	for p.err == nil {
		t := p.peek()
		if t.kind != tOp {
			return n
		}
		switch t.s {
		case "^":
			n = p.exponent(n)
		case "_":
			p.i++
			n = p.subscripted(n)
		case "!":
			if p.at(1).kind == tOp && p.at(1).s == "=" && !p.at(1).sp && t.sp {
				return n
			}
			p.i++
			if p.isOp("!") && !p.peek().sp {
				return p.fail() // double factorial
			}
			n = mk(opFact, n)
		case "%":
			p.i++
			n = mk(opPct, n)
		case "deg":
			p.i++
			n = p.degree(n)
		case "circ":
			p.i++
			n = p.degree(n)
		case "'":
			if n.op != opSym {
				if !p.quoted {
					return p.fail()
				}
				p.quoted = false
				p.i++ // closing quote
				continue
			}
			p.i++
			n = sym(n.s + "'")
		default:
			return n
		}
	}
	return nil
}
