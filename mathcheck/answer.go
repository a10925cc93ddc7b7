package mathcheck

import "strings"

// answer is one answer span in all the readings that comparison may need.
type answer struct {
	raw    string // as given, blanks trimmed
	span   string // the answer within it
	folded string
	bare   string // bareText of the folded span
	text   string // bare, in small letters
	root   *node  // nil if unreadable
	choice string // capital letter of an option, if it is one
	option string // what a reference gives behind the letter
	when   *moment
	err    error
	list   []*answer // alternative reading as a list of boxes
}

func compileGold(s string) *answer {
	raw := strings.TrimSpace(s)
	if raw == "" {
		return nil
	}
	span := raw
	c := newCandidate(raw, false)
	if spans := c.goldSpans(); len(spans) > 0 {
		span = spans[0]
	}
	a := readAnswer(span, true)
	a.raw = raw
	if alt := c.looseBoxes(); alt != "" {
		b := readAnswer(alt, true)
		b.raw = raw
		a.list = append(a.list, b)
	}
	return a
}

// readAnswer reads a span in every way.
func readAnswer(span string, gold bool) *answer {
	span = strings.TrimSpace(span)
	a := &answer{raw: span, span: span}
	if len(span) > maxSpan {
		a.err = errDeep
		return a
	}
	a.folded = undouble(fold(span))
	a.bare = bareText(a.folded)
	a.text = strings.ToLower(a.bare)
	a.choice = choiceOf(a.bare, gold)
	if gold && a.choice != "" {
		a.option = optionText(a.folded)
	}
	a.when = momentOf(a.text)
	a.root, a.err = parse(a.folded, false)
	return a
}

// undouble halves backslashes when every run of them is even: text that was escaped once too often.
func undouble(s string) string {
	if !strings.Contains(s, `\\`) {
		return s
	}
	letters := false
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		j := i
		for j < len(s) && s[j] == '\\' {
			j++
		}
		if (j-i)%2 != 0 {
			return s
		}
		letters = letters || j < len(s) && asciiLetter(s, j) && asciiLetter(s, j+1)
		i = j - 1
	}
	if !letters {
		return s
	}
	return strings.ReplaceAll(s, `\\`, `\`)
}

// readable reports whether the span has a meaning: mathematics, a moment, a choice, or words.
func (a *answer) readable() bool {
	if a.root != nil || a.when != nil || a.choice != "" {
		return true
	}
	return isPhrase(a.bare)
}

// isPhrase reports whether a text is words only: what can be compared as words.
func isPhrase(s string) bool {
	if s == "" || len(s) > 400 {
		return false
	}
	letters := 0
	for _, r := range s {
		switch {
		case r == '\\' || r == '=' || r == '<' || r == '>' || r == '^' || r == '_' || r == '{' || r == '}' || r == '|' || r == '?':
			return false
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80:
			letters++
		}
	}
	return letters*2 > len([]rune(s))
}

// kind names the reading for reports.
func (a *answer) kind() string {
	switch {
	case a.when != nil && a.when.date:
		return "date"
	case a.when != nil && a.when.sure:
		return "time"
	case a.choice != "":
		return "choice"
	case a.root == nil:
		if isPhrase(a.bare) {
			return "text"
		}
		return ""
	}
	return kindOf(state(a.root))
}

func kindOf(s stated) string {
	if s.val == nil {
		return ""
	}
	switch s.val.op {
	case opText:
		return "text"
	case opList, opSet, opEmpty:
		return "set"
	case opTuple:
		if isSetLike(s.val) {
			return "interval"
		}
		return "tuple"
	case opUnion, opInter, opMinus, opNumbers:
		return "interval"
	case opMatrix:
		return "matrix"
	case opRatio:
		return "ratio"
	case opBase:
		return "base"
	case opQty:
		return "quantity"
	case opPct:
		return "percent"
	case opDeg:
		return "angle"
	case opInf:
		return "infinity"
	case opSeq:
		return "sequence"
	case opRel:
		if isEquation(s.val) {
			return "equation"
		}
		return "inequality"
	}
	if s.val.hasLetters() {
		return "expression"
	}
	return "number"
}

// identical compares spans as text, for references that cannot be read.
func identical(a *answer, span string) bool {
	f := fold(span)
	if t := asWritten(f); t != "" && t == asWritten(a.folded) {
		return true
	}
	return onlyTextGroups(f) && onlyTextGroups(a.folded) && sameText(bareText(f), a.bare)
}

// onlyTextGroups reports whether braces serve \text and the like alone, so that leaving them out changes nothing.
func onlyTextGroups(s string) bool {
	groups := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			j := i + 1
			for j < len(s) && asciiLetter(s, j) {
				j++
			}
			act, ok := commands[s[i+1:j]]
			if j > i+1 && (!ok || act.kind != aText && act.kind != aDrop) {
				return false
			}
			if ok && act.kind == aText {
				groups++
			}
		case '{':
			groups--
		case '^', '_', '/':
			return false
		}
	}
	return groups == 0
}

var layout = strings.NewReplacer(`\,`, "", `\!`, "", `\;`, "", `\:`, "", `\ `, "", `\left`, "", `\right`, "", `\displaystyle`, "")

// asWritten is a span without blanks and layout.
func asWritten(s string) string {
	return squash(layout.Replace(strings.Trim(s, "$ \n\t.")))
}

func sameText(a, b string) bool {
	a, b = withoutArticle(a), withoutArticle(b)
	return a != "" && (a == b || squash(a) == squash(b))
}

func withoutArticle(s string) string {
	for _, w := range [...]string{"the ", "a ", "an ", "on "} {
		if strings.HasPrefix(s, w) && len(s) > len(w)+1 {
			return s[len(w):]
		}
	}
	return s
}
