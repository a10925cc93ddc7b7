package mathcheck

import "strings"

// Environments: matrices, systems, aligned lines.

// environment reads \begin{…} and \end{…}.
func (l *lexer) environment(which string, n int) {
	j := skipBlank(l.src, l.i+n)
	if j >= len(l.src) || l.src[j] != '{' {
		l.emit(tBad, which, n)
		return
	}
	k := l.closing(j)
	if k >= len(l.src) {
		l.emit(tBad, which, len(l.src)-l.i)
		return
	}
	name := strings.TrimSuffix(l.src[j+1:k], "*")
	length := k + 1 - l.i
	if l.system && (name == "array" || name == "aligned") {
		if which == "begin" {
			if name == "array" {
				length = l.columnSpec(k+1) - l.i
			}
		} else {
			l.system = false
		}
		name = "cases"
	}
	switch name {
	case "pmatrix", "bmatrix", "matrix", "vmatrix", "Bmatrix", "Vmatrix", "smallmatrix", "array":
		if which == "begin" {
			if name == "array" {
				length = l.columnSpec(k+1) - l.i
			}
			l.emit(tOpen, name, length)
		} else {
			l.emit(tClose, "matrix", length)
		}
	case "cases":
		if which == "begin" {
			l.emit(tOpen, "cases", length)
		} else {
			l.emit(tClose, "cases", length)
		}
	case "align", "aligned":
		l.align = which == "begin"
		l.i += length
		l.sp = true
	case "equation", "gather", "gathered", "split", "math", "displaymath":
		l.i += length
		l.sp = true
	default:
		l.emit(tBad, name, length)
	}
}

func (l *lexer) columnSpec(i int) int {
	if j := skipBlank(l.src, i); j < len(l.src) && l.src[j] == '{' {
		return min(l.closing(j)+1, len(l.src))
	}
	return i
}

// systemAt reports whether a brace and an array follow: a system of equations written without cases.
func systemAt(s string, j int) bool {
	if !strings.HasPrefix(s[min(j, len(s)):], `\{`) {
		return false
	}
	k := skipBlank(s, j+2)
	return strings.HasPrefix(s[k:], `\begin{array}`) || strings.HasPrefix(s[k:], `\begin{aligned}`)
}

// alignBreak reads the end of a line in align: a line that begins with a relation or a sign goes on, any other begins a
// statement of its own.
func (l *lexer) alignBreak() {
	j := skipBlank(l.src, l.i+2)
	l.sp = true
	if j >= len(l.src) || strings.IndexByte("&=+-<>", l.src[j]) >= 0 || len(l.toks) == 0 || strings.HasPrefix(l.src[j:], `\end`) || strings.HasPrefix(l.src[j:], `\le`) || strings.HasPrefix(l.src[j:], `\ge`) || strings.HasPrefix(l.src[j:], `\approx`) || strings.HasPrefix(l.src[j:], `\times`) || strings.HasPrefix(l.src[j:], `\cdot`) || strings.HasPrefix(l.src[j:], `\q`) {
		l.i += 2
		return
	}
	l.emit(tOp, ",", 2)
}
