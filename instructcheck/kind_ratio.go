package instructcheck

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// ratio:stop_words: at most so many per cent of the words are stop words.
func stopWords(p *params) check {
	percent := p.percent("percentage")
	return func(t *Text) (bool, string) {
		n, words := 0, t.Words()
		for _, w := range words {
			if lists().stopWords[w] {
				n++
			}
		}
		holds := float64(100*n) <= percent*float64(len(words))+1e-9
		return holds, fmt.Sprintf("%d of %d words are stop words, at most %g %% asked for", n, len(words), percent)
	}
}

// countKinds counts statements, questions and exclamations.
func (t *Text) countKinds() (n [3]int) {
	for _, s := range t.sentenceList() {
		n[s.kind()]++
	}
	return n
}

// ratio:sentence_type: twice as many statements as questions, and some.
func sentenceType(*params) check {
	return func(t *Text) (bool, string) {
		n := t.countKinds()
		return n[question] > 0 && n[statement] == 2*n[question], fmt.Sprintf("%d statements and %d questions, two to one asked for", n[statement], n[question])
	}
}

// ratio:sentence_balance: as many statements as questions as exclamations, and some.
func sentenceBalance(*params) check {
	return func(t *Text) (bool, string) {
		n := t.countKinds()
		return n[question] > 0 && n[statement] == n[question] && n[statement] == n[exclamation],
			fmt.Sprintf("%d statements, %d questions, %d exclamations, equally many asked for", n[statement], n[question], n[exclamation])
	}
}

// ratio:overlap: the share of the different trigrams (characters as they stand, or words) that are in the reference text,
// within two points of what is asked for.
func overlap(p *params) check {
	reference, percent := p.text("reference_text"), p.percent("percentage")
	trigrams := charTrigrams
	if v, ok := p.optional("unit"); ok {
		switch p.textOf("unit", v) {
		case "char":
		case "word":
			trigrams = wordTrigrams
		default:
			p.fail("unit", "must be char or word")
		}
	}
	known := trigrams(reference)
	return func(t *Text) (bool, string) {
		found := trigrams(t.s)
		if len(found) == 0 {
			return false, "the answer is too short for a group of three"
		}
		n := 0
		for g := range found {
			if known[g] {
				n++
			}
		}
		share := 100 * float64(n) / float64(len(found))
		return math.Abs(share-percent) <= 2+1e-9, fmt.Sprintf("an overlap of %.1f %%, %g %% within 2 asked for", share, percent)
	}
}

func charTrigrams(s string) map[string]bool {
	s = strings.TrimFunc(s, isSpace)
	set := map[string]bool{}
	var at [3]int // where the last three characters begin
	n := 0
	for i, r := range s {
		at[n%3] = i
		if n++; n >= 3 {
			set[s[at[n%3]:i+utf8.RuneLen(r)]] = true
		}
	}
	return set
}

func wordTrigrams(s string) map[string]bool {
	words, set := wordsOf(s), map[string]bool{}
	for i := 3; i <= len(words); i++ {
		set[strings.Join(words[i-3:i], " ")] = true
	}
	return set
}

// ratio:sentence_words: three sentences, equally many characters each, no word twice. The published checker passes
// repeats.
func sentenceWords(*params) check {
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if len(list) != 3 {
			return false, fmt.Sprintf("%d sentences, exactly 3 asked for", len(list))
		}
		seen := map[string]bool{}
		length := utf8.RuneCountInString(t.s[list[0].start:list[0].end])
		for i, s := range list {
			if n := utf8.RuneCountInString(t.s[s.start:s.end]); n != length {
				return false, fmt.Sprintf("sentence %d has %d characters, the first %d", i+1, n, length)
			}
			for _, w := range t.sentenceWords(s) {
				if seen[w] {
					return false, fmt.Sprintf("the word %q stands twice", w)
				}
				seen[w] = true
			}
		}
		return true, "three sentences of one length, all words differ"
	}
}
