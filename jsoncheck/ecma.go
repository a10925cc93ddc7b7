package jsoncheck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON Schema writes patterns in the dialect of ECMA-262 with the u flag, and asks of them one bit: do they match
// anywhere? So groups need not be remembered, and greedy and lazy quantifiers mean the same. A pattern is read here
// to a tree; where Go's regexp, which is linear in the text, can hold it, it is written in Go's syntax (ecma_go.go);
// look-around and long counted repeats go to a matcher of states and positions with a bound (ecma_match.go).
// Back-references need the groups and have no bound: they are refused while building.
//
// Taken beyond the u flag, as engines do: { } ] that begin or end nothing, and escaped characters other than letters
// and digits, stand for themselves. A letter that is escaped without meaning (\Z, \a) is an error.

// errBackref marks a well-formed pattern that cannot be matched here.
var errBackref = errors.New("back-references are not supported")

// re is a node of the tree of a pattern.
type re struct {
	op       reOp
	set      runeSet // opSet
	min, max int     // opRepeat; max is -1 for no end
	sub      []*re
}

type reOp uint8

const (
	opEmpty     reOp = iota
	opSet            // one code point of set
	opCat            // sub in sequence
	opAlt            // one of sub
	opRepeat         // sub[0] min to max times
	opBegin          // ^
	opEnd            // $
	opWord           // \b
	opNotWord        // \B
	opAhead          // (?=sub[0])
	opNotAhead       // (?!sub[0])
	opBehind         // (?<=sub[0])
	opNotBehind      // (?<!sub[0])
)

// maxPatternDepth bounds groups in groups; Go's parser stops at 1,000.
const maxPatternDepth = 500

// ecma reads one pattern.
type ecma struct {
	src     string
	pos     int
	depth   int
	names   map[string]bool
	refs    []string // names that \k asks for
	groups  int      // capturing ones
	highest int      // number of the highest \1
}

// parseECMA reads a pattern. An error that wraps errBackref comes with a well-formed pattern.
func parseECMA(src string) (*re, error) {
	p := ecma{src: src, names: map[string]bool{}}
	tree, err := p.alternatives()
	if err == nil && p.pos < len(src) {
		err = errors.New("unmatched )")
	}
	if err != nil {
		return nil, fmt.Errorf("at byte %d: %w", p.pos, err)
	}
	for _, name := range p.refs {
		if !p.names[name] {
			return nil, fmt.Errorf(`\k<%s> names no group`, name)
		}
	}
	if p.highest > p.groups {
		return nil, fmt.Errorf(`\%d names no group`, p.highest)
	}
	if p.highest > 0 || len(p.refs) > 0 {
		return nil, errBackref
	}
	return tree, nil
}

// take returns the next code point, utf8.RuneError at the end.
func (p *ecma) take() rune {
	r, n := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += n
	return r
}

func (p *ecma) skip(prefix string) bool {
	ok := strings.HasPrefix(p.src[p.pos:], prefix)
	if ok {
		p.pos += len(prefix)
	}
	return ok
}

func (p *ecma) at(c byte) bool { return p.pos < len(p.src) && p.src[p.pos] == c }

func (p *ecma) alternatives() (*re, error) {
	if p.depth++; p.depth > maxPatternDepth {
		return nil, errors.New("groups are nested too deeply")
	}
	defer func() { p.depth-- }()
	var list []*re
	for {
		branch, err := p.sequence()
		if err != nil {
			return nil, err
		}
		list = append(list, branch)
		if !p.skip("|") {
			break
		}
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return &re{op: opAlt, sub: list}, nil
}

func (p *ecma) sequence() (*re, error) {
	cat := &re{op: opCat}
	for p.pos < len(p.src) && !p.at('|') && !p.at(')') {
		term, err := p.term()
		if err != nil {
			return nil, err
		}
		if term, err = p.quantified(term); err != nil {
			return nil, err
		}
		cat.sub = append(cat.sub, term)
	}
	return cat, nil
}

// term reads one thing that a quantifier may follow.
func (p *ecma) term() (*re, error) {
	switch r := p.take(); r {
	case '^':
		return &re{op: opBegin}, nil
	case '$':
		return &re{op: opEnd}, nil
	case '.':
		return &re{op: opSet, set: runeSet{'\n', '\n', '\r', '\r', 0x2028, 0x2029}.negate()}, nil
	case '[':
		return p.class()
	case '(':
		return p.group()
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return nil, fmt.Errorf("%c with nothing to repeat", r)
	default:
		return &re{op: opSet, set: runeSet{r, r}}, nil
	}
}

// quantified reads the quantifier behind a term, if there is one.
func (p *ecma) quantified(term *re) (*re, error) {
	low, high, ok, err := p.quantifier()
	if err != nil || !ok {
		return term, err
	}
	p.skip("?") // lazy
	switch term.op {
	case opBegin, opEnd, opWord, opNotWord, opAhead, opNotAhead, opBehind, opNotBehind:
		return nil, errors.New("an assertion cannot be repeated")
	}
	if p.at('*') || p.at('+') || p.at('?') {
		return nil, errors.New("a quantifier behind a quantifier")
	}
	return &re{op: opRepeat, min: low, max: high, sub: []*re{term}}, nil
}

func (p *ecma) quantifier() (low, high int, ok bool, err error) {
	switch {
	case p.skip("*"):
		return 0, -1, true, nil
	case p.skip("+"):
		return 1, -1, true, nil
	case p.skip("?"):
		return 0, 1, true, nil
	case !p.at('{'):
		return 0, 0, false, nil
	}
	inside, _, closed := strings.Cut(p.src[p.pos+1:], "}")
	from, to, comma := strings.Cut(inside, ",")
	if !closed || from == "" || strings.Trim(from+to, "0123456789") != "" {
		return 0, 0, false, nil // stands for itself
	}
	low, high = count(from), -1
	if !comma {
		high = low
	} else if to != "" {
		high = count(to)
	}
	p.pos += len(inside) + 2
	if high >= 0 && low > high {
		return 0, 0, false, fmt.Errorf("{%s} is out of order", inside)
	}
	return low, high, true, nil
}

// count reads digits; what no text is long enough for is one number.
func count(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 1 << 40
	}
	return min(n, 1<<40)
}

