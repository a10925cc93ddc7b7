package jsoncheck

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON Schema writes patterns in the dialect of ECMA-262 (with the u flag). Go's regexp is linear in the text, which
// a pattern from a stranger needs, so patterns are translated to its syntax where both mean the same. The
// differences, each handled below: ^ and $ (Go's $ is \z already, but (?m) and friends are not ECMA), the line ends
// that a point excludes, \s (Unicode there, ASCII here), \cX, \uXXXX and \u{X}, \0, [] and [^], [ inside a class,
// names of Unicode properties and of groups, letters that are escaped without meaning (an error in ECMA).
//
// Look-around and back-references are beyond a linear engine; they are handled by backtrack.go.

// ecmaSpace is what \s means in ECMA-262: WhiteSpace and LineTerminator.
const ecmaSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// notSpace is its complement.
const notSpace = `\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
	`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`

// compileECMA compiles an ECMA-262 pattern to a matcher that is linear in the text.
func compileECMA(pattern string) (*regexp.Regexp, error) {
	t := ecma{src: pattern}
	for t.pos < len(pattern) {
		if err := t.term(); err != nil {
			return nil, fmt.Errorf("at byte %d: %w", t.pos, err)
		}
	}
	re, err := regexp.Compile(t.out.String())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re, nil
}

// ecma translates one pattern, a term at a time.
type ecma struct {
	src string
	pos int
	out strings.Builder
}

// take returns the next code point.
func (t *ecma) take() rune {
	r, n := utf8.DecodeRuneInString(t.src[t.pos:])
	t.pos += n
	return r
}

func (t *ecma) skip(prefix string) bool {
	ok := strings.HasPrefix(t.src[t.pos:], prefix)
	if ok {
		t.pos += len(prefix)
	}
	return ok
}

func (t *ecma) term() error {
	switch r := t.take(); r {
	case '^':
		t.out.WriteString(`\A`)
	case '$':
		t.out.WriteString(`\z`)
	case '.':
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
	case '[':
		return t.class()
	case '(':
		return t.group()
	case '\\':
		return t.escape()
	case '{':
		t.out.WriteString(t.braces())
	case ']', '}':
		t.out.WriteString(`\` + string(r))
	default:
		t.out.WriteRune(r)
	}
	return nil
}

// braces passes a quantifier on; a { that begins none stands for itself (Annex B of ECMA-262).
func (t *ecma) braces() string {
	inside, _, ok := strings.Cut(t.src[t.pos:], "}")
	low, high, _ := strings.Cut(inside, ",")
	if !ok || low == "" || strings.Trim(low+high, "0123456789") != "" {
		return `\{`
	}
	t.pos += len(inside) + 1
	return "{" + inside + "}"
}

func (t *ecma) group() error {
	if !t.skip("?") {
		t.out.WriteByte('(')
		return nil
	}
	switch {
	case t.skip(":"):
		t.out.WriteString("(?:")
		return nil
	case t.skip("="), t.skip("!"), t.skip("<="), t.skip("<!"):
		return errBacktrack
	case t.skip("<"):
		name, _, ok := strings.Cut(t.src[t.pos:], ">")
		if !ok || name == "" {
			return fmt.Errorf("group name without end")
		}
		t.pos += len(name) + 1
		t.out.WriteByte('(')
		return nil
	}
	return fmt.Errorf("(?%s is not ECMA-262", t.src[t.pos:min(len(t.src), t.pos+1)])
}

// escape translates what follows a backslash outside a class.
func (t *ecma) escape() error {
	switch r, _ := utf8.DecodeRuneInString(t.src[t.pos:]); {
	case r == 'b' || r == 'B':
		t.out.WriteString(`\` + string(t.take()))
	case r == 'k' || '1' <= r && r <= '9':
		return errBacktrack
	default:
		set, char, err := t.atom()
		if err != nil {
			return err
		}
		if set != "" {
			t.out.WriteString("[" + set + "]")
		} else {
			t.out.WriteString(hex(char))
		}
	}
	return nil
}

func hex(r rune) string { return `\x{` + strconv.FormatInt(int64(r), 16) + `}` }

// atom reads what follows a backslash, inside or outside a class: a set (the inside of a class) or one character.
func (t *ecma) atom() (set string, char rune, err error) {
	if t.pos >= len(t.src) {
		return "", 0, fmt.Errorf(`\ at the end of the pattern`)
	}
	switch r := t.take(); r {
	case 'd', 'D', 'w', 'W':
		return `\` + string(r), 0, nil
	case 's':
		return ecmaSpace, 0, nil
	case 'S':
		return notSpace, 0, nil
	case 'p', 'P':
		set, err = t.property(r)
		return set, 0, err
	case 't', 'n', 'v', 'f', 'r':
		return "", rune("\t\n\v\f\r"[strings.IndexRune("tnvfr", r)]), nil
	case '0':
		return "", 0, nil
	case 'c':
		if c := t.take(); 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 {
			return "", c % 32, nil
		}
		return "", 0, fmt.Errorf(`\c without a letter`)
	case 'x':
		char, err = t.hexDigits(2)
		return "", char, err
	case 'u':
		char, err = t.unicode()
		return "", char, err
	default:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return "", 0, fmt.Errorf(`\%c means nothing in ECMA-262`, r)
		}
		return "", r, nil
	}
}

func (t *ecma) hexDigits(n int) (rune, error) {
	end := t.pos + n
	if end > len(t.src) {
		return 0, fmt.Errorf("escape is cut short")
	}
	v, err := strconv.ParseUint(t.src[t.pos:end], 16, 32)
	if err != nil {
		return 0, fmt.Errorf("%q are not %d hexadecimal digits", t.src[t.pos:end], n)
	}
	t.pos = end
	return rune(v), nil
}

// unicode reads the rest of \uXXXX, of a surrogate pair of them, or of \u{X}.
func (t *ecma) unicode() (rune, error) {
	if t.skip("{") {
		digits, _, ok := strings.Cut(t.src[t.pos:], "}")
		v, err := strconv.ParseUint(digits, 16, 32)
		if !ok || err != nil || v > utf8.MaxRune {
			return 0, fmt.Errorf(`\u{%s is no code point`, digits)
		}
		t.pos += len(digits) + 1
		return rune(v), nil
	}
	r, err := t.hexDigits(4)
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if back := t.pos; t.skip(`\u`) {
		if low, err := t.hexDigits(4); err == nil {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, nil
			}
		}
		t.pos = back
	}
	return utf8.RuneError, nil // a lone surrogate is read as in the texts it is compared with
}

// class translates a bracketed class whose [ has been read.
func (t *ecma) class() error {
	negated := t.skip("^")
	var b strings.Builder
	for !t.skip("]") {
		if t.pos >= len(t.src) {
			return fmt.Errorf("class without ]")
		}
		if err := t.member(&b); err != nil {
			return err
		}
	}
	switch {
	case b.Len() == 0 && negated: // [^] is anything, [] nothing
		t.out.WriteString(`[\x00-\x{10ffff}]`)
	case b.Len() == 0:
		t.out.WriteString(`[^\x00-\x{10ffff}]`)
	case negated:
		t.out.WriteString("[^" + b.String() + "]")
	default:
		t.out.WriteString("[" + b.String() + "]")
	}
	return nil
}

// member translates one character, set or range of a class.
func (t *ecma) member(b *strings.Builder) error {
	set, low, err := t.classAtom()
	if err != nil {
		return err
	}
	rest := t.src[t.pos:]
	if !strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "-]") {
		b.WriteString(orHex(set, low))
		return nil
	}
	t.pos++
	set2, high, err := t.classAtom()
	switch {
	case err != nil:
		return err
	case set != "" || set2 != "": // [\w-.]: a set, a hyphen and a character, as browsers read it
		b.WriteString(orHex(set, low) + hex('-') + orHex(set2, high))
	case low > high:
		return fmt.Errorf("range %q-%q is out of order", low, high)
	default:
		b.WriteString(hex(low) + "-" + hex(high))
	}
	return nil
}

func orHex(set string, char rune) string {
	if set != "" {
		return set
	}
	return hex(char)
}

func (t *ecma) classAtom() (set string, char rune, err error) {
	if t.pos >= len(t.src) {
		return "", 0, fmt.Errorf("class without ]")
	}
	r := t.take()
	if r != '\\' {
		return "", r, nil
	}
	if t.skip("b") {
		return "", '\b', nil
	}
	return t.atom()
}
