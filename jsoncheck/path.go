package jsoncheck

import (
	"fmt"
	"strconv"
	"strings"
)

// Syntax names a way to write a path.
type Syntax uint8

// The syntaxes.
const (
	Auto     Syntax = iota // /… is a Pointer, $… a JSONPath, anything else Dotted
	Dotted                 // a.b.0: names and list indices parted by points; "" is the member with the empty name
	Pointer                // JSON Pointer, RFC 6901; "" is the whole document
	JSONPath               // RFC 9535; selects a list of nodes
)

// ParseSyntax reads "auto" (also ""), "dotted", "pointer" or "jsonpath".
func ParseSyntax(word string) (Syntax, error) {
	switch word {
	case "", "auto":
		return Auto, nil
	case "dotted":
		return Dotted, nil
	case "pointer":
		return Pointer, nil
	case "jsonpath":
		return JSONPath, nil
	}
	return Auto, fmt.Errorf("jsoncheck: unknown path syntax %q (auto, dotted, pointer, jsonpath)", word)
}

// A Path says where in a document to look. It is immutable.
type Path struct {
	src    string
	syntax Syntax
	tokens []string // Dotted and Pointer
	never  bool     // a Pointer that is none: it points at nothing
	query  *query   // JSONPath
}

// CompilePath reads a path. Only a JSONPath can fail: every text is a dotted path, and a text that is no JSON Pointer
// (no leading slash, a ~ before something other than 0 or 1) points at nothing in any document.
func CompilePath(src string, syntax Syntax) (*Path, error) {
	if syntax == Auto {
		switch {
		case strings.HasPrefix(src, "/"):
			syntax = Pointer
		case strings.HasPrefix(src, "$"):
			syntax = JSONPath
		default:
			syntax = Dotted
		}
	}
	p := &Path{src: src, syntax: syntax}
	switch syntax {
	case Dotted:
		p.tokens = strings.Split(src, ".")
	case Pointer:
		p.tokens, p.never = pointerTokens(src)
	case JSONPath:
		var err error
		if p.query, err = compileQuery(src); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("jsoncheck: unknown path syntax %d", syntax)
	}
	return p, nil
}

// String returns the path as it was written.
func (p *Path) String() string { return p.src }

// Syntax returns how the path is written; never Auto.
func (p *Path) Syntax() Syntax { return p.syntax }

// Select returns the nodes at the path: for Dotted and Pointer none or one, for JSONPath any number, parents before
// children, lists by index, members by name (RFC 9535 leaves their order open; a fixed one makes verdicts repeat).
// The error wraps ErrLimit when a JSONPath would visit more nodes than its bound.
func (p *Path) Select(doc any) ([]any, error) {
	if p.query != nil {
		return p.query.run(doc)
	}
	if p.never {
		return nil, nil
	}
	v := doc
	for _, token := range p.tokens {
		switch parent := v.(type) {
		case map[string]any:
			child, ok := parent[token]
			if !ok {
				return nil, nil
			}
			v = child
		case []any:
			i, ok := index(token, p.syntax == Pointer)
			if !ok || i >= len(parent) {
				return nil, nil
			}
			v = parent[i]
		default:
			return nil, nil
		}
	}
	return []any{v}, nil
}

// index reads a list index in plain ASCII digits; a strict one has no leading zero (RFC 6901 section 4).
func index(token string, strict bool) (int, bool) {
	if token == "" || strings.Trim(token, "0123456789") != "" || strict && len(token) > 1 && token[0] == '0' {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}

func pointerTokens(src string) (tokens []string, never bool) {
	if src == "" {
		return nil, false
	}
	if src[0] != '/' {
		return nil, true
	}
	tokens = strings.Split(src[1:], "/")
	for i, t := range tokens {
		plain := strings.NewReplacer("~0", "", "~1", "").Replace(t)
		if strings.Contains(plain, "~") {
			return nil, true
		}
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return tokens, false
}

// escapeToken writes a member name as one token of a JSON Pointer.
func escapeToken(name string) string { return tokenEscaper.Replace(name) }

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")
