package instructcheck

import (
	"fmt"
	"strings"
	"unicode"
)

func isVowel(r rune) bool { return strings.ContainsRune("aeiou", r) }

// isConsonant: a Latin letter that is none of a e i o u; y is one.
func isConsonant(r rune) bool { return 'a' <= r && r <= 'z' && !isVowel(r) }

// words:alphabet: each word begins with the letter behind the last one's, A behind Z; accents aside.
func wordsAlphabet(*params) check {
	return func(t *Text) (bool, string) {
		if t.CountWords() < 2 {
			return false, "one word is no chain"
		}
		last := byte(0)
		for i := range t.wordList() {
			c := withoutAccents(t.word(i))[0]
			if c < 'a' || c > 'z' {
				return false, fmt.Sprintf("word %d does not begin with a letter of the alphabet", i+1)
			}
			if last != 0 && c != 'a'+(last-'a'+1)%26 {
				return false, fmt.Sprintf("word %d does not begin with the letter that follows", i+1)
			}
			last = c
		}
		return true, "the first letters follow the alphabet"
	}
}

// words:vowel: one paragraph with at most three different ones of a e i o u, accents aside.
func wordsVowel(*params) check {
	return func(t *Text) (bool, string) {
		if n := len(t.paragraphs()); n != 1 {
			return false, fmt.Sprintf("%d paragraphs, one asked for", n)
		}
		plain, n := withoutAccents(t.s), 0
		for _, v := range "aeiou" {
			if strings.ContainsRune(plain, v) {
				n++
			}
		}
		return n <= 3, fmt.Sprintf("%d different vowels, at most 3 asked for", n)
	}
}

// words:consonants: each word has two adjacent consonants.
func wordsConsonants(*params) check {
	return func(t *Text) (bool, string) {
		for i := range t.wordList() {
			last, found := ' ', false
			for _, r := range withoutAccents(t.word(i)) {
				found = found || isConsonant(last) && isConsonant(r)
				last = r
			}
			if !found {
				return false, fmt.Sprintf("word %d has no two consonants side by side", i+1)
			}
		}
		return true, "each word has two consonants side by side"
	}
}

// words:palindrome: ten different palindromes of five letters or more.
func wordsPalindrome(*params) check {
	return func(t *Text) (bool, string) {
		found := map[string]bool{}
		for _, w := range t.Words() {
			if isPalindrome([]rune(w)) {
				found[w] = true
			}
		}
		return len(found) >= 10, fmt.Sprintf("%d different palindromes, at least 10 asked for", len(found))
	}
}

func isPalindrome(w []rune) bool {
	for i, r := range w {
		if !unicode.In(r, unicode.L, unicode.M) || r != w[len(w)-1-i] {
			return false
		}
	}
	return len(w) >= 5
}

// words:prime_lengths: the letters and digits of each word count to a prime.
func wordsPrimeLengths(*params) check {
	return func(t *Text) (bool, string) {
		for i := range t.wordList() {
			n := 0
			for _, r := range t.word(i) {
				if isAlnum(r) {
					n++
				}
			}
			if !isPrime(n) {
				return false, fmt.Sprintf("word %d has %d letters, no prime number", i+1, n)
			}
		}
		return true, "each word's length is a prime number"
	}
}

func isPrime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n >= 2
}

// words:repeats: no word more often than so many times.
func wordsRepeats(p *params) check {
	most := p.count("small_n")
	return func(t *Text) (bool, string) {
		n := map[string]int{}
		for _, w := range t.Words() {
			if n[w]++; n[w] > most {
				return false, fmt.Sprintf("%q stands more than %d times", w, most)
			}
		}
		return true, fmt.Sprintf("no word stands more than %d times", most)
	}
}

// words:start_verb: the first word is a verb of the list, or its -ing form.
func wordsStartVerb(*params) check {
	return func(t *Text) (bool, string) {
		t.wordList()
		w := fold(t.word(0))
		return lists().verbs[w], fmt.Sprintf("the first word is %q, a verb is asked for", w)
	}
}

