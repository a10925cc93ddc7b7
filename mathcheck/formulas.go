package mathcheck

import "strings"

// Formulas between math delimiters.

// delimiters of formulas, longest first.
var delimiters = [...][2]string{{"$$", "$$"}, {`\[`, `\]`}, {`\(`, `\)`}, {"$", "$"}}

// formulaAt reads a formula that begins at i; end is one past its closing delimiter.
func formulaAt(s string, i int) (content string, end int, ok bool) {
	for _, d := range delimiters {
		if !strings.HasPrefix(s[i:], d[0]) {
			continue
		}
		from := i + len(d[0])
		k := strings.Index(s[from:], d[1])
		if d[0] == "$" { // "$5 and $6" are sums of money, not a formula
			for k > 0 && s[from+k-1] == '\\' {
				n := strings.Index(s[from+k+1:], "$")
				if n < 0 {
					k = -1
					break
				}
				k += 1 + n
			}
			if k < 0 || strings.Contains(s[from:from+k], "\n\n") || money(s, from, k) {
				return "", 0, false
			}
		}
		if k < 0 {
			return "", 0, false
		}
		return s[from : from+k], from + k + len(d[1]), true
	}
	return "", 0, false
}

// money reports whether a dollar sign at from-1 begins an amount rather than a formula of length k: digits behind it,
// and before the next dollar sign the text goes on in words.
func money(s string, from, k int) bool {
	if from >= len(s) || !isDigit(s[from]) {
		return false
	}
	body := s[from : from+k]
	if strings.ContainsAny(body, `\^_{}`) {
		return false
	}
	after := from + k + 1
	if after < len(s) && isDigit(s[after]) {
		return true
	}
	return strings.Contains(body, " ") && strings.ContainsAny(body, "abcdefghijklmnopqrstuvwxyz") && len(strings.Fields(body)) > 2
}

// formulaList reads formulas that begin at the start of s and are joined by "and", "or" or commas.
func formulaList(s string) (string, bool) {
	var parts []string
	i := 0
	for {
		content, end, ok := formulaAt(s, i)
		if !ok {
			break
		}
		parts = append(parts, strings.TrimSpace(content))
		i = end
		j, sep := glueAt(s, i)
		if sep == "" {
			break
		}
		if _, _, ok := formulaAt(s, j); !ok {
			break
		}
		parts = append(parts, sep)
		i = j
	}
	if len(parts) == 0 {
		return "", false
	}
	if len(parts)%2 == 0 {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 1 {
		rest := strings.ToLower(strings.TrimSpace(s[i:]))
		for _, pc := range [...]string{"percent", "%", `\%`} {
			if strings.HasPrefix(rest, pc) {
				return parts[0] + `\%`, true
			}
		}
	}
	return strings.Join(parts, " "), true
}

// glueAt reads "and", "or", a comma (or both) at i and returns where the next part begins.
func glueAt(s string, i int) (int, string) {
	j := skipBlank(s, i)
	sep := ""
	if j < len(s) && s[j] == ',' {
		sep = ","
		j = skipBlank(s, j+1)
	}
	low := strings.ToLower(s[j:min(len(s), j+4)])
	for _, w := range [...]string{"and ", "or "} {
		if strings.HasPrefix(low, w) {
			return skipBlank(s, j+len(w)), strings.TrimSpace(w)
		}
	}
	return j, sep
}
