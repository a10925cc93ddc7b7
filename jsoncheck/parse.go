package jsoncheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxDepth is the deepest nesting of arrays and objects that Parse builds. Python's reader stops at about 1,000 and
// Go's at 10,000; the bound keeps every recursion over a value at a few megabytes of stack.
const MaxDepth = 10_000

// A Document is one JSON text together with what was noticed while reading it. Treat it as immutable.
type Document struct {
	Value any    // nil, bool, json.Number, string, []any, map[string]any; the last of repeated members wins
	Raw   string // the text that was read, without a byte-order mark or surrounding white space
	How   How    // where the text was found; Whole after Parse
	Type  Type   // of Value, exact: Integer for 3, Number for 3.0

	// Repeated is the JSON Pointer of the first member whose name its object holds twice, "" if there is none.
	Repeated string
	// Nodes counts the values of the document, itself included; Depth its nesting, 0 for a scalar.
	Nodes, Depth int

	// wildest is the largest of the sizes (numberSize) of its numbers: big ones take a slower road in Schema.
	wildest int
}

// Parse reads text as one strict RFC 8259 value. Repeated members, lone escaped surrogates (read as U+FFFD), numbers
// of any size and one leading byte-order mark are taken; NaN, Infinity, comments, trailing commas, raw control
// characters and broken UTF-8 are not. The error is a *SyntaxError, or wraps ErrLimit for nesting over MaxDepth.
func Parse(text string) (*Document, error) {
	if i := invalidUTF8(text); i >= 0 {
		return nil, syntaxError(text, i, "invalid UTF-8")
	}
	p := parser{text: text, pos: len(text) - len(strings.TrimPrefix(text, "\ufeff"))}
	p.space()
	start := p.pos
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	end := p.pos
	p.space()
	if p.pos < len(text) {
		return nil, p.fail("unexpected text after the value")
	}
	return &Document{
		Value: v, Raw: text[start:end], Type: TypeOf(v), Repeated: p.repeated,
		Nodes: p.nodes, Depth: p.deepest, wildest: p.wildest,
	}, nil
}

// Valid reports whether text is one strict RFC 8259 value: nil, or the error of Parse.
func Valid(text string) error {
	_, err := Parse(text)
	return err
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// parser is a recursive-descent reader over text that is known to be UTF-8.
type parser struct {
	text     string
	pos      int
	depth    int
	deepest  int
	nodes    int
	wildest  int
	repeated string
}

func (p *parser) fail(msg string) error { return syntaxError(p.text, p.pos, msg) }

// unexpected describes what stands at the current position instead of what.
func (p *parser) unexpected(what string) error {
	if p.pos >= len(p.text) {
		return p.fail("unexpected end of text, want " + what)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return p.fail(fmt.Sprintf("unexpected %q, want %s", r, what))
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) value() (any, error) {
	p.nodes++
	switch c := p.peek(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"':
		return p.str()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case c == 't':
		return true, p.word("true")
	case c == 'f':
		return false, p.word("false")
	case c == 'n':
		return nil, p.word("null")
	}
	return nil, p.unexpected("a value")
}

func (p *parser) word(w string) error {
	if !strings.HasPrefix(p.text[p.pos:], w) {
		return p.unexpected("a value")
	}
	p.pos += len(w)
	return nil
}

// open steps into a container.
func (p *parser) open() error {
	if p.depth == MaxDepth {
		return fmt.Errorf("jsoncheck: nested deeper than %d: %w", MaxDepth, ErrLimit)
	}
	p.depth++
	p.deepest = max(p.deepest, p.depth)
	p.pos++
	p.space()
	return nil
}

// next reads what follows an element: a comma (true) or the closing bracket (false).
func (p *parser) next(closing byte) (bool, error) {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		p.space()
		return true, nil
	case closing:
		p.pos++
		p.depth--
		return false, nil
	}
	return false, p.unexpected(fmt.Sprintf("',' or '%c'", closing))
}

func (p *parser) array() (any, error) {
	if err := p.open(); err != nil {
		return nil, err
	}
	list := []any{}
	if p.peek() == ']' {
		p.pos++
		p.depth--
		return list, nil
	}
	for more := true; more; {
		before := p.repeated
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		if before == "" && p.repeated != "" {
			p.repeated = fmt.Sprintf("/%d%s", len(list), p.repeated)
		}
		list = append(list, v)
		if more, err = p.next(']'); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (p *parser) object() (any, error) {
	if err := p.open(); err != nil {
		return nil, err
	}
	members := map[string]any{}
	if p.peek() == '}' {
		p.pos++
		p.depth--
		return members, nil
	}
	for more := true; more; {
		if p.peek() != '"' {
			return nil, p.unexpected("a member name")
		}
		name, err := p.str()
		if err != nil {
			return nil, err
		}
		if more, err = p.member(members, name); err != nil {
			return nil, err
		}
	}
	return members, nil
}

func (p *parser) member(members map[string]any, name string) (more bool, err error) {
	p.space()
	if p.peek() != ':' {
		return false, p.unexpected("':'")
	}
	p.pos++
	p.space()
	before := p.repeated
	v, err := p.value()
	if err != nil {
		return false, err
	}
	if before == "" && p.repeated != "" {
		p.repeated = "/" + escapeToken(name) + p.repeated
	}
	if p.repeated == "" {
		if _, ok := members[name]; ok {
			p.repeated = "/" + escapeToken(name)
		}
	}
	members[name] = v
	return p.next('}')
}

// number checks the literal by RFC 8259 section 6 and keeps it.
func (p *parser) number() (any, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !p.digits() {
		return nil, p.unexpected("a digit")
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return nil, p.unexpected("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return nil, p.unexpected("a digit")
		}
	}
	literal := p.text[start:p.pos]
	p.wildest = max(p.wildest, numberSize(literal))
	return json.Number(literal), nil
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}
