package instructcheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// detectable_format:number_bullet_lists: exactly so many bullets: *, - or +, white space, text, at any depth. A rule, -5,
// *stress*, • and numbers are none.
func numberBullets(p *params) check {
	want := p.count("num_bullets")
	return func(t *Text) (bool, string) {
		n := 0
		for _, l := range t.lineList() {
			if t.bullet(l) != 0 {
				n++
			}
		}
		return n == want, fmt.Sprintf("%d bullets, exactly %d asked for", n, want)
	}
}

// detectable_format:constrained_response: exactly one of the options occurs, with its case. The published checker passes
// an answer with two.
func constrainedResponse(p *params) check {
	texts := []string{"My answer is yes.", "My answer is no.", "My answer is maybe."}
	if v, ok := p.optional("options"); ok {
		texts = p.textsOf("options", v)
	}
	options, seen := []keyword{}, map[string]bool{}
	for _, s := range texts {
		if k := newCasedKeyword(s); !seen[k.text] {
			seen[k.text] = true
			options = append(options, k)
		}
	}
	return func(t *Text) (bool, string) {
		n := 0
		for _, k := range options {
			if k.in(t) {
				n++
			}
		}
		return n == 1, fmt.Sprintf("%d of the options occur, exactly one is asked for", n)
	}
}

// detectable_format:number_highlighted_sections: at least so many *x*, **x**, ***x***, one each. No white space inside the
// marks, on one line, a letter or digit in it, no asterisk between. Code holds none.
func numberHighlights(p *params) check {
	want := p.count("num_highlights")
	return func(t *Text) (bool, string) {
		n := 0
		for _, l := range t.lineList() {
			if !l.code {
				n += countHighlights(hideInlineCode(t.lineText(l)))
			}
		}
		return n >= want, fmt.Sprintf("%d highlighted parts, at least %d asked for", n, want)
	}
}

// countHighlights looks at each pair of neighbouring runs of asterisks once.
func countHighlights(s string) int {
	n, from := 0, 0
	open, size := nextStars(s, 0)
	for open >= 0 {
		from = open + size
		shut, shutSize := nextStars(s, from)
		if shut >= 0 && size <= 3 && size == shutSize && isHighlight(s[from:shut]) {
			n++
			shut, shutSize = nextStars(s, shut+shutSize)
		}
		open, size = shut, shutSize
	}
	return n
}

// nextStars finds the next run of asterisks that no backslash takes away.
func nextStars(s string, from int) (at, size int) {
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*':
			return i, runOf(s, i)
		}
	}
	return -1, 0
}

func isHighlight(inner string) bool {
	first, size := runeAt(inner, 0)
	last, _ := runeBefore(inner, len(inner))
	return size > 0 && !isSpace(first) && !isSpace(last) && strings.ContainsFunc(inner, isAlnum)
}

// detectable_format:multiple_sections: at least so many different numbers N with a line that begins, after markup, with
// the splitter and N, and a word before the next one. The published checker counts mentions within lines.
func multipleSections(p *params) check {
	splitter, want := spaced(p.text("section_spliter")), p.count("num_sections")
	return func(t *Text) (bool, string) {
		numbers := map[string]bool{}
		var open string
		from := 0
		shut := func(at int) {
			if open != "" && t.countIn(span{from, at}) > 0 {
				numbers[open] = true
			}
		}
		for _, l := range t.lineList() {
			if l.code {
				continue
			}
			at := skipMarkup(t.s[:l.end], max(l.content, l.start))
			if number, n := sectionNumber(t.s[at:l.end], splitter); n > 0 {
				shut(l.start)
				open, from = number, at+n
			}
		}
		shut(len(t.s))
		return len(numbers) >= want, fmt.Sprintf("%d sections, at least %d asked for", len(numbers), want)
	}
}

// sectionNumber reads the splitter, white space and a whole number; n is the length, 0 where it is something else.
func sectionNumber(s, splitter string) (number string, n int) {
	i := 0
	for word := range strings.SplitSeq(splitter, " ") {
		if !strings.HasPrefix(s[i:], word) {
			return "", 0
		}
		i += len(word)
		at := skipSpace(s, i)
		if at == i {
			return "", 0
		}
		i = at
	}
	start := i
	for {
		r, size := runeAt(s, i)
		if size == 0 || !unicode.IsDigit(r) {
			break
		}
		i += size
	}
	r, size := runeAt(s, i)
	next, more := runeAt(s, i+size)
	if i == start || size > 0 && bindsKeyword(r) || (r == '.' || r == ',') && more > 0 && unicode.IsDigit(next) {
		return "", 0
	}
	return strings.TrimLeft(s[start:i], "0") + "#", i
}

// detectable_format:json_format: all of it, or the one fence around all of it, is an object or a list by RFC 8259. NaN,
// which Python's reader takes, and a bare 42 are none.
func jsonFormat(*params) check {
	return func(t *Text) (bool, string) {
		s := strings.TrimFunc(t.s, isSpace)
		if content, info, ok := soleFence(t.s); ok {
			if info != "" && !strings.EqualFold(info, "json") {
				return false, "the fence is not tagged json"
			}
			s = strings.TrimFunc(content, isSpace)
		}
		s = strings.TrimPrefix(s, "\ufeff")
		if s == "" || s[0] != '{' && s[0] != '[' {
			return false, "the answer is no JSON object or list"
		}
		if !json.Valid([]byte(s)) {
			return false, "the answer is not JSON"
		}
		return true, "the answer is JSON"
	}
}

// detectable_format:title: <<…>> on one line with a letter or digit and no angle bracket in it, outside of code.
func title(*params) check {
	return func(t *Text) (bool, string) {
		for _, l := range t.lineList() {
			if !l.code && hasTitle(hideInlineCode(t.lineText(l))) {
				return true, "a title is there"
			}
		}
		return false, "no title in <<double angle brackets>>"
	}
}

func hasTitle(s string) bool {
	for {
		i := strings.Index(s, ">>")
		if i < 0 {
			return false
		}
		open := strings.LastIndex(s[:i], "<")
		if open > 0 && s[open-1] == '<' && !strings.Contains(s[open:i], ">") && strings.ContainsFunc(s[open:i], isAlnum) {
			return true
		}
		s = s[i+1:]
	}
}
