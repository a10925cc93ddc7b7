package instructcheck

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// custom:multiples: the runs of digits are the multiples of 7 from 10 to 50.
func customMultiples(*params) check {
	want := []string{"14", "21", "28", "35", "42", "49"}
	return func(t *Text) (bool, string) {
		return slices.Equal(digitRuns(t.s, ""), want), "the numbers must be " + strings.Join(want, ", ")
	}
}

// custom:date_format_list: real dates YYYY-MM-DD of 1769 to 1821 between commas. The published checker takes 1801-02-29.
func customDates(*params) check {
	return func(t *Text) (bool, string) {
		for item := range strings.SplitSeq(t.s, ",") {
			item = strings.TrimFunc(item, isSpace)
			d, err := time.Parse(time.DateOnly, item)
			if err != nil {
				return false, fmt.Sprintf("%.20q is no date YYYY-MM-DD", item)
			}
			if d.Year() < 1769 || d.Year() > 1821 {
				return false, item + " is not of the years 1769 to 1821"
			}
		}
		return true, "all are dates of the time"
	}
}

// custom:mcq_count_length: four questions, each a line "Question N" with its text and then just the five lines A to E; each
// text is longer than the last.
func customMCQ(*params) check {
	const questions = 4
	return func(t *Text) (bool, string) {
		var lines []string
		for _, l := range t.lineList() {
			if text := strings.TrimFunc(t.lineText(l), isSpace); text != "" {
				lines = append(lines, text)
			}
		}
		last := 0
		for n := 1; n <= questions; n++ {
			length, rest := readMCQ(lines, n)
			if rest == nil {
				return false, fmt.Sprintf("question %d is missing or has not just the five options A to E", n)
			}
			if length <= last {
				return false, fmt.Sprintf("question %d is not longer than the one before", n)
			}
			last, lines = length, rest
		}
		return len(lines) == 0, "four questions and nothing else are asked for"
	}
}

// readMCQ reads one question: the length of its text in characters, and the lines behind it; nil where it is none.
func readMCQ(lines []string, n int) (length int, rest []string) {
	if len(lines) == 0 {
		return 0, nil
	}
	text, ok := strings.CutPrefix(strings.TrimLeft(lines[0], "*_# "), fmt.Sprintf("Question %d", n))
	if r, _ := runeAt(text, 0); !ok || isWordRune(r) {
		return 0, nil
	}
	i := 1
	for i < len(lines) && !isOption(lines[i], 'A') {
		i++
	}
	text = strings.TrimFunc(strings.Join(append([]string{text}, lines[1:i]...), " "), func(r rune) bool { return isSpace(r) || strings.ContainsRune(":.)*_-–—", r) })
	if text == "" || len(lines) < i+5 {
		return 0, nil
	}
	for k := range byte(5) {
		if !isOption(lines[i+int(k)], 'A'+k) {
			return 0, nil
		}
	}
	return utf8.RuneCountInString(text), append([]string{}, lines[i+5:]...)
}

// isOption: A. or A) with text behind it.
func isOption(s string, letter byte) bool {
	s = strings.TrimLeft(s, "*_-+ ")
	return len(s) > 2 && s[0] == letter && (s[1] == '.' || s[1] == ')') && strings.ContainsFunc(s[2:], isAlnum)
}

// custom:sentence_alphabet: 26 sentences that begin with a to z.
func customSentenceAlphabet(*params) check {
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if len(list) != 26 {
			return false, fmt.Sprintf("%d sentences, exactly 26 asked for", len(list))
		}
		for i, s := range list {
			from, _ := t.wordsIn(s.span)
			if c := withoutAccents(t.word(from))[0]; c != 'a'+byte(i) {
				return false, fmt.Sprintf("sentence %d does not begin with %c", i+1, 'A'+i)
			}
		}
		return true, "26 sentences begin with a to z"
	}
}

// custom:reverse_newline: all 54 countries of Africa, one a line, list marks and accents aside, in falling order. The
// published checker takes any falling lines.
func customReverseNewline(*params) check {
	return func(t *Text) (bool, string) {
		last, seen := "", map[int]bool{}
		for _, l := range t.lineList() {
			text := t.lineText(l)
			if isBlank(text) {
				continue
			}
			if l.kind == bulletLine || l.kind == numberLine {
				text = t.s[l.content:l.end]
			}
			name := spaced(withoutAccents(text))
			country, known := lists().africanCountries[name]
			switch {
			case !known:
				return false, fmt.Sprintf("%.40q is no country of the list", name)
			case seen[country]:
				return false, fmt.Sprintf("%q stands twice", name)
			case last != "" && name > last:
				return false, fmt.Sprintf("%q stands behind %q", name, last)
			}
			seen[country], last = true, name
		}
		return len(seen) == lists().countries, fmt.Sprintf("%d countries, %d asked for", len(seen), lists().countries)
	}
}

// custom:european_capitals_sort: just the capitals of the list by their latitude, between commas; accents, case and a last
// full stop aside. The published list lacks Kyiv.
func customEuropeanCapitals(*params) check {
	return func(t *Text) (bool, string) {
		names := strings.Split(strings.TrimSuffix(spaced(withoutAccents(t.s)), "."), ",")
		want := lists().europeanCapitals
		if len(names) != len(want) {
			return false, fmt.Sprintf("%d names, %d asked for", len(names), len(want))
		}
		for i, name := range names {
			if strings.TrimSpace(name) != want[i] {
				return false, fmt.Sprintf("name %d is not the capital that follows", i+1)
			}
		}
		return true, "all capitals in order"
	}
}

// custom:word_reverse: one sentence with "eagle bald" and without "bald eagle".
func customWordReverse(*params) check {
	there, absent := newKeyword("eagle bald"), newKeyword("bald eagle")
	return func(t *Text) (bool, string) {
		if n := len(t.sentenceList()); n != 1 {
			return false, fmt.Sprintf("%d sentences, exactly one asked for", n)
		}
		return there.in(t) && !absent.in(t), "the sentence must have its words in reverse"
	}
}

// custom:character_reverse: with "elgae dlab" and without "bald eagle".
func customCharacterReverse(*params) check {
	there, absent := newKeyword("elgae dlab"), newKeyword("bald eagle")
	return func(t *Text) (bool, string) {
		return there.in(t) && !absent.in(t), "the answer must have its characters in reverse"
	}
}