// words:odd_even_syllables: words with an odd and an even number of syllables alternate.
func wordsOddEvenSyllables(*params) check {
	return func(t *Text) (bool, string) {
		if t.CountWords() < 2 {
			return false, "one word alternates with nothing"
		}
		last := -1
		for i := range t.wordList() {
			parity := syllables(t.word(i)) % 2
			if parity == last {
				return false, fmt.Sprintf("words %d and %d have the same parity of syllables", i, i+1)
			}
			last = parity
		}
		return true, "odd and even numbers of syllables alternate"
	}
}

// syllables are the groups of a e i o u y, less a last e behind a consonant (not -le), at least one. It is a rule of thumb
// for English that needs no dictionary.
func syllables(w string) int {
	w = withoutAccents(w)
	n := countVowelGroups(w)
	if len(w) >= 2 && strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "le") {
		if before := rune(w[len(w)-2]); isConsonant(before) && before != 'y' {
			n--
		}
	}
	return max(n, 1)
}

func countVowelGroups(w string) int {
	n, inside := 0, false
	for _, r := range w {
		vowel := isVowel(r) || r == 'y'
		if vowel && !inside {
			n++
		}
		inside = vowel
	}
	return n
}

// words:last_first: a sentence's last word is the next one's first.
func wordsLastFirst(*params) check {
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if len(list) < 2 {
			return false, "a chain needs two sentences"
		}
		for i := 1; i < len(list); i++ {
			_, lastEnd := t.wordsIn(list[i-1].span)
			first, _ := t.wordsIn(list[i].span)
			if fold(t.word(lastEnd-1)) != fold(t.word(first)) {
				return false, fmt.Sprintf("sentence %d does not begin with the last word of the one before", i+1)
			}
		}
		return true, "each sentence begins with the last word of the one before"
	}
}

// words:paragraph_last_first: each line with a word ends with its first word.
func wordsParagraphLastFirst(*params) check {
	return func(t *Text) (bool, string) {
		for i, l := range t.lineList() {
			from, to := t.wordsIn(span{l.start, l.end})
			if from < to && fold(t.word(from)) != fold(t.word(to-1)) {
				return false, fmt.Sprintf("line %d does not end with its first word", i+1)
			}
		}
		return true, "each line ends with its first word"
	}
}

// words:no_consecutive: no two neighbours within a line share the first letter. The published checker looks across lines.
func wordsNoConsecutive(*params) check {
	return func(t *Text) (bool, string) {
		for _, l := range t.lineList() {
			from, to := t.wordsIn(span{l.start, l.end})
			for i := from + 1; i < to; i++ {
				if firstLetter(t.word(i-1)) == firstLetter(t.word(i)) {
					return false, fmt.Sprintf("%q and %q begin with the same letter", t.word(i-1), t.word(i))
				}
			}
		}
		return true, "no two neighbours begin with the same letter"
	}
}

// words:keywords_specific_position: the m-th word of the n-th sentence. Marks are no words, as they are for the published
// checker.
func wordsSpecificPosition(p *params) check {
	want, n, m := p.words("keyword"), p.position("n"), p.position("m")
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if n > len(list) {
			return false, fmt.Sprintf("%d sentences, the word is asked for in number %d", len(list), n)
		}
		from, to := t.wordsIn(list[n-1].span)
		return t.wordsAre(from+m-1, to, want), fmt.Sprintf("%q is asked for as word %d of sentence %d", strings.Join(want, " "), m, n)
	}
}

// words:words_position: the second word and the second to last.
func wordsPosition(p *params) check {
	want := p.words("keyword")
	return func(t *Text) (bool, string) {
		n := t.CountWords()
		holds := n >= 3 && t.wordsAre(1, n, want) && t.wordsAre(n-1-len(want), n, want)
		return holds, fmt.Sprintf("%q is asked for as second and second to last word", strings.Join(want, " "))
	}
}
