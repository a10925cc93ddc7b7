package mathcheck

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Values in running text: formulas between math delimiters and numerals.

// sentence returns the first sentence: up to a full stop before a blank, a line break or a CJK stop.
func sentence(s string) string {
	s = strings.TrimLeft(s, " \n\t")
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			return strings.TrimSpace(s[:i])
		case (s[i] == '.' || s[i] == '!' || s[i] == '?') && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n' || s[i+1] == '*' || s[i+1] == '<'):
			if s[i] == '.' && i+1 < len(s) && abbreviation(s[:i]) {
				continue
			}
			return strings.TrimSpace(s[:i])
		case strings.HasPrefix(s[i:], "。"):
			return strings.TrimSpace(s[:i])
		}
	}
	return strings.TrimSpace(s)
}

func abbreviation(s string) bool {
	return strings.HasSuffix(s, " vs") || strings.HasSuffix(s, " approx") || strings.HasSuffix(s, "a.m") || strings.HasSuffix(s, "p.m")
}

// lastValue applies the fallback rules to running text: the value that the last sentence holding one gives with "is",
// else the last formula or numeral.
func lastValue(s string) string {
	const window = 8 << 10
	if len(s) > window {
		s = strings.ToValidUTF8(s[len(s)-window:], "")
	}
	s = withoutRemark(s)
	if v := givenByVerb(s); v != "" {
		return v
	}
	list := values(s)
	if len(list) == 0 || cutOff(s, list) {
		return ""
	}
	last := len(list) - 1
	from := sentenceStart(s, list[last].start, list)
	pick := last
	for pick > 0 && list[pick-1].start >= from && list[pick].formula && conditional(s[from:list[pick].start], list[pick]) {
		pick--
	}
	last = pick
	for i := last; i >= 0 && list[i].start >= from; i-- {
		if isBefore(s[from:list[i].start]) && !continues(s, list[i].end) && !concludes(s[list[i].end:max(list[i].end, list[last].start)]) {
			pick = i
			break
		}
	}
	if refuted(s, list[pick]) {
		return ""
	}
	return joined(s, list, pick)
}

// withoutRemark cuts a last bracket that says why other values are none: "x = 28 (the root -3 is rejected)."
func withoutRemark(s string) string {
	t := strings.TrimRight(s, " .\n")
	if !strings.HasSuffix(t, ")") {
		return s
	}
	k := strings.LastIndex(t, " (")
	if k < 0 || len(t)-k > 200 {
		return s
	}
	low := strings.ToLower(t[k:])
	for _, w := range [...]string{"reject", "extraneous", "discard", "impossible", "not valid", "invalid", "not allowed", "other root", "other solution"} {
		if strings.Contains(low, w) {
			return t[:k]
		}
	}
	return s
}

// conditional reports whether a formula only says for which letters the one before it holds: "for all $n\ge1$".
func conditional(before string, v value) bool {
	if !isInequality(v) && !strings.Contains(v.text, `\in`) {
		return false
	}
	low := strings.TrimRight(strings.ToLower(tail(before, 32)), " ")
	for _, w := range [...]string{" for", " for all", " for every", " for any", " for each", " where", " with", " when", " whenever", " if", " provided", " provided that", " as", " since", " because"} {
		if strings.HasSuffix(low, w) {
			return true
		}
	}
	return false
}

// givenByVerb reads what the last sentence gives with "is", where all behind the verb reads as mathematics: "the area is 25π".
func givenByVerb(s string) string {
	s = strings.TrimRight(s, " \n.!")
	from := 0
	for k := len(s) - 1; k > 0 && len(s)-k < 400; k-- {
		if s[k] == '\n' || s[k] == ' ' && (s[k-1] == '.' || s[k-1] == '!' || s[k-1] == '?') {
			from = k + 1
			break
		}
	}
	last := s[from:]
	low := lowerSame(last)
	at := -1
	for _, v := range [...]string{" is ", " are ", " equals ", " be ", " becomes "} {
		if k := strings.LastIndex(low, v); k >= 0 && k+len(v) > at {
			at = k + len(v)
		}
	}
	if at < 0 || strings.HasSuffix(low[:at], "there are ") || strings.HasSuffix(low[:at], "there is ") {
		return ""
	}
	rest := strings.TrimSpace(last[at:])
	for n := 0; n < 3; n++ {
		if k := wordLength(lowerSame(rest), fillers); k > 0 {
			rest = strings.TrimLeft(rest[k:], " :")
		}
	}
	folded := fold(rest)
	if strings.ContainsAny(rest, "$") || !strings.ContainsAny(folded, "0123456789\\") {
		return ""
	}
	n, err := parse(folded, false)
	if err != nil || isWordy(n) || n.op == opQty && n.kids[0].op == opSym {
		return ""
	}
	return chainEnd(rest)
}

