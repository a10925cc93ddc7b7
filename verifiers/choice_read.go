package verifiers

import "strings"

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

// row reads letters with nothing or a plus between them: "ACD" and "A + C" name several options, when they rise and
// nothing follows.
func (c choiceReader) row(s string, i int) choice {
	end, letters, prev := i, 0, byte('A'-1)
	for end < len(s) && prev < s[end] && s[end] <= c.last {
		prev = s[end]
		letters++
		end++
		if plus := blanks(s, end); plus < len(s) && s[plus] == '+' {
			if next := blanks(s, plus+1); next < len(s) && 'A' <= s[next] && s[next] <= c.last {
				end = next
			}
		}
	}
	if letters < 2 || i > 0 && isPlain(rune(s[i-1])) || !c.ends(s, end) {
		return choice{}
	}
	return choice{several: true}
}
