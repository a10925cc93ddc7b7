package jsoncheck_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/jsoncheck"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       any
	}{
		{"null", "null", nil},
		{"a number keeps its literal", "1.0e+00", json.Number("1.0e+00")},
		{"a number beyond doubles", "1e999", json.Number("1e999")},
		{"minus zero", "-0", json.Number("-0")},
		{"white space around", " \t\r\n[ ]\n", []any{}},
		{"a byte-order mark", "\ufeff{}", map[string]any{}},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9"`, "\"\\/\b\f\n\r\té"},
		{"a surrogate pair", `"\ud83d\uDE00"`, "😀"},
		{"a lone surrogate", `"\ud83dx"`, "\ufffdx"},
		{"two high surrogates and a low one", `"\ud83d\ud83d\ude00"`, "\ufffd😀"},
		{"the last of repeated members", `{"a":1,"a":2}`, map[string]any{"a": json.Number("2")}},
		{"an empty name", `{"":[{}]}`, map[string]any{"": []any{map[string]any{}}}},
		{"DEL in a string", "\"\x7f\"", "\x7f"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := jsoncheck.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if !jsoncheck.Equal(doc.Value, tt.want) || fmt.Sprint(doc.Value) != fmt.Sprint(tt.want) {
				t.Errorf("got %#v, want %#v", doc.Value, tt.want)
			}
			if doc.Raw != strings.Trim(tt.text, "\ufeff \t\r\n") {
				t.Errorf("Raw = %q", doc.Raw)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "line 1, column 1: unexpected end of text, want a value"},
		{"a mark alone", "\ufeff", "unexpected end"},
		{"two marks", "\ufeff\ufeff1", "want a value"},
		{"NaN", "NaN", `line 1, column 1: unexpected 'N', want a value`},
		{"Infinity", "[-Infinity]", `line 1, column 3: unexpected 'I', want a digit`},
		{"a trailing comma", "[1,\n 2,]", `line 2, column 4: unexpected ']', want a value`},
		{"a trailing comma in an object", `{"a":1,}`, `unexpected '}', want a member name`},
		{"single quotes", "{'a':1}", `column 2: unexpected '\'', want a member name`},
		{"a leading zero", "01", "column 2: unexpected text after the value"},
		{"a plus", "+1", "want a value"},
		{"a point without digits", "1.", "column 3: unexpected end of text, want a digit"},
		{"an exponent without digits", "1e", "want a digit"},
		{"a raw tab", "\"\t\"", "column 2: control character in a string"},
		{"a raw tab behind an escape", "\"\\n\t\"", "control character in a string"},
		{"an unknown escape", `"\a"`, "unexpected 'a', want an escape"},
		{"an escaped NUL", "\"\\\x00\"", "want an escape"},
		{"a short unicode escape", `"\u12"`, "want a hexadecimal digit"},
		{"an open string", `"abc`, "column 5: unexpected end of text in a string"},
		{"two values", "1 2", "column 3: unexpected text after the value"},
		{"a comment", "1 // one", "unexpected text"},
		{"half a word", "tru", "want a value"},
		{"columns count characters", `["é", x]`, "column 7: unexpected 'x'"},
		{"broken UTF-8", "[\"\xff\"]", "column 3: invalid UTF-8"},
		{"a surrogate in UTF-8", "\"\xed\xa0\x80\"", "invalid UTF-8"},
		{"no-break space", "\u00a01", "want a value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := jsoncheck.Parse(tt.text)
			var e *jsoncheck.SyntaxError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || errors.Is(err, jsoncheck.ErrLimit) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseNotices(t *testing.T) {
	doc, err := jsoncheck.Parse(`{"a": [1, {"b/c": {"x": 1, "x": 2}}], "a": 3, "d": 2}`)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Repeated != "/a/1/b~1c/x" || doc.Nodes != 9 || doc.Depth != 4 || doc.Type != jsoncheck.Object {
		t.Errorf("got %q, %d nodes, depth %d, %v", doc.Repeated, doc.Nodes, doc.Depth, doc.Type)
	}
	if doc, err = jsoncheck.Parse(`{"a":{"a":1},"b":{"a":1}}`); err != nil || doc.Repeated != "" {
		t.Errorf("got %v, %v", doc, err)
	}
}

func TestParseIsBounded(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if doc, err := jsoncheck.Parse(deep(jsoncheck.MaxDepth)); err != nil || doc.Depth != jsoncheck.MaxDepth {
		t.Errorf("at the bound: %v", err)
	}
	for name, text := range map[string]string{
		"one too deep": deep(jsoncheck.MaxDepth + 1),
		"open":         strings.Repeat("[", 1_000_000),
		"open objects": strings.Repeat(`{"":`, 1_000_000),
	} {
		if _, err := jsoncheck.Parse(text); !errors.Is(err, jsoncheck.ErrLimit) {
			t.Errorf("%s: got %v, want ErrLimit", name, err)
		}
	}
}

func TestExtract(t *testing.T) {
	for _, tt := range []struct{ name, text, raw, how string }{
		{"the whole text", ` {"a":1} `, `{"a":1}`, "whole"},
		{"a scalar as a whole", "true", "true", "whole"},
		{"a json fence", "Sure:\n```json\n{\"a\":1}\n```\nDone.", `{"a":1}`, "fence"},
		{"a fence in capitals", "```JSON\n[1]\n```", `[1]`, "fence"},
		{"an untagged fence", "```\n[1]\n```", `[1]`, "fence"},
		{"a scalar in a fence", "Answer:\n```json\n42\n```", "42", "fence"},
		{"the last fence", "```json\n[1]\n```\nor\n```json\n[2]\n```", "[2]", "fence"},
		{"another tag behind it", "```json\n[1]\n```\n```python\nprint([2])\n```", "[1]", "fence"},
		{"an open fence", "```json\n{\"a\":[1]}", `{"a":[1]}`, "fence"},
		{"tildes", "~~~json\n[1]\n~~~", "[1]", "fence"},
		{"a longer fence holds a shorter one", "````json\n[\"```\"]\n````", "[\"```\"]", "fence"},
		{"an indented fence", "1. x\n   ```json\n   [1]\n   ```", "[1]", "fence"},
		{"CRLF", "```json\r\n[1]\r\n```\r\n", "[1]", "fence"},
		{"prose around", `Here you go: {"a": 1} enjoy`, `{"a": 1}`, "span"},
		{"a fence on one line", "```json {\"a\":1} ``` ok", `{"a":1}`, "span"},
		{"a closing fence alone", "{\"a\": [{\"c\": 1}]}```", `{"a": [{"c": 1}]}`, "span"},
		{"a broken fence, then a span", "```json\n(1, 2)\n```\n[3]", "[3]", "span"},
		{"two objects", `{"a":1} and {"b":2}`, "", ""},
		{"JSON lines", "{\"a\":1}\n{\"a\":2}", "", ""},
		{"a brace before it", `text {not json} then {"a":1}`, "", ""},
		{"a bracket behind it", `[1] trailing ] bracket`, "", ""},
		{"closed before open", "} {", "", ""},
		{"nothing", "", "", ""},
		{"a fence inside brackets", "[```json\n[{\"id\":\"1\"}]\n```]", "", ""},
		{"another language", "```python\n42\n```", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := jsoncheck.Extract(tt.text, false)
			if (err == nil) != (tt.how != "") {
				t.Fatalf("got %v", err)
			}
			if err == nil && (doc.Raw != tt.raw || doc.How.String() != tt.how) {
				t.Errorf("got %q by %v, want %q by %s", doc.Raw, doc.How, tt.raw, tt.how)
			}
			if doc, err := jsoncheck.Extract(tt.text, true); (err == nil) != (tt.how == "whole") {
				t.Errorf("as a whole: %v, %v", doc, err)
			}
		})
	}
}

func TestExtractSaysWhenItWasTooDeep(t *testing.T) {
	text := "Answer: " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	if _, err := jsoncheck.Extract(text, false); !errors.Is(err, jsoncheck.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}

func TestTypes(t *testing.T) {
	for _, tt := range []struct {
		word, text string
		want       bool
	}{
		{"int", "3", true}, {"int", "3.0", false}, {"int", "3e0", false}, {"int", "true", false}, {"integer", "-0", true},
		{"float", "3.0", true}, {"float", "3", false}, {"number", "3", true}, {"number", "3.5", true}, {"number", "true", false},
		{"dict", "{}", true}, {"object", "[]", false}, {"list", "[]", true}, {"array", "{}", false},
		{"str", `""`, true}, {"string", "1", false}, {"bool", "false", true}, {"boolean", "0", false},
		{"null", "null", true}, {"null", "0", false}, {"", "null", true},
	} {
		want, err := jsoncheck.ParseType(tt.word)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsoncheck.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := want.Admits(doc.Type); got != tt.want {
			t.Errorf("%s admits %s: got %v", tt.word, tt.text, got)
		}
	}
	if _, err := jsoncheck.ParseType("banana"); err == nil {
		t.Error("banana is a type")
	}
}

func value(t *testing.T, text string) any {
	t.Helper()
	doc, err := jsoncheck.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Value
}

func TestEqual(t *testing.T) {
	huge := "1" + strings.Repeat("0", 1000)
	for _, tt := range []struct {
		a, b           string
		equal, matches bool
	}{
		{"1", "1.0", true, true},
		{"1", "10e-1", true, true},
		{"0", "-0.0e7", true, true},
		{"0.1", "0.10000000000000001", false, false},
		{"9007199254740993", "9007199254740992", false, false},
		{huge, "1e1000", true, true},
		{"1e1000000000000000000000", "10e999999999999999999999", true, true},
		{"1e1000000000000000000000", "1e1000000000000000000001", false, false},
		{"1e-5", "0.00001", true, true},
		{"1", "true", false, false},
		{"0", "false", false, false},
		{"null", "false", false, false},
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false, false},
		{`{"a":null}`, `{"b":null}`, false, false},
		{"[1,2]", "[2,1]", false, false},
		{`"a"`, `"A "`, false, true},
		{`["a"]`, `[" A"]`, false, true},
		{`{"a":"x"}`, `{"A":"x"}`, false, false},
		{`"é"`, `"É"`, false, true},
		{`"1"`, "1", false, true},
		{`" 1.0 "`, "1", false, true},
		{"100", `"1e2"`, false, true},
		{`"TRUE"`, "true", false, true},
		{`"1"`, "true", false, false},
		{`"[1, 2]"`, "[1,2]", false, true},
		{`"{\"a\": \"X\"}"`, `{"a":"x"}`, false, true},
		{`"none"`, "null", false, true},
		{`"None"`, "null", false, true},
		{`"null"`, "null", false, true},
		{`""`, "null", false, false},
		{`"nil"`, "null", false, false},
		{`"\"a\""`, `"a"`, false, false},
		{`"[\"1\"]"`, "[1]", false, false},
	} {
		a, b := value(t, tt.a), value(t, tt.b)
		if got := jsoncheck.Equal(a, b); got != tt.equal || jsoncheck.Equal(b, a) != got {
			t.Errorf("Equal(%.40s, %.40s) = %v", tt.a, tt.b, got)
		}
		if got := jsoncheck.Matches(a, b); got != tt.matches || jsoncheck.Matches(b, a) != got {
			t.Errorf("Matches(%.40s, %.40s) = %v", tt.a, tt.b, got)
		}
	}
}

func TestEqualFold(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`" Ok"`, `"OK"`, true}, {`[{"a":"x"}]`, `[{"a":"X "}]`, true}, {"1", "1.0", true}, {`"10"`, "10", false},
		{`"true"`, "true", false}, {`"null"`, "null", false}, {`{"a":1}`, `{"A":1}`, false},
	} {
		if got := jsoncheck.EqualFold(value(t, tt.a), value(t, tt.b)); got != tt.want {
			t.Errorf("EqualFold(%s, %s) = %v", tt.a, tt.b, got)
		}
	}
}

