package verifiers

import (
	"strings"
	"unicode/utf8"
)

// numberAt reads one literal, without its sign, that begins at s[i].
func numberAt(s string, i, depth int) (n number, end int, got scan) {
	if startsWithDigit(s[i:]) {
		if n, end, got = decimalAt(s, i); got == isOne && endsNumber(s[end:]) {
			return n, end, got
		}
	}
	n, end, got = factorAt(s, i, depth)
	if got != isOne {
		return n, end, got
	}
	if n.plain() {
		if end := calendar(s, i, end); end > 0 {
			return number{}, end, notOne
		}
		if whole, after, ok := mixedAt(s, n, end, depth); ok {
			n, end = whole, after
			return settle(s, n, end)
		}
	}
	if n.power == nil && n.over == nil && n.base == nil && n.exp == 0 {
		if power, after, got := timesTen(s, end, depth); got == isOne {
			n.ten, end = power, after
		} else if got == notOne {
			return number{}, after, notOne
		}
	}
	if !strings.HasPrefix(s[i:], `\`) {
		below, after, got := denominator(s, end, depth)
		switch {
		case got == notOne, got == isOne && below.zero():
			return number{}, after, notOne
		case got == isOne:
			if n.over != nil {
				n = number{base: heap(n)}
			}
			n.over, end = heap(below), after
		}
	}
	return settle(s, n, end)
}

// endsNumber sees at a glance that no number goes on with s: a word, the end of a sentence or of the text follows.
func endsNumber(s string) bool {
	if s == "" || s[0] == '\n' {
		return true
	}
	if s[0] == '.' || s[0] == ',' {
		return len(s) == 1 || s[1] == ' ' || s[1] == '\n'
	}
	if s[0] == ' ' {
		if s = s[1:]; s == "" {
			return true
		}
	}
	c := s[0] | 0x20
	return 'a' <= c && c <= 'z' && c != 'x'
}

// settle passes a number unless an irrational factor follows: 2π and 3\sqrt{2} are no such numbers.
func settle(s string, n number, end int) (number, int, scan) {
	i := blanks(s, end)
	for _, times := range [...]string{"*", "·", `\cdot`, `\times`, "×", `\,`} {
		if strings.HasPrefix(s[i:], times) {
			i = blanks(s, i+len(times))
			break
		}
	}
	for _, factor := range [...]string{"π", `\pi`, `\sqrt`, "√"} {
		if !strings.HasPrefix(s[i:], factor) {
			continue
		}
		if after := rootEnd(s, i); after > 0 {
			return number{}, after, notOne
		}
		return number{}, i + len(factor), notOne
	}
	return n, end, isOne
}

// heap is n in memory of its own: only numbers that are parts of others need that.
func heap(n number) *number { return &n }

// plain: digits and nothing else, not even a point.
func (n *number) plain() bool {
	return n.digits != "" && n.exp == 0 && n.ten == nil && n.power == nil && n.over == nil && n.base == nil && !strings.ContainsAny(n.digits, ".٫．")
}

// zero: written with no digit but 0.
func (n *number) zero() bool {
	if n.digits == "" || n.power != nil || n.over != nil {
		return false
	}
	for _, r := range n.digits {
		if isDigit(r) && digitValue(r) != 0 {
			return false
		}
	}
	return true
}

// factorAt reads a number with its power.
func factorAt(s string, i, depth int) (n number, end int, got scan) {
	if i >= len(s) || depth > maxNesting {
		return n, i, absent
	}
	switch c := s[i]; {
	case c == '(':
		return bracketAt(s, i, depth)
	case c == '\\':
		n, end, got = fractionAt(s, i, depth)
	case c == '.' || startsWithDigit(s[i:]):
		n, end, got = decimalAt(s, i)
	default:
		n, end, got = vulgarAt(s, i)
	}
	if got != isOne {
		return n, end, got
	}
	power, after, got := powerAt(s, end, depth)
	switch got {
	case notOne:
		return n, after, notOne
	case isOne:
		if n.over != nil {
			n = number{base: heap(n)}
		}
		n.power = power
	}
	return n, after, isOne
}

// bracketAt reads a bracketed number that has a power: (-2)^3. Without one a bracket means nothing here.
func bracketAt(s string, i, depth int) (n number, end int, got scan) {
	shut := strings.IndexByte(s[i:min(len(s), i+64)], ')') + i + 1
	if shut == i || shut >= len(s) || !strings.ContainsRune("^*⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ ", firstRune(s[shut:])) {
		return n, i, absent
	}
	inner, end, got := signedAt(s, blanks(s, i+1), depth+1)
	end = blanks(s, end)
	if got != isOne || end >= len(s) || s[end] != ')' {
		return n, i, absent
	}
	power, after, got := powerAt(s, end+1, depth)
	if got != isOne {
		return n, i, absent
	}
	return number{base: heap(inner), power: power}, after, isOne
}

// signedAt reads a literal that may begin with a sign.
func signedAt(s string, i, depth int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '-', '−', '+':
		i = blanks(s, i+size)
	}
	n, end, got = numberAt(s, i, depth)
	n.neg = n.neg != (r == '-' || r == '−')
	return n, end, got
}

// decimalAt reads digits, grouped thousands, a point with decimals, and an exponent.
func decimalAt(s string, i int) (n number, end int, got scan) {
	end = i
	if s[i] == '.' {
		prev, _ := utf8.DecodeLastRuneInString(s[:i])
		if !startsWithDigit(s[i+1:]) || i > 0 && (isPlain(prev) || strings.ContainsRune(".)]}", prev)) {
			return n, i, absent
		}
	} else {
		end = digitsEnd(s, i)
		if strings.HasPrefix(s[i:], "0x") && end == i+1 && end+1 < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[end+1]) >= 0 {
			return n, wordRunEnd(s, end), notOne
		}
		end = groupsEnd(s, i, end)
	}
	if point := pointAt(s, end); point > 0 && startsWithDigit(s[end+point:]) {
		end = digitsEnd(s, end+point)
		if strings.HasPrefix(s[end:], ".") && startsWithDigit(s[end+1:]) { // 1.2.3
			return n, afterDigits(s, end), notOne
		}
	}
	n.digits = s[i:end]
	n.exp, end = exponentAt(s, end)
	return n, end, isOne
}

func pointAt(s string, i int) int {
	if i < len(s) && s[i] == '.' {
		return 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '٫' || r == '．' {
		return size
	}
	return 0
}

func digitsEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if c < '0' || c > '9' {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isDigit(r) {
			return i
		}
		i += size
	}
	return i
}

func wordRunEnd(s string, i int) int {
	for i < len(s) && (isLetter(rune(s[i])) || isDigit(rune(s[i]))) {
		i++
	}
	return i
}

// groupMarks part groups of thousands. A plain blank is not among them: "1 000" may be two numbers.
var groupMarks = [...]string{",", "{,}", `,\!`, `{,}\!`, `\,`, "٬", "，", "\u2009", "\u202f"}

// groupsEnd is behind the groups of thousands that follow the digits s[start:end].
func groupsEnd(s string, start, end int) int {
	if utf8.RuneCountInString(s[start:min(end, start+16)]) > 3 {
		return end
	}
	for {
		mark := 0
		if end < len(s) && (strings.IndexByte(`,{\`, s[end]) >= 0 || s[end] >= utf8.RuneSelf) {
			for _, m := range groupMarks {
				if strings.HasPrefix(s[end:], m) && groupFollows(s[end+len(m):]) {
					mark = len(m)
				}
			}
		}
		if mark == 0 {
			return end
		}
		end = digitsEnd(s, end+mark)
	}
}

// exponentAt reads e3, E-5, e+400 behind a number. Exponents too large for any use are cut at 10^12.
func exponentAt(s string, i int) (exp int64, end int) {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return 0, i
	}
	j, neg := i+1, false
	if r, size := utf8.DecodeRuneInString(s[j:]); r == '-' || r == '+' || r == '−' {
		j, neg = j+size, r != '+'
	}
	if !startsWithDigit(s[j:]) {
		return 0, i
	}
	end = digitsEnd(s, j)
	for _, r := range s[j:end] {
		exp = min(exp*10+int64(digitValue(r)), 1e12)
	}
	if neg {
		exp = -exp
	}
	return exp, end
}

// powerAt reads a power behind a number: got is absent where none follows, with end behind a degree sign or ordinal.
func powerAt(s string, i, depth int) (n *number, end int, got scan) {
	if raised, after := superscript(s, i); after > i {
		return heap(raised), after, isOne
	}
	j := blanks(s, i)
	switch {
	case j-i <= 1 && strings.HasPrefix(s[j:], "^"):
		j = blanks(s, j+1)
	case strings.HasPrefix(s[i:], "**") && i+2 < len(s) && (startsWithDigit(s[i+2:]) || s[i+2] == '-' || s[i+2] == '('):
		j = i + 2
	default:
		return nil, i, absent
	}
	return exponentTerm(s, j, depth)
}

// exponentTerm reads what stands behind a caret.
func exponentTerm(s string, j, depth int) (n *number, end int, got scan) {
	open, shut := "", ""
	switch {
	case strings.HasPrefix(s[j:], "{"):
		open, shut = "{", "}"
	case strings.HasPrefix(s[j:], "("):
		open, shut = "(", ")"
	}
	inner := blanks(s, j+len(open))
	for _, unit := range [...]string{`\circ`, "°", `\degree`, `\text`, `\mathrm`, "th", "st", "nd", "rd", `\prime`, "'", "∘"} {
		if strings.HasPrefix(s[inner:], unit) { // 30^\circ, 10^{th}
			if open == "{" {
				return nil, j + len(inBraces(s[j:])) + 2 - missingBrace(s[j:]), absent
			}
			return nil, inner + len(unit), absent
		}
	}
	var p number
	if open == "" {
		p, end, got = powerFactor(s, inner, depth+1)
	} else {
		p, end, got = signedAt(s, inner, depth+1)
		end = blanks(s, end)
		if got == isOne && strings.HasPrefix(s[end:], shut) {
			end += len(shut)
		} else {
			got = notOne
		}
	}
	if got != isOne || p.over != nil || strings.ContainsAny(p.digits, ".٫．") {
		return nil, max(afterScript(s, j-1), end), notOne
	}
	return heap(p), end, isOne
}

// powerFactor reads an exponent without brackets: a sign and a number, which may have a power itself.
func powerFactor(s string, i, depth int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '-' || r == '+' || r == '−' {
		i += size
	}
	if !startsWithDigit(s[i:]) {
		return n, i, notOne
	}
	n, end, got = factorAt(s, i, depth)
	n.neg = r == '-' || r == '−'
	return n, end, got
}

// superscript reads raised digits: ⁻¹². end is i where none stand there.
func superscript(s string, i int) (n number, end int) {
	end = i
	if i >= len(s) || s[i] < utf8.RuneSelf {
		return n, i
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '⁻' || r == '⁺' {
		n.neg = r == '⁻'
		end += size
	}
	start := end
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if raisedDigit(r) < 0 {
			break
		}
		end += size
	}
	if end == start {
		return number{}, i
	}
	n.digits = s[start:end]
	return n, end
}

// raisedDigit is the value of a raised digit, -1 for anything else.
func raisedDigit(r rune) int {
	switch {
	case r >= '⁴' && r <= '⁹':
		return int(r-'⁴') + 4
	case r == '⁰':
		return 0
	case r == '¹':
		return 1
	case r == '²':
		return 2
	case r == '³':
		return 3
	}
	return -1
}

// timesTen reads "× 10^3" behind a number. absent where something else follows.
func timesTen(s string, i, depth int) (n *number, end int, got scan) {
	j := blanks(s, i)
	sign := 0
	for _, times := range [...]string{"x", "X", "×", "*", "·", "⋅", `\times`, `\cdot`, "✕"} {
		if strings.HasPrefix(s[j:], times) {
			sign = len(times)
		}
	}
	if sign == 0 {
		return nil, i, absent
	}
	j = blanks(s, j+sign)
	if !strings.HasPrefix(s[j:], "10") {
		return nil, i, absent
	}
	return powerAt(s, j+2, depth)
}

// denominator reads "/4" behind a number. A second slash makes a date or worse of it.
func denominator(s string, i, depth int) (n number, end int, got scan) {
	j := blanks(s, i)
	r, size := utf8.DecodeRuneInString(s[j:])
	if r != '/' && r != '⁄' || j-i > 1 {
		return n, i, absent
	}
	j = blanks(s, j+size)
	neg := strings.HasPrefix(s[j:], "-")
	if neg {
		j++
	}
	if !startsWithDigit(s[j:]) && !strings.HasPrefix(s[j:], ".") {
		return n, i, absent
	}
	n, end, got = factorAt(s, j, depth+1)
	if got == absent {
		return n, i, absent
	}
	n.neg = neg
	if k := blanks(s, end); strings.HasPrefix(s[k:], "/") && startsWithDigit(s[blanks(s, k+1):]) {
		for strings.HasPrefix(s[k:], "/") && startsWithDigit(s[blanks(s, k+1):]) {
			end = afterDigits(s, blanks(s, k+1))
			k = blanks(s, end)
		}
		return n, end, notOne
	}
	return n, end, got
}

// mixedAt reads a proper fraction behind a whole number: "1 1/2", "2½", "1\frac{1}{2}".
func mixedAt(s string, whole number, i, depth int) (n number, end int, ok bool) {
	j := i
	for j < len(s) && j-i < 8 {
		if s[j] == ' ' {
			j++
		} else if strings.HasPrefix(s[j:], `\ `) || strings.HasPrefix(s[j:], `\,`) || strings.HasPrefix(s[j:], `\;`) || strings.HasPrefix(s[j:], "\u00a0") {
			j += 2
		} else {
			break
		}
	}
	if j >= len(s) || j == i && s[j] < utf8.RuneSelf && s[j] != '\\' {
		return n, i, false
	}
	if c := s[j]; c != '\\' && c < utf8.RuneSelf && (c < '0' || c > '9') {
		return n, i, false
	}
	n, end, got := numberAt(s, j, depth+1)
	if got != isOne || n.over == nil || n.whole != "" || n.base != nil || n.ten != nil || n.power != nil || n.over.power != nil || n.over.neg || n.neg {
		return n, i, false
	}
	if !less(n.digits, n.over.digits) {
		return n, i, false
	}
	n.whole = whole.digits
	return n, end, true
}

// less compares two whole numbers of at most 18 digits; anything else is not less.
func less(a, b string) bool {
	x, okA := smallInt(a)
	y, okB := smallInt(b)
	return okA && okB && x < y
}

func smallInt(s string) (n int64, ok bool) {
	if s == "" || len(s) > 64 {
		return 0, false
	}
	count := 0
	for _, r := range s {
		if count++; !isDigit(r) || count > 18 {
			return 0, false
		}
		n = n*10 + int64(digitValue(r))
	}
	return n, true
}

// vulgarAt reads a fraction that is one character.
func vulgarAt(s string, i int) (n number, end int, got scan) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == '√' {
		return n, rootEnd(s, i), notOne
	}
	above, below := vulgar(r)
	if above == "" {
		return n, i, absent
	}
	return number{digits: above, over: &number{digits: below}}, i + size, isOne
}

func vulgar(r rune) (above, below string) {
	const at = "¼14½12¾34⅐17⅑19⅓13⅔23⅕15⅖25⅗35⅘45⅙16⅚56⅛18⅜38⅝58⅞78↉03"
	if r == '⅒' {
		return "1", "10"
	}
	if r < '¼' || r > '↉' {
		return "", ""
	}
	if i := strings.IndexRune(at, r); i >= 0 {
		i += utf8.RuneLen(r)
		return at[i : i+1], at[i+1 : i+2]
	}
	return "", ""
}

// fractionAt reads \frac and its kin with arguments in braces or of one digit; \sqrt is passed over.
func fractionAt(s string, i, depth int) (n number, end int, got scan) {
	if strings.HasPrefix(s[i:], `\sqrt`) {
		return n, rootEnd(s, i), notOne
	}
	name := s[i+1 : commandEnd(s, i)]
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac":
	default:
		return n, i, absent
	}
	above, end, got := argumentAt(s, i+1+len(name), depth)
	below, end, gotBelow := argumentAt(s, end, depth)
	if got != isOne || gotBelow != isOne || below.zero() {
		return n, end, notOne
	}
	if above.plain() {
		return number{neg: above.neg, digits: above.digits, over: heap(below)}, end, isOne
	}
	return number{base: heap(above), over: heap(below)}, end, isOne
}

// argumentAt reads an argument of a LaTeX command that must be one number.
func argumentAt(s string, i, depth int) (n number, end int, got scan) {
	i = blanks(s, i)
	if !strings.HasPrefix(s[i:], "{") {
		if !startsWithDigit(s[i:]) {
			return n, i, notOne
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		return number{digits: s[i : i+size]}, i + size, isOne
	}
	content := inBraces(s[i:])
	end = i + len(content) + 2 - missingBrace(s[i:])
	content = strings.TrimSpace(content)
	if depth >= maxNesting || len(content) > 1<<16 {
		return n, end, notOne
	}
	n, used, got := signedAt(content, 0, depth+1)
	if got != isOne || used != len(content) {
		return n, end, notOne
	}
	return n, end, isOne
}

// rootEnd is behind the root that begins at s[i], 0 where none does.
func rootEnd(s string, i int) int {
	rest, ok := strings.CutPrefix(s[i:], `\sqrt`)
	if !ok {
		if rest, ok = strings.CutPrefix(s[i:], "√"); !ok {
			return 0
		}
	}
	at := blanks(s, len(s)-len(rest))
	if at < len(s) && s[at] == '[' {
		if n := strings.IndexByte(s[at:min(len(s), at+64)], ']'); n >= 0 {
			at += n + 1
		}
	}
	switch {
	case strings.HasPrefix(s[at:], "{"):
		return at + len(inBraces(s[at:])) + 2 - missingBrace(s[at:])
	case strings.HasPrefix(s[at:], "("):
		at++
	}
	return afterDigits(s, at)
}

// calendar says that the plain number s[i:end] begins a date or a clock time, and where that ends; 0 where it does not.
func calendar(s string, i, end int) int {
	first := end - i
	if first > 4 || end >= len(s) {
		return cjkDate(s, end)
	}
	switch sep := s[end]; sep {
	case ':':
		if two := digitsEnd(s, end+1); first <= 2 && two == end+3 {
			if more := digitsEnd(s, two+1); two < len(s) && s[two] == ':' && more == two+3 {
				two = more
			}
			return two
		}
	case '-', '/':
		mid := digitsEnd(s, end+1)
		if mid == end+1 || mid > end+3 || mid >= len(s) || s[mid] != sep {
			return 0
		}
		last := digitsEnd(s, mid+1)
		year := last - mid - 1
		if first == 4 && year <= 2 && year > 0 || first <= 2 && (year == 4 || year == 2 || year == 1 && sep == '/') {
			return last
		}
	}
	return cjkDate(s, end)
}

// cjkDate: 2024年5月1日, 5月1日, 2024년 5월 1일.
func cjkDate(s string, i int) int {
	units, found := "年月日년월일", 0
	at := i
	for {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError || !strings.ContainsRune(units, r) {
			break
		}
		found++
		i = at + size
		next := blanks(s, i)
		if at = digitsEnd(s, next); at == next {
			break
		}
	}
	if found < 2 {
		return 0
	}
	return i
}
