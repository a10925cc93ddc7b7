package mathcheck

import (
	"strings"
	"unicode"
)

// Extraction finds the final answer of an output. In this order:
//
//  1. what stands before the end of thinking is cut; thinking that never ends is no answer;
//  2. the last group of boxes;
//  3. the last of: answer tag, ####, "answer is" and its like in about twenty languages;
//  4. a short text that reads as an answer is one;
//  5. the value that the last sentence holding one gives with "is";
//  6. the last formula or numeral, unless the output breaks off inside a sentence.
//
// A box, tag or marker that is empty, negated or questioned means no answer: nothing else is taken in its place.

// candidate is one output on its way to an answer. It belongs to one Check.
type candidate struct {
	whole string
	body  string // after thinking, before run-on turns
	none  bool   // no answer for certain
	bare  bool   // option: the whole text is the answer
}

func newCandidate(s string, bare bool) *candidate {
	c := &candidate{whole: s, bare: bare}
	s = asciiDigits(s)
	if bare {
		c.body = strings.TrimSpace(s)
		c.none = c.body == ""
		return c
	}
	c.body, c.none = afterThinking(s)
	c.body = strings.TrimSpace(cutTurns(c.body))
	c.none = c.none || c.body == ""
	return c
}

// asciiDigits writes the decimal digits of other scripts in ASCII.
func asciiDigits(s string) string {
	if isASCII(s) || strings.IndexFunc(s, otherDigit) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if !otherDigit(r) {
			return r
		}
		zero := r
		for unicode.Is(unicode.Nd, zero-1) && r-zero < 9 {
			zero--
		}
		return '0' + (r-zero)%10
	}, s)
}

// otherDigit reports digits of scripts that write them in one block of ten that follows no other digits.
func otherDigit(r rune) bool {
	return r >= 0x0660 && r <= 0x0E59 && unicode.Is(unicode.Nd, r)
}

// afterThinking cuts everything up to the end of the thinking part. The flag says that thinking never ended.
func afterThinking(s string) (string, bool) {
	for _, t := range [...][2]string{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<|begin_of_thought|>", "<|end_of_thought|>"}} {
		if k := lastIndex(s, t[1]); k >= 0 {
			s = s[k+len(t[1]):]
		}
		if strings.Contains(s, t[0]) {
			return "", true
		}
	}
	return s, false
}

// lastIndex is strings.LastIndex with the fast forward search first, as most texts hold no such mark.
func lastIndex(s, mark string) int {
	if !strings.Contains(s, mark) {
		return -1
	}
	return strings.LastIndex(s, mark)
}

// turnMarks begin a new turn or question that the model wrote itself.
var turnMarks = [...]string{"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<|user|>", "\n\nQuestion:", "\nQuestion:", "\n\nProblem:", "\n\n### Question", "\n\nQ:", "\nQ:", "\n### Instruction"}

// cutTurns drops what follows the first marked answer when the model runs on into another question.
func cutTurns(s string) string {
	for _, m := range turnMarks {
		if k := strings.Index(s, m); k > 0 && strings.TrimSpace(s[:k]) != "" {
			s = s[:k]
		}
	}
	return s
}

