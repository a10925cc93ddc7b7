package mathcheck

import "strings"

// Ambiguous says in a few words how else a reference may be meant than it is read, "" where nothing speaks for a second
// reading. It is meant for those who write references: equality rests on one reading, whatever this says.
func Ambiguous(gold string) string {
	a := compileGold(gold)
	if a == nil {
		return ""
	}
	c := newCandidate(a.raw, false)
	switch {
	case len(a.list) > 0:
		return "the last box alone or all boxes"
	case a.span != a.raw && len(findBoxes(c.body)) == 0 && isProse(c.body) && len(values(c.body)) > 1:
		return "running text, of which only the last answer counts"
	case a.when != nil && a.when.date && strings.Count(a.text, "/") == 2 && a.when.d <= 12 && a.when.d != a.when.mo:
		return "the day or the month first"
	case a.when != nil && !a.when.sure && a.root != nil && a.root.op == opRatio:
		return "a clock time or a ratio"
	case a.root != nil && len(itemsOf(a.root)) == 2 && decimalComma(a.folded) != nil:
		return "a list of two or a decimal comma"
	case slashThenProduct(a.folded):
		return "a quotient by the number alone or by the product behind the slash"
	}
	return ""
}

// slashThenProduct reports 1/2x: x/2 to this reader, 1/(2x) to many people.
func slashThenProduct(s string) bool {
	for k := strings.IndexByte(s, '/'); k >= 0; {
		j := k + 1
		for j < len(s) && isDigit(s[j]) {
			j++
		}
		if j > k+1 && asciiLetter(s, j) && !asciiLetter(s, j+1) {
			return true
		}
		next := strings.IndexByte(s[k+1:], '/')
		if next < 0 {
			return false
		}
		k += 1 + next
	}
	return false
}
