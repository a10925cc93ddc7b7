package verifiers

import (
	"strings"
	"unicode/utf8"
)

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
