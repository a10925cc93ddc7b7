package mathcheck

import (
	"math/big"
	"strings"
)

// Units in other dress: as a fraction of words, and as a chain of a large and a smaller one.

// unitFraction reports whether the fraction at hand holds units only: \frac{\text{km}}{\text{h}}, or \frac{m}{s^2} where
// single letters may be units.
func (p *parser) unitFraction() bool {
	k := 1
	for part := 0; part < 2; part++ {
		if t := p.at(k); t.kind != tOpen || t.s != "{" {
			return false
		}
		k++
		words := 0
		for ; k < 24; k++ {
			t := p.at(k)
			if t.kind == tClose && t.s == "}" {
				break
			}
			switch {
			case t.kind == tWord, t.kind == tFn && t.s == "min", t.kind == tSym && (t.text || p.unitMode && unitKnown(t.s)):
				words++
			case words > 0 && t.kind == tNum && p.at(k-1).s == "^", words > 0 && t.kind == tOp && (t.s == "^" || t.s == "*"):
			default:
				return false
			}
		}
		if words == 0 || k >= 24 {
			return false
		}
		k++
	}
	return true
}

// fractionUnit reads what unitFraction found in normal form: "km/h".
func (p *parser) fractionUnit() string {
	p.i++
	var parts [2]string
	for part := range parts {
		var b strings.Builder
		p.i++ // {
		for t := p.next(); t.kind != tClose; t = p.next() {
			switch {
			case t.kind == tOp && t.s == "*":
			case t.kind == tOp:
				b.WriteByte('^')
			case t.kind == tNum:
				b.WriteString(t.num.String())
			default:
				if b.Len() > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(t.s)
			}
		}
		parts[part] = b.String()
	}
	return parts[0] + "/" + strings.ReplaceAll(parts[1], " ", "/")
}

// wordGroup returns the length in tokens of a bracket that holds words only, 0 if something else stands there.
func (p *parser) wordGroup() int {
	words := 0
	for k := 1; k < 8; k++ {
		switch t := p.at(k); {
		case t.kind == tWord && !stopWords[strings.ToLower(t.s)] && !changers[strings.ToLower(t.s)] && t.s != "base":
			words++
		case t.kind == tSym && t.text && words > 0:
		case t.kind == tClose && t.s == ")" && words > 0:
			return k + 1
		default:
			return 0
		}
	}
	return 0
}

// chained joins "1 hour 30 minutes" or "5 ft 6 in" to one quantity in the smaller unit: the second unit must be of the
// same dimension and smaller. "and" joins only what is never a list: parts of a time, an angle, a sum of money, feet
// and inches, pounds and ounces.
func (p *parser) chained(n *node) *node {
	for count := 0; count < 3 && p.err == nil; count++ {
		k := 0
		and := p.isOp("and")
		if and {
			k++
		}
		if p.at(k).kind != tNum || !p.unitFollows(k+1) {
			return n
		}
		big1, dim, ok := readUnit(n.s)
		small, dim2, ok2 := readUnit(strings.ToLower(p.at(k + 1).s))
		if !ok || !ok2 || !sameDim(dim, dim2) || small.Cmp(big1) >= 0 || and && !joinable(n.s, dim) {
			return n
		}
		save := p.i
		p.i += k
		m := p.numeral(p.next())
		u := p.annotation()
		if p.err != nil {
			return nil
		}
		if scale, d, ok := readUnit(u); !ok || !sameDim(d, dim) || scale.Cmp(small) != 0 {
			p.i = save
			return n
		}
		factor := new(big.Rat).Quo(big1, small)
		n = &node{op: opQty, s: u, kids: []*node{mk(opAdd, scaled(n.kids[0], factor), m)}}
	}
	return n
}

func joinable(unit string, dim map[string]int) bool {
	if len(dim) != 1 {
		return false
	}
	switch {
	case dim["T"] == 1, dim["Y"] == 1, dim["A"] == 1, dim["V"] == 1:
		return true
	}
	switch unit {
	case "ft", "foot", "feet", "lb", "lbs", "pound", "pounds", "yd", "yard", "yards":
		return true
	}
	return false
}

// minutes reads the arc minutes and seconds behind a degree sign: 37°30'15".
func (p *parser) minutes(deg *node) *node {
	parts := []*node{deg.kids[0]}
	for want := 1; want <= 2; want++ {
		if p.peek().kind != tNum {
			break
		}
		length := p.primes(1, want)
		if length == 0 {
			break
		}
		m := &node{op: opNum, num: p.peek().num}
		p.i += 1 + length
		parts = append(parts, mk(opDiv, m, intNode([3]int{1, 60, 3600}[want])))
	}
	if len(parts) == 1 {
		return deg
	}
	return mk(opDeg, mk(opAdd, parts...))
}

// primes returns how many tokens from the k-th on write exactly count prime signs, 0 if none do.
func (p *parser) primes(k, count int) int {
	from, seen := k, 0
	raised := p.at(k).kind == tOp && p.at(k).s == "^"
	if raised {
		k++
	}
	brace := raised && p.at(k).kind == tOpen && p.at(k).s == "{"
	if brace {
		k++
	}
	for p.at(k).kind == tOp && p.at(k).s == "'" {
		seen++
		k++
	}
	if brace {
		if p.at(k).kind != tClose {
			return 0
		}
		k++
	}
	if seen != count {
		return 0
	}
	return k - from
}

// inDegrees reads a sum, multiple or part of degrees as one angle: 180° - 72°, 360°/5. ok is false for anything else.
func inDegrees(n *node) (val *node, ok bool) {
	switch n.op {
	case opDeg:
		return n.kids[0], true
	case opNeg:
		v, ok := inDegrees(n.kids[0])
		return mk(opNeg, v), ok
	case opAdd:
		out := mk(opAdd)
		for _, k := range n.kids {
			v, ok := inDegrees(k)
			if !ok {
				return nil, false
			}
			out.kids = append(out.kids, v)
		}
		return out, true
	case opDiv:
		v, ok := inDegrees(n.kids[0])
		if !ok || n.kids[1].hasOp(opDeg) {
			return nil, false
		}
		return mk(opDiv, v, n.kids[1]), true
	case opMul:
		out, found := mk(opMul), false
		for _, k := range n.kids {
			if v, ok := inDegrees(k); ok && !found {
				k, found = v, true
			} else if k.hasOp(opDeg) {
				return nil, false
			}
			out.kids = append(out.kids, k)
		}
		return out, found
	}
	return nil, false
}
