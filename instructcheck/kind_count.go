package instructcheck

import (
	"fmt"
	"strings"
	"unicode"
)

// count:word_count_range: words within bounds that belong to the range.
func wordCountRange(p *params) check {
	low, high := p.count("min_words"), p.count("max_words")
	if low > high {
		p.fail("max_words", "must not be below min_words")
	}
	return func(t *Text) (bool, string) {
		n := t.CountWords()
		return low <= n && n <= high, fmt.Sprintf("%d words, %d to %d asked for", n, low, high)
	}
}

// count:unique_word_count: at least so many different words.
func uniqueWordCount(p *params) check {
	want := p.count("N")
	return func(t *Text) (bool, string) {
		n := len(setOf(t.Words()))
		return n >= want, fmt.Sprintf("%d different words, at least %d asked for", n, want)
	}
}

// count:conjunctions: at least so many different coordinating conjunctions.
func conjunctions(p *params) check {
	want := p.count("small_n")
	return func(t *Text) (bool, string) {
		found := map[string]bool{}
		for _, w := range t.Words() {
			if lists().conjunctions[w] {
				found[w] = true
			}
		}
		return len(found) >= want, fmt.Sprintf("%d different conjunctions, at least %d asked for", len(found), want)
	}
}

// count:pronouns: at least so many pronouns; of a contraction counts what stands before the apostrophe.
func pronouns(p *params) check {
	want := p.count("N")
	return func(t *Text) (bool, string) {
		n := 0
		for _, w := range t.Words() {
			stem, _, _ := strings.Cut(w, "'")
			if lists().pronouns[stem] {
				n++
			}
		}
		return n >= want, fmt.Sprintf("%d pronouns, at least %d asked for", n, want)
	}
}

// count:person_names: at least so many different names of the list, whole and with their case. The published checker
// finds them inside words.
func personNames(p *params) check {
	want := p.count("N")
	return func(t *Text) (bool, string) {
		n := 0
		for _, name := range lists().personNames {
			if name.in(t) {
				n++
			}
		}
		return n >= want, fmt.Sprintf("%d different names, at least %d asked for", n, want)
	}
}

// count:words_japanese: of the pieces between spaces that hold a letter or digit, each N-th has Han or kana, and there are
// N or more. The published checker passes shorter texts.
func wordsJapanese(p *params) check {
	nth := p.position("N")
	return func(t *Text) (bool, string) {
		n := 0
		for piece := range strings.FieldsFuncSeq(t.s, isSpace) {
			if !strings.ContainsFunc(piece, isAlnum) {
				continue
			}
			n++
			if n%nth == 0 && !strings.ContainsFunc(piece, isIdeograph) {
				return false, fmt.Sprintf("word %d is not Japanese", n)
			}
		}
		return n >= nth, fmt.Sprintf("%d words, each word number %d must be Japanese", n, nth)
	}
}

// count:numbers: exactly so many runs of digits, inner . and , joined; 3-4 is two.
func numbers(p *params) check {
	want := p.count("N")
	return func(t *Text) (bool, string) {
		n := len(digitRuns(t.s, ".,"))
		return n == want, fmt.Sprintf("%d numbers, exactly %d asked for", n, want)
	}
}

// digitRuns are the runs of digits of a text, in which the inner marks may stand between two digits.
func digitRuns(s, inner string) []string {
	var runs []string
	start := -1
	for i := 0; i < len(s); {
		r, size := runeAt(s, i)
		if unicode.IsDigit(r) {
			if start < 0 {
				start = i
			}
			i += size
			continue
		}
		next, n := runeAt(s, i+size)
		if start >= 0 && !(strings.ContainsRune(inner, r) && n > 0 && unicode.IsDigit(next)) {
			runs = append(runs, s[start:i])
			start = -1
		}
		i += size
	}
	if start >= 0 {
		runs = append(runs, s[start:])
	}
	return runs
}

// count:punctuation: an interrobang (?! or !? or ‽), and apart from its marks each of . , ! ? ; :
func punctuation(*params) check {
	return func(t *Text) (bool, string) {
		need := 1
		if !strings.Contains(t.s, "‽") {
			if need = 2; !strings.Contains(t.s, "?!") && !strings.Contains(t.s, "!?") {
				return false, "no interrobang"
			}
		}
		for _, mark := range []string{".", ",", ";", ":"} {
			if !strings.Contains(t.s, mark) {
				return false, fmt.Sprintf("the mark %q is missing", mark)
			}
		}
		for _, mark := range []string{"?", "!"} {
			if strings.Count(t.s, mark) < need {
				return false, fmt.Sprintf("the mark %q is missing beside the interrobang", mark)
			}
		}
		return true, "each punctuation mark occurs"
	}
}

// count:keywords_multiple: exactly 1, 2, 3, 5 and 7 matches of five keywords.
func keywordsMultiple(p *params) check {
	wants := [...]int{1, 2, 3, 5, 7}
	var list [len(wants)]keyword
	for i := range list {
		list[i] = p.keyword(fmt.Sprintf("keyword%d", i+1))
	}
	return func(t *Text) (bool, string) {
		for i, k := range list {
			if n := k.count(t); n != wants[i] {
				return false, fmt.Sprintf("%d times %q, exactly %d asked for", n, k.text, wants[i])
			}
		}
		return true, "each keyword occurs as often as asked for"
	}
}
