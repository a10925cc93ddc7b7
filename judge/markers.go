package judge

import (
	"fmt"
	"strings"
)

// badOutcomes are words that name what went wrong. Chosen from the marker names that data sets in the field use.
var badOutcomes = map[string]bool{
	"false": true, "wrong": true, "bad": true, "error": true, "errors": true, "fail": true, "failed": true, "failure": true,
	"failures": true, "missing": true, "invalid": true, "incorrect": true, "hallucination": true, "hallucinated": true,
	"violation": true, "violations": true, "unsafe": true, "toxic": true, "toxicity": true, "cheat": true, "cheated": true,
	"hack": true, "hacked": true, "leak": true, "leaked": true, "refused": true, "refusal": true, "broken": true,
	"crash": true, "crashed": true, "timeout": true,
}

// goodTurns turn a bad word into a good outcome: no_error, error_free, avoided_leak.
var goodTurns = map[string]bool{"no": true, "not": true, "non": true, "free": true, "without": true, "avoided": true, "handled": true, "recovered": true, "acknowledged": true}

// MarkerWarning says what is wrong with a marker's name, or nothing: 1.0 must be the good outcome, so a marker named for
// the bad one reads as a regression when the fault is repaired.
func MarkerWarning(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c == '_' || c == '-' || c == '.' || c == ' ' })
	bad := ""
	for _, w := range words {
		if goodTurns[w] {
			return ""
		}
		if badOutcomes[w] {
			bad = w
		}
	}
	if bad == "" {
		return ""
	}
	return fmt.Sprintf("marker %q is named for the bad outcome (%q): 1.0 is read as good; name it for what you want", name, bad)
}
