package mathcheck

import "strings"

// Comparison of two answers by each of their readings in turn.

// compare tries the readings in turn and says which decided.
func (c *comparer) compare(g, p *answer) (result, string) {
	if p.err == errDeep && g.err == errDeep {
		if g.span == p.span {
			return yes, "identical text"
		}
		return unsure, ""
	}
	if g.bare != "" && g.folded == p.folded {
		return yes, "identical text"
	}
	if g.choice != "" && p.choice != "" {
		if g.choice == p.choice {
			return yes, "the same option"
		}
		return no, "another option"
	}
	if g.option != "" && p.choice == "" {
		if r, why := c.compare(readAnswer(g.option, false), p); r == yes {
			return r, why
		}
	}
	if row := optionRow(g); row != "" && (g.root == nil || p.root == nil || g.root.op != p.root.op) && row == optionRow(p) {
		return yes, "the same options"
	}
	if d := weekday(g.text); d > 0 && weekday(p.text) > 0 {
		if d == weekday(p.text) {
			return yes, "the same day"
		}
		return no, "another day"
	}
	if capitals(g.bare) && capitals(p.bare) {
		if g.bare == p.bare {
			return yes, "identical text"
		}
		return no, "another order of names"
	}
	if g.when != nil && p.when != nil && (g.when.sure || p.when.sure) {
		if g.when.equal(p.when) {
			return yes, "the same date or time"
		}
		return no, "another date or time"
	}
	gw, pw := g.root == nil || isWordy(g.root), p.root == nil || isWordy(p.root)
	if (gw || pw) && sameText(g.text, p.text) && isPhrase(g.bare) {
		return yes, "the same words"
	}
	if g.when != nil && g.when.sure || p.when != nil && p.when.sure {
		return no, "a date or time against something else"
	}
	if !c.opt.NoSynonyms {
		if r, ok := c.synonym(g, p); ok {
			return r, "words for a mathematical object"
		}
	}
	if g.root != nil && g.root.op == opRatio && p.root == nil && strings.Contains(p.folded, " to ") { // "3 to 2"
		if n, err := parse(strings.ReplaceAll(p.folded, " to ", ":"), false); err == nil && n.op == opRatio {
			return c.answers(g.root, n), "a ratio in words"
		}
	}
	if !c.opt.StrictBase && (bareInBase(g, p) || bareInBase(p, g)) {
		return yes, "the same digits"
	}
	if g.root != nil && p.root == nil && p.err == errParse && g.root.hasOp(opQty) { // 2 m 30 cm
		if n, err := parse(p.folded, true); err == nil && n.hasOp(opQty) {
			return c.answers(g.root, n), "a quantity"
		}
	}
	if g.root == nil || p.root == nil {
		return no, "words against mathematics"
	}
	r := c.answers(g.root, p.root)
	if r != yes {
		if s := c.again(g, p); s == yes {
			return s, "equal"
		}
	}
	if r == no {
		return no, "a different " + orValue(kindOf(state(g.root)))
	}
	return r, "equal as " + orValue(kindOf(state(g.root)))
}

