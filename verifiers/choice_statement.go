package verifiers

import (
	"strings"
	"unicode/utf8"
)

// choice is what was read from an answer: an option's letter, several options, or (the zero value) none.
type choice struct {
	letter  byte
	several bool
}

// found says that something was read.
func (c choice) found() bool { return c.letter != 0 || c.several }

// choiceReader reads answers to a question with the options A to last, by RULES 20 and 21:
//
//	box         \boxed{C}
//	statement   the last one: an announcing word, what may stand between, a letter that stands alone
//	whole text  "b)", "B. Paris"
//	letter      the last capital that stands alone
//
// Each step walks through the text from its end, and looks a bounded number of words around each place; white space and
// markup are skipped from two sides at most. So the time is linear in the text.
type choiceReader struct{ last byte }

// read reads an answer without its thinking.
func (c choiceReader) read(s string) choice {
	if box, ok := lastBox(s); ok {
		if got := c.inBox(box); got.found() {
			return got
		}
	}
	if got := c.statement(s); got.found() {
		return got
	}
	if got := c.onlyLetter(s, true); got.found() {
		return got
	}
	return c.lastCapital(s)
}

// inBox reads a box: a letter, letters, or a statement.
func (c choiceReader) inBox(s string) choice {
	if got := c.onlyLetter(s, false); got.found() {
		return got
	}
	return c.statement(s)
}

// onlyLetter reads a text that is only a letter, in any case, or begins with one as a label: "b)", "B. Paris". oneLine
// refuses a label with more than its own line behind it.
func (c choiceReader) onlyLetter(s string, oneLine bool) choice {
	i, _ := markup(s, 0)
	o, ok := letterAt(s, i)
	if !ok {
		return c.row(s, i)
	}
	if o.letter > c.last || calledWrong(s, o.end) {
		return choice{}
	}
	closed := closers(s, o.end)
	if rest, _ := markup(s, closed); rest == len(s) {
		return choice{letter: o.letter}
	}
	if got := c.group(s, o); got.several {
		return got
	}
	if isLabel(s, o) && !(oneLine && strings.Contains(strings.TrimRight(s[o.end:], " \t\r\n`"), "\n")) && !c.questioned(s, o.end) {
		return choice{letter: o.letter}
	}
	return choice{}
}

// row reads letters without anything between them: "ACD" names three options, when they rise and nothing follows.
func (c choiceReader) row(s string, i int) choice {
	end := i
	for end < len(s) && 'A' <= s[end] && s[end] <= c.last && (end == i || s[end] > s[end-1]) {
		end++
	}
	if end-i < 2 || i > 0 && isPlain(rune(s[i-1])) || !c.ends(s, end) {
		return choice{}
	}
	return choice{several: true}
}

// statement reads the last statement. A sentence that only discusses an option ("option B describes …") counts where
// nothing else does.
func (c choiceReader) statement(s string) choice {
	var discussed choice
	for start, after := markBefore(s, len(s), markAnswer|markOption); start >= 0; start, after = markBefore(s, start, markAnswer|markOption) {
		got, weak := c.stated(s, start, after)
		switch {
		case !got.found():
		case !weak:
			return got
		case !discussed.found():
			discussed = got
		}
	}
	return discussed
}

// stated reads the statement whose announcing word stands at s[start:after]. weak: it discusses an option.
func (c choiceReader) stated(s string, start, after int) (got choice, weak bool) {
	i, joined := gap(s, after)
	o, ok := letterAt(s, i)
	if !ok {
		if joined {
			return c.row(s, i), false
		}
		return choice{}, false
	}
	switch {
	case o.letter > c.last, !o.upper && !c.ends(s, o.end), o.upper && o.prose(s, false):
		return choice{}, false
	case negated(s, start), isList(s, o):
		return choice{}, false
	}
	if _, list := listOf(s, o); list {
		return choice{}, false
	}
	got = c.group(s, o)
	if !got.several && (c.questioned(s, o.end) || calledWrong(s, o.end)) {
		return choice{}, false
	}
	return got, !joined && discusses(s, o.end)
}

// gap skips what may stand between an announcing word and its letter or number. joined says that a verb, a colon or an
// equals sign was there.
func gap(s string, i int) (end int, joined bool) {
	for _, is := range [...]string{"'s ", "’s ", "'s:", "’s:"} {
		if strings.HasPrefix(s[i:], is) {
			i, joined = i+len(is), true
		}
	}
	for range 10 { // "Answer: the correct one is therefore most definitely" is as long as it gets
		next, colon := markup(s, i)
		joined = joined || colon
		i = next
		o, single := letterAt(s, i)
		if single && o.upper {
			return i, joined
		}
		class, end := wordAt(s, i)
		if class&(isWord|fillWord) == 0 || end == i || single && !capitalFollows(s, end) {
			return i, joined
		}
		joined = joined || class&isWord != 0
		i = end
	}
	return i, joined
}

