package instructcheck

import "strings"

// Text is a text together with what was found in it. Each part is looked for when it is first asked for. It is for one
// goroutine.
type Text struct {
	s         string
	lines     []line
	words     []word
	hasWords  bool
	sentences []sentence
	hasSents  bool
	folded    *string
	cased     *string
}

// NewText prepares a text as it stands, thoughts included: NFC, line ends as LF.
func NewText(s string) *Text { return &Text{s: normalized(s)} }

// Blank says whether nothing stands in the text but white space.
func (t *Text) Blank() bool { return isBlank(t.s) }

func isBlank(s string) bool { return strings.TrimFunc(s, isSpace) == "" }

// String returns the prepared text.
func (t *Text) String() string { return t.s }

// Words returns the words in their order, folded.
func (t *Text) Words() []string {
	list := t.wordList()
	folded := make([]string, len(list))
	for i := range list {
		folded[i] = fold(t.word(i))
	}
	return folded
}

// CountWords returns how many words the text has.
func (t *Text) CountWords() int { return len(t.wordList()) }

// foldedText is the text for keywords: folded, each run of white space one space.
func (t *Text) foldedText() string {
	if t.folded == nil {
		s := spaced(fold(t.s))
		t.folded = &s
	}
	return *t.folded
}

// casedText is the same with its case.
func (t *Text) casedText() string {
	if t.cased == nil {
		s := spaced(plainApostrophes(t.s))
		t.cased = &s
	}
	return *t.cased
}

// Answer is what a policy wrote, as instructions look at it: without its leading thought, and in the eight variants of
// the loose mode. It is for one goroutine.
type Answer struct {
	strict *Text
	loose  []*Text // the variants that differ from strict; nil until asked for
}

// NewAnswer prepares an answer.
func NewAnswer(s string) *Answer {
	return &Answer{strict: &Text{s: withoutThought(normalized(s))}}
}

// Blank says whether nothing is left of the answer.
func (a *Answer) Blank() bool { return a.strict.Blank() }

const thinkOpen, thinkClose = "<think>", "</think>"

// withoutThought cuts off a leading <think>…</think>, and all up to the first </think> that no <think> precedes (the
// opening tag often stands in the prompt). Of a leading thought that never ends nothing is left.
func withoutThought(s string) string {
	end := strings.Index(s, thinkClose)
	if strings.HasPrefix(strings.TrimLeftFunc(s, isSpace), thinkOpen) {
		if end < 0 {
			return ""
		}
		return s[end+len(thinkClose):]
	}
	if end >= 0 && !strings.Contains(s[:end], thinkOpen) {
		return s[end+len(thinkClose):]
	}
	return s
}

// variants are the texts of the loose mode behind the text itself: without the first line, the last, both, and these four
// without any asterisk. Blank ones and those that are the text itself count for nothing.
func (a *Answer) variants() []*Text {
	if a.loose != nil {
		return a.loose
	}
	whole := strings.Trim(trimBlankLines(a.strict.s), "\n")
	first := len(whole)
	if i := strings.IndexByte(whole, '\n'); i >= 0 {
		first = i + 1
	}
	last := max(strings.LastIndexByte(whole, '\n'), 0)
	texts := []string{whole, whole[first:], whole[:last], ""}
	if first < last {
		texts[3] = whole[first:last]
	}
	a.loose = make([]*Text, 0, 8)
	for _, s := range texts {
		a.addVariant(s)
	}
	for _, s := range texts {
		if strings.Contains(s, "*") {
			a.addVariant(strings.ReplaceAll(s, "*", ""))
		}
	}
	return a.loose
}

func (a *Answer) addVariant(s string) {
	if isBlank(s) || s == a.strict.s {
		return
	}
	a.loose = append(a.loose, &Text{s: s})
}

// trimBlankLines cuts off the blank lines at both ends; the indent of the first line that is left stays.
func trimBlankLines(s string) string {
	s = strings.TrimRightFunc(s, isSpace)
	text := strings.TrimLeftFunc(s, isSpace)
	if i := strings.LastIndexByte(s[:len(s)-len(text)], '\n'); i >= 0 {
		return s[i+1:]
	}
	return s
}
