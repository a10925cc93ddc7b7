package mathcheck

import "strings"

// number reads a numeral with its grouping, point, repeating part and exponent.
//
// A comma groups thousands only outside brackets, when one to three digits stand before the first and exactly three
// after each, and no blank follows it. `{,}`, `,\!`, `\,`, `\!` and a blank group in brackets too.
func (l *lexer) number() {
	s, i := l.src, l.i
	if l.prefixed() {
		return
	}
	n := &number{}
	j := i
	for l.digitAt(j) {
		j++
	}
	n.ip = s[i:j]
	if len(n.ip) > 0 && len(n.ip) <= 3 {
		j = l.groups(n, j)
	}
	if j < len(s) && s[j] == '.' && (l.digitAt(j+1) || repeatStart(s, j+1) || j+3 < len(s) && s[j+1] == '(' && l.digitAt(j+2) && strings.IndexByte(s[j+2:min(len(s), j+12)], ')') > 0) {
		n.point = true
		k := j + 1
		for l.digitAt(k) {
			k++
		}
		n.fp = s[j+1 : k]
		j = l.repeating(n, k)
	} else if j < len(s) && s[j] == '.' && len(n.ip) > 0 && !strings.HasPrefix(s[j:], "..") {
		j++ // a closing full stop
	}
	if n.rep == "" {
		j = l.exponent(n, j)
	}
	if n.ip == "" && n.fp == "" && n.rep == "" {
		n.ip = "0"
	}
	l.emit(tNum, "", j-i)
	l.toks[len(l.toks)-1].num = n
}

// prefixed reads 0x1F, 0b101 and 0o17 of program notation as the numerals 1F_{16}, 101_2 and 17_8.
func (l *lexer) prefixed() bool {
	s, i := l.src, l.i
	if s[i] != '0' || i+2 >= len(s) {
		return false
	}
	base := map[byte]int{'x': 16, 'X': 16, 'b': 2, 'B': 2, 'o': 8, 'O': 8}[s[i+1]]
	j := i + 2
	for j < len(s) && base > 0 && digitValue(s[j]) < base {
		j++
	}
	if base == 0 || j == i+2 || asciiLetter(s, j) || l.digitAt(j) {
		return false
	}
	digits := strings.ToUpper(s[i+2 : j])
	l.emit(tNum, "", j-i)
	l.toks[len(l.toks)-1].num = &number{ip: "0"}
	for k := range digits {
		if isDigit(digits[k]) {
			l.emit(tNum, "", 0)
			l.toks[len(l.toks)-1].num = &number{ip: digits[k : k+1]}
		} else {
			l.emit(tSym, digits[k:k+1], 0)
		}
	}
	l.emit(tOp, "_", 0)
	l.emit(tNum, "", 0)
	l.toks[len(l.toks)-1].num = intNumber(base)
	return true
}

// digitValue is the value of a digit up to F, 99 for anything else.
func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 99
}

// groups appends groups of three digits to n.ip and returns the index after them.
func (l *lexer) groups(n *number, j int) int {
	first := l.separator(j)
	if first == "" {
		return j
	}
	var b strings.Builder
	k, count := j, 0
	for {
		sep := l.separator(k)
		if sep == "" || (sep != first && !(len(sep) > 1 && len(first) > 1)) {
			break
		}
		d := k + len(sep)
		if !(l.digitAt(d) && l.digitAt(d+1) && l.digitAt(d+2)) || l.digitAt(d+3) {
			return j // a group of another length: no grouping at all
		}
		b.WriteString(l.src[d : d+3])
		k = d + 3
		count++
	}
	if count == 0 {
		return j
	}
	if first == " " && (n.ip == "0" || blankGroupFails(l.src, k)) {
		return j
	}
	n.ip += b.String()
	return k
}

// blankGroupFails reports whether what follows shows that blanks separated numbers: `1 100/200` is a mixed number.
func blankGroupFails(s string, k int) bool {
	if k < len(s) && (s[k] == '/' || s[k] == '^' || s[k] == '_') {
		return true
	}
	k = skipBlank(s, k)
	return k < len(s) && s[k] >= '0' && s[k] <= '9'
}

