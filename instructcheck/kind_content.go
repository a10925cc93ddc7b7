package instructcheck

import (
	"fmt"
	"strings"
	"unicode"
)

// detectable_content:number_placeholders: at least so many […] on one line with a letter inside, each occurrence. No link,
// citation number, check box, footnote or empty pair is one, and code holds none.
func numberPlaceholders(p *params) check {
	want := p.count("num_placeholders")
	return func(t *Text) (bool, string) {
		n := 0
		defined := t.linkDefinitions()
		for _, l := range t.lineList() {
			if !l.code {
				n += countPlaceholders(hideInlineCode(t.lineText(l)), defined)
			}
		}
		return n >= want, fmt.Sprintf("%d placeholders, at least %d asked for", n, want)
	}
}

func countPlaceholders(s string, defined map[string]bool) int {
	n, open := 0, -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			open = i
			if i > 0 && s[i-1] == '\\' {
				open = -1
			}
		case ']':
			if open >= 0 && isPlaceholder(s[open+1:i]) && !isLink(s[open+1:i], s[i+1:], defined) {
				n++
			}
			open = -1
		}
	}
	return n
}

func isPlaceholder(inner string) bool {
	return strings.ContainsFunc(inner, unicode.IsLetter) && inner[0] != '^' && !strings.EqualFold(inner, "x")
}

// isLink: [text](address), [text][label] and [label] where the text defines the label.
func isLink(inner, rest string, defined map[string]bool) bool {
	if linkAddress(rest) > 0 || defined[fold(inner)] {
		return true
	}
	if strings.HasPrefix(rest, "[") {
		label, _, ok := strings.Cut(rest[1:], "]")
		return ok && defined[fold(label)]
	}
	return false
}

// linkDefinitions are the labels that lines [label]: address define.
func (t *Text) linkDefinitions() map[string]bool {
	var defined map[string]bool
	for _, l := range t.lineList() {
		text := strings.TrimLeftFunc(t.lineText(l), isSpace)
		label, address, ok := strings.Cut(text, "]:")
		if l.code || !ok || !strings.HasPrefix(label, "[") {
			continue
		}
		address = strings.TrimPrefix(strings.TrimLeftFunc(address, isSpace), "<")
		if addressLen(address) > 0 || strings.HasPrefix(address, "/") || strings.HasPrefix(address, "#") {
			if defined == nil {
				defined = map[string]bool{}
			}
			defined[fold(label[1:])] = true
		}
	}
	return defined
}

// hideInlineCode blanks out the inline code of a line: what stands between two equal runs of backticks.
func hideInlineCode(s string) string {
	if !strings.Contains(s, "`") {
		return s
	}
	closer := closingTicks(s)
	var b []byte
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := runOf(s, i)
		end := closer[i]
		if end <= i {
			i += run
			continue
		}
		if b == nil {
			b = []byte(s)
		}
		for j := i; j < end+run; j++ {
			b[j] = ' '
		}
		i = end + run
	}
	if b == nil {
		return s
	}
	return string(b)
}

// closingTicks maps the start of each run of backticks to the start of the next run of the same length; one pass from the
// end, so that many runs cost no more than their number.
func closingTicks(s string) map[int]int {
	var starts []int
	for i := 0; i < len(s); {
		if s[i] == '`' {
			starts = append(starts, i)
			i += runOf(s, i)
			continue
		}
		i++
	}
	closer, last := make(map[int]int, len(starts)), map[int]int{}
	for k := len(starts) - 1; k >= 0; k-- {
		i := starts[k]
		n := runOf(s, i)
		closer[i] = last[n]
		last[n] = i
	}
	return closer
}

// runOf is the length of the run of equal bytes at i.
func runOf(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

// detectable_content:postscript: the marker begins a line or follows a sentence's end, and a word follows. Of P.S. and
// P.P.S case, white space and the last dot are free, and one is never the other; any other marker is literal, in any case.
func postscript(p *params) check {
	m := newMarker(p.text("postscript_marker"))
	return func(t *Text) (bool, string) {
		for _, at := range t.beginnings() {
			if n := m.matches(t.s[at:]); n > 0 && t.countIn(span{at + n, len(t.s)}) > 0 {
				return true, "a postscript is there"
			}
		}
		return false, "no postscript with " + m.name
	}
}

// beginnings are the places where a line or a sentence begins, markup skipped.
func (t *Text) beginnings() []int {
	var list []int
	for _, l := range t.lineList() {
		at := l.start
		if !l.code {
			at = max(l.content, l.start)
		}
		list = append(list, skipMarkup(t.s[:l.end], at))
	}
	for _, s := range t.sentenceList() {
		list = append(list, skipMarkup(t.s[:s.end], s.start))
	}
	return list
}

// skipMarkup passes over white space and the marks of emphasis, headings, quotes and bullets.
func skipMarkup(s string, i int) int {
	for {
		r, size := runeAt(s, i)
		if size == 0 || !isSpace(r) && !isMarkup(r) && r != '#' && r != '>' && r != '-' && r != '+' {
			return i
		}
		i += size
	}
}

// marker is a postscript marker.
type marker struct {
	name    string
	letters string // "ps" or "pps"; "" where it is literal
	literal string // folded, white space as one space
}

func newMarker(s string) marker {
	bare := strings.Map(func(r rune) rune {
		if isSpace(r) || r == '.' {
			return -1
		}
		return r
	}, fold(s))
	if strings.Contains(s, ".") && (bare == "ps" || bare == "pps") {
		return marker{name: s, letters: bare}
	}
	return marker{name: s, literal: spaced(fold(s))}
}

// matches is the length of the marker at the start of s, 0 where it is not there.
func (m marker) matches(s string) int {
	if m.letters == "" {
		return foldedPrefix(s, m.literal)
	}
	i := 0
	for k := range len(m.letters) {
		if i >= len(s) || s[i]|0x20 != m.letters[k] {
			return 0
		}
		i++
		if k < len(m.letters)-1 {
			i = skipSpace(s, i)
			if i >= len(s) || s[i] != '.' {
				return 0
			}
			i = skipSpace(s, i+1)
		}
	}
	if r, size := runeAt(s, i); size > 0 && bindsKeyword(r) {
		return 0
	}
	if at := skipSpace(s, i); at < len(s) && s[at] == '.' {
		return at + 1
	}
	return i
}

// skipSpace passes over white space within a line.
func skipSpace(s string, i int) int {
	for {
		r, size := runeAt(s, i)
		if size == 0 || !isSpace(r) || r == '\n' {
			return i
		}
		i += size
	}
}

// foldedPrefix is the length of what s begins with where that is want after folding, white space as one space, and ends
// at a word's end; else 0.
func foldedPrefix(s, want string) int {
	i, w := 0, 0
	for w < len(want) {
		r, size := runeAt(s, i)
		if size == 0 {
			return 0
		}
		piece := fold(s[i : i+size])
		if isSpace(r) {
			if piece = " "; want[w] != ' ' {
				return 0 // before the white space is walked over, which many places share
			}
			for isSpace(r) && size > 0 {
				i += size
				r, size = runeAt(s, i)
			}
			size = 0
		}
		if !strings.HasPrefix(want[w:], piece) {
			return 0
		}
		w += len(piece)
		i += size
	}
	last, _ := runeBefore(want, len(want))
	if r, size := runeAt(s, i); size > 0 && bindsKeyword(r) && bindsKeyword(last) && !needsNoBoundary(last) {
		return 0
	}
	return i
}
