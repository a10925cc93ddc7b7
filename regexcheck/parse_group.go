package regexcheck

import (
	"strings"
	"unicode"
)

// inlineFlags are the letters of (?i) and its like.
func inlineFlag(t token) Flags {
	if t.end || t.escaped {
		return 0
	}
	switch t.r {
	case 'i':
		return IgnoreCase
	case 'L':
		return flagLocale
	case 'm':
		return Multiline
	case 's':
		return DotAll
	case 'x':
		return Verbose
	case 'a':
		return ASCII
	case 't':
		return flagTemplate
	case 'u':
		return flagUnicode
	}
	return 0
}

// group reads what follows an opening parenthesis. It returns nil for what leaves no item: a comment, global flags, a fault.
// Global flags may change verbose for the rest of the branch.
func (p *parser) group(verbose *bool, first bool) *node {
	start := p.tell() - 1
	if !p.match('?') {
		return p.capture("", *verbose, start)
	}
	t := p.get()
	switch {
	case t.end:
		p.fail(p.tell(), "unexpected end of pattern")
	case t.is('P'):
		return p.named(*verbose, start)
	case t.is(':'):
		return p.enclosed(&node{kind: nodeGroup}, *verbose, start)
	case t.is('>'):
		return p.enclosed(&node{kind: nodeAtomic}, *verbose, start)
	case t.is('#'):
		p.comment(start)
	case t.is('=') || t.is('!') || t.is('<'):
		return p.look(t, *verbose, start)
	case t.is('('):
		return p.conditional(*verbose, start)
	case inlineFlag(t) != 0 || t.is('-'):
		return p.flagged(t, verbose, first, start)
	default:
		p.fail(p.tell()-t.size()-1, "unknown extension ?%s", t)
	}
	return nil
}

// enclosed reads the contents of a group and its closing parenthesis into n.
func (p *parser) enclosed(n *node, verbose bool, start int) *node {
	body := p.alternation(verbose, false)
	if !p.match(')') {
		p.fail(start, "missing ), unterminated subpattern")
		return nil
	}
	n.subs = []sequence{body}
	return n
}

func (p *parser) capture(name string, verbose bool, start int) *node {
	g := len(p.names)
	if name != "" {
		if old, ok := p.index[name]; ok {
			p.fail(p.tell()-len([]rune(name))-1, "redefinition of group name %s as group %d; was group %d", quote([]rune(name)), g, old)
			return nil
		}
		p.index[name] = g
	}
	p.names = append(p.names, name)
	p.widths = append(p.widths, nil)
	n := p.enclosed(&node{kind: nodeGroup, group: g}, verbose, start)
	if n != nil {
		w := widthOf(n.subs[0], p.widths)
		p.widths[g] = &w
	}
	return n
}

// named reads what follows (?P.
func (p *parser) named(verbose bool, start int) *node {
	switch {
	case p.match('<'):
		name := p.until('>', "group name")
		if !p.identifier(name) {
			return nil
		}
		return p.capture(string(name), verbose, start)
	case p.match('='):
		name := p.until(')', "group name")
		if !p.identifier(name) {
			return nil
		}
		g, ok := p.index[string(name)]
		if !ok {
			p.fail(p.tell()-len(name)-1, "unknown group name %s", quote(name))
			return nil
		}
		return p.reference(g, p.tell()-len(name)-1)
	}
	t := p.get()
	if t.end {
		p.fail(p.tell(), "unexpected end of pattern")
		return nil
	}
	p.fail(p.tell()-t.size()-2, "unknown extension ?P%s", t)
	return nil
}

// reference makes a back-reference to g; pos is where a fault is shown.
func (p *parser) reference(g, pos int) *node {
	if p.widths[g] == nil {
		p.fail(pos, "cannot refer to an open group")
		return nil
	}
	if !p.behindAllows(g) {
		return nil
	}
	return &node{kind: nodeRef, group: g}
}

// behindAllows checks that a look-behind refers only to groups that were complete before it.
func (p *parser) behindAllows(g int) bool {
	switch {
	case p.behindGroups < 0:
		return true
	case g >= len(p.widths) || p.widths[g] == nil:
		p.fail(p.tell(), "cannot refer to an open group")
		return false
	case g >= p.behindGroups:
		p.fail(p.tell(), "cannot refer to group defined in the same lookbehind subpattern")
		return false
	}
	return true
}

// identifier checks a group's name, which has just been read with its terminator.
func (p *parser) identifier(name []rune) bool {
	if p.err != nil {
		return false
	}
	if !isIdentifier(name) {
		p.fail(p.tell()-len(name)-1, "bad character in group name %s", quote(name))
		return false
	}
	return true
}

func (p *parser) comment(start int) {
	for {
		if p.next.end {
			p.fail(start, "missing ), unterminated comment")
			return
		}
		if p.get().is(')') {
			return
		}
	}
}

// look reads an assertion of which t is the first sign: = or ! looks ahead, < behind.
func (p *parser) look(t token, verbose bool, start int) *node {
	n := &node{kind: nodeLook, negated: t.is('!')}
	if !t.is('<') {
		return p.enclosed(n, verbose, start)
	}
	t = p.get()
	switch {
	case t.end:
		p.fail(p.tell(), "unexpected end of pattern")
		return nil
	case !t.is('=') && !t.is('!'):
		p.fail(p.tell()-t.size()-2, "unknown extension ?<%s", t)
		return nil
	}
	n.behind, n.negated = true, t.is('!')
	outer := p.behindGroups
	if outer < 0 {
		p.behindGroups = len(p.names)
	}
	n = p.enclosed(n, verbose, start)
	p.behindGroups = outer
	return n
}

