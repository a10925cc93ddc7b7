package mathcheck

import "strings"

// Option letters: A to J. choiceOf reads a whole answer, choiceIn finds the letter that an output decides for.

// choiceOf returns the option that a text without markup is: C, (C), C., C) 14, option B, (D) Alina. For a reference
// only capitals count and no other text may stand behind a letter without bracket or stop.
func choiceOf(s string, gold bool) string {
	t := strings.TrimSpace(s)
	for n := 0; n < 2; n++ {
		for _, lead := range [...]string{"option", "choice", "answer", "Option", "Choice", "Answer", "OPTION"} {
			if strings.HasPrefix(t, lead) && len(t) > len(lead) && !asciiLetter(t, len(lead)) {
				t = strings.TrimLeft(t[len(lead):], " :")
			}
		}
	}
	open := strings.HasPrefix(t, "(") || strings.HasPrefix(t, "[")
	if open {
		t = strings.TrimLeft(t, "([ ")
	}
	if t == "" {
		return ""
	}
	c := t[0]
	if c >= 'a' && c <= 'j' && (!gold || open) {
		c -= 32
	}
	if c < 'A' || c > 'J' {
		return ""
	}
	rest := strings.TrimLeft(t[1:], " ")
	if rest == "" {
		if open {
			return ""
		}
		return string(c)
	}
	if len(rest) > 200 || !strings.ContainsAny(rest[:1], ").:]") || !open && rest[0] == ']' {
		return ""
	}
	mark := rest[0]
	if mark == ':' && (len(rest) < 2 || rest[1] != ' ' || len(strings.TrimSpace(rest[1:])) < 2) { // A:B is a ratio
		return ""
	}
	rest = strings.TrimSpace(rest[1:])
	if rest == "" {
		return string(c)
	}
	if open && mark != ')' && mark != ']' || optionCount(s) > 1 {
		return ""
	}
	if t[0] >= 'a' && !open {
		return ""
	}
	if strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "^") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "+") || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "or ") || strings.HasPrefix(rest, "and ") || strings.HasPrefix(rest, ",") {
		return ""
	}
	return string(c)
}

// optionText is what stands behind the letter of an option and its bracket: 12 for \textbf{(A)}\ 12.
func optionText(s string) string {
	k := strings.IndexAny(s, "ABCDEFGHIJ")
	if k < 0 {
		return ""
	}
	rest := strings.TrimLeft(s[k+1:], ").:] ")
	if strings.HasPrefix(rest, "}") {
		rest = strings.TrimLeft(rest[1:], ").:] ")
	}
	for strings.HasPrefix(rest, `\ `) || strings.HasPrefix(rest, `\quad`) || strings.HasPrefix(rest, "~") || strings.HasPrefix(rest, `\,`) {
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, `\quad`), `\ `), `\,`), "~"), " ")
	}
	return strings.TrimSpace(rest)
}

// optionRow reads several options written as one word, BD, or as a list; "" if it is none.
func optionRow(a *answer) string {
	row := a.bare
	if a.root != nil && (a.root.op == opList || a.root.op == opSet) {
		row = ""
		for _, k := range a.root.kids {
			if k.op != opSym || len(k.s) != 1 {
				return ""
			}
			row += k.s
		}
	}
	if len(row) < 2 || len(row) > 10 {
		return ""
	}
	seen := [10]bool{}
	for i := range row {
		if row[i] < 'A' || row[i] > 'J' || seen[row[i]-'A'] {
			return ""
		}
		seen[row[i]-'A'] = true
	}
	out := ""
	for i, ok := range seen {
		if ok {
			out += string(rune('A' + i))
		}
	}
	return out
}

// optionCount counts options of the forms (A), A) and A. in a text.
func optionCount(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'J' && i+1 < len(s) && (s[i+1] == ')' || s[i+1] == '.' && (i == 0 || s[i-1] == ' ')) && (i == 0 || !asciiLetter(s, i-1)) {
			n++
		}
	}
	return n
}

