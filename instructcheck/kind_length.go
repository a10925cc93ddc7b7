package instructcheck

import (
	"fmt"
	"slices"
	"strings"
)

// length_constraints:number_sentences.
func numberSentences(p *params) check {
	asked := p.amount("num_sentences", "relation")
	return func(t *Text) (bool, string) { return asked.compared(len(t.sentenceList()), "sentences") }
}

// length_constraints:number_words. The published checker counts runs of word characters: don't would be two.
func numberWords(p *params) check {
	asked := p.amount("num_words", "relation")
	return func(t *Text) (bool, string) { return asked.compared(t.CountWords(), "words") }
}

// length_constraints:number_paragraphs: the parts between lines that hold just ***. An empty first or last part is
// dropped, another one fails. The published checker splits at the marks wherever they stand.
func numberParagraphs(p *params) check {
	want := p.count("num_paragraphs")
	return func(t *Text) (bool, string) {
		parts := t.starParts()
		if slices.Contains(parts, true) {
			return false, "an empty part stands between dividers"
		}
		return len(parts) == want, fmt.Sprintf("%d paragraphs, exactly %d asked for", len(parts), want)
	}
}

// starParts are the parts between lines of just ***, each as whether it is empty; empty ones at the ends are left out.
func (t *Text) starParts() []bool {
	parts := []bool{true}
	for _, l := range t.lineList() {
		text := strings.TrimFunc(t.lineText(l), isSpace)
		switch {
		case text == "***" && !l.code:
			parts = append(parts, true)
		case text != "":
			parts[len(parts)-1] = false
		}
	}
	if parts[0] {
		parts = parts[1:]
	}
	if n := len(parts); n > 0 && parts[n-1] {
		parts = parts[:n-1]
	}
	return parts
}

// length_constraints:nth_paragraph_first_word: so many paragraphs, and one of them begins with a whole word. The published
// checker counts blank parts out but into the index, and cuts don't to don.
func nthParagraphFirstWord(p *params) check {
	want, nth, first := p.count("num_paragraphs"), p.position("nth_paragraph"), p.words("first_word")
	if nth > want {
		p.fail("nth_paragraph", "must not be above num_paragraphs")
	}
	return func(t *Text) (bool, string) {
		list := t.paragraphs()
		if len(list) != want {
			return false, fmt.Sprintf("%d paragraphs, exactly %d asked for", len(list), want)
		}
		from, to := t.wordsIn(list[nth-1])
		if t.wordsAre(from, to, first) {
			return true, fmt.Sprintf("paragraph %d begins with %q", nth, strings.Join(first, " "))
		}
		return false, fmt.Sprintf("paragraph %d does not begin with %q", nth, strings.Join(first, " "))
	}
}

// wordsAre says whether the words from a place on, up to another, begin with these.
func (t *Text) wordsAre(from, to int, words []string) bool {
	if from < 0 || to-from < len(words) {
		return false
	}
	for i, w := range words {
		if fold(t.word(from+i)) != w {
			return false
		}
	}
	return true
}
