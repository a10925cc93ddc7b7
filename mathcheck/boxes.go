package mathcheck

import "strings"

// box is one \boxed{…} or \fbox{…}.
type box struct {
	start, end int // of the whole command
	content    string
}

const maxBoxes = 64

// findBoxes lists the outermost boxes, at most the last maxBoxes. An unclosed one runs to the end.
func findBoxes(s string) []box {
	var out []box
	for i := 0; i < len(s); {
		k := nextBox(s, i)
		if k < 0 {
			break
		}
		j := skipBlank(s, strings.IndexAny(s[k:], "xX")+k+1)
		for j < len(s) && asciiLetter(s, j) { // \boxed
			j++
		}
		j = skipBlank(s, j)
		if j >= len(s) || s[j] != '{' {
			i = k + 4
			continue
		}
		end := matchBrace(s, j)
		b := box{start: k, end: min(end+1, len(s)), content: s[j+1 : end]}
		if end >= len(s) {
			b.content = strings.TrimRight(b.content, "$ \n")
		}
		out = append(out, b)
		if len(out) > maxBoxes {
			out = out[1:]
		}
		i = b.end
	}
	return out
}

// nextBox returns the index of the next \boxed or \fbox from i on, or -1.
func nextBox(s string, i int) int {
	for {
		k := strings.IndexByte(s[i:], '\\')
		if k < 0 {
			return -1
		}
		k += i
		rest := s[k+1:]
		if strings.HasPrefix(rest, "boxed") && !asciiLetter(rest, 5) || strings.HasPrefix(rest, "fbox") && !asciiLetter(rest, 4) || strings.HasPrefix(rest, "framebox") {
			return k
		}
		i = k + 1
	}
}

// inner strips boxes around the whole content.
func inner(s string) string {
	for n := 0; n < 8; n++ {
		b := findBoxes(s)
		if len(b) != 1 || strings.TrimSpace(s[:b[0].start]) != "" || strings.TrimSpace(s[b[0].end:]) != "" {
			break
		}
		s = b[0].content
	}
	return strings.TrimSpace(s)
}

// boxSpans returns the last group of boxes as one list. If the other side is a list, boxes with a few words between
// them are a group too.
func (c *candidate) boxSpans(boxes []box, gold *answer) []string {
	group := []string{c.named(boxes, len(boxes)-1)}
	first := inner(boxes[len(boxes)-1].content)
	for i := len(boxes) - 2; i >= 0; i-- {
		sep := c.body[boxes[i].end:boxes[i+1].start]
		if !joins(sep) {
			break
		}
		group = append([]string{c.named(boxes, i)}, group...)
	}
	out := uniqueList(group)
	if len(out) == 1 {
		out = []string{first}
	}
	for _, s := range out {
		if strings.TrimSpace(s) == "" {
			return nil
		}
	}
	spans := []string{strings.Join(out, ", ")}
	if len(out) == 1 && strings.Contains(out[0], "nswer") {
		if rest, _, found := lastMarker(bareText(out[0])); found {
			if v, ok := valueAfter(rest); ok {
				spans = append(spans, v)
			}
		}
	}
	if gold != nil && gold.root != nil && len(itemsOf(gold.root)) > 1 {
		if alt := c.looseBoxes(); alt != "" {
			spans = append(spans, alt)
		}
	}
	return spans
}

// named returns a box's content with a name before it, as in y_1 = \boxed{…}.
func (c *candidate) named(boxes []box, i int) string {
	content := inner(boxes[i].content)
	from := 0
	if i > 0 {
		from = boxes[i-1].end
	}
	sep := strings.TrimRight(c.body[from:boxes[i].start], " ")
	if !strings.HasSuffix(sep, "=") || strings.Contains(content, "=") {
		return content
	}
	sep = strings.TrimSpace(strings.TrimSuffix(sep, "="))
	if k := strings.LastIndexAny(sep, " \n$,;({"); k >= 0 && !strings.HasSuffix(sep, "}") {
		sep = sep[k+1:]
	}
	if n, err := parse(fold(sep), false); err == nil && n.op == opSym && len(sep) < 20 {
		return sep + " = " + content
	}
	return content
}

func uniqueList(in []string) []string {
	var out []string
	for _, s := range in {
		dup := false
		for _, t := range out {
			dup = dup || squash(s) == squash(t)
		}
		if !dup {
			out = append(out, s)
		}
	}
	return out
}

// joins reports whether what stands between two boxes makes them one list: punctuation, math delimiters, blanks, "and",
// "or", a name with an equals sign.
func joins(sep string) bool {
	if len(sep) > 60 {
		return false
	}
	return joinWords(sep) == 0
}

// joinWords counts the words between boxes that are no glue; 99 if something other than words stands there.
func joinWords(sep string) int {
	toks := lex(fold(strings.NewReplacer(`\(`, " ", `\)`, " ", `\[`, " ", `\]`, " ").Replace(sep)))
	words := 0
	for i, t := range toks {
		switch t.kind {
		case tEOF, tClose, tOpen:
		case tSym:
			k := i + 1
			if toks[k].kind == tOp && toks[k].s == "_" {
				k += 2
				for k < len(toks)-1 && (toks[k].kind == tClose || toks[k].kind == tNum) {
					k++
				}
			}
			if !(toks[min(k, len(toks)-1)].s == "=") {
				if !(i > 0 && toks[i-1].s == "_") {
					words++
				}
			}
		case tNum:
			if !(i > 0 && (toks[i-1].s == "_" || toks[i-1].s == "{")) {
				return 99
			}
		case tOp:
			switch t.s {
			case ",", ";", ".", "and", "or", "=", "_", ":", `\\`, "&", "'":
			default:
				return 99
			}
		case tWord:
			words++
		default:
			return 99
		}
	}
	return words
}

// looseBoxes joins all boxes that a few words and an "and" or "or" part; "" if there is no such group.
func (c *candidate) looseBoxes() string {
	boxes := findBoxes(c.body)
	if len(boxes) < 2 {
		return ""
	}
	group := []string{inner(boxes[len(boxes)-1].content)}
	for i := len(boxes) - 2; i >= 0; i-- {
		sep := c.body[boxes[i].end:boxes[i+1].start]
		low := strings.ToLower(sep)
		if len(sep) > 120 || len(strings.Fields(sep)) > 10 || !strings.Contains(low, "and") && !strings.Contains(low, "or ") || strings.Contains(sep, ". ") || strings.Contains(low, "not") || strings.Contains(low, "wrong") {
			break
		}
		group = append([]string{inner(boxes[i].content)}, group...)
	}
	if len(group) < 2 {
		return ""
	}
	return strings.Join(uniqueList(group), ", ")
}
