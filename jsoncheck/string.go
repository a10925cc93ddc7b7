package jsoncheck

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string at its opening quote. Text without escapes is not copied.
func (p *parser) str() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return p.text[start : p.pos-1], nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail("control character in a string")
		}
		p.pos++
	}
	return "", p.fail("unexpected end of text in a string")
}

// escaped goes on with a string that began at start and holds an escape at the current position.
func (p *parser) escaped(start int) (string, error) {
	var b strings.Builder
	b.WriteString(p.text[start:p.pos])
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return b.String(), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		case c < ' ':
			return "", p.fail("control character in a string")
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return "", p.fail("unexpected end of text in a string")
}

// escape reads one escape sequence, two for a surrogate pair; a lone surrogate becomes U+FFFD.
func (p *parser) escape() (rune, error) {
	p.pos++
	c := p.peek()
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 && c != 0 {
		p.pos++
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return 0, p.unexpected(`an escape (one of "\/bfnrtu)`)
	}
	r, err := p.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if strings.HasPrefix(p.text[p.pos:], `\u`) {
		after := p.pos
		p.pos++
		low, err := p.hex4()
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, nil
		}
		p.pos = after // the second is read on its own: it may begin a pair
	}
	return utf8.RuneError, nil
}

// hex4 reads the four digits behind the u at the current position.
func (p *parser) hex4() (rune, error) {
	p.pos++
	var r rune
	for range 4 {
		c := p.peek()
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, p.unexpected("a hexadecimal digit")
		}
		p.pos++
	}
	return r, nil
}
