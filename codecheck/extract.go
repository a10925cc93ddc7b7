package codecheck

import (
	"regexp"
	"strings"
)

// How a program was found in an answer.
const (
	howTagged   = "fence:tagged"
	howUntagged = "fence:untagged"
	howOther    = "fence:other"
	howWhole    = "whole"
)

// Extract finds the program in an answer: the last fence tagged as the language, else the last untagged one that is no
// transcript of a session, else the last of any tag, else the whole text (a bare program is an answer). A tagged
// transcript counts only where nothing else is tagged. Fences are three or more backticks or tildes, tags are in any case,
// an unclosed fence runs to the end, and an indented fence (in a list) gives its indentation up; in prose without such
// fences one that stands inside a line is read ("use ```x = 1```"). Line ends become LF; blank lines and spaces inside are kept, since the first line's
// indentation can matter. Empty code means that the answer holds no program.
func Extract(answer string, lang Language) (code, how string) {
	text := strings.TrimPrefix(strings.ReplaceAll(answer, "\r\n", "\n"), "\ufeff")
	var tagged, session, untagged, other *fence
	fences := findFences(text)
	for i := range fences {
		f := &fences[i]
		if strings.TrimSpace(f.code) == "" {
			continue
		}
		switch {
		case lang.hasTag(f.tag) && isTranscript(f.code):
			session = f
		case lang.hasTag(f.tag):
			tagged = f
		case f.tag == "" && !isTranscript(f.code):
			untagged = f
		default:
			other = f
		}
	}
	if tagged == nil {
		tagged = session
	}
	switch {
	case tagged != nil:
		return tagged.code, howTagged
	case untagged != nil:
		return untagged.code, howUntagged
	case other != nil:
		return other.code, howOther
	}
	if strings.TrimSpace(text) == "" || len(fences) > 0 && onlyFences(text) {
		return "", howWhole
	}
	if f, ok := inlineFence(text); ok {
		if lang.hasTag(f.tag) {
			return f.code, howTagged
		}
		return f.code, howUntagged
	}
	return text, howWhole
}

type fence struct{ tag, code string }

// fenceLine matches a line that may open or close a fence: indentation, list or quote markers, the run, the info string.
var fenceLine = regexp.MustCompile("^([ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+|>[ \t]?)*)(`{3,}|~{3,})(.*)$")

// findFences reads the fenced blocks of a text in order. Indented code blocks are not told from indented fences: what
// looks like a fence is one.
func findFences(text string) []fence {
	var found []fence
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := fenceLine.FindStringSubmatch(lines[i])
		if m == nil || m[2][0] == '`' && strings.Contains(m[3], "`") {
			continue
		}
		tag, first := readInfo(m[3])
		body := []string{}
		if first != "" {
			body = append(body, first)
		}
		quote := strings.HasPrefix(strings.TrimLeft(m[1], " \t"), ">")
		for i++; i < len(lines) && !closes(lines[i], m[2]); i++ {
			body = append(body, dedent(lines[i], m[1], quote))
		}
		code := strings.Join(body, "\n")
		if i < len(lines) && len(body) > 0 {
			code += "\n"
		}
		found = append(found, fence{tag, code})
	}
	return found
}

// closes reports whether the line ends a block opened by the run open: the same sign, at least as often, nothing else.
func closes(line, open string) bool {
	s := strings.TrimLeft(strings.TrimSpace(line), "> \t")
	return len(s) >= len(open) && strings.Trim(s, open[:1]) == ""
}

// dedent removes from a line of a block the indentation that its fence stood at, and the quote sign where it was quoted.
func dedent(line, prefix string, quote bool) string {
	if quote {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ">"); ok {
			return strings.TrimPrefix(rest, " ")
		}
		return line
	}
	n := 0
	for n < len(line) && n < len(prefix) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return line[n:]
}

var (
	plainTag = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+#.-]*$`)
	codeSign = regexp.MustCompile(`[()\[\]=:;]`)
)

// readInfo splits an info string into the language tag, in lower case, and a first line of code that was written on the
// line of the fence ("```def f(): ...").
func readInfo(info string) (tag, code string) {
	info = strings.TrimSpace(info)
	if info == "" {
		return "", ""
	}
	word := strings.TrimPrefix(strings.TrimLeft(info, "{"), ".")
	rest := ""
	if i := strings.IndexAny(word, " \t,:{}="); i >= 0 {
		word, rest = word[:i], strings.TrimSpace(word[i:])
	}
	if plainTag.MatchString(word) && (rest == "" || strings.HasPrefix(info, "{") || knownTag(strings.ToLower(word)) || !codeSign.MatchString(info)) {
		switch {
		case startsStatement(firstWord(rest)) && codeSign.MatchString(rest): // ```python def f(): …
			return strings.ToLower(word), rest
		case rest == "" || knownTag(strings.ToLower(word)) || strings.HasPrefix(info, "{") || !startsStatement(word):
			return strings.ToLower(word), ""
		}
	}
	return "", info
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		return s[:i]
	}
	return s
}

// startsStatement reports whether a word begins a Python statement rather than naming a language.
func startsStatement(word string) bool {
	switch word {
	case "import", "from", "def", "class", "print", "return", "if", "for", "while", "with", "try", "async":
		return true
	}
	return false
}

var promptLine = regexp.MustCompile(`(?m)^\s*(>>> |>>>$|\$ |In \[\d+\]:|C:\\[^\n]*>)`)

// isTranscript reports whether an untagged block shows a session (prompts and their output) rather than a program.
func isTranscript(code string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(code, " \t\n"), "\n")
	return promptLine.MatchString(first)
}

// onlyFences reports whether nothing but blank lines and empty fences stands in a text.
func onlyFences(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !fenceLine.MatchString(line) {
			return false
		}
	}
	return true
}

var (
	// inlineOpen is a run of backticks inside a line, with a tag where the line ends behind it.
	inlineOpen = regexp.MustCompile("`{3,}(?:[ \t]*([A-Za-z][A-Za-z0-9_+#.-]*)[ \t]*\n)?")
	// statementLine is a line that prose does not have: it begins a statement, or is indented.
	statementLine = regexp.MustCompile(`(?m)^(?:[ \t]+\S|(?:def|class|import|from|return|for|while|if|with|try|async|print)\b.*[(:]|import |from |@|#|\w+(?:\[.*\])? = )`)
)

// inlineFence finds the last fence that opens inside a line, in a text whose words before the first one are prose: in a
// bare program backticks belong to its strings and comments. It closes at the next run that is as long.
func inlineFence(text string) (last fence, ok bool) {
	for at := 0; ; {
		m := inlineOpen.FindStringSubmatchIndex(text[at:])
		if m == nil || at == 0 && statementLine.MatchString(text[:m[0]]) {
			return last, ok
		}
		run := text[at+m[0] : at+m[1]]
		run = run[:strings.LastIndexByte(run, '`')+1]
		tag := ""
		if m[2] >= 0 {
			tag = strings.ToLower(text[at+m[2] : at+m[3]])
		}
		body := text[at+m[1]:]
		n := strings.Index(body, run)
		if n < 0 {
			n = len(body)
		}
		if strings.TrimSpace(body[:n]) != "" {
			last, ok = fence{tag, body[:n]}, true
		}
		if at += m[1] + n + len(run); at >= len(text) {
			return last, ok
		}
	}
}
