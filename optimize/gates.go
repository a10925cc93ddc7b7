package optimize

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

const (
	sameChars   = 30  // of one character in a row are junk
	longReply   = 600 // code points above which a reply must look finished
	leakedChars = 12  // code points of a privileged value that a reply must not quote
)

var (
	errorText = regexp.MustCompile(`(?i)^\s*[<\[(]?\s*(agent|model|provider|api|upstream|internal server|rate limit|connection|request)[ _-]?(error|exceeded|failure|timeout|timed out)\b`)
	markup    = regexp.MustCompile(`(?i)</?(tool_call|tool_response|function_call|tool_use|invoke)\b|<\|(tool|im_start|im_end|python_tag)|<function=|\[TOOL_CALLS\]`)
	harness   = regexp.MustCompile(`(?i)\b(system[ _-]reminder|mock (world|tool)|simulated (user|tool)|tool schema|world[_ ]state)\b`)
)

// junk says whether a reply carries nothing to learn from.
func junk(r *rollout.Row, truncatedStays bool) bool {
	reply := strings.TrimSpace(r.Candidate())
	calls := len(rollout.ToolCalls(r)) > 0
	switch {
	case reply == "", sameCharacter(reply), markup.MatchString(reply), harness.MatchString(reply), endsOnOther(r):
		return true
	case errorText.MatchString(reply) && (!calls || reply[0] == '<' || reply[0] == '['):
		return true
	case utf8.RuneCountInString(reply) > longReply && !rollout.LooksFinished(reply) && !truncatedStays:
		return true
	}
	return len(strings.Fields(r.Prompt)) <= 2 && r.Prompt != "" && strings.HasSuffix(reply, "?")
}

// sameCharacter finds one character over and over.
func sameCharacter(s string) bool {
	run, last := 0, rune(-1)
	for _, c := range s {
		if unicode.IsSpace(c) {
			continue
		}
		if run++; c != last {
			run, last = 1, c
		}
		if run >= sameChars {
			return true
		}
	}
	return false
}

// endsOnOther says whether somebody else than the assistant has the last word.
func endsOnOther(r *rollout.Row) bool {
	if len(r.Messages) == 0 || r.FinalText != "" {
		return false
	}
	role := r.Messages[len(r.Messages)-1].Role
	return role == "user" || role == "tool"
}

// verifiedZero is a failure that a person or a strong judge labelled: it stays, junk or not.
func verifiedZero(r *rollout.Row, label int8) bool {
	source := r.Text("label_source")
	return label == 0 && (source == "gold" || strings.HasPrefix(source, "claude"))
}

// doesNothing is an unlabelled rollout that called no tool where its ask wanted one.
func doesNothing(r *rollout.Row) bool {
	return r.Text("ask_family") == "tool" && len(rollout.ToolCalls(r)) == 0
}

// Leaks says whether a row has privileged values to look for (checked), and whether its reply quotes one of twelve or more
// characters, letter case and blanks apart.
func Leaks(r *rollout.Row) (checked, leaked bool) {
	object, ok := r.Get("privileged")
	if !ok || object.Kind() != '{' {
		return false, false
	}
	reply := fold(r.Candidate())
	for _, key := range [...]string{"reference", "principle", "hidden_state"} {
		if v, ok := rollout.Member(object, key); ok && quotes(reply, v) {
			return true, true
		}
	}
	return true, false
}

// quotes looks for each text within a value.
func quotes(reply string, v jsontext.Value) bool {
	switch v.Kind() {
	case '{':
		for _, inner := range rollout.Members(v) {
			if quotes(reply, inner) {
				return true
			}
		}
	case '[':
		for inner := range rollout.Elements(v) {
			if quotes(reply, inner) {
				return true
			}
		}
	case '"':
		needle := fold(rollout.ScalarText(v))
		return utf8.RuneCountInString(needle) >= leakedChars && strings.Contains(reply, needle)
	}
	return false
}

// fold puts a text into lower case with single blanks.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