func (p *ecma) group() (*re, error) {
	op := opEmpty
	if p.skip("?") {
		switch {
		case p.skip(":"):
		case p.skip("="):
			op = opAhead
		case p.skip("!"):
			op = opNotAhead
		case p.skip("<="):
			op = opBehind
		case p.skip("<!"):
			op = opNotBehind
		case p.skip("<"):
			name, _, ok := strings.Cut(p.src[p.pos:], ">")
			if !ok || name == "" || p.names[name] {
				return nil, errors.New("a group's name is missing or stands twice")
			}
			p.pos += len(name) + 1
			p.names[name] = true
			p.groups++
		default:
			return nil, fmt.Errorf("(?%c is not ECMA-262", p.take())
		}
	} else {
		p.groups++
	}
	body, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.skip(")") {
		return nil, errors.New("a group without )")
	}
	if op == opEmpty {
		return body, nil
	}
	return &re{op: op, sub: []*re{body}}, nil
}

// escape reads what follows a backslash outside a class.
func (p *ecma) escape() (*re, error) {
	switch {
	case p.skip("b"):
		return &re{op: opWord}, nil
	case p.skip("B"):
		return &re{op: opNotWord}, nil
	case p.skip("k<"):
		name, _, ok := strings.Cut(p.src[p.pos:], ">")
		if !ok {
			return nil, errors.New(`\k< without >`)
		}
		p.pos += len(name) + 1
		p.refs = append(p.refs, name)
		return &re{op: opEmpty}, nil
	case p.pos < len(p.src) && '1' <= p.src[p.pos] && p.src[p.pos] <= '9':
		start := p.pos
		for p.pos < len(p.src) && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
			p.pos++
		}
		p.highest = max(p.highest, count(p.src[start:p.pos]))
		return &re{op: opEmpty}, nil
	}
	set, err := p.atom()
	return &re{op: opSet, set: set}, err
}

// atom reads what follows a backslash, inside or outside a class, and stands for one code point of a set.
func (p *ecma) atom() (runeSet, error) {
	if p.pos >= len(p.src) {
		return nil, errors.New(`\ at the end`)
	}
	switch r := p.take(); r {
	case 'd':
		return digitSet, nil
	case 'D':
		return digitSet.negate(), nil
	case 'w':
		return wordSet, nil
	case 'W':
		return wordSet.negate(), nil
	case 's':
		return spaceSet, nil
	case 'S':
		return spaceSet.negate(), nil
	case 'p', 'P':
		set, err := p.property()
		if r == 'P' {
			set = set.negate()
		}
		return set, err
	default:
		c, err := p.character(r)
		return runeSet{c, c}, err
	}
}

// character reads the escape of one code point that begins with r.
func (p *ecma) character(r rune) (rune, error) {
	switch r {
	case 't', 'n', 'v', 'f', 'r':
		return rune("\t\n\v\f\r"[strings.IndexRune("tnvfr", r)]), nil
	case '0':
		return 0, nil
	case 'c':
		if c := p.take(); 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 {
			return c % 32, nil
		}
		return 0, errors.New(`\c without a letter`)
	case 'x':
		return p.hexDigits(2)
	case 'u':
		return p.unicode()
	}
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
		return 0, fmt.Errorf(`\%c means nothing in ECMA-262`, r)
	}
	return r, nil
}

func (p *ecma) hexDigits(n int) (rune, error) {
	end := p.pos + n
	if end > len(p.src) {
		return 0, errors.New("an escape is cut short")
	}
	v, err := strconv.ParseUint(p.src[p.pos:end], 16, 32)
	if err != nil {
		return 0, fmt.Errorf("%q are not %d hexadecimal digits", p.src[p.pos:end], n)
	}
	p.pos = end
	return rune(v), nil
}

// unicode reads the rest of \uXXXX, of a surrogate pair of them, or of \u{X}.
func (p *ecma) unicode() (rune, error) {
	if p.skip("{") {
		digits, _, ok := strings.Cut(p.src[p.pos:], "}")
		v, err := strconv.ParseUint(digits, 16, 32)
		if !ok || err != nil || v > utf8.MaxRune {
			return 0, fmt.Errorf(`\u{%s is no code point`, digits)
		}
		p.pos += len(digits) + 1
		return rune(v), nil
	}
	r, err := p.hexDigits(4)
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if back := p.pos; p.skip(`\u`) {
		if low, err := p.hexDigits(4); err == nil {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, nil
			}
		}
		p.pos = back
	}
	return utf8.RuneError, nil // a lone surrogate is read as in the texts it is compared with
}
