package mathcheck

import (
	"strings"
	"unicode"
)

// bareText strips markup from an answer in words: \text{…} and the like, emphasis, quotes, outer brackets of markup,
// closing punctuation; blanks are folded. Letters keep their case.
func bareText(s string) string {
	if !strings.ContainsAny(s, "\\{}$*\"'`_~. \t\n,;:!?") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			j := i + 1
			for j < len(s) && (s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z') {
				j++
			}
			if j == i+1 {
				if j < len(s) && (s[j] == '%' || s[j] == '$' || s[j] == '&' || s[j] == '#') {
					continue
				}
				i++
				blank = true
				continue
			}
			if act, ok := commands[s[i+1:j]]; !ok || act.kind == aText || act.kind == aDrop || act.kind == aDelim {
				i = j - 1
				blank = true
				continue
			} else if act.kind == aDropArg {
				if k := skipBlank(s, j); k < len(s) && s[k] == '{' {
					i = min(matchBrace(s, k), len(s)-1)
					continue
				}
			}
		case c == '{' || c == '}' || c == '$' || c == '*' || c == '"' || c == '`':
			continue
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '~':
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		b.WriteByte(c)
	}
	return strings.Trim(b.String(), " .,;:!?'")
}

// squash removes every blank; "noSolution" and "no solution" then agree.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// synonyms maps phrases that mean a mathematical object (house rule) to one name each.
var synonyms = func() map[string]string {
	m := map[string]string{}
	for name, list := range map[string][]string{
		"∅":    {"no solution", "no solutions", "no real solution", "no real solutions", "none", "empty set", "the empty set", "no such number exists", "no answer exists", "there is no solution", "there are no solutions", "there are no real solutions", "nosolution", "nosolutions"},
		"ℝ":    {"all real numbers", "all reals", "the set of all real numbers", "set of all real numbers", "all real values", "any real number", "every real number", "real numbers", "the real numbers", "all real x", "all real numbers x"},
		"dne":  {"dne", "does not exist", "the limit does not exist", "limit does not exist", "undefined", "not defined", "d.n.e"},
		"∞":    {"infinity", "positive infinity", "infinite", "infinitely many", "infinitely many solutions"},
		"true": {"true"}, "false": {"false"},
	} {
		for _, s := range list {
			m[s] = name
		}
	}
	return m
}()

var numberWords = map[string]int{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

// wordNumber reads a number word that is the whole text: "twelve", "forty-two", "three hundred and five".
func wordNumber(s string) (int, bool) {
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '-' })
	if len(fields) == 0 || len(fields) > 12 {
		return 0, false
	}
	total, part, seen := 0, 0, false
	last := 1000
	for _, f := range fields {
		switch f {
		case "and":
			if !seen {
				return 0, false
			}
		case "hundred":
			if part == 0 || part > 9 {
				return 0, false
			}
			part *= 100
			last = 1000
		case "thousand", "million":
			if part == 0 {
				return 0, false
			}
			if f == "thousand" {
				total += part * 1000
			} else {
				total += part * 1000000
			}
			part, last = 0, 1000
		default:
			v, ok := numberWords[f]
			if !ok || v >= last || last < 20 || last < 100 && v >= 10 {
				return 0, false
			}
			part += v
			last = v
			if v == 0 {
				last = 0
			}
			seen = true
		}
	}
	return total + part, seen
}
