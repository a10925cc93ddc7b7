package mathcheck

import (
	"strings"
	"unicode/utf8"
)

// The lexer turns folded text into tokens. It knows LaTeX and program notation at once: `\frac{1}{2}`, `frac{1}{2}`,
// `sqrt(2)`, `x**2`. Layout (`\left`, `\,`, `\displaystyle`, `$`, colours) leaves no token. The contents of `\text{…}` are
// lexed in place with the braces left out, their words marked, so that `\text{ cm}` and ` cm` come out alike.

type tokKind uint8

const (
	tEOF   tokKind = iota
	tNum           // numeral
	tSym           // one letter or a Greek name
	tWord          // a word of prose or a unit
	tFn            // a function name
	tOp            // operator, relation or separator
	tOpen          // ( [ { \{ and the like
	tClose         // their partners
	tCmd           // a construction with arguments: frac, sqrt, binom, sum …
	tBad           // something that no answer may hold
)

type token struct {
	kind tokKind
	s    string
	num  *number
	sp   bool // white space stands before it
	text bool // it comes from \text or the like
	pos  int  // first byte in the folded text
	end  int  // one past its last byte
}

type lexer struct {
	src    string
	i      int
	toks   []token
	sp     bool
	depth  int     // open ( [ \{
	texts  []int   // ends of the open \text groups
	pairs  []int32 // for each brace that opens, where it closes; made when first asked for
	align  bool    // inside align, where & and double backslashes only lay out a chain
	system bool    // inside a system written as an array
	grp    []byte
}

// lex returns the tokens of s, ended by tEOF. It never fails: what it does not know becomes tBad. A text of more than
// maxTokens is left unfinished, which the parser refuses.
func lex(s string) []token {
	l := &lexer{src: s, toks: make([]token, 0, len(s)/2+4)}
	for l.i < len(s) && len(l.toks) < maxTokens {
		for len(l.texts) > 0 && l.i >= l.texts[len(l.texts)-1] {
			l.i = min(l.texts[len(l.texts)-1]+1, len(s))
			l.texts = l.texts[:len(l.texts)-1]
			l.sp = true
		}
		if l.i >= len(s) {
			break
		}
		l.step(s[l.i])
	}
	l.emit(tEOF, "", 0)
	return l.toks
}

// emit appends a token of n source bytes and moves on.
func (l *lexer) emit(k tokKind, s string, n int) {
	l.toks = append(l.toks, token{kind: k, s: s, sp: l.sp, text: len(l.texts) > 0, pos: l.i, end: l.i + n})
	l.i += n
	l.sp = false
}

func (l *lexer) step(c byte) {
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '$' || c == '~' || c == '"' || c == '`' || c == '\v' || c == '\f':
		l.i++
		l.sp = true
	case c >= '0' && c <= '9', c == '.' && l.digitAt(l.i+1) && !l.digitAt(l.i-1):
		l.number()
	case c == '\\':
		l.command()
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf:
		l.run()
	default:
		l.punct(c)
	}
}

func (l *lexer) digitAt(i int) bool {
	return i >= 0 && i < len(l.src) && l.src[i] >= '0' && l.src[i] <= '9'
}

func (l *lexer) punct(c byte) {
	two := ""
	if l.i+1 < len(l.src) {
		two = l.src[l.i : l.i+2]
	}
	switch two {
	case "**":
		l.emit(tOp, "^", 2)
		return
	case "<=", ">=", "!=", ":=", "==", "->", "=>", "<>", "~=":
		l.emit(tOp, twoOps[two], 2)
		return
	}
	if c == '&' && l.align {
		l.i++
		l.sp = true
		return
	}
	switch c {
	case '(', '[':
		l.depth++
		l.emit(tOpen, string(c), 1)
	case ')', ']':
		l.depth--
		l.emit(tClose, string(c), 1)
	case '{':
		l.grp = append(l.grp, '{')
		l.emit(tOpen, "{", 1)
	case '}':
		if len(l.grp) > 0 {
			l.grp = l.grp[:len(l.grp)-1]
		}
		l.emit(tClose, "}", 1)
	case '+', '-', '*', '/', '^', '_', '=', '<', '>', ',', ';', ':', '|', '!', '%', '\'', '&', '.':
		l.emit(tOp, string(c), 1)
	default:
		l.emit(tBad, string(c), 1)
	}
}

var twoOps = map[string]string{"<=": "<=", ">=": ">=", "!=": "!=", ":=": "=", "==": "=", "->": "to", "=>": "implies", "<>": "!=", "~=": "~"}

