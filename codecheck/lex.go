package codecheck

import "strings"

// A small reader of source texts in any of the languages: it tells code from comments and literals, and no more. It serves to
// put marks into tests, which are trusted, and never to judge a candidate's text.

// literal is a number, a text or a character in a source.
type literal struct {
	start, end int
	kind       byte // 'n' number, 's' text, 'c' character, 'b' true or false
}

// lexed is a source whose comments and literals are blanked in code, byte for byte, so that places agree.
type lexed struct {
	text     string
	code     []byte
	literals []literal
}

// syntax is what differs between languages.
type syntax struct {
	comment string // begins a comment to the end of the line: "//" or "#"
	single  bool   // single quotes hold texts, not characters
}

func lex(text string, syn syntax) *lexed {
	l := &lexed{text: text, code: []byte(text)}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], syn.comment) && (syn.comment != "#" || i == 0 || strings.IndexByte(" \t\n;", text[i-1]) >= 0):
			i = l.blank(i, lineEnd(text, i))
		case syn.comment == "//" && strings.HasPrefix(text[i:], "/*"):
			i = l.blank(i, after(text, i+2, "*/"))
		case wordByte(c):
			i = l.word(i)
		case c == '"' || c == '`' || c == '\'' && syn.single:
			end := quoted(text, i, c)
			if c == '"' && strings.HasPrefix(text[i:], `"""`) {
				end = after(text, i+3, `"""`)
			}
			i = l.literal(i, end, 's')
		case c == '\'':
			if end := charEnd(text, i); end > 0 {
				i = l.literal(i, end, 'c')
			} else {
				i++ // a lifetime, or a separator of digits
			}
		default:
			i++
		}
	}
	return l
}

// word takes an identifier, a number, or the prefix of a raw text.
func (l *lexed) word(i int) int {
	end := i
	number := l.text[i] >= '0' && l.text[i] <= '9'
	for end < len(l.text) && (wordByte(l.text[end]) || number && (l.text[end] == '.' && end+1 < len(l.text) && l.text[end+1] != '.' && !letter(l.text[end+1]) ||
		l.text[end] == '\'' && end+1 < len(l.text) && wordByte(l.text[end+1]) || (l.text[end] == '-' || l.text[end] == '+') && exponent(l.text, i, end))) {
		end++
	}
	word := l.text[i:end]
	switch {
	case number:
		return l.literal(i, end, 'n')
	case word == "true" || word == "false" || word == "True" || word == "False":
		return l.literal(i, end, 'b')
	case (word == "r" || word == "br") && end < len(l.text) && (l.text[end] == '"' || l.text[end] == '#'):
		if hashes := l.text[end:min(len(l.text), end+len(leadingHashes(l.text[end:]))+1)]; strings.HasSuffix(hashes, `"`) { // r#"…"#
			return l.literal(i, after(l.text, end+len(hashes), `"`+hashes[:len(hashes)-1]), 'r')
		}
	case strings.HasSuffix(word, "R") && end < len(l.text) && l.text[end] == '"': // R"x(…)x"
		if open := strings.IndexByte(l.text[end:], '('); open > 0 && open < 20 {
			return l.literal(i, after(l.text, end+open, ")"+l.text[end+1:end+open]+`"`), 'r')
		}
	}
	return end
}

func leadingHashes(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "#"))] }

func exponent(text string, start, i int) bool {
	return i > start && (text[i-1] == 'e' || text[i-1] == 'E') && !strings.HasPrefix(text[start:], "0x")
}

func letter(c byte) bool   { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func wordByte(c byte) bool { return letter(c) || c >= '0' && c <= '9' || c >= 0x80 }

// blank makes a stretch white, lines kept, and gives its end.
func (l *lexed) blank(start, end int) int {
	for i := start; i < end; i++ {
		if l.code[i] != '\n' {
			l.code[i] = ' '
		}
	}
	return end
}

// literal notes one. In code a number stands as 0s and a text as quotes, so that it is seen that something is there.
func (l *lexed) literal(start, end int, kind byte) int {
	l.literals = append(l.literals, literal{start, end, kind})
	for i := start; i < end; i++ {
		if l.code[i] != '\n' {
			l.code[i] = '0'
		}
	}
	return end
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// after is the place behind the next mark; the text's end where there is none.
func after(text string, i int, mark string) int {
	if i > len(text) {
		return len(text)
	}
	if n := strings.Index(text[i:], mark); n >= 0 {
		return i + n + len(mark)
	}
	return len(text)
}

// quoted is the end of a text that begins at i with the quote q.
func quoted(text string, i int, q byte) int {
	for n := i + 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case q:
			return n + 1
		case '\n':
			if q == '\'' || q == '"' { // unclosed: an apostrophe, or a text of a shell over several lines
				if end := strings.IndexByte(text[n:], q); end >= 0 && end < 2000 {
					continue
				}
				return n
			}
		}
	}
	return len(text)
}

// charEnd is the end of a character literal that begins at i; 0 where none does.
func charEnd(text string, i int) int {
	n := strings.IndexByte(text[min(i+1, len(text)):], '\'')
	if n == 0 && strings.HasPrefix(text[i:], "'''") {
		return i + 3
	}
	if strings.HasPrefix(text[i+1:], `\`) {
		if n = strings.IndexByte(text[min(i+3, len(text)):], '\''); n >= 0 && n < 10 {
			return i + 3 + n + 1
		}
		return 0
	}
	if n < 1 || n > 4 || len([]rune(text[i+1:i+1+n])) != 1 {
		return 0
	}
	return i + 1 + n + 1
}

// closing is the place of the bracket that closes the one at i; the text's end where none does.
func (l *lexed) closing(i int) int {
	depth := 0
	for ; i < len(l.code); i++ {
		switch l.code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(l.code)
}
