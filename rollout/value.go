package rollout

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// Members yields the keys and raw values of a JSON object in their order; of anything else, nothing. A key that stands
// twice is yielded twice.
func Members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		if v.Kind() != '{' {
			return
		}
		dec := jsontext.NewDecoder(bytes.NewReader(v), decodeOptions...)
		if _, err := dec.ReadToken(); err != nil {
			return
		}
		for dec.PeekKind() == '"' {
			name, err := dec.ReadToken()
			if err != nil {
				return
			}
			key := name.String()
			value, err := dec.ReadValue()
			if err != nil {
				return
			}
			end := int(dec.InputOffset())
			if !yield(key, v[end-len(value):end:end]) {
				return
			}
		}
	}
}

// Elements yields the raw elements of a JSON list; of anything else, nothing.
func Elements(v jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if v.Kind() != '[' {
			return
		}
		dec := jsontext.NewDecoder(bytes.NewReader(v), decodeOptions...)
		if _, err := dec.ReadToken(); err != nil {
			return
		}
		for k := dec.PeekKind(); k != ']' && k != 0; k = dec.PeekKind() {
			value, err := dec.ReadValue()
			if err != nil {
				return
			}
			end := int(dec.InputOffset())
			if !yield(v[end-len(value) : end : end]) {
				return
			}
		}
	}
}

// Member returns the value of one key of a JSON object, the last where the key stands twice, and whether it is there.
func Member(v jsontext.Value, key string) (jsontext.Value, bool) {
	var found jsontext.Value
	for name, value := range Members(v) {
		if name == key {
			found = value
		}
	}
	return found, found != nil
}
