package jsoncheck

import (
	"strconv"
	"strings"
)

// goSyntax writes the tree for package regexp. It fails for what that package has not: look-around, and counted
// repeats of more than a thousand in all, which it refuses itself.
func (r *re) goSyntax(b *strings.Builder) bool {
	switch r.op {
	case opEmpty:
	case opSet:
		r.set.goSyntax(b)
	case opBegin:
		b.WriteString(`\A`)
	case opEnd:
		b.WriteString(`\z`)
	case opWord:
		b.WriteString(`\b`)
	case opNotWord:
		b.WriteString(`\B`)
	case opCat:
		for _, sub := range r.sub {
			if !sub.goSyntax(b) {
				return false
			}
		}
	case opAlt:
		b.WriteString("(?:")
		for i, sub := range r.sub {
			if i > 0 {
				b.WriteByte('|')
			}
			if !sub.goSyntax(b) {
				return false
			}
		}
		b.WriteByte(')')
	case opRepeat:
		b.WriteString("(?:")
		if !r.sub[0].goSyntax(b) {
			return false
		}
		b.WriteString("){" + strconv.Itoa(r.min) + ",")
		if r.max >= 0 {
			b.WriteString(strconv.Itoa(r.max))
		}
		b.WriteByte('}')
	default:
		return false
	}
	return true
}

func (s runeSet) goSyntax(b *strings.Builder) {
	if len(s) == 0 {
		b.WriteString(`[^\x00-\x{10ffff}]`)
		return
	}
	b.WriteByte('[')
	for i, r := range s {
		if i%2 == 1 {
			b.WriteByte('-')
		}
		b.WriteString(`\x{` + strconv.FormatInt(int64(r), 16) + `}`)
	}
	b.WriteByte(']')
}
