package instructcheck

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// format:parentheses: five levels of (), [] and {}, all closed in order; a wrong closer forgets what is open. The
// published checker counts openers that are never closed.
func formatParentheses(*params) check {
	const levels = 5
	return func(t *Text) (bool, string) {
		type open struct {
			closer rune
			height int // of the deepest nest closed inside
		}
		var stack []open
		for _, r := range t.s {
			switch r {
			case '(':
				stack = append(stack, open{closer: ')'})
			case '[':
				stack = append(stack, open{closer: ']'})
			case '{':
				stack = append(stack, open{closer: '}'})
			case ')', ']', '}':
				n := len(stack)
				if n == 0 || stack[n-1].closer != r {
					stack = stack[:0]
					continue
				}
				height := stack[n-1].height + 1
				if height >= levels {
					return true, "brackets are nested five levels deep"
				}
				if stack = stack[:n-1]; n > 1 {
					stack[n-2].height = max(stack[n-2].height, height)
				}
			}
		}
		return false, "no brackets are nested five levels deep and closed in order"
	}
}

// format:quotes: three levels of " and ' in turn, all closed; ' between letters is an apostrophe.
func formatQuotes(*params) check {
	const levels = 3
	return func(t *Text) (bool, string) {
		type open struct {
			mark   rune
			height int
		}
		var stack []open
		for i := 0; i < len(t.s); {
			r, size := runeAt(t.s, i)
			mark := plainQuote(r)
			if mark == '\'' {
				before, _ := runeBefore(t.s, i)
				after, _ := runeAt(t.s, i+size)
				if isWordRune(before) && isWordRune(after) {
					mark = 0
				}
			}
			i += size
			n := len(stack)
			switch {
			case mark == 0:
			case n == 0 || stack[n-1].mark != mark:
				stack = append(stack, open{mark: mark})
			default:
				height := stack[n-1].height + 1
				if height >= levels {
					return true, "quotes are nested three levels deep"
				}
				if stack = stack[:n-1]; n > 1 {
					stack[n-2].height = max(stack[n-2].height, height)
				}
			}
		}
		return false, "no quotes are nested three levels deep and closed"
	}
}

// plainQuote is the straight mark of a double or single quote, 0 for anything else.
func plainQuote(r rune) rune {
	switch r {
	case '"', '“', '”':
		return '"'
	case '\'', '‘', '’':
		return '\''
	}
	return 0
}

var orWord = regexp.MustCompile(`(?i)\bor\b`)

// format:options: all of it is one option, outer marks and case aside. A text of options is split at slashes, else at the
// word or, else at commas; the published checker finds "or" in "orange".
func formatOptions(p *params) check {
	var texts []string
	if v, ok := p.need("options"); ok && v[0] == '[' {
		texts = p.textsOf("options", v)
	} else if ok {
		texts = splitOptions(p.textOf("options", v))
		if len(texts) == 0 {
			p.fail("options", "must name an option")
		}
	}
	options := map[string]bool{}
	for _, s := range texts {
		options[bareOption(s)] = true
	}
	return func(t *Text) (bool, string) {
		return options[bareOption(t.s)], "the answer must be one of the options and nothing else"
	}
}

func splitOptions(s string) []string {
	var parts []string
	switch {
	case strings.Contains(s, "/"):
		parts = strings.Split(s, "/")
	case orWord.MatchString(s):
		parts = orWord.Split(s, -1)
	default:
		parts = strings.Split(s, ",")
	}
	kept := parts[:0]
	for _, part := range parts {
		if !isBlank(part) {
			kept = append(kept, part)
		}
	}
	return kept
}

// bareOption folds a text and cuts off the marks around it, unless it has nothing else.
func bareOption(s string) string {
	s = spaced(fold(s))
	if bare := strings.TrimFunc(s, func(r rune) bool { return !isWordRune(r) }); bare != "" {
		return bare
	}
	return s
}

// format:newline: each line that is not blank is one word.
func formatNewline(*params) check {
	return func(t *Text) (bool, string) {
		for i, l := range t.lineList() {
			if n := t.countIn(span{l.start, l.end}); n != 1 && !isBlank(t.lineText(l)) {
				return false, fmt.Sprintf("line %d has %d words, one asked for", i+1, n)
			}
		}
		return true, "each line is one word"
	}
}

// format:no_whitespace: none inside.
func formatNoWhitespace(*params) check {
	return func(t *Text) (bool, string) {
		if strings.ContainsFunc(strings.TrimFunc(t.s, isSpace), isSpace) {
			return false, "white space occurs"
		}
		return true, "no white space occurs"
	}
}

