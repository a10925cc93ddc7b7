package regexcheck

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrSteps says that a match was given up because it met the bound of Pattern.Bound. It is the same on every machine.
var ErrSteps = errors.New("regexcheck: step bound met")

// A SyntaxError says why Python would refuse a pattern.
type SyntaxError struct {
	Msg string // what is wrong, in lower case
	Pos int    // where, in code points from the start of the pattern; -1 when the fault has no single place
}

// Error returns the message with its position.
func (e *SyntaxError) Error() string {
	if e.Pos < 0 {
		return "regexcheck: bad pattern: " + e.Msg
	}
	return fmt.Sprintf("regexcheck: bad pattern: %s at position %d", e.Msg, e.Pos)
}

// maxNesting bounds groups within groups. CPython's own parser gives up a little below 500 (its recursion limit).
const maxNesting = 500

// maxPattern bounds the length of a pattern in code points. Chosen by feel: many times the longest pattern seen in the wild.
const maxPattern = 1 << 16

// A token is one character of a pattern, or a backslash with the character after it.
type token struct {
	r       rune // the character, after the backslash if there is one
	escaped bool
	end     bool // there is no more
}

func (t token) is(r rune) bool { return !t.end && !t.escaped && t.r == r }

// size returns how many code points of the pattern t is.
func (t token) size() int {
	switch {
	case t.end:
		return 0
	case t.escaped:
		return 2
	}
	return 1
}

func (t token) String() string {
	if t.escaped {
		return "\\" + string(t.r)
	}
	return string(t.r)
}

// A lexer hands out the tokens of a pattern with one token of look-ahead, as Python's does: a comment or a name that holds a
// backslash is read in the same pairs, which decides where it ends.
type lexer struct {
	src  []rune
	at   int // of the first code point after next
	next token
	err  *SyntaxError // the first fault; from then on there are no more tokens
}

// fail notes a fault and ends the pattern there, so that all readers come to their end.
func (l *lexer) fail(pos int, format string, args ...any) {
	if l.err == nil {
		l.err = &SyntaxError{Msg: fmt.Sprintf(format, args...), Pos: pos}
	}
	l.next = token{end: true}
}

func (l *lexer) advance() {
	if l.err != nil || l.at >= len(l.src) {
		l.next = token{end: true}
		return
	}
	r := l.src[l.at]
	if r != '\\' {
		l.next = token{r: r}
		l.at++
		return
	}
	if l.at+1 >= len(l.src) {
		l.fail(len(l.src)-1, "bad escape (end of pattern)")
		return
	}
	l.next = token{r: l.src[l.at+1], escaped: true}
	l.at += 2
}

func (l *lexer) get() token {
	t := l.next
	l.advance()
	return t
}

func (l *lexer) match(r rune) bool {
	if l.next.is(r) {
		l.advance()
		return true
	}
	return false
}

// tell returns the position of the next token.
func (l *lexer) tell() int { return l.at - l.next.size() }

func (l *lexer) seek(pos int) {
	l.at = pos
	l.advance()
}

// digits takes at most n plain characters that ok accepts (n < 0: any number).
func (l *lexer) digits(n int, ok func(rune) bool) []rune {
	var out []rune
	for ; n != 0 && !l.next.end && !l.next.escaped && ok(l.next.r); n-- {
		out = append(out, l.get().r)
	}
	return out
}

// until takes a name up to the terminator. what names it in errors.
func (l *lexer) until(terminator rune, what string) []rune {
	var name []rune
	for {
		t := l.get()
		switch {
		case t.end && len(name) == 0:
			l.fail(l.tell(), "missing %s", what)
			return nil
		case t.end:
			l.fail(l.tell()-len(name), "missing %c, unterminated name", terminator)
			return nil
		case t.is(terminator):
			if len(name) == 0 {
				l.fail(l.tell()-1, "missing %s", what)
			}
			return name
		case t.escaped:
			name = append(name, '\\', t.r)
		default:
			name = append(name, t.r)
		}
	}
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
func isOctal(r rune) bool { return '0' <= r && r <= '7' }
func isHex(r rune) bool {
	return isDigit(r) || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}
func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// number reads digits of a base that are known to be digits; one too large for a rune becomes -1.
func number(digits []rune, base int) rune {
	n, err := strconv.ParseInt(string(digits), base, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// quote writes a piece of the pattern for an error text, no longer than needed.
func quote(name []rune) string {
	if len(name) > 40 {
		name = append(name[:40:40], '…')
	}
	return strconv.Quote(string(name))
}