// capitalFollows: a letter such as the Portuguese article stands before the option: "é a B".
func capitalFollows(s string, i int) bool {
	next, _ := markup(s, i)
	o, ok := letterAt(s, next)
	return ok && o.upper && next > i
}

// ends: a statement ends right behind s[:i].
func (c choiceReader) ends(s string, i int) bool {
	i = blanks(s, closers(s, i))
	if i >= len(s) || s[i] == '\n' || s[i] == '\r' {
		return true
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '.':
		return i+1 >= len(s) || !isPlain(rune(s[i+1]))
	case ',', ';', '!', '。', '，', '；', '！', '、', '।', '<':
		return true
	case '\\':
		n := wrapper(s[i:])
		return n > 0 && c.ends(s, i+n)
	}
	return textSpace(r) && c.ends(s, i+size)
}

// questioned: "A?" is a question, not an answer.
func (c choiceReader) questioned(s string, i int) bool {
	i = blanks(s, closers(s, i))
	return strings.HasPrefix(s[i:], "?") || strings.HasPrefix(s[i:], "？")
}

// group reads the letters that go on behind o: "A or B", "(G), (H) and (I)". More than one option is no answer.
func (c choiceReader) group(s string, o lone) choice {
	first, several, at := o.letter, false, o
	for range 26 {
		i, joiner := separator(s, at.end)
		if joiner == 0 {
			break
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

// isList: the letter labels the first of several lines that are labelled in order; they restate the options.
func isList(s string, o lone) bool {
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

// negated: the words before s[:i] take it back: "not A", "it can't be option C", "the incorrect answer is", "不是A".
func negated(s string, i int) bool {
	for range 5 {
		for i > 0 && strings.IndexByte(" \t([{*_\"'`$", s[i-1]) >= 0 {
			i--
		}
		class, start := wordBefore(s, i)
		switch {
		case start == i:
			return false
		case class&(notWord|wrongWord) != 0:
			return true
		case class&(fillWord|isWord|markAnswer|markOption) == 0:
			return false
		}
		i = start
	}
	return false
}

// calledWrong: what follows s[:i] says that the option is wrong: "is wrong", "are clearly incorrect", "(incorrect)".
func calledWrong(s string, i int) bool {
	i = blanks(s, closers(s, i))
	if r, size := utf8.DecodeRuneInString(s[i:]); r == '✗' || r == '✘' || r == '❌' || r == '×' {
		return true
	} else if r == '(' || r == ':' || r == '-' || r == '–' || r == '（' || r == '：' {
		class, end := wordAt(s, blanks(s, i+size))
		return class&wrongWord != 0 && (closers(s, end) > end || choiceReader{}.ends(s, end))
	}
	verb := false
	for range 5 {
		class, end := wordAt(s, i)
		switch {
		case end == i:
			return false
		case class&wrongWord != 0 && (verb || isGlued(firstRune(s[i:end]))), class&notWord != 0 && verb:
			return true
		case negativeVerb(s[i:end]):
			return true
		case class&isWord != 0:
			verb = true
		case class&adverb == 0:
			return false
		}
		i = blanks(s, end)
	}
	return false
}

// negativeVerb: is not, in one word.
func negativeVerb(word string) bool {
	switch strings.ToLower(strings.ReplaceAll(word, "’", "'")) {
	case "isn't", "aren't", "wasn't", "can't", "cannot", "doesn't", "don't", "couldn't", "shouldn't", "wouldn't":
		return true
	}
	return false
}

// discusses: a sentence about the option goes on behind s[:i], and does not say that it is right.
func discusses(s string, i int) bool {
	i = blanks(s, closers(s, i))
	class, end := wordAt(s, i)
	if end == i || isGlued(firstRune(s[i:end])) || class&joinWord != 0 {
		return false
	}
	for range 4 {
		if class&(rightWord|markAnswer) != 0 {
			return false
		}
		if class&(isWord|adverb|fillWord) == 0 {
			break
		}
		class, end = wordAt(s, blanks(s, end))
	}
	return class&(tailWord|stopWord) == 0 || class&isWord != 0
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
