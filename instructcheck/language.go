package instructcheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A text is in a language when its prose is: fences, inline code and addresses are left out. More than half of the letters
// are of the language's script. Japanese is Han and kana, with some kana in 20 letters or more; Chinese is Han, with kana
// at most a tenth. Where languages share a script, a text of 20 letters or more is also likelier in this one than in any
// other that is known of that script (language_model.go); fewer letters are too few to tell. A paragraph of 60 letters or
// more has to hold alone too. Without a letter there is no language.

const (
	lettersToTell      = 20 // below, the model decides nothing
	lettersOfParagraph = 60 // from here on a paragraph is judged alone
)

// scripts are the tables of the scripts that languages are written in, by the names in lists.json.
var scripts = map[string][]*unicode.RangeTable{
	"Han": {unicode.Han}, "Jpan": {unicode.Han, unicode.Hiragana, unicode.Katakana}, "Hangul": {unicode.Hangul},
	"Thai": {unicode.Thai}, "Greek": {unicode.Greek}, "Hebrew": {unicode.Hebrew}, "Armenian": {unicode.Armenian},
	"Georgian": {unicode.Georgian}, "Bengali": {unicode.Bengali}, "Gurmukhi": {unicode.Gurmukhi},
	"Gujarati": {unicode.Gujarati}, "Tamil": {unicode.Tamil}, "Telugu": {unicode.Telugu}, "Kannada": {unicode.Kannada},
	"Malayalam": {unicode.Malayalam}, "Cyrillic": {unicode.Cyrillic}, "Arabic": {unicode.Arabic},
	"Devanagari": {unicode.Devanagari}, "Latin": {unicode.Latin},
}

// Languages returns the ISO 639-1 codes of the languages that are known, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(lists().languages)) }

// KnownLanguage says whether a code is one of Languages.
func KnownLanguage(code string) bool {
	_, ok := lists().languages[code]
	return ok
}

// InLanguage says whether the text is in a language, by its code, and why. An unknown code is no language.
func (t *Text) InLanguage(code string) (bool, string) {
	if !KnownLanguage(code) {
		return false, fmt.Sprintf("%.20q is no language that is known", code)
	}
	paragraphs := t.prose()
	if holds, why := inLanguage(strings.Join(paragraphs, "\n"), code); !holds {
		return false, why
	}
	if len(paragraphs) > 1 {
		for i, p := range paragraphs {
			if countLetters(p) < lettersOfParagraph {
				continue
			}
			if holds, why := inLanguage(p, code); !holds {
				return false, fmt.Sprintf("paragraph %d: %s", i+1, why)
			}
		}
	}
	return true, "the text is in " + code
}

// prose are the paragraphs of the text without fences, inline code and addresses.
func (t *Text) prose() []string {
	var list []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			list = append(list, b.String())
			b.Reset()
		}
	}
	for _, l := range t.lineList() {
		switch text := t.lineText(l); {
		case l.code:
		case isBlank(text):
			flush()
		default:
			b.WriteString(withoutAddresses(hideInlineCode(text)))
			b.WriteByte('\n')
		}
	}
	flush()
	return list
}

// withoutAddresses leaves out bare addresses and those of links.
func withoutAddresses(s string) string {
	if !strings.Contains(s, "://") && !strings.Contains(s, "](") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := addressLen(s[i:]); n > 0 {
			i += n
			continue
		}
		if s[i] == ']' {
			i++
			i += linkAddress(s[i:])
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func countLetters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// inLanguage decides over a piece of prose.
func inLanguage(s, code string) (bool, string) {
	script := lists().languages[code]
	letters, own, kana := 0, 0, 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		isOwnKana := isKana(r)
		if isOwnKana {
			kana++
		}
		if unicode.In(r, scripts[script]...) || isOwnKana && script == "Jpan" {
			own++
		}
	}
	switch {
	case letters == 0:
		return false, "there is no letter"
	case 2*own <= letters:
		return false, fmt.Sprintf("%d of %d letters are of the script of %s", own, letters, code)
	case code == "ja" && kana == 0 && letters >= lettersToTell:
		return false, "there is no kana"
	case code == "zh" && 10*kana > letters:
		return false, "there is too much kana"
	}
	if m := models()[script]; m != nil && letters >= lettersToTell {
		if likeliest := m.likeliest(s); likeliest != code {
			return false, fmt.Sprintf("the text looks like %s, not %s", likeliest, code)
		}
	}
	return true, ""
}
