package instructcheck

import (
	"strings"
	"unicode"
)

// A line of a text, without its LF. Code stands in a fence: three or more ` or ~, at most three spaces in; the fence lines
// belong to it, and one that is never closed goes on to the end (CommonMark 0.31, section 4.5).
type line struct {
	start, end int
	code       bool
	kind       lineKind
	content    int // where the text behind the marker of a list item or heading begins; start of the text else
	fenceLine  bool
}

type lineKind uint8

const (
	plainLine lineKind = iota
	blankLine
	headingLine
	ruleLine
	tableLine
	bulletLine
	numberLine
	codeLine
)

func (t *Text) lineText(l line) string { return t.s[l.start:l.end] }

// lineList parts the text into lines and says what each is.
func (t *Text) lineList() []line {
	if t.lines != nil {
		return t.lines
	}
	fence := ""
	for start := 0; start <= len(t.s); {
		end := len(t.s)
		if i := strings.IndexByte(t.s[start:], '\n'); i >= 0 {
			end = start + i
		}
		l := line{start: start, end: end}
		text := t.s[start:end]
		switch {
		case fence != "":
			l.code, l.kind, l.fenceLine = true, codeLine, closesFence(text, fence)
			if l.fenceLine {
				fence = ""
			}
		default:
			if fence, _ = opensFence(text); fence != "" {
				l.code, l.kind, l.fenceLine = true, codeLine, true
			} else {
				var content int
				l.kind, content = classify(text)
				l.content = start + content
			}
		}
		t.lines = append(t.lines, l)
		start = end + 1
	}
	return t.lines
}

// opensFence returns the marks that a fence opens with and its info string, or "".
func opensFence(s string) (marks, info string) {
	rest := strings.TrimLeft(s, " ")
	if len(s)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return "", ""
	}
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	info = strings.TrimFunc(rest[n:], isSpace)
	if n < 3 || rest[0] == '`' && strings.Contains(info, "`") {
		return "", ""
	}
	return rest[:n], info
}

// closesFence: at least as many of the same marks, and nothing else.
func closesFence(s, marks string) bool {
	rest := strings.TrimLeft(s, " ")
	if len(s)-len(rest) > 3 {
		return false
	}
	rest = strings.TrimRightFunc(rest, isSpace)
	return len(rest) >= len(marks) && strings.Trim(rest, marks[:1]) == ""
}

// classify says what a line outside of code is, and where its text begins. Marks of a block quote are looked through.
func classify(s string) (lineKind, int) {
	rest := quoted(s)
	at := len(s) - len(rest)
	switch {
	case rest == "":
		return blankLine, at
	case isRule(rest):
		return ruleLine, at
	case rest[0] == '|':
		return tableLine, at
	}
	if n := headingMark(rest); n > 0 {
		return headingLine, at + n
	}
	if n := bulletMark(rest); n > 0 {
		return bulletLine, at + n
	}
	if n := numberMark(rest); n > 0 {
		return numberLine, at + n
	}
	return plainLine, at
}

// quoted is a line without its indent and the > of block quotes.
func quoted(s string) string {
	for {
		s = strings.TrimLeftFunc(s, isSpace)
		if s == "" || s[0] != '>' {
			return s
		}
		s = s[1:]
	}
}

// isRule: three or more of the same mark out of * - _ and nothing else but spaces.
func isRule(s string) bool {
	mark, n := s[0], 0
	if mark != '*' && mark != '-' && mark != '_' {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case mark:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// headingMark is the length of one to six # and the space behind, 0 where there is no heading.
func headingMark(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n < 1 || n > 6 {
		return 0
	}
	if n == len(s) {
		return n
	}
	if r, size := runeAt(s, n); isSpace(r) {
		return n + size
	}
	return 0
}

// bulletMark is the length of a bullet with the white space behind it; text must follow.
func bulletMark(s string) int {
	if s[0] != '*' && s[0] != '-' && s[0] != '+' {
		return 0
	}
	rest := strings.TrimLeftFunc(s[1:], isSpace)
	if rest == "" || len(rest) == len(s)-1 {
		return 0
	}
	return len(s) - len(rest)
}

// numberMark is the length of a list number, 1. or 2), with the white space behind it; text must follow.
func numberMark(s string) int {
	i, digits := 0, 0
	for {
		r, size := runeAt(s, i)
		if size == 0 || !unicode.IsDigit(r) {
			break
		}
		i += size
		digits++
	}
	if digits == 0 || digits > 9 || i >= len(s) || s[i] != '.' && s[i] != ')' {
		return 0
	}
	rest := strings.TrimLeftFunc(s[i+1:], isSpace)
	if rest == "" || len(rest) == len(s)-i-1 {
		return 0
	}
	return len(s) - len(rest)
}

// bullet returns the mark of a bullet line: *, - or +, and 0 for any other line.
func (t *Text) bullet(l line) byte {
	if l.kind != bulletLine {
		return 0
	}
	return quoted(t.lineText(l))[0]
}

// paragraphs are the runs of lines between lines that are blank; blank lines in a fence break none.
func (t *Text) paragraphs() []span {
	var list []span
	open := false
	for _, l := range t.lineList() {
		if !l.code && isBlank(t.lineText(l)) {
			open = false
			continue
		}
		if !open {
			list = append(list, span{l.start, l.end})
			open = true
		}
		list[len(list)-1].end = l.end
	}
	return list
}

// soleFence is what stands in the one fence that is all of the text, and its info string.
func soleFence(s string) (content, info string, ok bool) {
	s = strings.Trim(trimBlankLines(s), "\n")
	head, rest, found := strings.Cut(s, "\n")
	marks, info := opensFence(head)
	if marks == "" || !found {
		return "", "", false
	}
	i := strings.LastIndexByte(rest, '\n')
	if !closesFence(rest[i+1:], marks) {
		return "", "", false
	}
	content = rest[:max(i, 0)]
	for l := range strings.SplitSeq(content, "\n") {
		if closesFence(l, marks) {
			return "", "", false
		}
	}
	return content, info, true
}

// span is a part of a text, in bytes.
type span struct{ start, end int }