func TestPaths(t *testing.T) {
	doc := value(t, `{"a":{"b":[10,{"c":null}],"":1,"01":2},"":7,"a.b":8,"/":9,"²":[3],"$x":4}`)
	for _, tt := range []struct {
		path   string
		syntax jsoncheck.Syntax
		want   string
	}{
		{"a.b.0", jsoncheck.Auto, "[10]"},
		{"a.b.00", jsoncheck.Auto, "[10]"},
		{"a.b.1.c", jsoncheck.Auto, "[null]"},
		{"a.b.-1", jsoncheck.Auto, "[]"},
		{"a.b.²", jsoncheck.Auto, "[]"},
		{"a.b.+1", jsoncheck.Auto, "[]"},
		{"a.b.99999999999999999999", jsoncheck.Auto, "[]"},
		{"a.01", jsoncheck.Auto, "[2]"},
		{"a.", jsoncheck.Auto, "[1]"},
		{"", jsoncheck.Auto, "[7]"},
		{"", jsoncheck.Dotted, "[7]"},
		{"/a/b/0", jsoncheck.Auto, "[10]"},
		{"/a/b/00", jsoncheck.Auto, "[]"},
		{"/a.b", jsoncheck.Auto, "[8]"},
		{"/~1", jsoncheck.Auto, "[9]"},
		{"/~2", jsoncheck.Auto, "[]"},
		{"/a~", jsoncheck.Auto, "[]"},
		{"/", jsoncheck.Auto, "[7]"},
		{"a", jsoncheck.Pointer, "[]"},
		{"/a/b/-", jsoncheck.Pointer, "[]"},
		{"$x", jsoncheck.Dotted, "[4]"},
		{"$.a.b[1].c", jsoncheck.Auto, "[null]"},
		{"$..c", jsoncheck.Auto, "[null]"},
		{"$.a.*", jsoncheck.Auto, `[1,2,[10,{"c":null}]]`},
		{"$.a.b[::-1]", jsoncheck.Auto, `[{"c":null},10]`},
		{"$.a.b[?@ > 5]", jsoncheck.Auto, "[10]"},
		{"$.none", jsoncheck.Auto, "[]"},
	} {
		path, err := jsoncheck.CompilePath(tt.path, tt.syntax)
		if err != nil {
			t.Errorf("%q: %v", tt.path, err)
			continue
		}
		got, err := path.Select(doc)
		if err != nil || !jsoncheck.Equal(append([]any{}, got...), value(t, tt.want)) {
			t.Errorf("%q in %v: got %v, %v, want %s", tt.path, path.Syntax(), got, err, tt.want)
		}
	}
	for _, src := range []string{"$.", "$[", "$.a b", "$[?@.a ==]", "a"} {
		if _, err := jsoncheck.CompilePath(src, jsoncheck.JSONPath); err == nil {
			t.Errorf("%q is a JSONPath", src)
		}
	}
}

