package verifiers

import (
	"strings"
	"unicode/utf8"
)

// questioned: "A?" is a question, not an answer.
func (c choiceReader) questioned(s string, i int) bool {
	i = blanks(s, closers(s, i))
	return strings.HasPrefix(s[i:], "?") || strings.HasPrefix(s[i:], "？")
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
		case class&(notWord|wrongWord) != 0, anythingBut(s, start, i):
			return true
		case class&(fillWord|isWord|markAnswer|markOption) == 0:
			return false
		}
		i = start
	}
	return false
}

// anythingBut: "anything but C", "any option other than C", "all except C".
func anythingBut(s string, start, end int) bool {
	word := strings.ToLower(s[start:end])
	if word != "but" && word != "than" {
		return false
	}
	_, before := wordBefore(s, len(strings.TrimRight(s[:start], " ")))
	switch strings.ToLower(strings.TrimRight(s[before:start], " ")) {
	case "anything", "everything", "all", "any":
		return word == "but"
	case "other", "rather":
		return word == "than"
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
	for range 6 {
		class, end := wordAt(s, i)
		switch {
		case end == i, class&rightWord != 0 && !verb:
			return false
		case class&wrongWord != 0 && (verb || isGlued(firstRune(s[i:end]))), class&notWord != 0 && verb:
			return true
		case negativeVerb(s[i:end]):
			return true
		case class&isWord != 0:
			verb = true
		case class&(adverb|auxWord|fillWord) == 0 || class&rightWord != 0:
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

// remarks: s[start:] is a line that labels an option and remarks on it ("Option D: contradicts the text"), and is announced
// by nothing.
func remarks(s string, start int, o lone) bool {
	i := closers(s, o.end)
	if i >= len(s) || s[i] != ':' && s[i] != '-' && !strings.HasPrefix(s[i:], " -") && !strings.HasPrefix(s[i:], " –") && !strings.HasPrefix(s[i:], " —") {
		return false
	}
	line := lastOf(s[:start], 48)
	if at, _ := markup(line, 0); at != len(line) {
		return false
	}
	before := strings.TrimRight(s[:start], " \t\r\n*_#>-")
	return before != "" && before[len(before)-1] != ':'
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
