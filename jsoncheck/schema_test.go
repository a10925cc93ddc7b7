package jsoncheck_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/jsoncheck"
)

func compile(t testing.TB, schema string, cfg jsoncheck.SchemaConfig) *jsoncheck.Schema {
	t.Helper()
	s, err := jsoncheck.CompileSchema([]byte(schema), cfg)
	if err != nil {
		t.Fatalf("%.200s: %v", schema, err)
	}
	return s
}

func TestValidateSays(t *testing.T) {
	for _, tt := range []struct{ name, schema, text, want string }{
		{"a type", `{"type":"integer"}`, `"x"`, "[integer expected, got string]"},
		{"3.0 is an integer", `{"type":"integer"}`, `3.0`, "[]"},
		{"true is no number", `{"type":"number"}`, `true`, "[number expected, got boolean]"},
		{"a missing member", `{"required":["name","age"]}`, `{"name":1}`, `[missing "age"]`},
		{"a place", `{"properties":{"a/b":{"items":{"minimum":3}}}}`, `{"a/b":[4,2]}`, "[/a~1b/1: must be >= 3]"},
		{"the answer is not told", `{"properties":{"a":{"const":"s3cret"},"b":{"enum":["s3cret","x"]}}}`, `{"a":"q","b":"q"}`,
			"[/a: not the required value /b: not one of the 2 allowed values]"},
		{"additional members in order", `{"properties":{"a":{}},"additionalProperties":false}`, `{"c":1,"b":1,"a":1}`, `[unexpected "b", "c"]`},
		{"a pattern", `{"pattern":"^a+$"}`, `"b"`, `[does not match "^a+$"]`},
		{"alternatives in short", `{"anyOf":[{"type":"string"},{"minimum":5}]}`, `3`, "[matches none of the alternatives]"},
		{"two of one", `{"oneOf":[{"type":"integer"},{"minimum":2}]}`, `3`, "[matches more than one alternative]"},
		{"through references", `{"$ref":"#/$defs/x","$defs":{"x":{"type":"integer"}}}`, `"s"`, "[integer expected, got string]"},
		{"decimal multiples", `{"multipleOf":0.1}`, `1.2`, "[]"},
		{"long multiples", `{"multipleOf":11.0}`, `9007199254740995`, "[]"},
		{"a small multiple", `{"multipleOf":0.0001}`, `360.57`, "[]"},
		{"a count that no text reaches", `{"maxLength":1e30,"minLength":0.0,"maxItems":18446744073709551616}`, `"abc"`, "[]"},
		{"a count that every text misses", `{"minLength":18446744073709551617}`, `"abc"`, "[3 characters, want min 9007199254740992]"},
		{"no multiple", `{"multipleOf":0.01}`, `0.075`, "[is no multiple of 0.01]"},
		{"1 and true differ", `{"uniqueItems":true}`, `[1,true]`, "[]"},
		{"equal items", `{"uniqueItems":true}`, `[1,2,1.0]`, "[items 0 and 2 are equal]"},
		{"a number beyond doubles", `{"type":"integer","minimum":1e400}`, `1e999`, "[]"},
		{"a huge number", `{"type":"integer","minimum":5,"not":{"enum":[1e5]}}`, `1e1000000`, "[]"},
		{"a huge negative number", `{"minimum":5}`, `-1e1000000`, "[must be >= 5]"},
		{"a tiny number is no integer", `{"type":"integer"}`, `1e-1000000`, "[integer expected, got number]"},
		{"a tiny number is above zero", `{"exclusiveMinimum":0,"maximum":1e-900}`, `1e-100000000000`, "[]"},
		{"zero however written", `{"const":0}`, `0.0e99999999`, "[]"},
		{"formats are annotations in each draft", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"x"`, "[]"},
		{"errors do not cascade", `{"required":["key1"],"properties":{"key1":{},"key2":{},"key3":{}},"unevaluatedProperties":false}`,
			`{"key2":1,"key3":1,"key4":1}`, `[missing "key1" /key4: no value is allowed here]`},
		{"the type first", `{"properties":{"eggs":{"type":"integer"}},"unevaluatedProperties":false}`, `{"eggs":3.14}`,
			"[/eggs: integer expected, got number]"},
		{"at most five", `{"items":{"type":"string"}}`, `[1,2,3,4,5,6,7]`,
			"[/0: string expected, got number /1: string expected, got number /2: string expected, got number /3: string expected, got number /4: string expected, got number]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := jsoncheck.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			schema := compile(t, tt.schema, jsoncheck.SchemaConfig{})
			for range 3 { // the library walks maps: the list must not depend on their order
				list, err := schema.Validate(doc)
				if got := fmt.Sprint(list); err != nil || got != tt.want {
					t.Errorf("got %s, %v, want %s", got, err, tt.want)
				}
			}
		})
	}
}

func TestDrafts(t *testing.T) {
	for _, tt := range []struct {
		name, schema, draft, text string
		valid                     bool
	}{
		{"2020-12 is the default", `{"prefixItems":[{"type":"string"}]}`, "", `[1]`, false},
		{"a draft for a silent schema", `{"prefixItems":[{"type":"string"}]}`, "draft7", `[1]`, true},
		{"$schema wins", `{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"string"}]}`, "draft2020-12", `[1]`, true},
		{"draft 4", `{"maximum":3,"exclusiveMaximum":true}`, "draft4", `3`, false},
		{"draft 6", `{"contains":{"const":1}}`, "draft6", `[2]`, false},
		{"draft 2019-09", `{"dependentRequired":{"a":["b"]}}`, "draft2019-09", `{"a":1}`, false},
		{"if is none of draft 6", `{"if":true,"then":false}`, "draft6", `1`, true},
	} {
		doc, err := jsoncheck.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := compile(t, tt.schema, jsoncheck.SchemaConfig{Draft: tt.draft}).Validate(doc)
		if err != nil || (len(list) == 0) != tt.valid {
			t.Errorf("%s: got %v, %v", tt.name, list, err)
		}
	}
}

func TestCompileSchemaRefuses(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(secret, []byte(`{"s3cret": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, schema, want string }{
		{"no JSON", `{"type":}`, "unexpected '}'"},
		{"an unknown type", `{"type":"banana"}`, "is no valid schema: /type"},
		{"no schema", `[]`, "is no valid schema"},
		{"a negative length", `{"properties":{"a":{"minLength":-1}}}`, "/properties/a/minLength"},
		{"a reference to nothing", `{"$ref":"#/$defs/x"}`, "#/$defs/x"},
		{"a file", `{"$ref":"file://` + secret + `"}`, "nothing is fetched"},
		{"a relative file", `{"$ref":"secret.json"}`, "nothing is fetched"},
		{"the network", `{"$ref":"http://127.0.0.1:1/x.json"}`, "nothing is fetched"},
		{"a file as metaschema", `{"$schema":"file://` + secret + `"}`, "nothing is fetched"},
		{"an unknown metaschema", `{"$schema":"http://example.invalid/x"}`, "nothing is fetched"},
		{"a broken pattern", `{"pattern":"a("}`, "pattern"},
		{"a broken name pattern", `{"patternProperties":{"[":{}}}`, "a class without ]"},
		{"a foreign pattern", `{"pattern":"^a\\Z"}`, `\Z means nothing in ECMA-262`},
		{"an inline flag", `{"pattern":"(?i)a"}`, "(?i is not ECMA-262"},
		{"a back-reference", `{"pattern":"(a)\\1"}`, "back-references are not supported"},
		{"itself", `{"$ref":"#"}`, "without end"},
		{"itself by a way round", `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}`, "without end"},
		{"a bad remote", `{"$ref":"http://example.com/bad"}`, "unexpected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			remotes := map[string]json.RawMessage{"http://example.com/bad": json.RawMessage(`{`)}
			_, err := jsoncheck.CompileSchema([]byte(tt.schema), jsoncheck.SchemaConfig{Remotes: remotes})
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := jsoncheck.CompileSchema([]byte(`{}`), jsoncheck.SchemaConfig{Draft: "draft5"}); err == nil {
		t.Error("draft5 is a draft")
	}
}

// doubling is a schema of n definitions, each of which applies the next one twice.
func doubling(n int, keyword string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"object"}}}`, n)
	return b.String()
}

func TestSchemasAreBounded(t *testing.T) {
	branching := `{"$defs":{"n":{"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"},"x":false}},{"properties":{"c":{"$ref":"#/$defs/n"},"y":false}}]}},"$ref":"#/$defs/n"}`
	chain := func(n int) string { return strings.Repeat(`{"c":`, n) + `{"x":1,"y":1}` + strings.Repeat("}", n) }
	var items strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&items, `{"i":%d},`, i)
	}
	unique := "[" + items.String() + "0]"
	numbers := "[" + strings.Repeat("1e4000,", 50_000) + "1]"
	for _, tt := range []struct {
		name, schema, text string
		build, limit       bool
	}{
		{"25 doublings", doubling(25, "allOf"), `{}`, true, false},
		{"60 doublings", doubling(60, "anyOf"), `1`, true, false},
		{"10 doublings", doubling(10, "allOf"), `{}`, false, false},
		{"a branching recursion, shallow", branching, chain(5), false, false},
		{"a branching recursion, deep", branching, chain(40), false, true},
		{"a straight recursion, deep", `{"properties":{"c":{"$ref":"#"}}}`, chain(1_500), false, false},
		{"a document too deep", `{"properties":{"c":{"$ref":"#"}}}`, chain(3_000), false, true},
		{"many unique items", `{"uniqueItems":true}`, unique, false, false},
		{"a huge number and multipleOf", `{"multipleOf":7}`, `1e1000000`, false, true},
		{"a tiny multipleOf", `{"multipleOf":1e-300}`, `12345.678`, false, false},
		{"a tinier multipleOf", `{"multipleOf":1e-1000000}`, `1`, true, false},
		{"huge unique items", `{"uniqueItems":true}`, `[1e1000000,1e1000001]`, false, true},
		{"a million digits", `{"type":"number"}`, strings.Repeat("7", 1_000_000), false, true},
		{"many long numbers", `{"items":{"type":"integer","minimum":0,"multipleOf":3}}`, numbers, false, true},
		{"an evil pattern", `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 100_000) + `!"`, false, false},
		{"an evil pattern with look-ahead", `{"pattern":"^(?=a)(a+)+$"}`, `"` + strings.Repeat("a", 100_000) + `!"`, false, false},
		{"an evil look-ahead", `{"pattern":"(?:(?=(a+)+b)a)*c"}`, `"` + strings.Repeat("a", 3_000) + `!"`, false, false},
		{"nested look-aheads", `{"pattern":"(?=.*(?=.*(?=.*x)y)z)"}`, `"` + strings.Repeat("a", 50_000) + `"`, false, false},
		{"a pattern too large", `{"pattern":"((a{1,1000}){1,1000}){1,1000}"}`, `""`, true, false},
		{"a large pattern on a long text", `{"pattern":"(.{1,500}x){2}y"}`, `"` + strings.Repeat("a", 2_000_000) + `"`, false, true},
		{"a schema too deep", strings.Repeat(`{"not":`, 1_000) + "true" + strings.Repeat("}", 1_000), `1`, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			defer func() {
				if d := time.Since(start); d > 20*time.Second {
					t.Errorf("took %v", d)
				}
			}()
			schema, err := jsoncheck.CompileSchema([]byte(tt.schema), jsoncheck.SchemaConfig{})
			if errors.Is(err, jsoncheck.ErrLimit) != tt.build {
				t.Fatalf("build: %v", err)
			}
			if err != nil {
				return
			}
			doc, err := jsoncheck.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if list, err := schema.Validate(doc); errors.Is(err, jsoncheck.ErrLimit) != tt.limit {
				t.Errorf("got %v, %v", list, err)
			}
		})
	}
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		yes, not []string
	}{
		{`^a{2}$`, []string{"aa"}, []string{"a", "aaa", "aa\n"}},
		{`a{,2}`, []string{"a{,2}"}, []string{"aa"}},
		{`^.$`, []string{"é", "😀"}, []string{"\n", "\u2028", ""}},
		{`^\s$`, []string{"\u00a0", "\ufeff", "\v"}, []string{"\u180e", "a"}},
		{`^\S$`, []string{"\u180e"}, []string{"\u3000"}},
		{`^\d+$`, []string{"12"}, []string{"१२"}},
		{`^\w$`, []string{"_"}, []string{"é"}},
		{`^[^]$`, []string{"\n"}, []string{""}},
		{`[]`, nil, []string{"", "a"}},
		{`^[\w.-]+$`, []string{"a-b.c"}, []string{"a b"}},
		{`^[\w-.]+$`, []string{"a-b.c"}, []string{"a b"}},
		{`^[[:a]+$`, []string{"[a:"}, []string{"]"}},
		{`^[\d\-x]+$`, []string{"1-x"}, []string{"y"}},
		{`^[\b]$`, []string{"\b"}, []string{"b"}},
		{`^\u00e9\x41\cA\0\u{1F600}\ud83d\ude00$`, []string{"éA\x01\x00😀😀"}, nil},
		{`^\p{L}+$`, []string{"éa"}, []string{"1"}},
		{`^\p{Letter}\P{Lu}\p{Script=Greek}\p{sc=Han}\p{Nd}$`, []string{"aaα中1"}, []string{"aAα中1"}},
		{`^\p{Alphabetic}\p{Lower}\P{Uppercase}$`, []string{"Ⅰªa"}, []string{"1aa"}},
		{`^(?<year>\d{4})-\d\d$`, []string{"2024-01"}, []string{"24-01"}},
		{`\/\-\_\@\"`, []string{`/-_@"`}, nil},
		{`^[a-z]+(?:\.[a-z]+)*$`, []string{"a.b"}, []string{"a."}},
		{`^a|b$`, []string{"ax", "xb"}, []string{"xa"}},
		{`^.{1,4000}$`, []string{strings.Repeat("x", 4000)}, []string{strings.Repeat("x", 4001), ""}},
		{`^(?!.*\.\.)[a-z.]+$`, []string{"a.b"}, []string{"a..b", "A"}},
		{`^(?=.*\d)(?=.*[a-z]).{4,}$`, []string{"abc1"}, []string{"abcd", "1234", "a1"}},
		{`(?<=\$)\d+$`, []string{"costs $5"}, []string{"costs 5", "$x5"}},
		{`(?<!\$)\b\d+$`, []string{"costs 5"}, []string{"costs $5"}},
		{`(?<=^ab*)c`, []string{"abbc", "ac"}, []string{"xabc", "c"}},
		{`(?=a(?!b))a.`, []string{"ac"}, []string{"ab"}},
		{`^(?:(?!x)\w)+$`, []string{"abc"}, []string{"axc"}},
		{`(?<=é)a`, []string{"éa"}, []string{"ea"}},
		{`^(?=a)*`, nil, nil},
	} {
		text, err := json.Marshal(map[string]string{"pattern": tt.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if tt.yes == nil && tt.not == nil {
			if _, err := jsoncheck.CompileSchema(text, jsoncheck.SchemaConfig{}); err == nil {
				t.Errorf("%s compiled", tt.pattern)
			}
			continue
		}
		schema := compile(t, string(text), jsoncheck.SchemaConfig{})
		check := func(s string, want bool) {
			list, err := schema.Validate(&jsoncheck.Document{Value: s, Nodes: 1})
			if err != nil || (len(list) == 0) != want {
				t.Errorf("%s on %.20q: got %v, %v", tt.pattern, s, list, err)
			}
		}
		for _, s := range tt.yes {
			check(s, true)
		}
		for _, s := range tt.not {
			check(s, false)
		}
	}
}

func TestSchemaIsSharedSafely(t *testing.T) {
	schema := compile(t, `{"properties":{"a":{"pattern":"^(?!x)y"}},"unevaluatedProperties":false}`, jsoncheck.SchemaConfig{})
	doc, err := jsoncheck.Parse(`{"a":"yes","b":1}`)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if list, err := schema.Validate(doc); err != nil || len(list) != 1 {
					t.Errorf("got %v, %v", list, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestCompileSchemaFromManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for _, draft := range []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"} {
		for range 3 {
			wg.Go(func() {
				for range 20 {
					if _, err := jsoncheck.CompileSchema([]byte(`{"type":"object","properties":{"a":{"pattern":"^a"}}}`), jsoncheck.SchemaConfig{Draft: draft, AssertFormat: true}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
}

func ExampleCompileSchema() {
	schema, err := jsoncheck.CompileSchema([]byte(`{
		"type": "object",
		"required": ["name", "age"],
		"properties": {"age": {"type": "integer", "minimum": 0}}
	}`), jsoncheck.SchemaConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _ := jsoncheck.Parse(`{"age": -1}`)
	fmt.Println(schema.Validate(doc))
	// Output: [missing "name" /age: must be >= 0] <nil>
}

func FuzzCompileSchema(f *testing.F) {
	for _, s := range []string{`{"type":"string","pattern":"^(?=a)[\\w-]{2,3}$"}`, `{"allOf":[{"$ref":"#"}]}`, `{"$dynamicRef":"#x"}`, `{"multipleOf":1e-9}`} {
		f.Add(s, `{"a":["b",1.5e3]}`)
	}
	f.Fuzz(func(_ *testing.T, schema, text string) {
		doc, err := jsoncheck.Parse(text)
		if err != nil {
			return
		}
		if s, err := jsoncheck.CompileSchema([]byte(schema), jsoncheck.SchemaConfig{AssertFormat: true}); err == nil {
			_, _ = s.Validate(doc)
		}
	})
}

func BenchmarkSchema(b *testing.B) {
	var props, doc []string
	for i := range 20 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"string","maxLength":20}`, i))
		doc = append(doc, fmt.Sprintf(`"p%d":"value %d"`, i, i))
	}
	schema := compile(b, `{"type":"object","required":["p0"],"properties":{`+strings.Join(props, ",")+`},"additionalProperties":false}`, jsoncheck.SchemaConfig{})
	text := "{" + strings.Join(doc, ",") + "}"
	b.ReportAllocs()
	for b.Loop() {
		d, err := jsoncheck.Extract(text, false)
		if err != nil {
			b.Fatal(err)
		}
		if list, err := schema.Validate(d); err != nil || len(list) > 0 {
			b.Fatal(list, err)
		}
	}
}
