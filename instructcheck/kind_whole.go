package instructcheck

import (
	"fmt"
	"slices"
	"strings"
)

// combination:two_responses: exactly two parts with words around a run of exactly six asterisks, whose words differ. An
// empty first or last part is dropped. The published checker compares the texts, not their words.
func twoResponses(*params) check {
	return func(t *Text) (bool, string) {
		parts := t.sixStarParts()
		if n := len(parts); n != 2 {
			return false, fmt.Sprintf("%d parts around ******, exactly 2 asked for", n)
		}
		var words [2][]string
		for i, part := range parts {
			from, to := t.wordsIn(part)
			for k := from; k < to; k++ {
				words[i] = append(words[i], fold(t.word(k)))
			}
			if from == to {
				return false, fmt.Sprintf("part %d has no word", i+1)
			}
		}
		if slices.Equal(words[0], words[1]) {
			return false, "both parts have the same words"
		}
		return true, "two different responses"
	}
}

// sixStarParts are the parts around runs of exactly six asterisks outside of fences; blank ones at the ends are left out.
func (t *Text) sixStarParts() []span {
	parts := []span{{0, 0}}
	for _, l := range t.lineList() {
		for i := l.start; i < l.end && !l.code; {
			if t.s[i] != '*' {
				i++
				continue
			}
			n := runOf(t.s[:l.end], i)
			if n == 6 {
				parts[len(parts)-1].end = i
				parts = append(parts, span{i + n, 0})
			}
			i += n
		}
	}
	parts[len(parts)-1].end = len(t.s)
	if isBlank(t.s[parts[0].start:parts[0].end]) {
		parts = parts[1:]
	}
	if n := len(parts); n > 0 && isBlank(t.s[parts[n-1].start:parts[n-1].end]) {
		parts = parts[:n-1]
	}
	return parts
}

// combination:repeat_prompt: the answer begins with the request, at a word's end, and a word follows. The published
// checker passes a text without an answer.
func repeatPrompt(p *params) check {
	want := spaced(fold(p.text("prompt_to_repeat")))
	return func(t *Text) (bool, string) {
		s := strings.TrimLeftFunc(t.s, isSpace)
		n := foldedPrefix(s, want)
		if n == 0 {
			return false, "the answer does not begin with the request"
		}
		if t.countIn(span{len(t.s) - len(s) + n, len(t.s)}) == 0 {
			return false, "no answer follows the request"
		}
		return true, "the request is repeated and answered"
	}
}

// startend:end_checker: the answer ends with the phrase, from a word's start; only white space, quotes, *, _ and backticks
// may follow.
func endChecker(p *params) check {
	k := newKeyword(p.text("end_phrase"))
	return func(t *Text) (bool, string) {
		s := t.foldedText()
		for {
			if strings.HasSuffix(s, k.text) && k.standsAt(s, len(s)-len(k.text)) {
				return true, "the answer ends with the phrase"
			}
			r, size := runeBefore(s, len(s))
			if size == 0 || !isSpace(r) && !isQuote(r) && r != '*' && r != '_' && r != '`' {
				return false, fmt.Sprintf("the answer does not end with %q", k.text)
			}
			s = s[:len(s)-size]
		}
	}
}

// startend:quotation: the first and last character are double quotation marks, and a word stands inside.
func quotation(*params) check {
	return func(t *Text) (bool, string) {
		s := strings.TrimFunc(t.s, isSpace)
		straight := len(s) > 1 && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`)
		if !straight && !(strings.HasPrefix(s, "“") && strings.HasSuffix(s, "”")) {
			return false, "the answer is not wrapped in double quotation marks"
		}
		if t.CountWords() == 0 {
			return false, "no word stands inside the quotation marks"
		}
		return true, "the answer is wrapped in double quotation marks"
	}
}
