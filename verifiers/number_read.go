package verifiers

import (
	"strings"
	"unicode/utf8"
)

// readNumber reads the number that an answer without its thinking gives, by RULES 22:
//
//	box      the last one, which alone decides where there is one
//	marker   the last with a number in its line, or in the next where its own is empty
//	number   the last one of the text
//
// in is the text that the literal's places count in. Markers are walked through from the end, and what was searched in
// vain is not searched again, so the time is linear.
func readNumber(s string) (lit literal, in string, ok bool) {
	if box, boxed := lastBox(s); boxed {
		lit, ok = lastNumber(box)
		return lit, box, ok
	}
	if lit, ok = markedNumber(s); ok {
		return lit, s, true
	}
	lit, ok = lastNumber(s)
	return lit, s, ok
}

// lastNumber finds the last number of a text, line by line from its end.
func lastNumber(s string) (last literal, ok bool) {
	for end := len(s); end >= 0; {
		start := strings.LastIndexByte(s[:end], '\n') + 1
		if mayHoldNumber(s[start:end]) {
			if last, ok = lastOfLine(s[:end], start); ok {
				return last, true
			}
		}
		end = start - 1
	}
	return last, false
}

// A long line is searched from windows at its end, each eight times the one before. Where a window begins it may cut a
// literal in two, so a number counts only when it begins some way behind; literals are short, and reading has fallen into
// step by then.
const (
	firstWindow = 512
	windowInlet = 128
)

// lastOfLine finds the last number of s[start:], a line without its end.
func lastOfLine(s string, start int) (last literal, ok bool) {
	for window := firstWindow; ; window *= 8 {
		from := start
		if len(s)-start > window {
			from = len(s) - window
			if blank := strings.IndexByte(s[from:min(len(s), from+windowInlet)], ' '); blank >= 0 {
				from += blank
			}
			for from < len(s) && !utf8.RuneStart(s[from]) {
				from++
			}
		}
		last, ok = literal{}, false
		for at := from; ; at = last.end {
			lit, found := nextNumber(s, at)
			if !found {
				break
			}
			last, ok = lit, true
		}
		if from == start || ok && last.start >= from+windowInlet {
			return last, ok
		}
	}
}