// format:emoji: each sentence has an emoji before or right behind its last mark.
func formatEmoji(*params) check {
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		for i, s := range list {
			if !t.hasEmojiAtEnd(s) {
				return false, fmt.Sprintf("sentence %d has no emoji at its end", i+1)
			}
		}
		return len(list) > 0, fmt.Sprintf("%d sentences, each must end with an emoji", len(list))
	}
}

func (t *Text) hasEmojiAtEnd(s sentence) bool {
	if s.tail > s.end {
		return true
	}
	for i := s.body + len(s.mark); i < s.end; { // behind the mark, among quotes and markup
		if emojiLen(t.s[i:]) > 0 {
			return true
		}
		_, size := runeAt(t.s, i)
		i += size
	}
	return endsWithEmoji(strings.TrimRightFunc(t.s[s.start:s.body], func(r rune) bool {
		return isSpace(r) || isQuote(r) || isClosing(r) || isMarkup(r)
	}))
}

// endsWithEmoji looks back over at most the longest emoji there is, a family with skin tones or a flag of tags.
func endsWithEmoji(s string) bool {
	const longest = 64 // bytes
	for i := len(s); i > 0 && len(s)-i < longest; {
		_, size := runeBefore(s, i)
		i -= size
		if n := emojiLen(s[i:]); n == len(s)-i {
			return true
		}
	}
	return false
}

// format:line_indent: each line that is not blank is indented further than the one before, whatever blank lines stand
// between. A tab counts to the next multiple of four.
func formatLineIndent(*params) check {
	return func(t *Text) (bool, string) {
		last, n := -1, 0
		for i, l := range t.lineList() {
			text := t.lineText(l)
			if isBlank(text) {
				continue
			}
			in := indent(text)
			if in <= last {
				return false, fmt.Sprintf("line %d is not indented further", i+1)
			}
			last = in
			n++
		}
		return n >= 2, fmt.Sprintf("%d lines, each indented further", n)
	}
}

func indent(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == '\t':
			n += 4 - n%4
		case isSpace(r):
			n++
		default:
			return n
		}
	}
	return n
}

// format:quote_unquote: double quotes pair up, at least once, with a word in each and a word behind each before the next
// or the end.
func formatQuoteUnquote(*params) check {
	return func(t *Text) (bool, string) {
		var opener rune
		pairs, from := 0, 0
		for i, r := range t.s {
			if plainQuote(r) != '"' && r != '„' {
				continue
			}
			if !pairsWith(opener, r) {
				return false, "a quotation mark has no partner"
			}
			if t.countIn(span{from, i}) == 0 && (opener != 0 || pairs > 0) {
				return false, "a quotation is empty, or no word follows it"
			}
			if from = i + utf8.RuneLen(r); opener == 0 {
				opener = r
				continue
			}
			opener = 0
			pairs++
		}
		switch {
		case opener != 0:
			return false, "a quotation is never closed"
		case pairs == 0:
			return false, "nothing is quoted"
		}
		return t.countIn(span{from, len(t.s)}) > 0, fmt.Sprintf("%d quotations, each must be followed by words", pairs)
	}
}

// pairsWith says whether a double quote may follow: one that opens where none is open, else one that closes it. The mark “
// opens in English and closes behind „.
func pairsWith(opener, r rune) bool {
	switch opener {
	case 0:
		return r != '”'
	case '„':
		return r != '„'
	}
	return r == '"' || r == '”'
}

// format:title_case: each word with a cased letter begins with a capital or a digit; inside a line minor words need not.
// Code is left out.
func formatTitleCase(*params) check {
	return func(t *Text) (bool, string) {
		for i, l := range t.lineList() {
			if l.code {
				continue
			}
			text := hideInlineCode(t.lineText(l))
			from, to := t.wordsIn(span{l.start, l.end})
			from, to = t.visibleWords(from, to, text, l.start)
			for k := from; k < to; k++ {
				if text[t.words[k].start-l.start] == ' ' {
					continue // in code
				}
				inside := k > from && k < to-1
				if w := t.word(k); !isTitleWord(w) && !(inside && lists().minorWords[fold(w)]) {
					return false, fmt.Sprintf("%q in line %d does not begin with a capital", w, i+1)
				}
			}
		}
		return true, "each word begins with a capital"
	}
}

// visibleWords leaves out the words at both ends of a line that stand in code.
func (t *Text) visibleWords(from, to int, text string, start int) (int, int) {
	for from < to && text[t.words[from].start-start] == ' ' {
		from++
	}
	for from < to && text[t.words[to-1].start-start] == ' ' {
		to--
	}
	return from, to
}

func isTitleWord(w string) bool {
	first, _ := runeAt(w, 0)
	if unicode.IsUpper(first) || unicode.IsTitle(first) || unicode.IsNumber(first) {
		return true
	}
	return !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) })
}
