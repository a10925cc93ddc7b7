package jsoncheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// runeSet is a set of code points as pairs of first and last.
type runeSet []rune

// The sets of ECMA-262 section 22.2.2.9: digits and word characters are ASCII, white space is Unicode's and the line
// terminators.
var (
	digitSet = runeSet{'0', '9'}
	wordSet  = runeSet{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	spaceSet = runeSet{
		'\t', '\r', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f,
		0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
	}
)

// sorted returns the set with its ranges in order, apart from each other.
func (s runeSet) sorted() runeSet {
	type span struct{ low, high rune }
	spans := make([]span, 0, len(s)/2)
	for i := 0; i < len(s); i += 2 {
		spans = append(spans, span{s[i], s[i+1]})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.low - b.low) })
	var out runeSet
	for _, n := range spans {
		if last := len(out) - 1; last > 0 && n.low <= out[last]+1 {
			out[last] = max(out[last], n.high)
			continue
		}
		out = append(out, n.low, n.high)
	}
	return out
}

func (s runeSet) negate() runeSet {
	var out runeSet
	next := rune(0)
	for s := s.sorted(); len(s) > 0; s = s[2:] {
		if s[0] > next {
			out = append(out, next, s[0]-1)
		}
		next = s[1] + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, next, utf8.MaxRune)
	}
	return out
}

// has looks r up in a sorted set.
func (s runeSet) has(r rune) bool {
	low, high := 0, len(s)/2
	for low < high {
		mid := (low + high) / 2
		switch {
		case r < s[2*mid]:
			high = mid
		case r > s[2*mid+1]:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}

// class reads a bracketed class whose [ has been read.
func (p *ecma) class() (*re, error) {
	negated := p.skip("^")
	var set runeSet
	for !p.skip("]") {
		member, err := p.member()
		if err != nil {
			return nil, err
		}
		set = append(set, member...)
	}
	if negated {
		set = set.negate()
	}
	return &re{op: opSet, set: set.sorted()}, nil
}

// member reads one character, set or range of a class.
func (p *ecma) member() (runeSet, error) {
	low, err := p.classAtom()
	if err != nil {
		return nil, err
	}
	rest := p.src[p.pos:]
	if !strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "-]") {
		return low, nil
	}
	p.pos++
	high, err := p.classAtom()
	if err != nil {
		return nil, err
	}
	if !single(low) || !single(high) { // [\w-.]: a set, a hyphen and a character, as browsers read it
		return append(append(slices.Clone(low), high...), '-', '-'), nil
	}
	if low[0] > high[0] {
		return nil, fmt.Errorf("the range %q-%q is out of order", low[0], high[0])
	}
	return runeSet{low[0], high[0]}, nil
}

func single(s runeSet) bool { return len(s) == 2 && s[0] == s[1] }

func (p *ecma) classAtom() (runeSet, error) {
	if p.pos >= len(p.src) {
		return nil, errors.New("a class without ]")
	}
	r := p.take()
	if r != '\\' {
		return runeSet{r, r}, nil
	}
	if p.skip("b") {
		return runeSet{'\b', '\b'}, nil
	}
	return p.atom()
}

// property reads the rest of \p{…}: a general category by its short or long name, alone or with gc=; a script with
// Script=, sc= or scx= (extensions are not told apart); Any, ASCII or another binary property that Go knows.
func (p *ecma) property() (runeSet, error) {
	name, _, ok := strings.Cut(p.src[p.pos:], "}")
	if !ok || !strings.HasPrefix(name, "{") {
		return nil, errors.New(`\p without {name}`)
	}
	p.pos += len(name) + 1
	name = name[1:]
	key, value, has := strings.Cut(name, "=")
	if !has {
		key, value = "General_Category", name
	}
	var table *unicode.RangeTable
	switch key {
	case "General_Category", "gc":
		if long, ok := unicode.CategoryAliases[value]; ok {
			value = long
		}
		table = unicode.Categories[value]
	case "Script", "sc", "Script_Extensions", "scx":
		table = unicode.Scripts[value]
	}
	if table == nil && !has {
		switch value {
		case "Any":
			return runeSet{0, utf8.MaxRune}, nil
		case "ASCII":
			return runeSet{0, unicode.MaxASCII}, nil
		}
		if tables := derived[value]; tables != nil {
			var set runeSet
			for _, t := range tables {
				set = append(set, tableSet(t)...)
			}
			return set.sorted(), nil
		}
		table = unicode.Properties[value]
	}
	if table == nil {
		return nil, fmt.Errorf(`unknown Unicode property \p{%s}`, name)
	}
	return tableSet(table), nil
}

// derived are the binary properties that Unicode Standard Annex 44 (DerivedCoreProperties) makes of others.
var derived = map[string][]*unicode.RangeTable{
	"Alphabetic": alphabetic, "Alpha": alphabetic,
	"Lowercase": lowercase, "Lower": lowercase,
	"Uppercase": uppercase, "Upper": uppercase,
}

var (
	lowercase  = []*unicode.RangeTable{unicode.Ll, unicode.Other_Lowercase}
	uppercase  = []*unicode.RangeTable{unicode.Lu, unicode.Other_Uppercase}
	alphabetic = []*unicode.RangeTable{
		unicode.L, unicode.Nl, unicode.Other_Lowercase, unicode.Other_Uppercase, unicode.Other_Alphabetic,
	}
)

func tableSet(t *unicode.RangeTable) runeSet {
	var s runeSet
	put := func(low, high, stride rune) {
		if stride == 1 {
			s = append(s, low, high)
			return
		}
		for r := low; r <= high; r += stride {
			s = append(s, r, r)
		}
	}
	for _, r := range t.R16 {
		put(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		put(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return s.sorted()
}
