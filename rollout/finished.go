package rollout

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// minCut is the number of code points from which a reply without an ending counts as cut off.
const minCut = 200

// endings are characters that a finished reply ends with.
const endings = ".!?:)\"'\\]}…。！？”’」』）*`"

var (
	bareNumber = regexp.MustCompile(`^(####\s*)?[-+]?[$€£¥]?\s?\d[\d,. ]*\s?[%$€£¥]?$`)
	signOffs   = strings.Fields("thanks thank cheers regards best sincerely yours kind warm warmly love greetings respectfully cordially")
)

// LooksFinished guesses from a text alone whether its writer was done: it ends with a sentence's end, a bracket or a quotation mark,
// a closed fence, a bare number or amount, or as a letter does.
func LooksFinished(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if strings.HasSuffix(text, "```") {
		return strings.Count(text, "```")%2 == 0
	}
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(endings, last) {
		return true
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	last := strings.TrimSpace(lines[len(lines)-1])
	if bareNumber.MatchString(last) || isSignOff(last) {
		return true
	}
	if len(lines) < 2 || !isSigner(last) {
		return false
	}
	before := strings.TrimSpace(lines[len(lines)-2])
	return strings.HasSuffix(before, ",") || isSignOff(before)
}

// isSignOff recognises "Kind regards" and the like.
func isSignOff(line string) bool {
	words := strings.Fields(strings.ToLower(strings.TrimRight(line, ",")))
	return len(words) > 0 && len(words) <= 6 && slices.Contains(signOffs, words[0])
}

// isSigner recognises one to three capitalised words.
func isSigner(line string) bool {
	words := strings.Fields(line)
	if len(words) > 3 {
		return false
	}
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(first) {
			return false
		}
	}
	return len(words) > 0
}

// Truncated says whether a rollout was cut off: its finish_reason is length, a step says so, the judge's reason does, or its reply
// is long and has no ending.
func (r *Row) Truncated() bool {
	if v, ok := r.Get("finish_reason"); ok && text(v) == "length" {
		return true
	}
	if steps, ok := r.Get("steps"); ok && steps.Kind() == '[' {
		for step := range Elements(steps) {
			if v, ok := Member(step, "truncated"); ok && isTrue(v) {
				return true
			}
		}
	}
	if v, ok := r.Get("reason"); ok {
		if reason := strings.ToLower(text(v)); strings.Contains(reason, "truncat") || strings.Contains(reason, "cut off") {
			return true
		}
	}
	reply := r.Candidate()
	return utf8.RuneCountInString(strings.TrimSpace(reply)) >= minCut && !LooksFinished(reply)
}

func isTrue(v jsontext.Value) bool { return v.Kind() == 't' }
