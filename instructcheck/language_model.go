package instructcheck

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The language of a text in a script that several languages share is found by two witnesses, whose logarithms are added.
//
// The first is a character model: how likely is each character behind the two before it, given the language? Three
// estimates from a sample of the language are mixed (Jelinek and Mercer 1980), so that a rare sequence still has the
// weight of its pair and of its letter:
//
//	P(c | ab) = 0.6 n(abc)/n(ab) + 0.28 n(bc)/n(b) + 0.115 n(c)/n + 0.005/alphabet
//
// The second are function words, the little words that each sentence has and other languages do not: a word of the list is
// worth as much as it is rare among the lists. Words are padded with a space at both ends.
//
// The samples (samples.txt, about 200 words a language) were written for this purpose. All values are rounded to integers
// when the model is made, so that the sum does not depend on the order or the machine. Cost: at most three look-ups for a
// character, whatever the number of languages.
type languageModel struct {
	codes    []string
	trigrams map[[3]rune][]int32 // logarithms by language, where any language has the sequence
	pairs    map[[2]rune][]int32
	letters  map[rune][]int32
	unknown  []int32
	words    map[string][]int32
}

//go:embed samples.txt
var samplesText string

// models are the models by script, for scripts that several languages share.
var models = sync.OnceValue(func() map[string]*languageModel {
	samples := map[string]string{}
	for part := range strings.SplitSeq(samplesText, "= ") {
		if code, text, ok := strings.Cut(part, "\n"); ok {
			samples[code] = text
		}
	}
	byScript := map[string][]string{}
	for _, code := range Languages() {
		script := lists().languages[code]
		byScript[script] = append(byScript[script], code)
	}
	all := map[string]*languageModel{}
	for script, codes := range byScript {
		if len(codes) > 1 {
			all[script] = newLanguageModel(codes, samples)
		}
	}
	return all
})

const (
	weightOfThree, weightOfTwo, weightOfOne, weightOfNone = 0.6, 0.28, 0.115, 0.005

	alphabet = 100  // characters that a language may use, roughly
	scale    = 1000 // of the logarithms that are kept as integers
	// wordWeight is what a function word that only one language has is worth, in natural logarithms. Tried from 0.5 to 4:
	// between 1 and 3 the test sentences do not care.
	wordWeight = 2.0
)

// charCounts are the counts of one language's sample.
type charCounts struct {
	three      map[[3]rune]int
	two, ahead map[[2]rune]int // pairs; pairs with something behind them
	one, first map[rune]int
	all        int
}

func countChars(sample string) charCounts {
	c := charCounts{map[[3]rune]int{}, map[[2]rune]int{}, map[[2]rune]int{}, map[rune]int{}, map[rune]int{}, 0}
	eachTrigram(sample, func(x, y, z rune) {
		c.three[[3]rune{x, y, z}]++
		c.ahead[[2]rune{x, y}]++
		c.two[[2]rune{y, z}]++
		c.first[y]++
		c.one[z]++
		c.all++
	})
	return c
}

// probability of z behind x and y. The conversions keep compilers from fusing the sums, which would round otherwise.
func (c charCounts) probability(x, y, z rune) float64 {
	p := float64(weightOfNone / alphabet)
	p += float64(weightOfOne * float64(c.one[z]) / float64(c.all))
	if n := c.first[y]; n > 0 {
		p += float64(weightOfTwo * float64(c.two[[2]rune{y, z}]) / float64(n))
	}
	if n := c.ahead[[2]rune{x, y}]; n > 0 {
		p += float64(weightOfThree * float64(c.three[[3]rune{x, y, z}]) / float64(n))
	}
	return p
}

func newLanguageModel(codes []string, samples map[string]string) *languageModel {
	m := &languageModel{codes: codes, trigrams: map[[3]rune][]int32{}, pairs: map[[2]rune][]int32{}, letters: map[rune][]int32{}, words: map[string][]int32{}}
	counts := make([]charCounts, len(codes))
	for i, code := range codes {
		counts[i] = countChars(fold(samples[code]) + " " + strings.Join(lists().functionWords[code], " "))
	}
	logs := func(x, y, z rune) []int32 {
		list := make([]int32, len(codes))
		for i := range counts {
			list[i] = int32(math.Round(scale * math.Log(counts[i].probability(x, y, z))))
		}
		return list
	}
	for i := range counts {
		for t := range counts[i].three {
			if m.trigrams[t] == nil {
				m.trigrams[t] = logs(t[0], t[1], t[2])
			}
		}
		for p := range counts[i].two {
			if m.pairs[p] == nil {
				m.pairs[p] = logs(-1, p[0], p[1])
			}
		}
		for r := range counts[i].one {
			if m.letters[r] == nil {
				m.letters[r] = logs(-1, -1, r)
			}
		}
	}
	m.unknown = logs(-1, -1, -1)
	m.addWords()
	return m
}

func (m *languageModel) addWords() {
	for i, code := range m.codes {
		for _, w := range lists().functionWords[code] {
			if m.words[w] == nil {
				m.words[w] = make([]int32, len(m.codes))
			}
			m.words[w][i] = 1
		}
	}
	for _, list := range m.words {
		n := int32(0)
		for _, has := range list {
			n += has
		}
		worth := int32(math.Round(scale * wordWeight * (1 - float64(n-1)/float64(len(m.codes)))))
		for i := range list {
			list[i] *= worth
		}
	}
}

// likeliest is the code of the language that a text is likeliest in; between equals the first in the alphabet.
func (m *languageModel) likeliest(s string) string {
	sums := make([]int64, len(m.codes))
	add := func(list []int32) {
		for i, v := range list {
			sums[i] += int64(v)
		}
	}
	s = fold(s)
	eachTrigram(s, func(x, y, z rune) {
		if list := m.trigrams[[3]rune{x, y, z}]; list != nil {
			add(list)
		} else if list := m.pairs[[2]rune{y, z}]; list != nil {
			add(list)
		} else if list := m.letters[z]; list != nil {
			add(list)
		} else {
			add(m.unknown)
		}
	})
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !isSampleRune(r) }) {
		if list := m.words[w]; list != nil {
			add(list)
		}
	}
	return m.codes[slices.Index(sums, slices.Max(sums))]
}

// isSampleRune: what words of the model are made of; digits tell no language.
func isSampleRune(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.M, r) }

// eachTrigram yields each character of the words of a text with the two before it; what is no word is one space.
func eachTrigram(s string, yield func(x, y, z rune)) {
	x, y := ' ', ' '
	for _, r := range s {
		if !isSampleRune(r) {
			r = ' '
		}
		if r == ' ' && y == ' ' {
			continue
		}
		yield(x, y, r)
		x, y = y, r
	}
	if y != ' ' {
		yield(x, y, ' ')
	}
}