// command reads a backslash and what follows.
func (l *lexer) command() {
	j := l.i + 1
	if j >= len(l.src) {
		l.i++
		return
	}
	c := l.src[j]
	if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
		l.escaped(c)
		return
	}
	for j < len(l.src) && (l.src[j] >= 'a' && l.src[j] <= 'z' || l.src[j] >= 'A' && l.src[j] <= 'Z') {
		j++
	}
	name := l.src[l.i+1 : j]
	act, ok := commands[name]
	if !ok { // `\quadx`, `\pir`: a known command run together with letters
		for k := len(name) - 1; k >= 2; k-- {
			if act, ok = commands[name[:k]]; ok {
				name = name[:k]
				break
			}
		}
	}
	n := len(name) + 1
	if !ok {
		l.emit(tBad, name, n)
		return
	}
	switch act.kind {
	case aDrop:
		l.i += n
		l.sp = true
	case aText:
		l.openText(n)
	case aDropArg:
		l.dropArg(n)
	case aDelim:
		l.delim(n)
	case aEnv:
		l.environment(act.s, n)
	case aOpen:
		l.depth++
		l.emit(tOpen, act.s, n)
	case aClose:
		l.depth--
		l.emit(tClose, act.s, n)
	case aSym:
		l.emit(tSym, act.s, n)
	case aFn:
		l.emit(tFn, act.s, n)
	case aOp:
		l.emit(tOp, act.s, n)
	case aCmd:
		l.emit(tCmd, act.s, n)
	case aBad:
		l.emit(tBad, name, n)
	}
}

// escaped reads a backslash before a character that is no letter.
func (l *lexer) escaped(c byte) {
	switch c {
	case '{':
		l.depth++
		l.emit(tOpen, `\{`, 2)
	case '}':
		l.depth--
		l.emit(tClose, `\}`, 2)
	case '|':
		l.emit(tOp, "|", 2)
	case '%':
		l.emit(tOp, "%", 2)
	case '$':
		l.emit(tWord, "$", 2)
	case '\\':
		if l.align {
			l.alignBreak()
			return
		}
		l.emit(tOp, `\\`, 2)
		if l.i < len(l.src) && l.src[l.i] == '[' { // \\[2pt]
			if k := strings.IndexByte(l.src[l.i:], ']'); k > 0 && k < 10 && strings.ContainsAny(l.src[l.i:l.i+k], "pme") {
				l.i += k + 1
			}
		}
	case '&':
		l.emit(tWord, "and", 2)
		l.toks[len(l.toks)-1].kind = tOp
	case '_', '#':
		l.emit(tBad, string(c), 2)
	default: // \, \! \; \: \( \) \[ \] and blanks
		l.i += 2
		l.sp = true
	}
}

// openText enters \text{…}: the braces are skipped, the contents lexed in text mode.
func (l *lexer) openText(n int) {
	j := skipBlank(l.src, l.i+n)
	l.sp = true
	if j >= len(l.src) || l.src[j] != '{' {
		l.i += n
		return
	}
	end := l.closing(j)
	l.i = j + 1
	l.texts = append(l.texts, end)
}

// dropArg skips a command with its argument: \color{red}, \hspace{1em}.
func (l *lexer) dropArg(n int) {
	l.sp = true
	j := skipBlank(l.src, l.i+n)
	l.i += n
	if j < len(l.src) && l.src[j] == '[' {
		if k := strings.IndexByte(l.src[j:], ']'); k > 0 {
			j += k + 1
		}
	}
	if j < len(l.src) && l.src[j] == '{' {
		l.i = min(l.closing(j)+1, len(l.src))
	}
}

// delim skips \left and \right with an empty partner; the delimiter itself is lexed as usual. A \right at the very
// end stands for the bracket that the writer forgot.
func (l *lexer) delim(n int) {
	right := strings.HasPrefix(l.src[l.i:], `\right`)
	j := skipBlank(l.src, l.i+n)
	switch {
	case j < len(l.src) && l.src[j] == '.':
		l.i = j + 1
		if right && l.depth > 0 && strings.Trim(l.src[j+1:], "$ }.") == "" { // \left( … \right.
			l.depth--
			l.emit(tClose, "right", 0)
		}
	case right && (j >= len(l.src) || strings.Trim(l.src[j:], "$ }") == ""):
		l.i += n
		l.emit(tClose, "right", 0)
	case j < len(l.src) && l.src[j] == '|':
		l.i = j
		l.emit(tOp, "|", 1)
	case !right && systemAt(l.src, j):
		l.system = true
		l.i = j + 2
	default:
		l.i = j
	}
	l.sp = true
}

func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// closing is matchBrace for the lexer's text, in constant time after one pass, so that nested groups cost no square.
func (l *lexer) closing(i int) int {
	if l.pairs == nil {
		l.pairs = make([]int32, len(l.src))
		var open []int32
		for k := 0; k < len(l.src); k++ {
			switch l.src[k] {
			case '\\':
				k++
			case '{':
				open = append(open, int32(k))
				l.pairs[k] = int32(len(l.src))
			case '}':
				if len(open) > 0 {
					l.pairs[open[len(open)-1]] = int32(k)
					open = open[:len(open)-1]
				}
			}
		}
	}
	return int(l.pairs[i])
}

// matchBrace returns the index of the brace that closes the one at i, or len(s).
func matchBrace(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}