func TestPathsAreBounded(t *testing.T) {
	deep := value(t, strings.Repeat(`{"a":`, 2_000)+"1"+strings.Repeat("}", 2_000))
	wide := value(t, "["+strings.Repeat(`{"a":[1,2,3]},`, 20_000)+"1]")
	for _, tt := range []struct {
		path  string
		doc   any
		limit bool
	}{
		{"$..a", deep, false},
		{"$..*..*..*..*", deep, true},
		{"$..[?@..a]", deep, true},
		{"$..[?@..a]", wide, false},
		{"$..[?@..*..*..*]", deep, true},
		{"$[?$[?$[?@.a]]]", wide, true},
		{"$[*,*][*,*][*,*]", wide, false},
		{"$..[*,*]..[*,*]..[*,*]..[*,*]", deep, true},
		{"$[?count(@..*) > 2]", value(t, "["+strings.Repeat(`{"a":[1,2,3]},`, 500)+"1]"), false},
		{"$[?match(@.a, '(a*)*b')]", wide, false},
	} {
		path, err := jsoncheck.CompilePath(tt.path, jsoncheck.JSONPath)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = path.Select(tt.doc)
		if errors.Is(err, jsoncheck.ErrLimit) != tt.limit {
			t.Errorf("%s: got %v", tt.path, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", tt.path, d)
		}
	}
}

func ExampleExtract() {
	doc, err := jsoncheck.Extract("The answer:\n```json\n{\"total\": 12.50}\n```", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	path, _ := jsoncheck.CompilePath("total", jsoncheck.Auto)
	nodes, _ := path.Select(doc.Value)
	fmt.Println(doc.How, nodes[0], jsoncheck.Matches(nodes[0], "12.5"))
	// Output: fence 12.50 true
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00"]}`, "[1,]", "\ufeff1", `"\ud800"`, "1e99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc, err := jsoncheck.Parse(s)
		if err == nil != json.Valid([]byte(strings.TrimPrefix(s, "\ufeff"))) && !errors.Is(err, jsoncheck.ErrLimit) {
			if err == nil || !strings.Contains(err.Error(), "UTF-8") { // encoding/json takes broken UTF-8
				t.Fatalf("%q: %v, encoding/json says otherwise", s, err)
			}
		}
		if err != nil {
			return
		}
		if !jsoncheck.Equal(doc.Value, doc.Value) || !jsoncheck.Matches(doc.Value, doc.Value) {
			t.Fatalf("%q is not itself", s)
		}
	})
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{"```json\n[1]\n```", "a {\"b\": 1} c", "~~~\n1\n~~~", "````\n```\n````"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if doc, err := jsoncheck.Extract(s, false); err == nil && jsoncheck.Valid(doc.Raw) != nil {
			t.Fatalf("%q: %q is no JSON", s, doc.Raw)
		}
	})
}

func FuzzCompilePath(f *testing.F) {
	for _, s := range []string{"a.b", "/a~1b", "$.a[?@.b == 1]", "$..*"} {
		f.Add(s, `{"a":[{"b":1}]}`)
	}
	f.Fuzz(func(_ *testing.T, path, text string) {
		doc, err := jsoncheck.Parse(text)
		if err != nil {
			return
		}
		if p, err := jsoncheck.CompilePath(path, jsoncheck.Auto); err == nil {
			_, _ = p.Select(doc.Value)
		}
	})
}
