package codecheck

import (
	"regexp"
	"slices"
	"strings"
)

// decoy changes tests so that every solution fails them: all expected values where they are plain, else the sense of the assertions.
// It is not ok where neither is found.
//
//	assert (f(2) == 4);              assert (f(2) == 5);
//	assert_eq!(f("ab"), "ba");       assert_eq!(f("ab"), "xba");
//	assert (same(f(1), g));          assert (!(same(f(1), g)));
//	if (bad) throw new Error();      if (!(bad)) throw new Error();
//
// One changed value would do if it were sure that it matters; all of them at once make that certain.
func (a Appended) decoy(tests string) (string, bool) {
	l := lex(tests, a.syntax())
	var edits []edit
	for _, r := range a.expected(l) {
		edits = append(edits, l.otherValues(r)...)
	}
	if len(edits) == 0 {
		edits = a.negations(l)
	}
	if len(edits) == 0 {
		return "", false
	}
	return apply(tests, edits), true
}

// edit puts text in the place of a stretch.
type edit struct {
	start, end int
	text       string
}

func apply(text string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue // the same place twice
		}
		b.WriteString(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// span is a stretch of code.
type span struct{ start, end int }

// calls are the arguments of the calls of a name, from behind the opening bracket to the closing one.
func (l *lexed) calls(name string) []span {
	var found []span
	for at := 0; ; {
		n := strings.Index(string(l.code[at:]), name)
		if n < 0 {
			return found
		}
		start := at + n
		at = start + len(name)
		if start > 0 && wordByte(l.code[start-1]) {
			continue
		}
		open := at
		for open < len(l.code) && (l.code[open] == ' ' || l.code[open] == '\n' || l.code[open] == '\t') {
			open++
		}
		if open == len(l.code) || l.code[open] != '(' && l.code[open] != '[' || l.code[open] == '[' && !strings.HasSuffix(name, "!") {
			continue
		}
		found = append(found, span{open + 1, l.closing(open)})
	}
}

// arguments splits the inside of a call at its commas.
func (l *lexed) arguments(s span) []span {
	var found []span
	depth, start := 0, s.start
	for i := s.start; i < s.end; i++ {
		switch l.code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				found = append(found, span{start, i})
				start = i + 1
			}
		}
	}
	return append(found, span{start, s.end})
}

// expected are the stretches that hold expected values: what follows an equality sign in a claim, and the arguments of calls
// that compare.
func (a Appended) expected(l *lexed) []span {
	var found []span
	for _, name := range a.Asserts {
		for _, c := range l.calls(name) {
			for i := c.start; i+1 < c.end; i++ {
				if l.code[i] != '=' || l.code[i+1] != '=' {
					continue
				}
				i += 2
				for i < c.end && l.code[i] == '=' {
					i++
				}
				found = append(found, span{i, l.operandEnd(i, c.end)})
			}
		}
	}
	if a.Expect != nil {
		for _, m := range a.Expect.FindAllSubmatchIndex(l.code, -1) {
			found = append(found, span{m[2], m[3]})
		}
	}
	for _, e := range a.Equal {
		for _, c := range l.calls(e.Name) {
			if args := l.arguments(c); e.Arg < len(args) {
				found = append(found, args[e.Arg])
			}
		}
	}
	return found
}

// operandEnd is where the right side of a comparison ends.
func (l *lexed) operandEnd(i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch l.code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case ',', ';', '?':
			if depth == 0 {
				return i
			}
		case '&', '|':
			if depth == 0 && i+1 < end && l.code[i+1] == l.code[i] {
				return i
			}
		}
	}
	return end
}

// plainCalls may stand in an expected value: they make values of what they are given, another one of another.
var plainCalls = map[string]bool{
	"vec": true, "from": true, "String": true, "to_string": true, "to_owned": true, "into": true, "Some": true, "Ok": true, "Err": true,
	"asList": true, "of": true, "vector": true, "string": true, "pair": true, "make_pair": true, "tuple": true, "make_tuple": true, "set": true,
	"map": true, "list": true, "array": true, "Set": true, "Map": true, "new": true, "valueOf": true, "Integer": true, "Double": true, "Array": true,
}

