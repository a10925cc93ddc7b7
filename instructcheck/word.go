package instructcheck

import (
	"strings"
	"unicode"
)

// A word is a longest run of letters, marks and digits, joined inside by ' ’ - ‐ ‑ _ or a zero-width (non-)joiner, or
// between two digits by . , : /
//
//	don't  state-of-the-art  1,250.50  हिन्दी    one word each
//	yes/no                                      two
//	— 😀 ***                                    none
//
// Each Han, Hiragana or Katakana character is a word. Dotted letters (U.S.A.) and a bare http(s) address are one. The
// address of a [text](link) and the number of a list item are markup and no words; in a fence nothing is markup. Thai,
// Lao, Khmer and Burmese are not parted: a run between spaces is one word.
type word struct {
	span
	dotted bool // single letters with dots between; the last dot is not in the span
}

func (t *Text) word(i int) string { return t.s[t.words[i].start:t.words[i].end] }

// wordList finds the words in one pass.
func (t *Text) wordList() []word {
	if t.hasWords {
		return t.words
	}
	t.hasWords = true
	for _, l := range t.lineList() {
		start := l.start
		if l.kind == numberLine {
			start = l.content
		}
		t.scanWords(start, l.end, l.code)
	}
	return t.words
}

// scanWords finds the words of a line.
func (t *Text) scanWords(i, end int, code bool) {
	s, open := t.s[:end], 0
	for i < end {
		r, size := runeAt(s, i)
		switch {
		case r == '[':
			open++
		case r == ']' && open > 0 && !code:
			open--
			if n := linkAddress(s[i+1:]); n > 0 {
				i += n
			}
		case isWordRune(r):
			if n := emojiLen(s[i:]); n > 0 { // a keycap
				i += n
				continue
			}
			w, next := wordAt(s, i)
			if w.end > w.start {
				t.words = append(t.words, w)
			}
			i = next
			continue
		}
		i += size
	}
}

// maxAddress bounds the address of a link in bytes: no browser takes longer ones, and many brackets that never close cost
// no more than this each.
const maxAddress = 2048