// choiceIn finds the letter that running text decides for: the first option behind the last marker, else the one that
// the text begins with, else the last "it's B". Several letters side by side decide nothing.
func choiceIn(s string) string {
	const window = 6 << 10
	if len(s) > 2*window { // what decides stands at either end
		s = strings.ToValidUTF8(s[:window], "") + "\n" + strings.ToValidUTF8(s[len(s)-window:], "")
	}
	s = fold(s)
	if rest, _, found := lastMarker(s); found {
		return firstOption(rest)
	}
	if c := choiceOf(bareText(s), false); c != "" {
		return c
	}
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'J' && (s[1] == '.' || s[1] >= 0x80) {
		return s[:1]
	}
	if k := strings.LastIndexByte(strings.TrimRight(s, " \n"), '\n'); k > 0 { // the letter alone in the last line
		if c := choiceOf(bareText(s[k+1:]), true); c != "" {
			return c
		}
	}
	low := lowerSame(s)
	for _, verb := range [...]string{" is correct", " is the correct", " is right", " is the right", " is the answer", " is the best"} {
		if k := strings.LastIndex(low, verb); k > 0 {
			head := strings.TrimRight(s[:k], ") ]*")
			j := len(head) - 1
			if j >= 0 && head[j] >= 'A' && head[j] <= 'J' && (j == 0 || !asciiLetter(head, j-1) && !isDigit(head[j-1])) && !strings.HasSuffix(head[:j], "or ") && !strings.HasSuffix(head[:j], "and ") {
				return head[j:]
			}
		}
	}
	for _, lead := range [...]string{"it's ", "it is ", "choose ", "select ", "pick ", "must be ", "is "} {
		if k := strings.LastIndex(low, lead); k >= 0 {
			if c := firstOption(s[k+len(lead):]); c != "" {
				return c
			}
		}
	}
	if t := strings.TrimLeft(s, "(*"); len(t) > 1 && t[0] >= 'A' && t[0] <= 'J' && strings.IndexByte(",.):*", t[1]) >= 0 && optionCount(s) <= 1 {
		return firstOption(t) // "A, because ..."
	}
	if optionCount(s) > 1 { // the options are listed
		return ""
	}
	return closingOption(s)
}

// closingOption reads the option that a text ends on: "Hence (C)". One of several, or a denied one, is none.
func closingOption(s string) string {
	t := strings.TrimRight(s, " .)]*\n$!")
	n := len(t)
	if n == 0 || t[n-1] < 'A' || t[n-1] > 'J' || n > 1 && (asciiLetter(t, n-2) || isDigit(t[n-2]) || t[n-2] == '\\') {
		return ""
	}
	before := strings.TrimRight(t[:n-1], " ([*$")
	low := lowerSame(before)
	for _, w := range [...]string{"or", "and", "not", "/", "nor", "between", "n't"} {
		if strings.HasSuffix(low, w) {
			return ""
		}
	}
	if k := len(before); k > 1 && before[k-1] == ',' && before[k-2] >= 'A' && before[k-2] <= 'Z' {
		return ""
	}
	return t[n-1:]
}

// firstOption reads the option letter near the start of a text, "" if there is none or it is one of several.
func firstOption(s string) string {
	s = strings.TrimLeft(s, " *:_\n$")
	low := lowerSame(s[:min(len(s), 80)])
	for _, n := range negations {
		if strings.HasPrefix(low, n) {
			return ""
		}
	}
	for n := 0; n < 4; n++ {
		k := wordLength(lowerSame(s[:min(len(s), 32)]), fillers)
		if k == 0 {
			break
		}
		s = strings.TrimLeft(s[k:], " :*")
	}
	s = bareText(s[:min(len(s), 200)])
	t := strings.TrimLeft(s, "([ ")
	if t == "" || t[0] < 'A' || t[0] > 'J' || len(t) > 1 && (asciiLetter(t, 1) || isDigit(t[1])) {
		return ""
	}
	rest := strings.TrimLeft(t[1:], ")] ")
	for _, w := range [...]string{"or ", "and ", "/", "+", "*", "^", "="} {
		if strings.HasPrefix(strings.ToLower(rest), w) {
			return ""
		}
	}
	if strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "?") {
		r := strings.TrimLeft(rest[1:], " (")
		if rest[0] == '?' || r != "" && r[0] >= 'A' && r[0] <= 'J' && (len(r) == 1 || !asciiLetter(r, 1)) {
			return ""
		}
	}
	return t[:1]
}