var (
	callName  = regexp.MustCompile(`([A-Za-z_]\w*)(?:::)?(?:<[^()]*>)?!?\s*\(`)
	mixing    = regexp.MustCompile(`[%/|&^~]|<<|>>|\*`)
	generics  = regexp.MustCompile(`<[\w\s:,<>&*]*>`)
	underName = regexp.MustCompile(`[A-Za-z_]`)
)

// otherValues changes all literals of a stretch that holds a plain value. A stretch that computes is left alone: what it gives
// might be the same.
func (l *lexed) otherValues(s span) []edit {
	code := generics.ReplaceAllString(string(l.code[s.start:s.end]), "")
	if mixing.MatchString(code) {
		return nil
	}
	for _, m := range callName.FindAllStringSubmatch(code, -1) {
		if !plainCalls[m[1]] {
			return nil
		}
	}
	var edits []edit
	for _, lit := range l.literals {
		if lit.start < s.start || lit.end > s.end {
			continue
		}
		if other := otherLiteral(l.text[lit.start:lit.end], lit.kind); other != "" {
			edits = append(edits, edit{lit.start, lit.end, other})
		}
	}
	return edits
}

// otherLiteral is a literal of the same type and another value; empty where none is known.
func otherLiteral(s string, kind byte) string {
	switch kind {
	case 'b':
		return map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[s]
	case 's':
		if strings.HasPrefix(s, `"""`) {
			return ""
		}
		return s[:1] + "x" + s[1:]
	case 'r':
		if i := strings.IndexAny(s, `(`); i > 0 && s[i-1] != '#' {
			return s[:i+1] + "x" + s[i+1:]
		}
		if i := strings.IndexByte(s, '"'); i >= 0 {
			return s[:i+1] + "x" + s[i+1:]
		}
	case 'c':
		if s == "'x'" {
			return "'y'"
		}
		return "'x'"
	case 'n':
		return otherNumber(s)
	}
	return ""
}

// otherNumber changes the last digit before a point, an exponent or a suffix.
func otherNumber(s string) string {
	last := -1
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		last = i
	}
	if len(s) > 1 && s[0] == '0' && underName.MatchString(s[1:2]) && s[1] != 'f' && s[1] != 'u' && s[1] != 'i' && s[1] != 'L' && s[1] != 'l' && s[1] != 'n' {
		return "" // another base
	}
	if last < 0 {
		return ""
	}
	digit := s[last] + 1
	if s[last] == '9' {
		digit = '8'
	}
	return s[:last] + string(digit) + s[last+1:]
}

// negations turn the sense of the claims round, or of the conditions behind which tests fail.
func (a Appended) negations(l *lexed) []edit {
	var edits []edit
	for _, name := range a.Asserts {
		for _, c := range l.calls(name) {
			if args := l.arguments(c); claims[name] && strings.TrimSpace(string(l.code[args[0].start:args[0].end])) != "" {
				edits = append(edits, edit{args[0].start, args[0].start, "!("}, edit{args[0].end, args[0].end, ")"})
			}
		}
	}
	if len(edits) > 0 || a.Fail == "" {
		return edits
	}
	for _, c := range l.calls("if") {
		if rest := strings.TrimLeft(string(l.code[min(c.end+1, len(l.code)):]), " \t\n{"); strings.HasPrefix(rest, a.Fail) {
			edits = append(edits, edit{c.start, c.start, "!("}, edit{c.end, c.end, ")"})
		}
	}
	return edits
}

// claims are the assertions whose first argument is a condition.
var claims = map[string]bool{"assert": true, "assert!": true, "console.assert": true, "assert.ok": true, "assertTrue": true}
