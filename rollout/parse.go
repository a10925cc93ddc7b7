package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError says why a line is no row, and where. Text of the row is not quoted: it may hold an answer key.
type SyntaxError struct {
	Line   int64 // 1-based line of the file; 0 where there is no file
	Column int   // 1-based, in bytes; 0 where the whole line is meant
	Msg    string
}

func (e *SyntaxError) Error() string {
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	case e.Column > 0:
		return fmt.Sprintf("column %d: %s", e.Column, e.Msg)
	}
	return e.Msg
}

// decodeOptions: nested duplicate keys and lone surrogate escapes are the row's own business and travel as they are;
// what the row itself must not have is checked in Parse.
var decodeOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

type parser struct {
	dec jsontext.Decoder
	src bytes.Reader
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// Parse reads one row from one JSON object. The row keeps line, which must not be changed afterwards. Errors are
// *SyntaxError: broken JSON, something else than an object, broken UTF-8, a key that stands twice.
func Parse(line []byte) (*Row, error) {
	r := new(Row)
	if err := ParseInto(r, line); err != nil {
		return nil, err
	}
	return r, nil
}

// ParseInto is Parse into a row that is used again: all that was read from it before is lost. Only for callers who know
// that nobody holds the row any longer. After an error the row is empty.
func ParseInto(r *Row, line []byte) error {
	*r = Row{raw: rawRow{line: line, fields: r.raw.fields[:0]}}
	if i := invalidUTF8(line); i >= 0 {
		return &SyntaxError{Column: i + 1, Msg: "broken UTF-8"}
	}
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.src.Reset(line)
	p.dec.Reset(&p.src, decodeOptions...)
	if err := p.members(r); err != nil {
		*r = Row{raw: rawRow{fields: r.raw.fields[:0]}}
		if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) && syntax.Msg == endsTooEarly {
			syntax.Column = len(line) + 1
		}
		return err
	}
	r.fill()
	return nil
}

// members indexes the keys of the row. Values are cut out of the line by offset, so they alias it.
func (p *parser) members(r *Row) error {
	line := r.raw.line
	tok, err := p.dec.ReadToken()
	if err != nil {
		return syntaxError(err)
	}
	if tok.Kind() != '{' {
		return &SyntaxError{Msg: "a row is a JSON object; this is " + kindName(tok.Kind())}
	}
	if r.raw.fields == nil {
		r.raw.fields = make([]field, 0, 8)
	}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadValue()
		if err != nil {
			return syntaxError(err)
		}
		if name.Kind() != '"' {
			return &SyntaxError{Column: int(p.dec.InputOffset()) - len(name) + 1, Msg: "a key must be text, not " + kindName(name.Kind())}
		}
		key := nameOf(name)
		if _, twice := r.Get(key); twice {
			return &SyntaxError{Column: int(p.dec.InputOffset()), Msg: fmt.Sprintf("the key %.60q stands twice", key)}
		}
		value, err := p.dec.ReadValue()
		if err != nil {
			return syntaxError(err)
		}
		end := int(p.dec.InputOffset())
		r.raw.fields = append(r.raw.fields, field{key, line[end-len(value) : end : end]})
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return syntaxError(err)
	}
	if _, err := p.dec.ReadToken(); err != io.EOF {
		return &SyntaxError{Column: int(p.dec.InputOffset()) + 1, Msg: "something follows the row"}
	}
	return nil
}

const endsTooEarly = "the JSON ends too early"

func syntaxError(err error) error {
	if errors.Is(err, io.EOF) {
		return &SyntaxError{Msg: "no JSON value"}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &SyntaxError{Msg: endsTooEarly}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		if errors.Is(syntactic.Err, io.ErrUnexpectedEOF) {
			return &SyntaxError{Column: int(syntactic.ByteOffset) + 1, Msg: endsTooEarly}
		}
		return &SyntaxError{Column: int(syntactic.ByteOffset) + 1, Msg: syntactic.Err.Error()}
	}
	return &SyntaxError{Msg: err.Error()}
}

func invalidUTF8(line []byte) int {
	if utf8.Valid(line) {
		return -1
	}
	for i := 0; i < len(line); {
		c, n := utf8.DecodeRune(line[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '[':
		return "a list"
	case '"':
		return "text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a bool"
}
