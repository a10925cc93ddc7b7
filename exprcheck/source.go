package exprcheck

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxBrackets bounds nested brackets: they make no nodes, but the library's parser recurses through them.
const maxBrackets = 200

// bracketDepth finds the first bracket that is nested deeper than limit, outside of texts.
func bracketDepth(src string, limit int) (line, column int, deep bool) {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '(', '[', '{':
			depth++
			if depth > limit {
				head := src[:i]
				last := head[strings.LastIndexByte(head, '\n')+1:]
				return strings.Count(head, "\n") + 1, utf8.RuneCountInString(last) + 1, true
			}
		case ')', ']', '}':
			depth--
		case '"', '\'', '`':
			i = textEnd(src, i)
		}
	}
	return 0, 0, false
}

// textEnd returns the index of the quote that ends the text which begins at i, or the end of src.
func textEnd(src string, i int) int {
	quote := src[i]
	for i++; i < len(src) && src[i] != quote; i++ {
		if src[i] == '\\' && quote != '`' {
			i++
		}
	}
	return i
}

// joinSurrogates rewrites surrogate pairs of escapes in quoted texts, as JSON writers make them, to the one escape
// that the library reads: \ud83d\ude00 becomes \U0001f600. Lone ones are left.
func joinSurrogates(src string) string {
	if !strings.Contains(src, `\ud`) && !strings.Contains(src, `\uD`) {
		return src
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && (quote == '"' || quote == '\''):
			if r, ok := surrogatePair(src[i:]); ok {
				fmt.Fprintf(&b, `\U%08x`, r)
				i += 11
				continue
			}
			if i+1 < len(src) {
				b.WriteByte(c)
				i++
				c = src[i]
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func surrogatePair(s string) (rune, bool) {
	if len(s) < 12 || s[:2] != `\u` || s[6:8] != `\u` {
		return 0, false
	}
	high, err1 := strconv.ParseUint(s[2:6], 16, 32)
	low, err2 := strconv.ParseUint(s[8:12], 16, 32)
	r := utf16.DecodeRune(rune(high), rune(low))
	return r, err1 == nil && err2 == nil && r != utf8.RuneError
}