// conditional reads (?(group)yes|no).
func (p *parser) conditional(verbose bool, start int) *node {
	name := p.until(')', "group name")
	if p.err != nil {
		return nil
	}
	pos := p.tell() - len(name) - 1
	g, ok := p.index[string(name)]
	switch {
	case isIdentifier(name) && !ok:
		p.fail(pos, "unknown group name %s", quote(name))
		return nil
	case !ok:
		if g = p.groupNumber(name, pos); g <= 0 {
			return nil
		}
	}
	if !p.behindAllows(g) {
		return nil
	}
	n := &node{kind: nodeCond, group: g}
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tell(), "groups nested too deeply")
		return nil
	}
	defer func() { p.depth-- }()
	n.subs = append(n.subs, p.branch(verbose, false))
	if p.match('|') {
		n.subs = append(n.subs, p.branch(verbose, false))
		if p.next.is('|') {
			p.fail(p.tell(), "conditional backref with more than two branches")
			return nil
		}
	}
	if !p.match(')') {
		p.fail(start, "missing ), unterminated subpattern")
		return nil
	}
	return n
}

// groupNumber reads a group's number as Python's int does (blanks around it, a sign, single underscores, digits of any script).
// Whether the group exists is asked at the end of the pattern.
func (p *parser) groupNumber(name []rune, pos int) int {
	n, ok := parseInt(name)
	switch {
	case !ok || n < 0:
		p.fail(pos, "bad character in group name %s", quote(name))
		return 0
	case n == 0:
		p.fail(pos, "bad group number")
		return 0
	case n >= 1<<30:
		p.fail(pos, "invalid group reference %d", n)
		return 0
	}
	if _, ok := p.condRefs[n]; !ok {
		p.condRefs[n] = pos
		p.condOrder = append(p.condOrder, n)
	}
	return n
}

func parseInt(name []rune) (int, bool) {
	s := strings.TrimFunc(string(name), func(r rune) bool { return inSpans(spaceSpans, r) })
	sign := 1
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	n, digit := 0, false
	for _, r := range s {
		switch {
		case r == '_' && digit:
			digit = false
		case inSpans(digitSpans, r):
			n = min(n*10+digitValue(r), 1<<40)
			digit = true
		default:
			return 0, false
		}
	}
	return sign * n, digit
}

// digitValue returns the value of a decimal digit: each script's ten stand together.
func digitValue(r rune) int {
	for _, t := range unicode.Nd.R16 {
		if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
			return int(r-lo) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if lo, hi := rune(t.Lo), rune(t.Hi); lo <= r && r <= hi {
			return int(r-lo) % 10
		}
	}
	return 0
}

// flagged reads flags of which t is the first sign, and the group they belong to if there is one.
func (p *parser) flagged(t token, verbose *bool, first bool, start int) *node {
	add, t := p.flagsOn(t)
	if p.err != nil {
		return nil
	}
	if t.is(')') {
		p.flags |= add
		if !first {
			p.fail(start, "global flags not at the start of the expression")
		}
		*verbose = p.flags&Verbose != 0
		return nil
	}
	if add&flagTemplate != 0 {
		p.fail(p.tell()-1, "bad inline flags: cannot turn on global flag")
		return nil
	}
	var del Flags
	if t.is('-') {
		del = p.flagsOff()
	}
	switch {
	case p.err != nil:
	case del&flagTemplate != 0:
		p.fail(p.tell()-1, "bad inline flags: cannot turn off global flag")
	case add&del != 0:
		p.fail(p.tell()-1, "bad inline flags: flag turned on and off")
	default:
		n := &node{kind: nodeGroup, add: add, del: del}
		return p.enclosed(n, (*verbose || add&Verbose != 0) && del&Verbose == 0, start)
	}
	return nil
}

// flagsOn reads flags up to the sign that ends them, which is returned: ), : or -.
func (p *parser) flagsOn(t token) (Flags, token) {
	var add Flags
	for !t.is('-') {
		f := inlineFlag(t)
		add |= f
		switch {
		case f == flagLocale:
			p.fail(p.tell(), "bad inline flags: cannot use 'L' flag with a str pattern")
			return 0, t
		case f&typeFlags != 0 && add&typeFlags != f:
			p.fail(p.tell(), "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
			return 0, t
		}
		t = p.get()
		if t.is(')') || t.is(':') {
			break
		}
		if !t.is('-') && !p.wantFlag(t, "missing -, : or )") {
			return 0, t
		}
	}
	return add, t
}

// flagsOff reads the flags after a minus sign up to the colon.
func (p *parser) flagsOff() Flags {
	var del Flags
	missing := "missing flag"
	for t := p.get(); !t.is(':') || del == 0; t = p.get() {
		if !p.wantFlag(t, missing) {
			return 0
		}
		f := inlineFlag(t)
		if f&typeFlags != 0 {
			p.fail(p.tell(), "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
			return 0
		}
		del |= f
		missing = "missing :"
	}
	return del
}

func (p *parser) wantFlag(t token, missing string) bool {
	switch {
	case t.end:
		p.fail(p.tell(), "%s", missing)
	case inlineFlag(t) != 0:
		return true
	case !t.escaped && unicode.IsLetter(t.r):
		p.fail(p.tell()-1, "unknown flag")
	default:
		p.fail(p.tell()-t.size(), "%s", missing)
	}
	return false
}
