package instructcheck

import (
	"fmt"
	"strings"
)

// format:list: two or more lines begin with the separator and have a word, and no other bullets stand there. The published
// checker counts the marks inside lines.
func formatList(p *params) check {
	sep := strings.TrimFunc(p.text("sep"), isSpace)
	return func(t *Text) (bool, string) {
		n := 0
		for _, l := range t.lineList() {
			text := strings.TrimLeftFunc(t.lineText(l), isSpace)
			switch {
			case l.code:
			case strings.HasPrefix(text, sep):
				if t.countIn(span{l.end - len(text) + len(sep), l.end}) > 0 {
					n++
				}
			case t.bullet(l) != 0:
				return false, "other bullets stand beside the list"
			}
		}
		return n >= 2, fmt.Sprintf("%d lines begin with %q, at least 2 asked for", n, sep)
	}
}

// format:thesis: each part under a heading (or all of it, without one) begins with <i> or <em>, words, its end tag, then
// words. A heading with nothing of its own before its first subheading has no part.
func formatThesis(*params) check {
	return func(t *Text) (bool, string) {
		parts := t.headedParts()
		for i, part := range parts {
			if !t.beginsWithThesis(part) {
				return false, fmt.Sprintf("part %d does not begin with a thesis in italics", i+1)
			}
		}
		return len(parts) > 0, fmt.Sprintf("%d parts, each must begin with a thesis in italics", len(parts))
	}
}

func (t *Text) headedParts() []span {
	var parts []span
	level := 0
	for _, l := range t.lineList() {
		if l.kind != headingLine {
			continue
		}
		next := runOf(quoted(t.lineText(l)), 0)
		if n := len(parts); n > 0 {
			parts[n-1].end = l.start
			if next > level && isBlank(t.s[parts[n-1].start:l.start]) {
				parts = parts[:n-1]
			}
		}
		parts, level = append(parts, span{l.end, len(t.s)}), next
	}
	if parts == nil {
		return []span{{0, len(t.s)}}
	}
	return parts
}

func (t *Text) beginsWithThesis(part span) bool {
	text := t.s[part.start:part.end]
	at := len(text) - len(strings.TrimLeftFunc(text, isSpace))
	for _, tag := range []string{"i", "em"} {
		open, shut := "<"+tag+">", "</"+tag+">"
		if len(text)-at < len(open) || !strings.EqualFold(text[at:at+len(open)], open) {
			continue
		}
		inner := at + len(open)
		end := indexFold(text[inner:], shut)
		if end < 0 {
			return false
		}
		end += inner
		return t.countIn(span{part.start + inner, part.start + end}) > 0 && t.countIn(span{part.start + end + len(shut), part.end}) > 0
	}
	return false
}

// indexFold is strings.Index for an ASCII text in any case.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// format:sub-bullets: a * bullet, and each has a - bullet before the next one. The published checker takes hyphens in words.
func formatSubBullets(*params) check {
	return func(t *Text) (bool, string) {
		stars, open := 0, false
		for _, l := range t.lineList() {
			switch t.bullet(l) {
			case '*':
				if open {
					return false, fmt.Sprintf("bullet %d has no sub-bullet", stars)
				}
				stars++
				open = true
			case '-':
				open = false
			}
		}
		return stars > 0 && !open, fmt.Sprintf("%d bullets, each must have a sub-bullet", stars)
	}
}

// format:no_bullets_bullets: two sentences or more that end in ".", then at least two * bullets and nothing else.
func formatNoBulletsBullets(*params) check {
	return func(t *Text) (bool, string) {
		first, bullets := len(t.s), 0
		for _, l := range t.lineList() {
			switch {
			case t.bullet(l) == '*':
				first = min(first, l.start)
				bullets++
			case bullets > 0 && !isBlank(t.lineText(l)):
				return false, "something else stands behind the first bullet"
			}
		}
		n, words := 0, 0
		for _, s := range t.sentenceList() {
			if s.start >= first {
				break
			}
			if s.mark != "." {
				return false, fmt.Sprintf("sentence %d does not end with a full stop", n+1)
			}
			n++
			words += t.countIn(s.span)
		}
		if words != t.countIn(span{0, first}) {
			return false, "something else than sentences stands before the bullets"
		}
		return n >= 2 && bullets >= 2, fmt.Sprintf("%d sentences and %d bullets, at least two of each asked for", n, bullets)
	}
}

// format:output_template: My Answer: … My Conclusion: … Future Outlook: …, once each, in order, each at the start of its
// line, bold or not, words behind each, nothing in front.
func formatOutputTemplate(*params) check {
	labels := []string{"My Answer", "My Conclusion", "Future Outlook"}
	return func(t *Text) (bool, string) {
		var starts, ends []int
		for _, l := range t.lineList() {
			for i, label := range labels {
				n := labelLen(t.lineText(l), label)
				if n == 0 || l.code {
					continue
				}
				if i != len(starts) {
					return false, fmt.Sprintf("%q is out of order or stands twice", label)
				}
				starts, ends = append(starts, l.start), append(ends, l.start+n)
			}
		}
		if len(starts) != len(labels) {
			return false, fmt.Sprintf("%q is missing", labels[len(starts)])
		}
		if !isBlank(t.s[:starts[0]]) {
			return false, "something stands in front"
		}
		for i, label := range labels {
			end := len(t.s)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			if strings.Count(t.s, label+":")+strings.Count(t.s, label+"**:") != 1 {
				return false, fmt.Sprintf("%q stands more than once", label)
			}
			if t.countIn(span{ends[i], end}) == 0 {
				return false, fmt.Sprintf("nothing follows %q", label)
			}
		}
		return true, "the template is filled in"
	}
}

// labelLen is the length of a label with its colon at the start of a line, bold or not; 0 where there is none.
func labelLen(s, label string) int {
	rest := strings.TrimLeftFunc(s, isSpace)
	rest = strings.TrimPrefix(rest, "**")
	rest, ok := strings.CutPrefix(rest, label)
	if !ok {
		return 0
	}
	if rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "**"), ":"); !ok {
		return 0
	}
	return len(s) - len(rest)
}
