package instructcheck

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A block is the lines up to a blank line; a list item, heading, rule or table row begins its own, and so does what stands
// behind a fence. A sentence is a piece of a block with a word in it; headings, tables, rules and fences hold none.
//
// A sentence ends at a run of marks, with the quotes, brackets, markup and emoji right behind it, before white space, an
// emoji or the end of its block; ideographic, Devanagari and Arabic marks end it anywhere. There is no end
//
//	behind an abbreviation or a single capital         Dr. Lee, J. Doe
//	behind dotted letters, or etc., before no capital  at 6 a.m. sharp
//	of dots before a small letter                      wait... what
//	of a quoted mark before a small letter             "Stop!" he said.
//
// unless nothing follows in the block.
// One pass over the text; what follows a mark is looked at once for each run of marks.
type sentence struct {
	span        // from the first character to the last mark and what belongs to it
	mark string // the run of marks at its end, "" where the block ended it
	body int    // where the run of marks begins; end where there is none
	tail int    // behind white space and emoji that follow the end
}

type sentenceKind uint8

const (
	statement sentenceKind = iota
	question
	exclamation
)

func (s sentence) kind() sentenceKind {
	switch {
	case strings.ContainsAny(s.mark, "?‽？؟"):
		return question
	case strings.ContainsAny(s.mark, "!！"):
		return exclamation
	}
	return statement
}

// isEndMark: a mark that ends sentences.
func isEndMark(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '‽':
		return true
	}
	return endsAnywhere(r)
}

// endsAnywhere: a mark of a script that writes no space behind it, or needs none.
func endsAnywhere(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '।', '॥', '؟', '۔':
		return true
	}
	return false
}

func (t *Text) sentenceList() []sentence {
	if t.hasSents {
		return t.sentences
	}
	t.hasSents = true
	for _, b := range t.blocks() {
		t.scanBlock(b)
	}
	return t.sentences
}

// blocks are the parts of the text that hold sentences, without the markers of list items.
func (t *Text) blocks() []span {
	var list []span
	open := false
	for _, l := range t.lineList() {
		switch l.kind {
		case bulletLine, numberLine:
			list = append(list, span{l.content, l.end})
			open = true
		case plainLine:
			if !open {
				list = append(list, span{l.start, l.end})
			}
			list[len(list)-1].end = l.end
			open = true
		default:
			open = false
		}
	}
	return list
}

// scanBlock parts a block into sentences.
func (t *Text) scanBlock(b span) {
	s, start := t.s[:b.end], b.start
	for i := b.start; i < b.end; {
		r, size := runeAt(s, i)
		if !isEndMark(r) {
			i += size
			continue
		}
		e := readEnd(s, i)
		if e.ends && !t.goesOn(s, e) {
			t.addSentence(sentence{span: span{start, e.after}, mark: s[i:e.marks], body: i, tail: skipEmoji(s, e.after)})
			start = e.after
		}
		i = e.after
	}
	t.addSentence(sentence{span: span{start, b.end}, body: b.end, tail: b.end})
}

// addSentence takes a piece that has a word in it, without the white space around it.
func (t *Text) addSentence(s sentence) {
	if t.countIn(s.span) == 0 {
		return
	}
	text := t.s[s.start:s.end]
	s.start += len(text) - len(strings.TrimLeftFunc(text, isSpace))
	text = t.s[s.start:s.end]
	trimmed := len(strings.TrimRightFunc(text, isSpace))
	if s.mark == "" {
		s.body = s.start + trimmed
	}
	s.end = s.start + trimmed
	t.sentences = append(t.sentences, s)
}

// ending is a run of marks with what stands right behind it.
type ending struct {
	start, marks, after int  // the run is [start, marks), what belongs to it goes on to after
	closed              bool // a quote or bracket closes right behind
	ends                bool // white space, an emoji or the end follows, or the marks end anywhere
}

func readEnd(s string, i int) ending {
	e := ending{start: i}
	for {
		r, size := runeAt(s, i)
		if size == 0 || !isEndMark(r) {
			break
		}
		e.ends = e.ends || endsAnywhere(r)
		i += size
	}
	e.marks = i
	for {
		if n := emojiLen(s[i:]); n > 0 {
			e.ends = true
			i += n
			continue
		}
		if n := closingTag(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := runeAt(s, i)
		if isQuote(r) || isClosing(r) {
			e.closed = true
		} else if !isMarkup(r) {
			e.ends = e.ends || size == 0 || isSpace(r)
			e.after = i
			return e
		}
		i += size
	}
}

// closingTag is the length of the </tag> that s begins with; 0 where there is none.
func closingTag(s string) int {
	if !strings.HasPrefix(s, "</") {
		return 0
	}
	i := 2
	for i < len(s) && i < 20 && ('a' <= s[i]|0x20 && s[i]|0x20 <= 'z' || '0' <= s[i] && s[i] <= '9') {
		i++
	}
	if i == 2 || i == len(s) || s[i] != '>' {
		return 0
	}
	return i + 1
}

// skipEmoji passes over white space and emoji; it stays where no emoji follows.
func skipEmoji(s string, i int) int {
	end := i
	for {
		for {
			r, size := runeAt(s, i)
			if size == 0 || !isSpace(r) {
				break
			}
			i += size
		}
		n := emojiLen(s[i:])
		if n == 0 {
			return end
		}
		i += n
		end = i
	}
}

// goesOn says whether the sentence goes on behind a mark that looks like its end.
func (t *Text) goesOn(s string, e ending) bool {
	next := nextLetter(s, e.after)
	if next == 0 {
		return false // the block ends here
	}
	run := s[e.start:e.marks]
	if run == "." {
		switch w, ok := t.wordEndingAt(e.start); {
		case !ok:
		case lists().abbreviations[fold(t.s[w.start:w.end])] || isInitial(t.s[w.start:w.end]):
			return true
		case w.dotted || lists().abbreviationsAtEnd[fold(t.s[w.start:w.end])]:
			return !unicode.IsUpper(next) && !unicode.IsTitle(next)
		}
	}
	if !unicode.IsLower(next) {
		return false
	}
	return e.closed || strings.HasSuffix(run, "..") || strings.HasSuffix(run, "…")
}

// isInitial: a single capital, as in J. Doe; I is the pronoun.
func isInitial(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return size == len(w) && unicode.IsUpper(r) && r != 'I'
}

// nextLetter is what follows behind white space, opening quotes and brackets and markup; 0 at the end.
func nextLetter(s string, i int) rune {
	for {
		r, size := runeAt(s, i)
		if size == 0 || !isSpace(r) && !isQuote(r) && !isOpening(r) && !isMarkup(r) {
			return r
		}
		i += size
	}
}

func (t *Text) wordEndingAt(at int) (word, bool) {
	list := t.wordList()
	i := searchWord(list, at) - 1
	if i < 0 || list[i].end != at {
		return word{}, false
	}
	return list[i], true
}

// sentenceWords are the words of a sentence, folded.
func (t *Text) sentenceWords(s sentence) []string {
	from, to := t.wordsIn(s.span)
	words := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		words = append(words, fold(t.word(i)))
	}
	return words
}
