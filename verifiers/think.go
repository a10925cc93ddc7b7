package verifiers

import "strings"

// A reasoning model thinks aloud between <think> and </think>, and what stands only there is no answer (RULES 12). The
// opening tag is often part of the prompt, so a closing tag without one ends thinking that began with the text; thinking
// that was never closed goes on to the end. Tags do not nest: a tag in mid-thought is thought. Case does not count, and
// <thinking> is the same.

// visible is the answer without its thinking. Where a block is cut out of the middle a line break stands for it, so that
// nothing grows together. It costs one pass, and no memory where there is no tag.
func visible(s string) string {
	start, end, closing := thinkTag(s, 0)
	if start < 0 {
		return s
	}
	var b strings.Builder
	thinking, from := false, 0
	for start >= 0 {
		switch {
		case closing && !thinking:
			b.Reset()
		case !closing && !thinking:
			b.WriteString(s[from:start])
			b.WriteByte('\n')
		}
		thinking, from = !closing, end
		start, end, closing = thinkTag(s, end)
	}
	if !thinking {
		b.WriteString(s[from:])
	}
	return b.String()
}

// thinkTag finds the next tag at or behind from. start is -1 where there is none.
func thinkTag(s string, from int) (start, end int, closing bool) {
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return -1, 0, false
		}
		start = from + i
		rest := s[start+1:]
		closing = strings.HasPrefix(rest, "/")
		rest = strings.TrimPrefix(rest, "/")
		for _, name := range [...]string{"think>", "thinking>"} {
			if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
				return start, len(s) - len(rest) + len(name), closing
			}
		}
		from = start + 1
	}
}
