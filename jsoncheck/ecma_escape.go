package jsoncheck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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
