package rollout

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func mustParse(t *testing.T, line string) *Row {
	t.Helper()
	r, err := Parse([]byte(line))
	if err != nil {
		t.Fatalf("Parse(%s): %v", line, err)
	}
	return r
}

func TestParseRefusesWhatIsNoRow(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"broken JSON names the column", `{"a": 1,, "b": 2}`, "column 9"},
		{"cut JSON", `{"a": "x`, "too early"},
		{"empty", ``, "no JSON value"},
		{"a list", `[1]`, "this is a list"},
		{"null", `null`, "this is null"},
		{"a text", `"x"`, "this is text"},
		{"a number", `3`, "this is a number"},
		{"a bool", `true`, "this is a bool"},
		{"a key that stands twice", `{"a":1,"b":2,"a":3}`, `"a" stands twice`},
		{"the same key escaped", `{"a":1,"\u0061":3}`, "stands twice"},
		{"broken UTF-8 with its column", "{\"a\":\"x\xff\"}", "column 8: broken UTF-8"},
		{"something behind", `{"a":1} {"b":2}`, "follows the row"},
		{"NaN", `{"a": NaN}`, "column"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.line))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse(%q) = %v, want a SyntaxError with %q", tt.line, err, tt.want)
			}
		})
	}
}

func TestParseKeepsWhatItDoesNotKnow(t *testing.T) {
	line := `{"z": 1.50, "id": 7, "inner": {"a":1,"a":2}, "lone": "\ud800", "final_text": "x"}`
	r := mustParse(t, line)
	if got, want := r.Keys(), []string{"z", "id", "inner", "lone", "final_text"}; !slices.Equal(got, want) {
		t.Errorf("Keys() = %q, want %q", got, want)
	}
	out, wrote := r.AppendMembers(nil, func(k string) bool { return k == "id" })
	if want := `"z":1.50,"inner":{"a":1,"a":2},"lone":"\ud800","final_text":"x"`; !wrote || string(out) != want {
		t.Errorf("AppendMembers = %s, want %s", out, want)
	}
	if r.ID != "7" {
		t.Errorf("ID = %q, want 7", r.ID)
	}
	if string(r.Raw()) != line {
		t.Errorf("Raw() = %s", r.Raw())
	}
}

func TestCandidate(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"final_text", `{"final_text":"a","messages":[{"role":"assistant","content":"b"}]}`, "a"},
		{"the last assistant message with content", `{"messages":[{"role":"assistant","content":"b"},{"role":"assistant","content":""},{"role":"user","content":"c"}]}`, "b"},
		{"an empty final_text does not count", `{"final_text":"","messages":[{"role":"assistant","content":"b"}]}`, "b"},
		{"parts are joined", `{"messages":[{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"image"},"c"]}]}`, "bc"},
		{"escapes are read", `{"final_text":"a\n\u00e9"}`, "a\né"},
		{"a number is its spelling", `{"final_text":3.50}`, "3.50"},
		{"zero is none", `{"final_text":0.0,"messages":[{"role":"assistant","content":"b"}]}`, "b"},
		{"true is a word", `{"final_text":true}`, "True"},
		{"false is none", `{"final_text":false}`, ""},
		{"an object is none", `{"final_text":{"a":1}}`, ""},
		{"nothing", `{"messages":"oops"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustParse(t, tt.line).Candidate(); got != tt.want {
				t.Errorf("Candidate() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReference(t *testing.T) {
	for _, tt := range []struct{ name, line, field, want string }{
		{"privileged first", `{"answer":"b","privileged":{"reference":"a"}}`, "", `"a"`},
		{"null is skipped", `{"answer":"b","privileged":{"reference":null}}`, "", `"b"`},
		{"flat keys in their order", `{"expected":5,"target":4}`, "", `4`},
		{"info", `{"info":{"solution":"s"}}`, "", `"s"`},
		{"metadata", `{"metadata":{"label":false}}`, "", `false`},
		{"privileged under another name", `{"privileged":{"answer":""}}`, "", `""`},
		{"zero counts", `{"reference":0,"answer":1}`, "", `0`},
		{"a field", `{"x":{"y":[1,"g"]},"answer":1}`, "x.y.1", `"g"`},
		{"a literal key before a path", `{"x.y":1,"x":{"y":2}}`, "x.y", `1`},
		{"a field has no fallback", `{"answer":1}`, "x", ``},
		{"a null field is none", `{"x":null}`, "x", ``},
		{"a sign is no index", `{"x":[1,2]}`, "x.+1", ``},
		{"beyond the list", `{"x":[1,2]}`, "x.2", ``},
		{"none", `{"prompt":"p"}`, "", ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, ok := mustParse(t, tt.line).Reference(tt.field)
			if !ok {
				v = nil
			}
			if string(v) != tt.want {
				t.Errorf("Reference(%q) = %s, want %s", tt.field, v, tt.want)
			}
		})
	}
}

func TestGroupKey(t *testing.T) {
	for line, want := range map[string]string{
		`{"scenario_id":"s","task_id":"t","prompt":"p"}`: "s",
		`{"scenario_id":null,"task_id":12,"prompt":"p"}`: "12",
		`{"scenario_id":"","task_id":0,"prompt":"p"}`:    "p",
		`{"task_id":false}`:                              "",
		`{}`:                                             "",
	} {
		if got := mustParse(t, line).Group; got != want {
			t.Errorf("Group of %s = %q, want %q", line, got, want)
		}
	}
}

func TestSecretsAreThePrivilegedScalarsButNoTests(t *testing.T) {
	r := mustParse(t, `{"answer":"open","privileged":{"reference":["a",{"b":2}],"tests":"assert x","hidden":true,"n":null}}`)
	var got []string
	for _, v := range r.Secrets() {
		got = append(got, string(v))
	}
	if want := []string{`"a"`, "2", "true"}; !slices.Equal(got, want) {
		t.Errorf("Secrets() = %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"final_text":"x","privileged":{"reference":[1,"a"]}}`, `{"messages":[{"role":"assistant","tool_calls":[{"name":"a","arguments":"{}"}]}]}`,
		`{"steps":[{"tool":"s","input":"{\"a\":2}"}],"a.b":{"c":[]}}`, `{"a":1,"a":2}`, "{\"\xff\":1}", `{"lone":"\ud800"}`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := Parse(line)
		if err != nil {
			return
		}
		r.Candidate()
		r.Reference("")
		r.Reference("a.b.c.0")
		ToolCalls(r)
		members, _ := r.AppendMembers([]byte{'{'}, nil)
		again, err := Parse(append(members, '}'))
		if err != nil {
			t.Fatalf("a row written again is no row: %v", err)
		}
		if !slices.Equal(again.Keys(), r.Keys()) || again.Candidate() != r.Candidate() || again.Group != r.Group {
			t.Errorf("written again it is another row: %s", members)
		}
	})
}