// spans returns the answers to try, likeliest first: usually one.
func (c *candidate) spans(gold *answer) []string {
	if c.none {
		return nil
	}
	if c.bare {
		return []string{c.body}
	}
	if boxes := findBoxes(c.body); len(boxes) > 0 {
		return c.boxSpans(boxes, gold)
	}
	if span, found := lastTag(c.body); found {
		return oneSpan(span)
	}
	if gold.choice != "" {
		if span := choiceIn(c.body); span != "" {
			return []string{span}
		}
	}
	if len(c.body) < 100 && synonyms[strings.ToLower(bareText(c.body))] != "" {
		return []string{c.body}
	}
	if gold.text == "yes" || gold.text == "no" {
		if span := yesNo(c.body); span != "" {
			return []string{span}
		}
	}
	if len(c.body) < 40 {
		if m := momentOf(strings.ToLower(bareText(c.body))); m != nil && m.date { // Jan. 1, 2000
			return []string{c.body}
		}
	}
	if !isProse(c.body) {
		if _, _, found := lastMarker(c.body); !found {
			return c.plainSpans()
		}
	}
	var out []string
	if len(c.body) < 1000 && isPhrase(gold.bare) && sameText(gold.text, strings.ToLower(bareText(fold(c.body)))) {
		out = append(out, c.body)
	}
	out = append(out, c.proseSpans()...)
	if gold.root == nil || isWordy(gold.root) {
		if s := wordsGiven(c.body); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// wordsGiven reads the few words that the last sentence ends on after its verb: "the tallest is Bob".
func wordsGiven(s string) string {
	s = strings.TrimRight(s, " \n.!*")
	for k := len(s) - 1; k > 0; k-- {
		if s[k] == '\n' || s[k] == ' ' && (s[k-1] == '.' || s[k-1] == '!' || s[k-1] == '?') {
			s = s[k+1:]
			break
		}
	}
	low := lowerSame(s)
	for _, v := range [...]string{" is ", " are ", " be ", " was ", " falls on "} {
		if k := strings.LastIndex(low, v); k >= 0 {
			rest := strings.TrimSpace(s[k+len(v):])
			if n := len(strings.Fields(rest)); !strings.HasPrefix(rest, "not ") && n > 0 && n <= 4 && len(rest) < 60 {
				return rest
			}
			return ""
		}
	}
	return ""
}

// plainSpans takes the whole text as the answer. Where it is no mathematics but holds exactly one value, or is a row of
// formulas, the value is tried too.
func (c *candidate) plainSpans() []string {
	s := c.body
	if t := strings.TrimRight(s, ". "); len(t) > 2 && (t[0] == '*' || t[0] == '_') && t[len(t)-1] == t[0] {
		s = strings.Trim(t, string(t[:1])+" ")
	}
	s = strings.TrimRight(s, ": ")
	if t := statements(s); t != "" {
		return []string{t}
	}
	if len(s) > 2000 { // too long to be looked at twice
		return []string{s}
	}
	out := []string{s}
	n, err := parse(undouble(fold(s)), false)
	switch {
	case err == errParse && labelled(s) > 0:
		rest := strings.TrimSpace(s[labelled(s):])
		if n, err := parse(fold(rest), false); err == nil && !isWordy(n) {
			out = append(out, chainEnd(rest))
		}
	case err == errParse && strings.Count(s, "$") >= 4:
		if v := lastValue(s); v != "" {
			return []string{v}
		}
	case (err == nil && isWordy(n) || err == errParse && hasWord(s)) && !looksLikeCode(s) && !strings.ContainsAny(s, `\{}`):
		if list := values(s); len(list) == 1 && !refuted(s, list[0]) && !altered(s, list[0]) && momentOf(strings.ToLower(bareText(s))) == nil {
			out = append(out, list[0].text)
		}
	}
	return out
}

// statements joins a text of several lines, of which two or more hold an equation, to one list; "" for anything else.
func statements(s string) string {
	if !strings.Contains(s, "\n") || len(s) > 2000 || strings.Contains(s, `\begin`) {
		return ""
	}
	var kept []string
	count := 0
	for _, line := range strings.Split(s, "\n") {
		if line = strings.Trim(line, " \t\r.,;"); line == "" {
			continue
		}
		line = strings.TrimSpace(line[labelled(line):])
		if line[0] == '=' && len(kept) > 0 { // goes on
			kept[len(kept)-1] += " " + line
			continue
		}
		if strings.Contains(line, "=") {
			count++
		}
		kept = append(kept, line)
	}
	if count < 2 {
		return ""
	}
	joined := strings.Join(kept, ", ")
	if _, err := parse(fold(joined), false); err == nil {
		return joined
	}
	return kept[len(kept)-1]
}

// labelled returns where the value begins behind a label of a few words and a colon: "Total area: 12". It is 0 if the
// text does not begin so.
func labelled(s string) int {
	k := strings.Index(s, ": ")
	if k <= 0 || k > 40 || strings.Contains(s[k+2:], ":") {
		return 0
	}
	for _, w := range strings.Fields(strings.ToLower(s[:k])) {
		if !isWord(w) || stopWords[w] || changers[w] || w == "step" || w == "case" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			return 0
		}
	}
	return k + 2
}

// yesNo reads a short answer that begins with yes or no and does not say the other word too.
func yesNo(s string) string {
	if len(s) > 80 {
		return ""
	}
	low := strings.ToLower(s)
	for _, w := range [...][2]string{{"yes", " no"}, {"no", "yes"}} {
		if strings.HasPrefix(low, w[0]) && len(low) > len(w[0]) && strings.ContainsAny(low[len(w[0]):len(w[0])+1], ".,;!") && !strings.Contains(low, w[1]) {
			return w[0]
		}
	}
	return ""
}

// altered reports whether the words round a value make something else of it: a bound, a choice, a multiple.
func altered(s string, v value) bool {
	before, after := " "+strings.ToLower(s[:v.start]), strings.ToLower(s[v.end:])
	for _, w := range [...]string{" than ", " least ", " most ", " over ", " under ", " above ", " below ", " up to ", " to ", " half of ", " twice ", " double ", " between ", " either ", " or ", " group ", " type ", " room "} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(after, func(r rune) bool { return !(r >= 'a' && r <= 'z') }) {
		if changers[w] || w == "or" || w == "times" || w == "plus" || w == "minus" {
			return true
		}
	}
	return false
}

// looksLikeCode reports a call, an assignment of a quoted text or the like: name(, name[, name.name(.
func looksLikeCode(s string) bool {
	for i := 1; i < len(s); i++ {
		if (s[i] == '(' || s[i] == '[') && (asciiLetter(s, i-1) || s[i-1] == '_') || s[i] == '_' && asciiLetter(s, i-1) && asciiLetter(s, i+1) {
			return true
		}
	}
	return strings.Contains(s, "lambda") || strings.Contains(s, "return ") || strings.Contains(s, `":`)
}

// hasWord reports whether a word of four letters or more, or one of another script, stands outside commands.
func hasWord(s string) bool {
	run := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			for i+1 < len(s) && asciiLetter(s, i+1) {
				i++
			}
			run = 0
		case asciiLetter(s, i) || c >= 0xC3:
			if run++; run >= 4 {
				return true
			}
		case c >= 0x80:
		default:
			run = 0
		}
	}
	return false
}

