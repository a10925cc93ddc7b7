package jsoncheck

import (
	"encoding/json"
	"strings"
)

// Equal reports whether two values are the same JSON: numbers by exact decimal value (1 is 1.0 is 10e-1), true is
// not 1, the order of members does not count. Values of other Go types equal nothing. Cost is linear in the smaller
// value; numbers are never written out.
func Equal(a, b any) bool { return equal(a, b, func(x, y string) bool { return x == y }) }

// EqualFold is Equal, but texts are stripped of white space and compared in any case, also inside lists and objects
// (names of members keep theirs). A text never equals another type: "10" is not 10.
func EqualFold(a, b any) bool { return equal(a, b, sameText) }

func equal(a, b any, texts func(x, y string) bool) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case json.Number:
		b, ok := b.(json.Number)
		return ok && equalNumbers(string(a), string(b))
	case string:
		b, ok := b.(string)
		return ok && texts(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i], texts) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !equal(v, w, texts) {
				return false
			}
		}
		return true
	}
	return false
}

// Matches compares a field of an answer with its gold the way people mean it: like EqualFold, and where one side alone
// is a text, it matches the other by its JSON spelling: "1", " TRUE ", "[1, 2]"; "null" and "none" spell null.
func Matches(got, gold any) bool {
	text, isText := got.(string)
	other := gold
	if goldText, ok := gold.(string); ok {
		if isText {
			return sameText(text, goldText)
		}
		text, other, isText = goldText, got, true
	}
	if !isText {
		return EqualFold(got, gold)
	}
	text = strings.TrimSpace(text)
	if other == nil && strings.EqualFold(text, "none") {
		return true
	}
	for _, spelling := range []string{text, strings.ToLower(text)} {
		if doc, err := Parse(spelling); err == nil && doc.Type != String && EqualFold(doc.Value, other) {
			return true
		}
	}
	return false
}

func sameText(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
