package mathcheck

import "strings"

// answer is one answer span in all the readings that comparison may need.
type answer struct {
	raw    string // as given, blanks trimmed
	span   string // the answer within it
	folded string
	bare   string // bareText of the folded span
	text   string // bare, in small letters
	root   *node  // nil if unreadable
	choice string // capital letter of an option, if it is one
	when   *moment
	err    error
	full   bool      // the answer is the whole of raw
	list   []*answer // alternative reading as a list of boxes
}

func compileGold(s string) *answer {
	raw := strings.TrimSpace(s)
	if raw == "" {
		return nil
	}
	span := raw
	c := newCandidate(raw, false)
	if spans := c.goldSpans(); len(spans) > 0 {
		span = spans[0]
	}
	a := readAnswer(span, true)
	a.raw = raw
	if alt := c.looseBoxes(); alt != "" {
		b := readAnswer(alt, true)
		b.raw = raw
		a.list = append(a.list, b)
	}
	return a
}

// readAnswer reads a span in every way.
func readAnswer(span string, gold bool) *answer {
	span = strings.TrimSpace(span)
	a := &answer{raw: span, span: span}
	if len(span) > maxSpan {
		a.err = errDeep
		return a
	}
	a.folded = undouble(fold(span))
	a.bare = bareText(a.folded)
	a.text = strings.ToLower(a.bare)
	a.choice = choiceOf(a.bare, gold)
	a.when = momentOf(a.text)
	a.root, a.err = parse(a.folded, false)
	return a
}

// undouble halves backslashes when every run of them is even: text that was escaped once too often.
func undouble(s string) string {
	if !strings.Contains(s, `\\`) {
		return s
	}
	letters := false
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		j := i
		for j < len(s) && s[j] == '\\' {
			j++
		}
		if (j-i)%2 != 0 {
			return s
		}
		letters = letters || j < len(s) && asciiLetter(s, j) && asciiLetter(s, j+1)
		i = j - 1
	}
	if !letters {
		return s
	}
	return strings.ReplaceAll(s, `\\`, `\`)
}

// readable reports whether the span has a meaning: mathematics, a moment, a choice, or words.
func (a *answer) readable() bool {
	if a.root != nil || a.when != nil || a.choice != "" {
		return true
	}
	return isPhrase(a.bare)
}

// isPhrase reports whether a text is words only: what can be compared as words.
func isPhrase(s string) bool {
	if s == "" || len(s) > 400 {
		return false
	}
	letters := 0
	for _, r := range s {
		switch {
		case r == '\\' || r == '=' || r == '<' || r == '>' || r == '^' || r == '_' || r == '{' || r == '}' || r == '|' || r == '?':
			return false
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80:
			letters++
		}
	}
	return letters*2 > len([]rune(s))
}

// kind names the reading for reports.
func (a *answer) kind() string {
	switch {
	case a.when != nil && a.when.date:
		return "date"
	case a.when != nil && a.when.sure:
		return "time"
	case a.choice != "":
		return "choice"
	case a.root == nil:
		if isPhrase(a.bare) {
			return "text"
		}
		return ""
	}
	return kindOf(state(a.root))
}

func kindOf(s stated) string {
	if s.val == nil {
		return ""
	}
	switch s.val.op {
	case opText:
		return "text"
	case opList, opSet, opEmpty:
		return "set"
	case opTuple:
		if isSetLike(s.val) {
			return "interval"
		}
		return "tuple"
	case opUnion, opInter, opMinus, opNumbers:
		return "interval"
	case opMatrix:
		return "matrix"
	case opRatio:
		return "ratio"
	case opBase:
		return "base"
	case opQty:
		return "quantity"
	case opPct:
		return "percent"
	case opDeg:
		return "angle"
	case opInf:
		return "infinity"
	case opSeq:
		return "sequence"
	case opRel:
		if isEquation(s.val) {
			return "equation"
		}
		return "inequality"
	}
	if s.val.hasLetters() {
		return "expression"
	}
	return "number"
}

// identical compares spans as text, for references that cannot be read.
func identical(a *answer, span string) bool {
	t := squash(strings.Trim(fold(span), "$ \n\t."))
	return t != "" && t == squash(strings.Trim(a.folded, "$ \n\t."))
}

func sameText(a, b string) bool {
	a, b = withoutArticle(a), withoutArticle(b)
	return a != "" && (a == b || squash(a) == squash(b))
}

func withoutArticle(s string) string {
	for _, w := range [...]string{"the ", "a ", "an ", "on "} {
		if strings.HasPrefix(s, w) && len(s) > len(w)+1 {
			return s[len(w):]
		}
	}
	return s
}

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
	if g.choice != "" && (g.root == nil || isWordy(g.root) || g.root.op == opSym || len(g.bare) <= 4) {
		if p.choice != "" {
			if g.choice == p.choice {
				return yes, "the same option"
			}
			return no, "another option"
		}
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
	if n := decimalComma(p.folded); n != nil && singleNumber(g.root) {
		if r := c.answers(g.root, n); r == yes {
			return r
		}
	}
	if n := decimalComma(g.folded); n != nil && singleNumber(p.root) {
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
