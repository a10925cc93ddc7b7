package verifiers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answers are announced by words: "The answer is (C)", "正确答案是 C", "La réponse est D". text_lexicon.go lists those words
// in the languages that benchmarks come in; this file finds them in a text, from its end, since the last statement counts.

// wordClass is a set of the roles that a word can play.
type wordClass uint16

const (
	markAnswer wordClass = 1 << iota // announces an answer: answer, réponse, 答案
	markOption                       // names an option: option, choice
	markResult                       // announces a number: result, solution
	isWord                           // joins an announcement to what is announced: is, must be, seems to be
	fillWord                         // may stand between them: definitely, the correct
	joinWord                         // and, or
	notWord                          // negates what follows: not, neither, except
	wrongWord                        // calls an option wrong
	rightWord                        // calls an option right
	tailWord                         // may follow a letter and shows that it is no article or pronoun: because, which
	stopWord                         // ends an opening equation: because, but, when
	auxWord                          // stands before the pronoun I when a question or comparison is turned around
	adverb                           // may stand between is and wrong
	hedge                            // may stand between and or or and the next letter of a list
)

var (
	words = classify()
	glued = classifyGlued()
	// announcing holds, by first letter, the lengths of the ASCII words that announce, as bits: most words of a text are
	// passed over at once.
	announcing = announcingLengths()
)

// maxWord is above the length in bytes of every listed word.
const maxWord = 48

func classify() map[string]wordClass {
	m := map[string]wordClass{}
	for _, list := range wordLists {
		for word := range strings.FieldsSeq(list.words) {
			m[word] |= list.class
		}
	}
	return m
}

type gluedWord struct {
	text  string
	class wordClass
}

// classifyGlued keys the glued words by their first character, longer ones first.
func classifyGlued() map[rune][]gluedWord {
	m := map[rune][]gluedWord{}
	for _, list := range gluedLists {
		for word := range strings.FieldsSeq(list.words) {
			first, _ := utf8.DecodeRuneInString(word)
			same := append(m[first], gluedWord{word, list.class})
			for i := len(same) - 1; i > 0 && len(same[i].text) > len(same[i-1].text); i-- {
				same[i], same[i-1] = same[i-1], same[i]
			}
			m[first] = same
		}
	}
	return m
}

// announcingLengths sets bit n of a letter, in both cases, where a word of n letters that announces begins with it.
func announcingLengths() (lengths [utf8.RuneSelf]uint64) {
	for _, list := range wordLists {
		if list.class&anyMark == 0 {
			continue
		}
		for word := range strings.FieldsSeq(list.words) {
			if c := word[0]; c < utf8.RuneSelf {
				lengths[c] |= 1 << len(word)
				lengths[c&^0x20] |= 1 << len(word)
			}
		}
	}
	return lengths
}

const anyMark = markAnswer | markOption | markResult

// wordClassOf looks a word up, in any case.
func wordClassOf(word string) wordClass {
	if len(word) > maxWord {
		return 0
	}
	var room [maxWord + 16]byte
	lower := room[:0]
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			return words[string(folder{lower: true}.appendAll(room[:0], word))]
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	return words[string(lower)]
}

// wordAt is the word that begins at s[i], with its roles; end is i where no letter stands there. An apostrophe inside a
// word belongs to it (can't).
func wordAt(s string, i int) (class wordClass, end int) {
	end = i
	for end < len(s) && end-i <= maxWord {
		r, size := utf8.DecodeRuneInString(s[end:])
		switch {
		case end == i && isGlued(r):
			for _, g := range glued[r] {
				if strings.HasPrefix(s[end:], g.text) {
					return g.class, end + len(g.text)
				}
			}
			return 0, end + size
		case isGlued(r):
			return wordClassOf(s[i:end]), end
		case isWordLetter(r):
			end += size
		case end > i && isApostrophe(r) && letterFollows(s[end+size:]):
			if r != '\'' { // the lists spell it in ASCII
				return wordClassOf(s[i:end] + "'" + letters(s[end+size:])), end + size + len(letters(s[end+size:]))
			}
			end += size
		default:
			return wordClassOf(s[i:end]), end
		}
	}
	if end-i > maxWord {
		return 0, end
	}
	return wordClassOf(s[i:end]), end
}

