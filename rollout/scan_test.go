package rollout

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// slowMembers and slowElements are the scanners' slower twins: they read every token.
func slowMembers(v jsontext.Value) (list []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), decodeOptions...)
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return list
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return list
		}
		list = append(list, key+"\x00"+string(value))
	}
	return list
}

func slowElements(v jsontext.Value) (list []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(v), decodeOptions...)
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '[' {
		return nil
	}
	for k := dec.PeekKind(); k != ']' && k != 0; k = dec.PeekKind() {
		value, err := dec.ReadValue()
		if err != nil {
			return list
		}
		list = append(list, string(value))
	}
	return list
}

func sameTexts(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func checkScan(t *testing.T, v jsontext.Value) {
	t.Helper()
	var members, elements []string
	for name, value := range Members(v) {
		members = append(members, name+"\x00"+string(value))
	}
	for value := range Elements(v) {
		elements = append(elements, string(value))
	}
	if !utf8.Valid(v) || !v.IsValid(decodeOptions...) {
		return // Parse lets no such text through: the scan must only come to an end
	}
	if want := slowMembers(v); !sameTexts(members, want) {
		t.Errorf("Members(%q) = %q, want %q", v, members, want)
	}
	if want := slowElements(v); !sameTexts(elements, want) {
		t.Errorf("Elements(%q) = %q, want %q", v, elements, want)
	}
}

var scanSeeds = []string{
	`{}`, `[]`, ` { } `, `{"a":1}`, ` {"a" : [1, {"b":"}]"}] , "c\n":null,"a":-1.5e3}`, `["\"",{"x":[[]]},true , 12]`, `"{"`, `12`, `null`, ``,
	`{"a"`, `{"a":`, `{"a":}`, `[,]`, `[1,`, `{"a":1,}`, `["\`, `[[`, `{"\u0061":"\ud800"}`, "[\"\xff\"]",
}

func TestScannersAgreeWithTheDecoder(t *testing.T) {
	for _, s := range scanSeeds {
		checkScan(t, jsontext.Value(s))
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range scanSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkScan(t, b) })
}