// capitals reports a run of four capitals or more: an order of names such as CABD, which is no product.
func capitals(s string) bool {
	if len(s) < 4 {
		return false
	}
	for i := range s {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}

// bareInBase reports whether b writes the digits of a's numeral without its base, where they hold a letter: 3A7.
func bareInBase(a, b *answer) bool {
	if a.root == nil || b.bare == "" || len(b.bare) > 64 {
		return false
	}
	n := state(a.root).val
	return n.op == opBase && strings.ContainsAny(n.s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && trimZeros(strings.ToUpper(squash(b.bare))) == trimZeros(n.s)
}

func orValue(s string) string {
	if s == "" {
		return "value"
	}
	return s
}

// again compares once more with other readings: single letters as units when the other side has a unit, a comma as a
// decimal point against one number, boxes as a list against a list.
func (c *comparer) again(g, p *answer) result {
	gu, pu := g.root.hasOp(opQty), p.root.hasOp(opQty)
	raised := singleNumber(g.root) && strings.ContainsAny(p.span, "²³") || singleNumber(p.root) && strings.ContainsAny(g.span, "²³")
	if gu != pu || raised {
		a, b := g.root, p.root
		other := &b
		src := p.folded
		if pu || raised && singleNumber(p.root) {
			other, src = &a, g.folded
		}
		if n, err := parse(src, true); err == nil && n.hasOp(opQty) {
			*other = n
			if r := c.answers(a, b); r == yes {
				return r
			}
		}
	}
	if n := decimalComma(p.folded); n != nil && oneNumber(g.root) {
		if r := c.answers(g.root, n); r == yes {
			return r
		}
	}
	if n := decimalComma(g.folded); n != nil && oneNumber(p.root) {
		if r := c.answers(n, p.root); r == yes {
			return r
		}
	}
	for _, alt := range g.list {
		if alt.root != nil && len(itemsOf(p.root)) > 1 {
			if r := c.answers(alt.root, p.root); r == yes {
				return r
			}
		}
	}
	return no
}

// oneNumber reports whether a tree is one real number, written as a numeral or a fraction.
func oneNumber(n *node) bool {
	if singleNumber(n) {
		return true
	}
	n = state(n).val
	if n.op == opNeg {
		n = n.kids[0]
	}
	return n.op == opMixed || n.op == opDiv && n.kids[0].op == opNum && n.kids[1].op == opNum
}

func singleNumber(n *node) bool {
	n = state(n).val
	if n.op == opQty || n.op == opPct || n.op == opNeg {
		n = n.kids[0]
	}
	return n.op == opNum
}

// decimalComma reads digits, comma, digits as a decimal where the comma cannot group thousands.
func decimalComma(s string) *node {
	s = strings.Trim(s, " $")
	if strings.Count(s, ",") != 1 || len(s) > 40 {
		return nil
	}
	k := strings.IndexByte(s, ',')
	if k == 0 || strings.ContainsAny(s, `()[]{}|:;=<>`) || k+1 >= len(s) || !isDigit(s[k-1]) || !isDigit(s[k+1]) {
		return nil
	}
	e := k + 1
	for e < len(s) && isDigit(s[e]) {
		e++
	}
	if e-k-1 == 3 {
		return nil
	}
	n, err := parse(s[:k]+"."+s[k+1:], false)
	if err != nil {
		return nil
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWordy reports whether a tree is words, alone or in a list.
func isWordy(n *node) bool {
	return n.op == opText || n.has(func(m *node) bool { return m.op == opText })
}

// synonym resolves phrases and number words.
func (c *comparer) synonym(g, p *answer) (result, bool) {
	a, okA := c.meaning(g)
	b, okB := c.meaning(p)
	if !okA && !okB || a == nil && b == nil {
		return no, false
	}
	if a == nil {
		a = g.root
	}
	if b == nil {
		b = p.root
	}
	if a == nil || b == nil {
		return no, false
	}
	return c.answers(a, b), true
}

// meaning gives the tree of a phrase, if it is one.
func (c *comparer) meaning(a *answer) (*node, bool) {
	if a.root != nil && !isWordy(a.root) && a.root.op != opEmpty {
		return nil, false
	}
	t := a.text
	switch synonyms[t] {
	case "∅":
		return mk(opEmpty), true
	case "ℝ":
		return &node{op: opNumbers, s: "R"}, true
	case "∞":
		return mk(opInf), true
	case "dne":
		return &node{op: opText, s: "dne"}, true
	}
	for _, lead := range [...]string{"answer is ", "the answer is ", "it is "} {
		t = strings.TrimPrefix(t, lead)
	}
	if v, ok := wordNumber(t); ok {
		return intNode(v), true
	}
	return nil, false
}
