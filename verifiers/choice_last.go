package verifiers

import "strings"

// lastCapital reads the last capital that stands alone and is no article, pronoun, negated, questioned or called wrong,
// nor one of several.
func (c choiceReader) lastCapital(s string) choice {
	for i := len(s); i > 0; {
		i--
		b := s[i]
		if b < 0x80 && (b < 'A' || b > c.last) || b >= 0x80 && b != 0xef {
			continue
		}
		o, ok := letterAt(s, i)
		if !ok || !o.upper || o.letter > c.last || o.prose(s, true) || o.letter == 'I' && turnedPronoun(s, i) {
			continue
		}
		if start, list := listOf(s, o); list {
			i = start
			continue
		}
		g := c.groupBefore(s, o)
		i = g.start
		switch {
		case c.questioned(s, o.end), calledWrong(s, o.end), negated(s, g.start):
		case g.several:
			return choice{several: true}
		default:
			return choice{letter: o.letter}
		}
	}
	return choice{}
}

// letterGroup is a run of letters that ends with a given one.
type letterGroup struct {
	start   int
	several bool
}

// groupBefore collects the letters that o closes a list of: "A, B and C", "A/B". Letters parted by a comma alone are a
// list where something else than a sentence follows; parted by white space or numbering alone, where there are three.
func (c choiceReader) groupBefore(s string, o lone) letterGroup {
	g := letterGroup{start: o.start}
	joined, commas, others := false, false, 0
	for n := 0; n < 26; n++ {
		i, joiner := separatorBefore(s, g.start)
		if joiner == 0 || i == 0 {
			break
		}
		p, ok := letterAt(s, i-1)
		if !ok || !p.upper || p.letter > c.last || p.letter == o.letter && joiner != 'a' {
			break
		}
		joined = joined || joiner == 'a'
		commas = commas || joiner == ','
		others++
		g.start = p.start
	}
	switch {
	case joined:
		g.several = others > 0
	case commas && c.ends(s, o.end):
		g.several = others > 0
	case others < 2:
		g.start = o.start
	default:
		g.several = true
	}
	return g
}

// separatorBefore goes back over what parts letters: 'a' for a joining word, slash or ampersand, ',' for a comma, ' ' for
// white space, markup and list numbers; 0 where nothing parts. end is behind the letter before.
func separatorBefore(s string, i int) (end int, joiner byte) {
	start := i
	for range 8 {
		for i > 0 && strings.IndexByte(" \t\r\n()[]{}*_\"'`$.0123456789", s[i-1]) >= 0 {
			i--
			joiner = max(joiner, ' ')
		}
		switch {
		case i > 0 && (s[i-1] == ',' || s[i-1] == ';'):
			i--
			joiner = max(joiner, ',')
			continue
		case i > 0 && (s[i-1] == '/' || s[i-1] == '&'):
			i--
			joiner = 'a'
			continue
		}
		class, at := wordBefore(s, i)
		if at == i || class&(joinWord|markOption) == 0 || i-at == 1 && s[at] < 'a' {
			break
		}
		if class&joinWord != 0 {
			joiner = 'a'
		}
		i = at
	}
	if i == start {
		return i, 0
	}
	return i, joiner
}

// turnedPronoun: a verb or comparison before it shows the pronoun: "do I", "than I".
func turnedPronoun(s string, i int) bool {
	if i == 0 || s[i-1] != ' ' {
		return false
	}
	class, _ := wordBefore(s, i-1)
	return class&auxWord != 0
}

// listOf says that the letter labels the last of at least three lines that are labelled in order: they restate the
// options and choose none. start is where the first of them begins.
func listOf(s string, o lone) (start int, list bool) {
	if !isLabel(s, o) || !lineStart(s, o.start) {
		return 0, false
	}
	start = o.start
	lines := 1
	for want := o.letter - 1; want >= 'A'; want-- {
		prev := labelBefore(s, start)
		p, ok := letterAt(s, prev)
		if !ok || p.letter != want || !isLabel(s, p) {
			break
		}
		start = p.start
		lines++
	}
	return start, lines >= 3
}

// lineStart: only markup and an option's word stand before s[i] in its line.
func lineStart(s string, i int) bool {
	line := lastOf(s[:i], 48)
	at, _ := markup(line, 0)
	if class, end := wordAt(line, at); class&markOption != 0 {
		at, _ = markup(line, end)
	}
	return at == len(line)
}

// labelBefore is where the label of the line before that of s[i] stands; blank lines are passed over. It is the end of
// the text where there is no such line, or one too long to be an option's.
func labelBefore(s string, i int) int {
	end := strings.LastIndexByte(s[:i], '\n')
	if end < 0 {
		return len(s)
	}
	for end > 0 && textSpace(rune(s[end-1])) {
		end--
	}
	from := max(0, end-maxLabelled)
	start := strings.LastIndexByte(s[from:end], '\n') + 1 + from
	if start == from && from > 0 {
		return len(s)
	}
	at, _ := markup(s, start)
	if class, wordEnd := wordAt(s, at); class&markOption != 0 {
		at, _ = markup(s, wordEnd)
	}
	if at >= i {
		return len(s)
	}
	return at
}