// separator returns the thousands separator at i, or "".
func (l *lexer) separator(i int) string {
	s := l.src
	if i >= len(s) {
		return ""
	}
	for _, sep := range [...]string{`{,}`, `,\!`, `\,`, `\!,`, `{,\!}`, `\;`, `\ `, `~`} {
		if strings.HasPrefix(s[i:], sep) {
			if sep == `,\!` && strings.HasPrefix(s[i:], `,\! `) {
				return `,\! `
			}
			return sep
		}
	}
	switch {
	case s[i] == '\'' && l.digitAt(i+1): // 1'234'567
		return "'"
	case s[i] == ',' && l.depth <= 0 && l.digitAt(i+1):
		return ","
	case s[i] == ' ' && l.digitAt(i+1):
		return " "
	}
	return ""
}

func repeatStart(s string, i int) bool {
	return strings.HasPrefix(s[i:], `\overline{`) || strings.HasPrefix(s[i:], `\bar{`) || strings.HasPrefix(s[i:], `\dot{`)
}

// repeating reads \overline{…}, \bar{…}, \dot{…} or (…) behind the digits of a fraction.
func (l *lexer) repeating(n *number, k int) int {
	s := l.src
	for _, cmd := range [...]string{`\overline{`, `\bar{`, `\dot{`, `\overline `, `\bar `} {
		if !strings.HasPrefix(s[k:], cmd) {
			continue
		}
		d := k + len(cmd)
		e := d
		for l.digitAt(e) {
			e++
		}
		if cmd[len(cmd)-1] == ' ' && e == d+1 {
			n.rep = s[d:e]
			return e
		}
		if e > d && e < len(s) && s[e] == '}' {
			n.rep = s[d:e]
			e++
			if cmd == `\dot{` { // 0.\dot{1}2\dot{3}
				f := e
				for l.digitAt(f) {
					f++
				}
				if strings.HasPrefix(s[f:], `\dot{`) && l.digitAt(f+5) && f+6 < len(s) && s[f+6] == '}' {
					n.rep += s[e:f] + s[f+5:f+6]
					return f + 7
				}
			}
			return e
		}
	}
	if k < len(s) && s[k] == '(' { // 0.1(6)
		e := k + 1
		for l.digitAt(e) {
			e++
		}
		if e > k+1 && e < len(s) && s[e] == ')' {
			n.rep = s[k+1 : e]
			return e + 1
		}
	}
	if l.dotsAt(k) {
		if period, tail := repeatedTail(n.fp); period != "" {
			n.fp, n.rep = n.fp[:len(n.fp)-len(tail)], period
			e := k
			for e < len(s) && s[e] == '.' {
				e++
			}
			if e == k {
				e += strings.IndexByte(s[k:], 's') + 1
			}
			return e
		}
	}
	return k
}

// dotsAt reports an ellipsis directly behind the digits.
func (l *lexer) dotsAt(k int) bool {
	s := l.src[k:]
	return strings.HasPrefix(s, "...") || strings.HasPrefix(s, `\ldots`) || strings.HasPrefix(s, `\dots`) || strings.HasPrefix(s, `\cdots`)
}

// repeatedTail finds the period that an ellipsis continues: 333 is 3 three times, 142857142857 is 142857 twice.
func repeatedTail(fp string) (period, tail string) {
	for n := 1; n <= 6; n++ {
		times := 2
		if n == 1 {
			times = 3
		}
		if len(fp) < n*times {
			break
		}
		p := fp[len(fp)-n:]
		t := strings.Repeat(p, times)
		if strings.HasSuffix(fp, t) {
			return p, t
		}
	}
	return "", ""
}

// exponent reads e5, E-3 directly behind the digits.
func (l *lexer) exponent(n *number, j int) int {
	s := l.src
	if j >= len(s) || s[j] != 'e' && s[j] != 'E' || !l.digitAt(j-1) {
		return j
	}
	k := j + 1
	neg := false
	if k < len(s) && (s[k] == '+' || s[k] == '-') {
		neg = s[k] == '-'
		k++
	}
	d := k
	v := 0
	for l.digitAt(k) {
		if v < 1<<40 {
			v = v*10 + int(s[k]-'0')
		}
		k++
	}
	if k == d || strings.HasPrefix(strings.TrimPrefix(s[k:], ")"), "_") { // 6E3_{16} is a numeral in a base
		return j
	}
	if neg {
		v = -v
	}
	n.exp, n.sci = v, true
	return k
}