func mayHoldNumber(s string) bool {
	for i := range len(s) {
		if c := s[i]; '0' <= c && c <= '9' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// markerWalk goes through the markers of a text from its end.
type markerWalk struct {
	s          string
	word, line int // where the next word and the next "A:" line are looked for, towards the start
	clear      int // no number stands from here
	clearTo    int // to here
	wordStart  int
	wordAfter  int
	lineStart  int
	lineAfter  int
}

// markedNumber reads the number behind the last marker that has one.
func markedNumber(s string) (literal, bool) {
	w := markerWalk{s: s, word: len(s), line: len(s), wordStart: -2, lineStart: -2}
	for {
		from, ok := w.next()
		if !ok {
			return literal{}, false
		}
		if from < 0 {
			continue
		}
		if lit, ok := w.inLine(from); ok {
			return lit, true
		}
	}
}

// next is where the content of the next marker begins; -1 where its word announces nothing.
func (w *markerWalk) next() (from int, ok bool) {
	if w.wordStart == -2 {
		w.wordStart, w.wordAfter = markBefore(w.s, w.word, markAnswer|markResult)
	}
	if w.lineStart == -2 {
		w.lineStart, w.lineAfter = answerLine(w.s, w.line)
	}
	switch {
	case w.wordStart < 0 && w.lineStart < 0:
		return 0, false
	case w.lineStart > w.wordStart:
		from, w.line, w.lineStart = w.lineAfter, w.lineStart, -2
		return from, true
	}
	from = w.content(w.wordStart, w.wordAfter)
	w.word, w.wordStart = w.wordStart, -2
	return from, true
}

// content is where the content behind the marker s[start:after] begins: behind its verb, colon or equals sign, which it
// must have.
func (w *markerWalk) content(start, after int) int {
	s := w.s
	if s[start] == '#' {
		for after < len(s) && strings.IndexByte(" \t*_", s[after]) >= 0 {
			after++
		}
		if heading(s, after) {
			return -1
		}
		return after
	}
	i, joined := gap(s, after)
	if !joined && i > after && s[i-1] == '(' { // "answer (in km): 5"
		if n := strings.IndexByte(s[i:min(len(s), i+60)], ')'); n >= 0 && !strings.Contains(s[i:i+n], "\n") {
			i, joined = gap(s, i+n+1)
		}
	}
	if !joined && !underHeading(s, start, after, i) {
		return -1
	}
	if class, _ := wordAt(s, i); class&notWord != 0 {
		return -1
	}
	if crossed := strings.Contains(s[after:i], "\n"); crossed && wordClassOf(s[start:after])&markAnswer == 0 && !startsLine(s, i) {
		return -1
	}
	for i > after && (s[i-1] == '(' || s[i-1] == '{') {
		i--
	}
	return i
}

// underHeading: the marker s[start:after] closes a line that holds nothing else than a heading ("## Final answer",
// "**Answer**"), and the line at s[i] below begins with a number.
func underHeading(s string, start, after, i int) bool {
	if wordClassOf(s[start:after])&markAnswer == 0 {
		return false
	}
	n := strings.IndexByte(s[after:i], '\n')
	if n < 0 || strings.Trim(s[after:after+n], " \t\r*_#") != "" || !startsLine(s, i) {
		return false
	}
	line := lastOf(s[:start], 48)
	for at, _ := markup(line, 0); at < len(line); at, _ = markup(line, at) {
		class, end := wordAt(line, at)
		if class&fillWord == 0 || end == at {
			return false
		}
		at = end
	}
	return true
}

// heading: a heading of a part of the solution, "#### Step 2".
func heading(s string, i int) bool {
	_, end := wordAt(s, i)
	switch strings.ToLower(s[i:end]) {
	case "step", "part", "case", "question", "problem", "example", "method", "section", "phase", "stage", "solution", "approach", "option", "chapter":
		return true
	}
	return false
}

// startsLine: the line begins with a number that is not the label of a list. Under a heading such as "Solution:" only
// this is a result.
func startsLine(s string, i int) bool {
	s = s[:min(len(s), i+maxEquation)]
	lit, ok := nextNumber(s, i)
	if !ok || lit.start > i && strings.TrimLeft(s[i:lit.start], " $*([{\\") != "" {
		return false
	}
	rest := s[lit.end:]
	return !strings.HasPrefix(rest, ". ") && !strings.HasPrefix(rest, ") ")
}

// inLine reads the number of the line from s[from] on.
func (w *markerWalk) inLine(from int) (literal, bool) {
	end := w.lineEnd(from)
	limit := end
	if w.clear < limit && limit <= w.clearTo && from <= w.clear {
		limit = w.clear
	}
	lit, ok := nextNumber(w.s[:limit], from)
	if !ok {
		w.clear, w.clearTo = from, end
		return literal{}, false
	}
	if at, stop := equation(w.s[:end], from); at > 0 {
		if value, ok := nextNumber(w.s[:stop], at); ok {
			return value, true
		}
	}
	return lit, true
}

// lineEnd is where the line of s[from] ends. What is known of the markers behind it is used again.
func (w *markerWalk) lineEnd(from int) int {
	to := len(w.s)
	if from <= w.clear && w.clear < w.clearTo {
		to = w.clear
	}
	if n := strings.IndexByte(w.s[from:to], '\n'); n >= 0 {
		return from + n
	}
	if to < len(w.s) {
		return w.clearTo
	}
	return to
}

// answerLine finds the last line that begins with "A:" and begins before end.
func answerLine(s string, end int) (start, after int) {
	for end > 0 {
		i := strings.LastIndexByte(s[:end], 'A')
		if i < 0 {
			break
		}
		end = i
		after := i + 1
		for after < len(s) && (s[after] == '*' || s[after] == '_') {
			after++
		}
		colon := strings.HasPrefix(s[after:], ":") || strings.HasPrefix(s[after:], "：")
		if colon && strings.Trim(lastOf(s[:i], 16), " \t*_>#\"") == "" {
			return i, after + 1
		}
	}
	return -1, 0
}

// lastOf is the end of the last line of s, as far as limit bytes; a longer one comes back with a letter in it.
func lastOf(s string, limit int) string {
	tail := s[max(0, len(s)-limit):]
	if i := strings.LastIndexByte(tail, '\n'); i >= 0 {
		return tail[i+1:]
	}
	if len(tail) < len(s) {
		return "x"
	}
	return tail
}

// maxEquation is how far an opening equation is followed, in bytes. Chosen by feel: a line of a solution.
const maxEquation = 300

// equation looks at the equation that opens s[from:]: "x = 12", "28 + 32 = 60", and not "42 because 6 * 7 = 42". at is
// behind its last equals sign, 0 where none opens; stop is where it ends.
func equation(s string, from int) (at, stop int) {
	limit := min(len(s), from+maxEquation)
	for i := from; i < limit; {
		c := s[i]
		switch {
		case c == '=':
			for i < limit && s[i] == '=' {
				i++
			}
			at = i
		case c == ';', (c == '.' || c == ',' || c == '?' || c == '!') && (i+1 >= len(s) || s[i+1] == ' '):
			return at, i
		case c == '(' && i > from && s[i-1] == ' ' && at == 0 && afterNumber(s, from, i):
			return at, i
		case c == '\\':
			i = commandEnd(s, i)
		case isLetter(rune(c)) || c >= utf8.RuneSelf:
			class, end := wordAt(s, i)
			if class&(stopWord|joinWord) != 0 && end > i+1 {
				return at, i
			}
			if end == i {
				_, size := utf8.DecodeRuneInString(s[i:])
				end = i + size
			}
			i = end
		default:
			i++
		}
	}
	return at, len(s)
}

// afterNumber: a number stands before the bracket at s[i], which then remarks on it.
func afterNumber(s string, from, i int) bool {
	return startsWithDigit(strings.TrimLeft(s[from:i], " $*:-\\([{"))
}
