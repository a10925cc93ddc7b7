package rollout

import (
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// Members yields the keys and raw values of a JSON object in their order; of anything else, nothing. A key that stands
// twice is yielded twice.
func Members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		eachMember(v, func(name, value jsontext.Value) bool { return yield(nameOf(name), value) })
	}
}

// Elements yields the raw elements of a JSON list; of anything else, nothing.
func Elements(v jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) { eachElement(v, yield) }
}

// Member returns the value of one key of a JSON object, the last where the key stands twice, and whether it is there.
func Member(v jsontext.Value, key string) (jsontext.Value, bool) {
	var found jsontext.Value
	eachMember(v, func(name, value jsontext.Value) bool {
		if isName(name, key) {
			found = value
		}
		return true
	})
	return found, found != nil
}
