package mathcheck

import "strings"

// Values in running text: formulas and numerals, with their places.

// value is a place in running text that holds one.
type value struct {
	start, end int
	text       string
	formula    bool
}

// values lists formulas and numerals in order. Numerals that number steps, and questioned ones, are left out.
func values(s string) []value {
	var out []value
	for i := 0; i < len(s); {
		c := s[i]
		if c == '$' || c == '\\' {
			if content, end, ok := formulaAt(s, i); ok {
				if t := strings.TrimSpace(content); t != "" {
					out = append(out, value{i, end, t, true})
				}
				i = end
				continue
			}
			if c == '\\' {
				if end := rawFraction(s, i); end > 0 {
					out = append(out, value{i, end, s[i:end], true})
					i = end
					continue
				}
				i += 2
				continue
			}
		}
		if isDigit(c) || c == '.' && i+1 < len(s) && isDigit(s[i+1]) && (i == 0 || s[i-1] == ' ') {
			v := numeralAt(s, i)
			if v.text != "" {
				out = append(out, v)
			}
			i = v.end
			continue
		}
		i++
	}
	return out
}

// rawFraction returns the end of a \frac{…}{…} or \sqrt{…} outside delimiters, 0 if there is none at i.
func rawFraction(s string, i int) int {
	groups := 0
	j := i + 1
	for j < len(s) && asciiLetter(s, j) {
		j++
	}
	switch s[i+1 : j] {
	case "frac", "dfrac", "tfrac":
		groups = 2
	case "sqrt":
		groups = 1
	}
	if groups == 0 {
		return 0
	}
	for ; groups > 0; groups-- {
		if j >= len(s) || s[j] != '{' {
			return 0
		}
		if j = matchBrace(s, j) + 1; j > len(s) {
			return 0
		}
	}
	return j
}

// numeralAt reads a numeral of running text with sign, grouping, fraction and percent sign. Its text is empty if it is
// part of a word, numbers a step or is questioned.
func numeralAt(s string, i int) value {
	start := i
	j := i
	for j < len(s) {
		switch {
		case isDigit(s[j]):
			j++
			continue
		case (s[j] == ',' || s[j] == '.' || s[j] == '/' || s[j] == ':') && j+1 < len(s) && isDigit(s[j+1]):
			if s[j] == ',' && !groupOf3(s, j+1) && !decimalCommaAt(s, i, j) {
				break
			}
			j += 2
			continue
		case strings.HasPrefix(s[j:], `{,}`) && groupOf3(s, j+3):
			j += 4
			continue
		case strings.HasPrefix(s[j:], `,\!`) && groupOf3(s, j+3):
			j += 4
			continue
		}
		break
	}
	v := value{start: start, end: j}
	if start > 0 && (asciiLetter(s, start-1) || s[start-1] == '_' || s[start-1] == '#') {
		return v
	}
	k := start
	if k > 0 && s[k-1] == '$' {
		k--
	}
	if k > 0 && s[k-1] == '-' || k > 2 && s[k-3:k] == "−" {
		w := 1
		if s[k-1] != '-' {
			w = 3
		}
		if k-w == 0 || s[k-w-1] == ' ' || s[k-w-1] == '(' || s[k-w-1] == '=' || s[k-w-1] == '*' {
			if !(k-w-2 >= 0 && s[k-w-1] == ' ' && start == k && j > start && k < len(s) && s[k-1] == ' ') {
				v.start = k - w
			}
		}
	}
	if j < len(s) && asciiLetter(s, j) && j+1 < len(s) && (asciiLetter(s, j+1) || isDigit(s[j+1])) && !plainUnitAt(s, j) {
		suffix := s[j:min(len(s), j+2)]
		if suffix == "th" || suffix == "st" || suffix == "nd" || suffix == "rd" {
			return v
		}
	}
	before := strings.ToLower(strings.TrimRight(s[max(0, start-16):start], " #*"))
	for _, w := range [...]string{"step", "case", "part", "question", "problem", "equation", "theorem", "figure", "example", "chapter", "exercise"} {
		if strings.HasSuffix(before, w) {
			return v
		}
	}
	if j < len(s) && s[j] == '?' {
		return v
	}
	if listNumber(s, start, j) {
		return v
	}
	if j < len(s) && s[j] == '%' || strings.HasPrefix(s[j:], `\%`) {
		if j+1 < len(s) && s[j] == '%' && isDigit(s[j+1]) { // 12%5 is code
			return v
		}
		j++
		if s[j-1] == '\\' {
			j++
		}
	}
	v.end = j
	v.text = s[v.start:j]
	return v
}

// listNumber reports whether a numeral numbers a line: "2. Next".
func listNumber(s string, start, end int) bool {
	if end+1 >= len(s) || s[end] != '.' || s[end+1] != ' ' && s[end+1] != '\n' {
		return false
	}
	k := start
	for k > 0 && (s[k-1] == ' ' || s[k-1] == '*') {
		k--
	}
	return (k == 0 || s[k-1] == '\n') && strings.TrimSpace(s[end+1:]) != ""
}

// decimalCommaAt reports whether the comma at j is the only one of its numeral and not a separator of a list.
func decimalCommaAt(s string, i, j int) bool {
	if strings.ContainsAny(s[i:j], ",.:/") {
		return false
	}
	k := j + 1
	for k < len(s) && isDigit(s[k]) {
		k++
	}
	return k-j-1 <= 2 && !(k < len(s) && s[k] == ',')
}

func groupOf3(s string, i int) bool {
	return i+2 < len(s) && isDigit(s[i]) && isDigit(s[i+1]) && isDigit(s[i+2]) && !(i+3 < len(s) && isDigit(s[i+3]))
}

func plainUnitAt(s string, i int) bool {
	j := i
	for j < len(s) && asciiLetter(s, j) {
		j++
	}
	return plainUnits[s[i:j]] || unitKnown(s[i:j])
}
