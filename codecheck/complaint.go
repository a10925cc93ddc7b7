package codecheck

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// maxComplaint bounds what is kept of a compiler's messages: its first errors.
const maxComplaint = 4 << 10

// place finds where a message points to: FILE:LINE, FILE(LINE, or an arrow and such a place on a line of its own.
var place = regexp.MustCompile(`^(\s*-->\s*)?(?:\./)?([^\s:(]+)[:(](\d+)`)

// complaint is what of a compiler's messages may be shown: all of them where nothing but the candidate's text was compiled, else the
// first lines of those that point into it. The rest may quote tests.
func (j *judgement) complaint(res sandbox.Result) string {
	text := string(res.Stderr.Data)
	if strings.TrimSpace(text) == "" {
		text = string(res.Stdout.Data) // where TypeScript's own compiler writes
	}
	if t := j.task.Tests; t.Format == ProgramAppend || t.Format == TestFiles {
		text = j.ownLines(text)
	}
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
	if len(text) > maxComplaint {
		text = strings.ToValidUTF8(text[:maxComplaint], "") + " …"
	}
	return text
}

// ownLines keeps the messages that point into the candidate's own lines, as they are counted in its answer.
func (j *judgement) ownLines(text string) string {
	t := j.task.Tests
	first, file := 1, t.SolutionFile
	if t.Format == ProgramAppend {
		if file = t.File; file == "" {
			file, _ = j.lang.names(j.rep.Extracted)
		}
		first += strings.Count(strings.Join(append(j.before(), ""), "\n"), "\n")
	}
	lines := strings.Count(strings.TrimRight(j.source(), "\n"), "\n") + 1
	var kept []string
	before := ""
	for line := range strings.Lines(text) {
		m := place.FindStringSubmatch(line)
		line, was := strings.TrimRight(line, "\r\n"), before
		before = line
		if m == nil || path.Base(m[2]) != path.Base(file) {
			continue
		}
		n, err := strconv.Atoi(m[3])
		if err != nil || n < first || n >= first+lines {
			continue
		}
		if m[1] != "" {
			kept = append(kept, was)
		}
		kept = append(kept, strings.Replace(line, m[3], strconv.Itoa(n-first+1), 1))
	}
	return strings.Join(kept, "\n")
}
