package regexcheck

import "unicode/utf8"

// A tree is a parsed pattern.
type tree struct {
	body   sequence
	flags  Flags // of the outermost level
	names  []string
	index  map[string]int
	widths []*width // of each group
}

// A parser turns a pattern into a tree. Faults are kept in the lexer; the parser itself only has to come to an end.
type parser struct {
	lexer
	tree
	behindGroups int         // groups opened before the outermost look-behind being read; -1 outside of one
	condRefs     map[int]int // groups that conditionals name by number, and where first
	condOrder    []int
	depth        int
}

// parse reads a pattern as CPython 3.11 does.
func parse(pattern string, f Flags) (*tree, error) {
	if utf8.RuneCountInString(pattern) > maxPattern {
		return nil, &SyntaxError{Msg: "pattern too long", Pos: maxPattern}
	}
	p := &parser{behindGroups: -1, condRefs: map[int]int{}}
	p.src = decode(pattern, nil)
	p.flags, p.names, p.index, p.widths = f, []string{""}, map[string]int{}, []*width{nil}
	p.advance()
	p.body = p.alternation(f&Verbose != 0, true)
	if p.err == nil {
		p.finish()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &p.tree, nil
}

// finish makes the checks that need the whole pattern.
func (p *parser) finish() {
	if p.flags&ASCII != 0 && p.flags&flagUnicode != 0 {
		p.fail(-1, "ASCII and UNICODE flags are incompatible")
		return
	}
	if !p.next.end {
		p.fail(p.tell(), "unbalanced parenthesis")
		return
	}
	for _, g := range p.condOrder {
		if g >= len(p.names) {
			p.fail(p.condRefs[g], "invalid group reference %d", g)
			return
		}
	}
}

// alternation reads branches up to a closing parenthesis or the end. top is the outermost level, where global flags may stand.
func (p *parser) alternation(verbose, top bool) sequence {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tell(), "groups nested too deeply")
		return nil
	}
	defer func() { p.depth-- }()
	var branches []sequence
	for {
		branches = append(branches, p.branch(verbose, top && len(branches) == 0))
		if !p.match('|') {
			break
		}
		if top {
			verbose = p.flags&Verbose != 0
		}
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return factor(branches)
}

// factor moves what all branches begin with in front of them, and makes one set of branches that are one character each. It is
// more than a saving: in a set, Python folds the case of characters beyond U+FFFF in another way.
func factor(branches []sequence) sequence {
	var out sequence
	for commonFirst(branches) {
		out = append(out, branches[0][0])
		for i := range branches {
			branches[i] = branches[i][1:]
		}
	}
	var items []setItem
	for _, b := range branches {
		if len(b) != 1 || b[0].kind != nodeLiteral && (b[0].kind != nodeSet || b[0].negated) {
			return append(out, &node{kind: nodeAlt, subs: branches})
		}
		if b[0].kind == nodeLiteral {
			items = append(items, setItem{kind: itemRange, lo: b[0].r, hi: b[0].r})
		} else {
			items = append(items, b[0].items...)
		}
	}
	return append(out, &node{kind: nodeSet, items: items})
}

func commonFirst(branches []sequence) bool {
	for _, b := range branches {
		if len(b) == 0 || !b[0].same(branches[0][0]) {
			return false
		}
	}
	return true
}

// branch reads one sequence. first: global flags are allowed while nothing else has been read.
func (p *parser) branch(verbose, first bool) sequence {
	var seq sequence
	for !p.next.end && !p.next.is('|') && !p.next.is(')') {
		t := p.get()
		switch {
		case verbose && t.isBlank():
		case verbose && t.is('#'):
			for t := p.get(); !t.end && !t.is('\n'); t = p.get() {
			}
		case t.escaped:
			seq = append(seq, p.escape(t))
		case t.r == '[':
			seq = append(seq, p.set())
		case t.r == '*' || t.r == '+' || t.r == '?' || t.r == '{':
			seq = p.repeat(seq, t.r)
		case t.r == '(':
			n := p.group(&verbose, first && len(seq) == 0)
			if n != nil {
				seq = append(seq, n)
			}
		case t.r == '.':
			seq = append(seq, &node{kind: nodeAny})
		case t.r == '^':
			seq = append(seq, &node{kind: nodeAt, at: atStart})
		case t.r == '$':
			seq = append(seq, &node{kind: nodeAt, at: atEnd})
		default:
			seq = append(seq, literal(t.r))
		}
	}
	return unwrap(seq)
}

func literal(r rune) *node { return &node{kind: nodeLiteral, r: r} }

func (t token) isBlank() bool {
	return !t.end && !t.escaped && (t.r == ' ' || '\t' <= t.r && t.r <= '\r')
}

// plain tells whether n is a group that neither captures nor changes flags.
func (n *node) plain() bool { return n.kind == nodeGroup && n.group == 0 && n.add == 0 && n.del == 0 }

// unwrap puts the contents of plain groups in their place.
func unwrap(seq sequence) sequence {
	var out sequence
	for i, n := range seq {
		if n.plain() {
			if out == nil {
				out = append(make(sequence, 0, len(seq)), seq[:i]...)
			}
			out = append(out, n.subs[0]...)
		} else if out != nil {
			out = append(out, n)
		}
	}
	if out == nil {
		return seq
	}
	return out
}

// repeat reads the rest of a quantifier that begins with q and applies it to the last item of seq.
func (p *parser) repeat(seq sequence, q rune) sequence {
	here := p.tell()
	lo, hi := int64(0), int64(unlimited)
	switch q {
	case '?':
		hi = 1
	case '+':
		lo = 1
	case '{':
		var ok bool
		if lo, hi, ok = p.counts(here); !ok {
			return append(seq, literal('{'))
		}
	}
	if p.err != nil {
		return seq
	}
	if len(seq) == 0 || seq[len(seq)-1].kind == nodeAt {
		p.fail(here-1, "nothing to repeat")
		return seq
	}
	last := seq[len(seq)-1]
	if last.kind == nodeRepeat {
		p.fail(here-1, "multiple repeat")
		return seq
	}
	item := sequence{last}
	if last.plain() {
		item = last.subs[0]
	}
	n := &node{kind: nodeRepeat, min: lo, max: hi, subs: []sequence{item}}
	if p.match('?') {
		n.greed = lazy
	} else if p.match('+') {
		n.greed = possessive
	}
	seq[len(seq)-1] = n
	return seq
}

// counts reads what follows a brace: "3}", "3,}", ",5}", "3,5}" or ",}". Anything else, "}" too, makes the brace a character.
func (p *parser) counts(here int) (lo, hi int64, ok bool) {
	if p.next.is('}') {
		return 0, 0, false
	}
	first := p.digits(-1, isDigit)
	second := first
	if p.match(',') {
		second = p.digits(-1, isDigit)
	}
	if !p.match('}') {
		p.seek(here)
		return 0, 0, false
	}
	lo, hi = p.count(first, 0), p.count(second, unlimited)
	if hi < lo {
		p.fail(here, "min repeat greater than max repeat")
	}
	return lo, hi, true
}

func (p *parser) count(digits []rune, none int64) int64 {
	if len(digits) == 0 {
		return none
	}
	var n int64
	for _, d := range digits {
		if n = n*10 + int64(d-'0'); n >= unlimited {
			p.fail(-1, "the repetition number is too large")
			return none
		}
	}
	return n
}
