package yamljson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/internal/yamljson"
)

func TestToJSON(t *testing.T) {
	for _, tt := range []struct{ name, yaml, want string }{
		{"a mapping keeps its order", "b: 1\na: 2", `{"b":1,"a":2}`},
		{"nesting", "of:\n  - kind: regex\n    pattern: '\\d+'\n  - kind: rule", `{"of":[{"kind":"regex","pattern":"\\d+"},{"kind":"rule"}]}`},
		{"flow style", "{a: [1, two, 'three']}", `{"a":[1,"two","three"]}`},
		{"yes and no are texts", "[yes, no, on, off, y, n]", `["yes","no","on","off","y","n"]`},
		{"bools", "[true, False, TRUE]", `[true,false,true]`},
		{"nulls", "[null, ~, NULL, '']\n", `[null,null,null,""]`},
		{"an empty value is null", "a:", `{"a":null}`},
		{"an empty document is null", "# nothing\n", `null`},
		{"a leading zero is decimal", "[010, 0o10, 0x1F, -012]", `[10,8,31,-12]`},
		{"not numbers in 1.2", "[1_000, 12:30, 0b11, 1e, e5, ., +]", `["1_000","12:30","0b11","1e","e5",".","+"]`},
		{"dates are texts", "2024-01-31", `"2024-01-31"`},
		{"versions are texts", "1.2.3", `"1.2.3"`},
		{"floats", "[1.5, .5, 1., +2, 1e3, 1.50, -.5e-3, 00.5]", `[1.5,0.5,1.0,2,1e3,1.50,-0.5e-3,0.5]`},
		{"long numbers keep their digits", "12345678901234567890123", `12345678901234567890123`},
		{"quoted numbers are texts", `["1", '2', !!str 3]`, `["1","2","3"]`},
		{"explicit tags", "[!!int 1, !!float 1, !!bool true, !!null ~, !!seq [], !!map {}]", `[1,1,true,null,[],{}]`},
		{"block texts", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", `{"a":"x\ny\n","b":"x y"}`},
		{"anchors", "a: &x [1]\nb: *x", `{"a":[1],"b":[1]}`},
		{"an alias as key", "a: &x k\n*x : 1", `{"a":"k","k":1}`},
		{"markup is not escaped", "a: <b> & c", `{"a":"<b> & c"}`},
		{"escapes", `"a\tb\u00e9\x41"`, `"a\tbéA"`},
		{"a quoted merge key is a key", `"<<": 1`, `{"<<":1}`},
		{"JSON passes through", " {\"b\": 1.0, \"a\": \"\\ud83d\\ude00\", \"n\": {\"a\": [\"a\", \"a\"]}}\n", `{"b": 1.0, "a": "\ud83d\ude00", "n": {"a": ["a", "a"]}}`},
		{"JSON with a byte-order mark", "\ufeff[1]", `[1]`},
		{"a scalar", "text", `"text"`},
		{"document markers", "---\na: 1\n...\n", `{"a":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := yamljson.ToJSON([]byte(tt.yaml))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !json.Valid(got) {
				t.Errorf("%s is no JSON", got)
			}
		})
	}
}

func TestToJSONRefuses(t *testing.T) {
	for _, tt := range []struct{ name, yaml, want string }{
		{"a key twice", "a: 1\nb: 2\na: 3", `line 3, column 1: key "a" stands twice`},
		{"a key twice in two spellings", "a: 1\n\"a\": 3", `line 2, column 1: key "a" stands twice`},
		{"a key twice in JSON", "{\"a\": 1,\n \"b\\\"\": {\"a\": 1},\n \"a\": 2}", `line 3, column 2: key "a" stands twice`},
		{"a number as key", "x:\n  1: a", `line 2, column 3: key 1 is no text: quote it`},
		{"a bool as key", "true: a", `line 1, column 1: key true is no text: quote it`},
		{"a null as key", "~: a", `line 1, column 1: key ~ is no text: quote it`},
		{"a list as key", "[a]: b", `line 1, column 1: a key must be a text`},
		{"merge keys", "a: &x {b: 1}\nc:\n  <<: *x", `line 3, column 3: merge keys`},
		{"not a number", "[1, .nan]", `line 1, column 5: .nan has no JSON`},
		{"infinity", "-.inf", `line 1, column 1: -.inf has no JSON`},
		{"an unknown tag", "!!binary aGk=", `line 1, column 1: tag !!binary has no JSON`},
		{"a tag of a list", "!!set [a]", `line 1, column 1: tag !!set has no JSON`},
		{"a tag that does not fit", "!!int x", `line 1, column 1: "x" is no int`},
		{"two documents", "a: 1\n---\nb: 2", `a second document`},
		{"broken indentation", "a:\n  - b\n c: d", `line`},
		{"an open bracket", "a: [1", `line`},
		{"an unknown anchor", "a: *x", `unknown anchor`},
		{"an anchor in itself", "a: &x [*x]", `stands inside what it names`},
		{"broken UTF-8", "a: \xff", `UTF-8`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := yamljson.ToJSON([]byte(tt.yaml))
			var e *yamljson.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %s, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestToJSONIsBounded(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	quiet := strings.ReplaceAll(bomb, "[x, x, x, x, x, x, x, x, x, x]", "[]")
	for name, text := range map[string]string{
		"aliases":        bomb,
		"empty aliases":  quiet,
		"brackets":       strings.Repeat("[", 200_000),
		"closed":         strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000),
		"braces":         strings.Repeat("{a: ", 20_000),
		"block nesting":  nested(3_000),
		"question marks": strings.Repeat("? ", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if got, err := yamljson.ToJSON([]byte(text)); err == nil && len(got) > 1<<20 {
				t.Errorf("got %d bytes", len(got))
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func FuzzToJSON(f *testing.F) {
	for _, s := range []string{"a: 1", "[1, .5, 0x1]", "a: &x [1]\nb: *x", "? a\n: b", `{"a": 1}`, "- |\n x\n", "!!int 3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := yamljson.ToJSON(data)
		if err != nil {
			return
		}
		if !json.Valid(out) {
			t.Fatalf("%q became %q", data, out)
		}
		again, err := yamljson.ToJSON(out)
		if err != nil || string(again) != string(out) {
			t.Fatalf("%q became %q, then %q, %v", data, out, again, err)
		}
	})
}
