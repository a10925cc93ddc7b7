package instructcheck

import (
	"fmt"
	"unicode"
)

// keywords:existence: each keyword occurs. The published checker takes a keyword as a pattern and finds it inside words.
func keywordsExist(p *params) check {
	list := p.keywords("keywords")
	return func(t *Text) (bool, string) {
		for _, k := range list {
			if !k.in(t) {
				return false, fmt.Sprintf("the keyword %q is missing", k.text)
			}
		}
		return true, "each keyword occurs"
	}
}

// keywords:forbidden_words: none occurs.
func keywordsForbidden(p *params) check {
	list := p.keywords("forbidden_words")
	return func(t *Text) (bool, string) {
		for _, k := range list {
			if k.in(t) {
				return false, fmt.Sprintf("the forbidden %q occurs", k.text)
			}
		}
		return true, "no forbidden word occurs"
	}
}

// keywords:frequency: the matches of a keyword, counted.
func keywordFrequency(p *params) check {
	k, asked := p.keyword("keyword"), p.amount("frequency", "relation")
	return func(t *Text) (bool, string) {
		return asked.compared(k.count(t), fmt.Sprintf("times %q", k.text))
	}
}

// keywords:letter_frequency: one character, case aside, counted; é is not e. Any character may be counted, where the
// published checker draws a letter at random instead.
func letterFrequency(p *params) check {
	letter, asked := p.character("letter"), p.amount("let_frequency", "let_relation")
	want := fold(letter)
	return func(t *Text) (bool, string) {
		n := 0
		for i := 0; i < len(t.s); {
			r, size := runeAt(t.s, i)
			if sameLetter(r, t.s[i:i+size], letter, want) {
				n++
			}
			i += size
		}
		return asked.compared(n, fmt.Sprintf("times %q", letter))
	}
}

func sameLetter(r rune, s, letter, folded string) bool {
	if s == letter {
		return true
	}
	if r < 0x80 {
		return len(folded) == 1 && s[0]|0x20 == folded[0] && unicode.IsLetter(r) || r == '\'' && folded == "'"
	}
	return fold(s) == folded
}

// language:response_language: see language.go.
func responseLanguage(p *params) check {
	code := p.language("language")
	return func(t *Text) (bool, string) { return t.InLanguage(code) }
}

// change_case:capital_word_frequency: words with two letters or more and no small one. The published checker counts I and A.
func capitalWordFrequency(p *params) check {
	asked := p.amount("capital_frequency", "capital_relation")
	return func(t *Text) (bool, string) {
		n := 0
		for i := range t.wordList() {
			if isCapitalWord(t.word(i)) {
				n++
			}
		}
		return asked.compared(n, "words in capitals")
	}
}

func isCapitalWord(w string) bool {
	letters, capital := 0, false
	for _, r := range w {
		switch {
		case unicode.IsLower(r), unicode.IsTitle(r):
			return false
		case unicode.IsUpper(r):
			capital = true
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return capital && letters >= 2
}

// change_case:english_capital: some cased letter, no small one, and English.
func englishCapital(*params) check {
	return func(t *Text) (bool, string) {
		return oneCase(t, unicode.IsUpper, unicode.IsLower, "capital", "small")
	}
}

// change_case:english_lowercase: some cased letter, no capital, and English.
func englishLowercase(*params) check {
	return func(t *Text) (bool, string) {
		return oneCase(t, unicode.IsLower, unicode.IsUpper, "small", "capital")
	}
}

func oneCase(t *Text, wanted, other func(rune) bool, name, otherName string) (bool, string) {
	found := false
	for _, r := range t.s {
		if other(r) || unicode.IsTitle(r) {
			return false, fmt.Sprintf("the %s letter %q occurs", otherName, string(r))
		}
		found = found || wanted(r)
	}
	if !found {
		return false, "no " + name + " letter occurs"
	}
	return t.InLanguage("en")
}

// commas of all scripts.
const commas = ",，،、､﹐﹑︐︑՝፣"

// punctuation:no_comma: none occurs, in code and numbers neither.
func noComma(*params) check {
	isComma := map[rune]bool{}
	for _, r := range commas {
		isComma[r] = true
	}
	return func(t *Text) (bool, string) {
		for _, r := range t.s {
			if isComma[r] {
				return false, "a comma occurs"
			}
		}
		return true, "no comma occurs"
	}
}
