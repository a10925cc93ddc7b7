package mathcheck

import "errors"

// The parser is one Pratt parser for LaTeX and program notation. From loose to tight:
//
//	list         a, b; c and d
//	arrow        a -> b
//	relation     a < b <= c,  x in S
//	set algebra  A ∪ B, A ∩ B, A \ B
//	ratio        a:b:c
//	sum          + - ±
//	product      * / · and nothing at all
//	prefix       - +
//	power        ^ and postfix ! % ' °
//
// The whole span must parse or the parse fails: a readable part of an unreadable answer never counts, which takes away
// the commonest way to be paid for a wrong answer. Depth and size are bounded, so no input can overflow the stack.

var (
	errParse = errors.New("mathcheck: not readable")
	errDeep  = errors.New("mathcheck: answer too large or nested too deeply")
)

type parser struct {
	src      string
	toks     []token
	i        int
	depth    int
	nodes    int
	err      error
	unitMode bool // single letters behind a numeral are units
	bars     int  // open | |
	quoted   bool // an opening quote was read
	forgiven int  // closing braces supplied at the end
	noSlash  int  // inside an unbraced function argument
	outside  int  // inside ]a,b[, where [ closes
}

// parse reads a folded answer span.
func parse(s string, unitMode bool) (*node, error) {
	if len(s) > maxSpan {
		return nil, errDeep
	}
	toks := stripBraces(lex(s))
	if len(toks) > maxTokens {
		return nil, errDeep
	}
	p := &parser{src: s, toks: toks, unitMode: unitMode}
	n := p.list(true)
	if p.err == nil {
		for p.peek().kind == tClose && p.peek().s == "}" && p.forgiven < 2 { // "5}"
			p.i++
			p.forgiven++
		}
		for p.isOp(".") || p.isOp(`\\`) || p.isOp(",") || p.isOp(";") || p.isOp("!") && p.toks[p.i].sp {
			p.i++
		}
		if p.peek().kind != tEOF {
			p.fail()
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// stripBraces drops braces that surround the whole span, so that a thousand of them nest nothing.
func stripBraces(toks []token) []token {
	n := len(toks) - 1 // the last is tEOF
	k := 0
	for k < n/2 && toks[k].kind == tOpen && toks[n-1-k].kind == tClose && (toks[k].s == "{" && toks[n-1-k].s == "}" || toks[k].s == "(" && toks[n-1-k].s == ")") {
		k++
	}
	if k--; k < 2 { // the innermost pair may mean a set or a tuple
		return toks
	}
	depth := 0
	for _, t := range toks[k : n-k] { // {a}…{b}: the inner braces must be balanced by themselves
		if t.kind == tOpen {
			depth++
		} else if t.kind == tClose {
			if depth--; depth < 0 {
				return toks
			}
		}
	}
	return append(toks[k:n-k:n-k], toks[n])
}

func (p *parser) peek() *token { return &p.toks[p.i] }

func (p *parser) at(k int) *token { return &p.toks[min(p.i+k, len(p.toks)-1)] }

func (p *parser) next() *token {
	t := &p.toks[p.i]
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return t
}

func (p *parser) isOp(s string) bool { t := p.peek(); return t.kind == tOp && t.s == s }

func (p *parser) accept(s string) bool {
	if p.isOp(s) {
		p.i++
		return true
	}
	return false
}

func (p *parser) fail() *node {
	if p.err == nil {
		p.err = errParse
	}
	p.i = len(p.toks) - 1
	return nil
}

// enter guards recursion; leave must follow.
func (p *parser) enter() bool {
	p.depth++
	p.nodes++
	if p.depth > maxDepth || p.nodes > maxNodes {
		p.err = errDeep
		p.i = len(p.toks) - 1
		return false
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) arrow() *node {
	n := p.relation()
	if !p.isOp("to") {
		return n
	}
	out := mk(opSeq, n)
	for p.accept("to") && p.err == nil {
		out.kids = append(out.kids, p.relation())
	}
	return out
}

func isRelation(t *token) bool {
	if t.kind != tOp {
		return false
	}
	switch t.s {
	case "=", "<", ">", "<=", ">=", "!=", "~", "in", "notin", "equiv":
		return true
	}
	return false
}

func (p *parser) relation() *node {
	n := p.sets()
	if !isRelation(p.peek()) || p.err != nil {
		return n
	}
	out := mk(opRel, n)
	for isRelation(p.peek()) && p.err == nil {
		s := p.next().s
		if p.atEnd() && s == "=" { // "x ="
			return p.fail()
		}
		for p.leadIn() { // "= \approx", "= about"
			p.i++
		}
		out.ops = append(out.ops, s)
		out.kids = append(out.kids, p.sets())
	}
	return out
}

func (p *parser) sets() *node {
	n := p.ratio()
	for p.err == nil {
		switch {
		case p.accept("cup"):
			n = join(opUnion, n, p.ratio())
		case p.accept("cap"):
			n = join(opInter, n, p.ratio())
		case p.accept("setminus"):
			n = mk(opMinus, n, p.ratio())
		default:
			return n
		}
	}
	return nil
}

func join(o op, a, b *node) *node {
	if a.op == o {
		a.kids = append(a.kids, b)
		return a
	}
	return mk(o, a, b)
}

func (p *parser) ratio() *node {
	n := p.operand()
	if !p.isOp(":") || p.err != nil {
		return n
	}
	out := mk(opRatio, n)
	for p.accept(":") && p.err == nil {
		out.kids = append(out.kids, p.operand())
	}
	return out
}

// operand is a sum with the unit or words behind it.
func (p *parser) operand() *node {
	if p.peek().kind == tWord && isCurrency(p.peek().s) || p.peek().kind == tOp && isCurrency(p.peek().s) {
		cur := p.next().s
		n := p.sum()
		if p.err != nil {
			return nil
		}
		if p.accept("%") { // nonsense such as $5%
			return p.fail()
		}
		if u := p.annotation(); u != "" && !unitKnown(u) { // $3 billion
			n = &node{op: opQty, s: u, kids: []*node{n}}
		}
		return &node{op: opQty, s: cur, kids: []*node{n}}
	}
	n := p.sum()
	if p.err != nil {
		return nil
	}
	if u := p.annotation(); u != "" {
		return p.chained(&node{op: opQty, s: u, kids: []*node{n}})
	}
	return n
}

func isCurrency(s string) bool {
	switch s {
	case "$", "£", "€", "¥", "₹", "₽", "₩", "USD", "EUR", "GBP", "INR", "CNY", "RMB":
		return true
	}
	return false
}

func (p *parser) sum() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	var terms []*node
	sign := byte('+')
	if p.isOp("pm") || p.isOp("mp") {
		sign = p.next().s[0]
	}
	for {
		t := p.product()
		if p.err != nil {
			return nil
		}
		switch sign {
		case '-':
			t = mk(opNeg, t)
		case 'p':
			t = &node{op: opPM, s: "+", kids: []*node{t}}
		case 'm':
			t = &node{op: opPM, s: "-", kids: []*node{t}}
		}
		terms = append(terms, t)
		if p.nodes++; p.nodes > maxNodes {
			p.err = errDeep
			return nil
		}
		tok := p.peek()
		if tok.kind != tOp || tok.s != "+" && tok.s != "-" && tok.s != "pm" && tok.s != "mp" {
			break
		}
		sign = tok.s[0]
		p.i++
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return mk(opAdd, terms...)
}