func letters(s string) string {
	n := 0
	for n < len(s) && n < maxWord && isLetter(rune(s[n])) {
		n++
	}
	return s[:n]
}

func letterFollows(s string) bool { return s != "" && isLetter(rune(s[0])) }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// isWordLetter: part of a word that white space parts from the next.
func isWordLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r)
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// wordBefore is the word that ends at s[:i], with its roles; start is i where no letter stands there.
func wordBefore(s string, i int) (class wordClass, start int) {
	start = i
	for start > 0 && i-start <= maxWord {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if isGlued(r) {
			if start < i {
				break
			}
			return gluedBefore(s, i)
		}
		inner := start < i && isApostrophe(r) && start > size && isLetter(rune(s[start-size-1]))
		if !isWordLetter(r) && !inner {
			break
		}
		start -= size
	}
	word := s[start:i]
	if strings.Contains(word, "’") && len(word) <= maxWord {
		word = strings.ReplaceAll(word, "’", "'")
	}
	return wordClassOf(word), start
}

// gluedBefore is the longest listed word of a glued script that ends at s[:i], else the last character.
func gluedBefore(s string, i int) (class wordClass, start int) {
	_, size := utf8.DecodeLastRuneInString(s[:i])
	start = i - size
	at := i
	for range 6 { // no listed word that negates is longer
		if at == 0 {
			break
		}
		r, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
		for _, g := range glued[r] {
			if len(g.text) == i-at && s[at:i] == g.text {
				class, start = g.class, at
			}
		}
	}
	return class, start
}

// markBefore finds the last word of one of the wanted roles that begins before end: where it begins and where it ends.
// start is -1 where there is none. Called again with that start it walks through a text from its end, in one pass.
func markBefore(s string, end int, want wordClass) (start, after int) {
	for i := end; i > 0; {
		c := s[i-1]
		if c < utf8.RuneSelf {
			switch {
			case isLetter(rune(c)):
			case c == '#' && want&markResult != 0:
				j := i
				for j > 0 && s[j-1] == '#' {
					j--
				}
				if i-j == 4 {
					return j, i
				}
				i = j
				continue
			default:
				i--
				continue
			}
		}
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if isGlued(r) {
			i -= size
			for _, g := range glued[r] {
				if g.class&want != 0 && strings.HasPrefix(s[i:], g.text) && i+len(g.text) <= end {
					return i, i + len(g.text)
				}
			}
			continue
		}
		if !isWordLetter(r) {
			i -= size
			continue
		}
		j := runStart(s, i)
		if i-j <= maxWord && (s[j] >= utf8.RuneSelf || announcing[s[j]]>>(i-j)&1 != 0) && wordClassOf(s[j:i])&want != 0 && !goesOn(s, j, i) {
			return j, i
		}
		i = j
	}
	return -1, 0
}

// runStart is where the letters begin that end at s[:i].
func runStart(s string, i int) int {
	for i > 0 {
		if c := s[i-1]; c < utf8.RuneSelf {
			if !isLetter(rune(c)) {
				return i
			}
			i--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if isGlued(r) || !isWordLetter(r) {
			return i
		}
		i -= size
	}
	return i
}

// goesOn: digits or an apostrophe with letters make another word of it (answer2, answer's), a slash a closing tag.
func goesOn(s string, start, end int) bool {
	if end < len(s) && isDigit(rune(s[end])) || start > 0 && isDigit(rune(s[start-1])) || strings.HasSuffix(s[:start], "</") {
		return true
	}
	rest := strings.TrimPrefix(s[end:], "’")
	rest = strings.TrimPrefix(rest, "'")
	return len(rest) < len(s)-end && letterFollows(rest) && !strings.HasPrefix(rest, "s ") && !strings.HasPrefix(rest, "s:")
}