// tail is the end of a text, n bytes at most: what a rule looks at must not grow with the text before it.
func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// concludes reports whether the words between two values draw the second from the first: "…, so $x=28$".
func concludes(s string) bool {
	s = strings.ToLower(s[:min(len(s), 400)])
	for _, w := range [...]string{", so ", ", thus", ", hence", ", therefore", ", then ", "so that", ", which gives", ", we have", ", giving", ", and so", ", we get", ", it follows"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// continues reports whether an operator behind a value shows that the value goes on.
func continues(s string, i int) bool {
	i = skipBlank(s, i)
	return i < len(s) && strings.IndexByte("+-*/=^", s[i]) >= 0 || strings.HasPrefix(s[min(i, len(s)):], "×")
}

// refuted reports whether a value is denied, before or behind it.
func refuted(s string, v value) bool {
	if negated(s[max(0, v.start-24):v.start]) {
		return true
	}
	rest := strings.ToLower(strings.TrimLeft(s[v.end:min(len(s), v.end+40)], " $)}"))
	for _, w := range [...]string{"ではな", "ではあ", "じゃな", "이 아", "가 아", "은 아", "不对", "不對", "是错", "नहीं", " नहीं", "değil"} {
		if k := strings.Index(rest, w); k >= 0 && k <= 12 {
			return true
		}
	}
	for _, w := range [...]string{"is rejected", ", is rejected", "is extraneous", "is wrong", "is incorrect", "is not", "isn't", "is false", "cannot", "is too", "?", "was wrong"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	return false
}

// negated reports whether the words before a value deny it.
func negated(s string) bool {
	s = " " + strings.ToLower(strings.TrimRight(s, " (:\n"))
	return strings.HasSuffix(s, " not") || strings.HasSuffix(s, " never") || strings.HasSuffix(s, "isn't") || strings.HasSuffix(s, "n't be")
}

// joined extends a value over "and", "or" and commas to its neighbours: a hedge is not an answer.
func joined(s string, list []value, i int) string {
	a, b := i, i
	for a > 0 && (isGlue(s[list[a-1].end:list[a].start]) && alike(list[a-1], list[a]) || sameNameGlue(s, list[a-1], list[a])) {
		a--
	}
	for b+1 < len(list) && (isGlue(s[list[b].end:list[b+1].start]) && alike(list[b], list[b+1]) || sameNameGlue(s, list[b], list[b+1])) {
		b++
	}
	if a == b {
		v := list[i]
		if v.formula {
			v.text = chainEnd(v.text)
		}
		rest := strings.ToLower(strings.TrimLeft(s[v.end:], " "))
		if strings.HasPrefix(rest, "percent") || v.formula && strings.HasPrefix(rest, "%") {
			return v.text + " %"
		}
		return v.text
	}
	var parts []string
	for k := a; k <= b; k++ {
		parts = append(parts, list[k].text)
	}
	return strings.Join(parts, ", ")
}

// alike tells a list of values from a condition and what follows from it: "since $x>0$, $x=17$".
func alike(a, b value) bool {
	return isInequality(a) == isInequality(b)
}

func isInequality(v value) bool {
	if !v.formula {
		return false
	}
	for _, s := range [...]string{"<", ">", `\le`, `\ge`, `\ne`, `\lt`, `\gt`} {
		if strings.Contains(v.text, s) && !strings.Contains(v.text, `\left`) {
			return true
		}
	}
	return false
}

// sameNameGlue reports whether two values are given to one name: "x = 1 and x = 2".
func sameNameGlue(s string, a, b value) bool {
	if a.formula || b.formula {
		return false
	}
	sep := strings.TrimSpace(s[a.end:b.start])
	if !strings.HasSuffix(sep, "=") {
		return false
	}
	sep = strings.TrimSpace(strings.TrimSuffix(sep, "="))
	k := strings.LastIndexByte(sep, ' ')
	if k < 0 || !isGlue(" "+sep[:k]+" ") {
		return false
	}
	name := sep[k+1:]
	before := strings.TrimSpace(s[:a.start])
	if !strings.HasSuffix(before, "=") {
		return false
	}
	before = strings.TrimSpace(strings.TrimSuffix(before, "="))
	return len(name) == 1 && strings.HasSuffix(before, name) && (len(before) == 1 || !asciiLetter(before, len(before)-2))
}

func isGlue(sep string) bool {
	switch strings.ToLower(strings.Trim(sep, " ")) {
	case "and", "or", ", and", ", or", "und", "oder", "et", "ou", "y", "o", "和", "或":
		return true
	case ",":
		return strings.HasSuffix(sep, " ")
	}
	return false
}

// sentenceStart finds where the sentence that holds position i begins.
func sentenceStart(s string, i int, list []value) int {
	for k := i - 1; k > 0; k-- {
		if s[k] == '\n' && (s[k-1] == '\n' || k+1 < len(s) && s[k+1] == '\n') {
			return k + 1
		}
		if s[k-1] >= 0x80 && (strings.HasSuffix(s[:k], "。") || strings.HasSuffix(s[:k], "！") || strings.HasSuffix(s[:k], "？") || strings.HasSuffix(s[:k], "।")) {
			return k
		}
		if s[k] == ' ' && (s[k-1] == '.' || s[k-1] == '!' || s[k-1] == '?') || s[k] == '\n' && s[k-1] == '.' {
			return k
		}
	}
	return 0
}

// isBefore reports whether the text before a value ends in a verb that gives it.
func isBefore(s string) bool {
	s = strings.ToLower(strings.TrimRight(tail(s, 80), " *:(\n$"))
	for n := 0; n < 3; n++ {
		for _, f := range [...]string{"approximately", "about", "exactly", "equal to", "therefore", "thus", "also", "now", "simply", "just", "then", "indeed", "only", "roughly", "around", "given by"} {
			if strings.HasSuffix(s, " "+f) {
				s = strings.TrimRight(strings.TrimSuffix(s, f), " :,")
			}
		}
	}
	if strings.HasSuffix(s, "there are") || strings.HasSuffix(s, "there is") { // says that things exist, not what is asked
		return false
	}
	for _, v := range [...]string{" is", " are", " equals", " was", " be", " becomes", " gives", "是", "为", "為", "は"} {
		if strings.HasSuffix(s, v) {
			return true
		}
	}
	return false
}

// cutOff reports whether the output breaks off inside a sentence that holds no value.
func cutOff(s string, list []value) bool {
	t := strings.TrimRight(s, " \n")
	if t == "" || !asciiLetter(t, len(t)-1) {
		return false
	}
	end := list[len(list)-1].end
	tail := t[min(end, len(t)):]
	return strings.ContainsAny(tail, ".?!") && len(strings.Fields(tail)) > 3
}

// isProse reports whether a text is running text rather than a bare answer: it has a verb, several sentences, or words
// beside a formula.
func isProse(s string) bool {
	const most = 4 << 10
	long := len(s) > 400 || strings.Contains(s, "\n\n")
	if len(s) > most {
		s = s[len(s)-most:]
	}
	words, verbs, formulas, foreign := 0, 0, 0, false
	i := 0
	for i < len(s) {
		if s[i] == '$' || s[i] == '\\' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '[') {
			if _, end, ok := formulaAt(s, i); ok {
				formulas++
				i = end
				continue
			}
		}
		if s[i] == '\\' {
			j := i + 1
			for j < len(s) && asciiLetter(s, j) {
				j++
			}
			if j < len(s) && s[j] == '{' {
				if act, ok := commands[s[i+1:j]]; ok && (act.kind == aText || act.kind == aEnv) {
					i = matchBrace(s, j)
					continue
				}
			}
			i = max(j, i+2)
			continue
		}
		if asciiLetter(s, i) {
			j := i
			for j < len(s) && (asciiLetter(s, j) || s[j] == '\'') {
				j++
			}
			if w := strings.ToLower(s[i:j]); isWord(w) && w != "percent" {
				words++
				if verbWords[w] {
					verbs++
				}
			}
			i = j
			continue
		}
		if s[i] >= 0x80 { // a run of another script
			j := i
			for j < len(s) && s[j] >= 0x80 {
				j++
			}
			if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsLetter(r) && j-i > 2 && !mathLetter(r) && !unicode.Is(unicode.Greek, r) {
				words += 1 + (j-i)/12
				foreign = true
			}
			i = j
			continue
		}
		i++
	}
	if long && words > 2 || foreign && strings.ContainsAny(s, "0123456789$\\") {
		return true
	}
	if t := strings.TrimRight(s, " \n"); (words > 2 || words > 1 && strings.ContainsAny(t, "0123456789")) && strings.HasSuffix(t, ".") && t[0] >= 'A' && t[0] <= 'Z' {
		return true // a sentence
	}
	if t := strings.TrimRight(s, " \n"); formulas == 1 && words > 0 && t[0] >= 'A' && t[0] <= 'Z' && (strings.HasSuffix(t, "$.") || strings.HasSuffix(t, `\).`)) {
		return true // a sentence that ends in a formula
	}
	if foreignSentence(s) {
		return true
	}
	return verbs > 0 || words > 6 || formulas > 0 && words > 1 && strings.Contains(s, " ") || formulas > 1 && words > 0 || words > 0 && strings.Contains(strings.TrimRight(s, ". \n"), ". ")
}

// foreignSentence reports a sentence in a language whose verbs are not known: it begins with a capitalised word and
// another one, ends in a full stop and holds a value.
func foreignSentence(s string) bool {
	t := strings.TrimRight(s, " \n")
	if len(t) < 8 || t[0] < 'A' || t[0] > 'Z' || t[len(t)-1] != '.' || !strings.ContainsAny(t, "0123456789") || strings.ContainsAny(t, `\{=`) {
		return false
	}
	f := strings.Fields(t)
	return len(f) > 2 && len(f[0]) >= 4 && isWord(f[0]) && len(f[1]) >= 2 && strings.Trim(f[1], "abcdefghijklmnopqrstuvwxyz") == ""
}

var verbWords = set("is", "are", "was", "were", "equals", "therefore", "thus", "hence", "so", "find", "get", "have", "think", "because", "not", "matrix", "reach", "let", "we", "then", "donc", "cannot", "works", "isn't")