// linkAddress is the length of the (address) that s begins with, brackets in it paired, on one line; 0 where there is none.
func linkAddress(s string) int {
	if s == "" || s[0] != '(' {
		return 0
	}
	depth := 0
	for i := 0; i < min(len(s), maxAddress); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// wordAt reads the word that begins at i, and where to go on. The word is empty where a run has marks alone.
func wordAt(s string, i int) (word, int) {
	r, size := runeAt(s, i)
	if n := addressLen(s[i:]); n > 0 {
		return word{span: span{i, i + n}}, i + n
	}
	if isIdeograph(r) {
		end := skipMarks(s, i+size)
		return word{span: span{i, end}}, end
	}
	end := dottedLetters(s, i)
	alnum, dotted := end > i, end > i
	if dotted && end < len(s) && s[end] == '.' {
		return word{span{i, end}, true}, end + 1
	}
	for {
		r, size := runeAt(s, end)
		if size == 0 {
			break
		}
		if isWordRune(r) && !isIdeograph(r) {
			alnum, dotted = alnum || isAlnum(r), false
			end += size
			continue
		}
		if !joins(s, end, r, size) {
			break
		}
		end += size
	}
	if !alnum {
		return word{span: span{i, i}}, end
	}
	return word{span{i, end}, dotted}, end
}

// joins says whether the character at i ties what stands before it to what follows.
func joins(s string, i int, r rune, size int) bool {
	next, n := runeAt(s, i+size)
	if n == 0 || !isWordRune(next) || isIdeograph(next) {
		return false
	}
	switch r {
	case '\'', '’', '-', '‐', '‑', '_', '\u200c', '\u200d':
		return true
	case '.', ',', ':', '/':
		last, _ := runeBefore(s, i)
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	}
	return false
}

func skipMarks(s string, i int) int {
	for {
		r, size := runeAt(s, i)
		if size == 0 || !unicode.Is(unicode.M, r) {
			return i
		}
		i += size
	}
}

// dottedLetters is the end of two or more single letters with dots between, such as e.g. or U.S.A., without a last dot; i
// where there are none.
func dottedLetters(s string, i int) int {
	letters, at, end := 0, i, i
	for {
		r, size := runeAt(s, at)
		if size == 0 || !unicode.IsLetter(r) || isIdeograph(r) {
			break
		}
		after := skipMarks(s, at+size)
		if c, n := runeAt(s, after); n > 0 && isWordRune(c) && !isIdeograph(c) {
			break // no single letter
		}
		letters++
		end = after
		if after >= len(s) || s[after] != '.' {
			break
		}
		at = after + 1
	}
	if letters < 2 {
		return i
	}
	return end
}

// addressLen is the length of the bare http(s) address that s begins with. It ends at white space, quotes, angle
// brackets, an ideograph or its punctuation, and at a closing bracket that it did not open.
func addressLen(s string) int {
	if len(s) < 8 || s[0]|0x20 != 'h' {
		return 0
	}
	scheme := 0
	for _, p := range [...]string{"http://", "https://"} {
		if len(s) > len(p) && strings.EqualFold(s[:len(p)], p) {
			scheme = len(p)
		}
	}
	if scheme == 0 {
		return 0
	}
	depth, i := 0, scheme
	for i < len(s) {
		r, size := runeAt(s, i)
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if depth < 0 || isSpace(r) || r == '<' || r == '>' || r == '"' || r == '`' || r >= 0x2e80 && (isIdeograph(r) || !isWordRune(r)) {
			break
		}
		i += size
	}
	if i == scheme {
		return 0
	}
	return i
}

// wordsIn are the words that begin in a part of the text, as the range [from, to) of wordList.
func (t *Text) wordsIn(p span) (from, to int) {
	list := t.wordList()
	return searchWord(list, p.start), searchWord(list, p.end)
}

// searchWord is the index of the first word that begins at or behind a place.
func searchWord(list []word, at int) int {
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := (lo + hi) / 2; list[mid].start < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// countIn is the number of words that begin in a part of the text.
func (t *Text) countIn(p span) int {
	from, to := t.wordsIn(p)
	return to - from
}

// wordsOf are the words of a text that is no answer, such as a parameter, folded.
func wordsOf(s string) []string { return NewText(s).Words() }

// Repetition is the share of groups of n neighbouring words, n being 1 or more, that repeat an earlier one: 1 less the
// different ones over all. A text of fewer words repeats nothing. Groups are numbered by doubling, pairs of numbers for
// groups of half the length, so that long groups cost no more than L·log n for L words.
func (t *Text) Repetition(n int) float64 {
	words := t.Words()
	all := len(words) - n + 1
	if n < 1 || all < 1 {
		return 0
	}
	numbers := map[string]int{}
	ids := make([]int, len(words))
	for i, w := range words {
		id, ok := numbers[w]
		if !ok {
			id = len(numbers)
			numbers[w] = id
		}
		ids[i] = id
	}
	different := len(numbers)
	for length := 1; length < n; {
		step := min(length, n-length) // two groups of the length, side by side or overlapping, make the next
		ids, different = numberPairs(ids, step)
		length += step
	}
	return 1 - float64(different)/float64(all)
}

// numberPairs numbers the pairs of ids that stand so many places apart.
func numberPairs(ids []int, apart int) (pairs []int, different int) {
	numbers := make(map[[2]int]int, len(ids))
	pairs = make([]int, len(ids)-apart)
	for i := range pairs {
		key := [2]int{ids[i], ids[i+apart]}
		id, ok := numbers[key]
		if !ok {
			id = len(numbers)
			numbers[key] = id
		}
		pairs[i] = id
	}
	return pairs, len(numbers)
}