func oneSpan(s string) []string {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	return []string{s}
}

// goldSpans extracts from a reference, which may be a whole solution.
func (c *candidate) goldSpans() []string {
	if boxes := findBoxes(c.body); len(boxes) > 0 {
		return c.boxSpans(boxes, nil)
	}
	if span, found := lastTag(c.body); found {
		return oneSpan(span)
	}
	if isProse(c.body) && len(c.body) > 60 {
		return c.proseSpans()
	}
	return oneSpan(c.body)
}

// proseSpans finds the answer in running text without a box.
func (c *candidate) proseSpans() []string {
	if rest, _, found := lastMarker(c.body); found {
		span, ok := valueAfter(rest)
		if !ok {
			return nil
		}
		return oneSpan(span)
	}
	return oneSpan(lastValue(c.body))
}

// lastTag returns the contents of the last <answer> element.
func lastTag(s string) (string, bool) {
	if !strings.Contains(s, "answer>") && !strings.Contains(s, "ANSWER>") && !strings.Contains(s, "Answer>") {
		return "", false
	}
	low, at := lowerSame(s), -1
	for _, tag := range [...]string{"<answer>", "<final_answer>", "<finalanswer>", "<final answer>"} {
		if k := strings.LastIndex(low, tag); k >= 0 {
			at = max(at, k+len(tag))
		}
	}
	if at < 0 {
		return "", false
	}
	s = s[at:]
	if e := strings.Index(s, "</"); e >= 0 {
		s = s[:e]
	}
	if boxes := findBoxes(s); len(boxes) > 0 {
		return boxes[len(boxes)-1].content, true
	}
	return s, true
}
