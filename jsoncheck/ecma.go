package jsoncheck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
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
