package verifiers

import (
	"strings"
	"unicode/utf8"
)

// group reads the letters that go on behind o: "A or B", "(G), (H) and (I)". More than one option is no answer.
func (c choiceReader) group(s string, o lone) choice {
	first, several, at := o.letter, false, o
	clause, before := false, false // a semicolon was passed, and what was known before it
	for range 26 {
		i, joiner := separator(s, at.end)
		if joiner == 0 {
			break
		}
		if !clause && strings.Contains(s[at.end:i], ";") {
			clause, before = true, several
		}
		next, ok := letterAt(s, i)
		if !ok || !next.upper || next.letter > c.last || next.prose(s, false) {
			break
		}
		if calledWrong(s, next.end) {
			return choice{letter: first}
		}
		several = several || next.letter != first && (joiner == 'a' || c.ends(s, next.end))
		at = next
	}
	if clause && !c.ends(s, at.end) { // "C; A and B are distractors"
		several = before
	}
	if several && c.questioned(s, at.end) {
		return choice{}
	}
	if several {
		return choice{several: true}
	}
	return choice{letter: first}
}

// separator skips what parts the letters of a group: joiner is 'a' for and, or, a slash or an ampersand, ',' for a comma
// or only blanks, and 0 where no group goes on.
func separator(s string, i int) (end int, joiner byte) {
	start := i
	i = blanks(s, closers(s, i))
	for i < len(s) && s[i] == '\\' && wrapper(s[i:]) > 0 { // \text{ and }
		i += wrapper(s[i:])
		i = blanks(s, i+len(s[i:])-len(strings.TrimPrefix(s[i:], "{")))
	}
	for range 4 {
		next, kind := separatorSign(s, i)
		if kind == 0 {
			break
		}
		joiner = max(joiner, kind)
		i = blanks(s, next)
	}
	if joiner == 0 && i > start {
		joiner = ','
	}
	opened := i
	i, colon := markup(s, i)
	if colon || strings.Contains(s[opened:i], "\n") {
		return i, 0
	}
	if class, end := wordAt(s, i); class&markOption != 0 {
		i, colon = markup(s, end)
		if colon {
			return i, 0
		}
	}
	return i, joiner
}

// separatorSign reads one sign or word that parts letters; kind is 0 where none stands at s[i].
func separatorSign(s string, i int) (end int, kind byte) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case ',', '、', '，', ';', '；':
		return i + size, ','
	case '/', '&', '+':
		return i + size, 'a'
	}
	class, end := wordAt(s, i)
	if class&hedge != 0 {
		return end, ','
	}
	if class&joinWord == 0 || end == i {
		return i, 0
	}
	if _, single := letterAt(s, i); single && !capitalFollows(s, end) {
		return i, 0
	}
	return end, 'a'
}

// isLabel: the letter labels what follows: "B. Paris", "(B) Paris", "B: Paris".
func isLabel(s string, o lone) bool {
	i := closers(s, o.end)
	if strings.Contains(s[o.end:i], ")") || strings.Contains(s[o.end:i], "]") {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '.', ':', '：', '、', '．', ')':
		return true
	}
	return false
}

// restatesOptions: the letter labels the first of several lines that are labelled in order; they restate the options.
func restatesOptions(s string, o lone) bool {
	if !isLabel(s, o) {
		return false
	}
	next := nextLine(s, o.end)
	i, _ := markup(s, next)
	if class, end := wordAt(s, i); class&markOption != 0 {
		i, _ = markup(s, end)
	}
	p, ok := letterAt(s, i)
	return next < len(s) && ok && p.upper == o.upper && p.letter == o.letter+1 && isLabel(s, p)
}

// maxLabelled is how long the line of a restated option may be, in bytes, to be seen as one. Chosen by feel; it bounds the
// search for its end.
const maxLabelled = 512

// nextLine is where the next line that is not blank begins; the end of the text where the line is too long to matter.
func nextLine(s string, i int) int {
	n := strings.IndexByte(s[i:min(len(s), i+maxLabelled)], '\n')
	if n < 0 {
		return len(s)
	}
	for i += n; i < len(s) && textSpace(rune(s[i])); i++ {
	}
	return i
}
