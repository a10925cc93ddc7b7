package verifiers

import (
	"strings"
	"unicode/utf8"
)

// statement reads the last statement. A sentence that only discusses an option ("option B describes …") counts where
// nothing else does. A solution or result counts where a verb or colon and a letter with nothing behind it follow.
func (c choiceReader) statement(s string) choice {
	var discussed choice
	for start, after := markBefore(s, len(s), anyMark); start >= 0; start, after = markBefore(s, start, anyMark) {
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
	if s[start] == '#' {
		return choice{}, false
	}
	i, joined := gap(s, after)
	o, ok := letterAt(s, i)
	if !ok {
		if joined && !isResult(s, start, after) {
			return c.row(s, i), false
		}
		return choice{}, false
	}
	switch {
	case o.letter > c.last, !o.upper && !c.ends(s, o.end), o.upper && o.prose(s, false):
		return choice{}, false
	case negated(s, start), restatesOptions(s, o):
		return choice{}, false
	case isResult(s, start, after) && !(joined && c.ends(s, o.end)):
		return choice{}, false
	}
	if _, list := listOf(s, o); list {
		return choice{}, false
	}
	got = c.group(s, o)
	if !got.several && (c.questioned(s, o.end) || calledWrong(s, o.end)) {
		return choice{}, false
	}
	return got, !joined && (discusses(s, o.end) || remarks(s, start, o))
}

// gap skips what may stand between an announcing word and its letter or number. joined says that a verb, a colon or an
// equals sign was there.
func gap(s string, i int) (end int, joined bool) {
	for _, is := range [...]string{"'s ", "’s ", "'s:", "’s:"} {
		if strings.HasPrefix(s[i:], is) {
			i, joined = i+len(is), true
		}
	}
	english := isEnglishMark(s, i)
	for range 10 { // "Answer: the correct one is therefore most definitely" is as long as it gets
		next, colon := markup(s, i)
		joined = joined || colon
		i = next
		o, single := letterAt(s, i)
		if single && o.upper {
			return i, joined
		}
		class, end := wordAt(s, i)
		if end == i+1 && 'A' <= s[i] && s[i] <= 'Z' && strings.HasPrefix(s[blanks(s, end):], "+") { // A + C
			return i, joined
		}
		if class&(isWord|fillWord) == 0 || end == i || single && !capitalFollows(s, end) || english && isForeignVerb(s[i:end]) {
			return i, joined
		}
		joined = joined || class&isWord != 0
		i = end
	}
	return i, joined
}

// isResult: the announcing word announces numbers; in a question with options it seldom means one.
func isResult(s string, start, after int) bool {
	return wordClassOf(s[start:after])&anyMark == markResult
}

// isEnglishMark: the announcing word that ends at s[:i] is English.
func isEnglishMark(s string, i int) bool {
	_, start := wordBefore(s, i)
	switch strings.ToLower(s[start:i]) {
	case "answer", "ans", "option", "choice", "result", "solution":
		return true
	}
	return false
}

// isForeignVerb: verbs of other languages that are prepositions in English: "the answer to question 3", "on page 2".
func isForeignVerb(word string) bool {
	word = strings.ToLower(word)
	return word == "to" || word == "on"
}

// capitalFollows: a letter such as the Portuguese article stands before the option: "é a B", "é a letra B".
func capitalFollows(s string, i int) bool {
	next, _ := markup(s, i)
	if class, end := wordAt(s, next); class&fillWord != 0 && end > next+1 {
		next, _ = markup(s, end)
	}
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
