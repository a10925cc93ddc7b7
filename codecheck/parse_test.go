package codecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func TestParseTests(t *testing.T) {
	tests := []struct {
		name, raw string
		want      error
		format    Format
	}{
		{"a bare text", `"assert f() == 1"`, nil, Asserts},
		{"a list of texts", `["assert f() == 1", "assert f() == 2"]`, nil, Asserts},
		{"assertions in a list", `{"format": "asserts", "asserts": ["assert f()"]}`, nil, Asserts},
		{"calls", `{"format": "fn_call", "fn_name": "f", "inputs": [[1]], "outputs": [1]}`, nil, FnCall},
		{"unknown keys are left alone", `{"format": "check_fn", "check": "def check(c): pass", "note": "x"}`, nil, CheckFn},
		{"null", `null`, ErrNoTests, ""},
		{"nothing", ``, ErrNoTests, ""},
		{"a blank text", `" \n"`, ErrNoTests, ""},
		{"an empty list", `[]`, ErrNoTests, ""},
		{"no cases", `{"format": "stdin_stdout", "inputs": [], "outputs": []}`, ErrNoTests, ""},
		{"a number", `3`, ErrBrokenTests, ""},
		{"a list of numbers", `[3]`, ErrBrokenTests, ""},
		{"an unknown format", `{"format": "vibes"}`, ErrBrokenTests, ""},
		{"no format", `{"code": "assert f()"}`, ErrBrokenTests, ""},
		{"more inputs than outputs", `{"format": "fn_call", "fn_name": "f", "inputs": [[1], [2]], "outputs": [1]}`, ErrBrokenTests, ""},
		{"arguments that are no list", `{"format": "fn_call", "fn_name": "f", "inputs": [1], "outputs": [1]}`, ErrBrokenTests, ""},
		{"no function", `{"format": "fn_call", "inputs": [[1]], "outputs": [1]}`, ErrBrokenTests, ""},
		{"an unknown option", `{"format": "fn_call", "fn_name": "f", "inputs": [[1]], "outputs": [1], "compare": {"fuzzy": 1}}`, ErrBrokenTests, ""},
		{"an unknown limit", `{"format": "asserts", "code": "assert f()", "limits": {"patience": 3}}`, ErrBrokenTests, ""},
		{"a field of the wrong type", `{"format": "asserts", "code": 3}`, ErrBrokenTests, ""},
		{"a path that climbs", `{"format": "pytest", "files": {"../a.py": "x"}, "test_file": "../a.py", "solution_file": "s.py"}`, ErrBrokenTests, ""},
		{"a solution outside", `{"format": "pytest", "files": {"a.py": "x"}, "test_file": "a.py", "solution_file": "/etc/s.py"}`, ErrBrokenTests, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseTests(json.RawMessage(tt.raw))
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if err == nil && got.Format != tt.format {
				t.Errorf("format %s, want %s", got.Format, tt.format)
			}
		})
	}
}

func TestLimitsNarrow(t *testing.T) {
	limits := func(s string) sandbox.Limits {
		l, err := ParseLimits(json.RawMessage(s))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	tests := []struct {
		name       string
		asked, row string
		perRun     time.Duration
		wall, cpu  time.Duration
		memory     sandbox.Size
	}{
		{"nothing said", `{}`, `{}`, 0, 10 * time.Second, 10 * time.Second, 512 * sandbox.MiB},
		{"the row narrows", `{}`, `{"wall": "2s", "memory": "64MiB"}`, 0, 2 * time.Second, 2 * time.Second, 64 * sandbox.MiB},
		{"the row cannot widen", `{"wall": "2s"}`, `{"wall": "20s"}`, 0, 2 * time.Second, 2 * time.Second, 512 * sandbox.MiB},
		{"nor beyond the default", `{}`, `{"memory": "64GiB"}`, 0, 10 * time.Second, 10 * time.Second, 512 * sandbox.MiB},
		{"a run's time is the task's to say", `{}`, `{}`, 20 * time.Second, 20 * time.Second, 20 * time.Second, 512 * sandbox.MiB},
		{"unless the caller said", `{"wall": 3}`, `{}`, 20 * time.Second, 3 * time.Second, 3 * time.Second, 512 * sandbox.MiB},
		{"processor time by itself", `{"wall": "8s", "cpu": "1s"}`, `{}`, 0, 8 * time.Second, time.Second, 512 * sandbox.MiB},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := narrow(limits(tt.asked), limits(tt.row), tt.perRun)
			if l.Wall != tt.wall || l.CPU != tt.cpu || l.Memory != tt.memory {
				t.Errorf("wall %v, cpu %v, memory %v; want %v, %v, %v", l.Wall, l.CPU, l.Memory, tt.wall, tt.cpu, tt.memory)
			}
		})
	}
	for _, bad := range []string{`{"wall": "0s"}`, `{"wall": "-1s"}`, `{"memory": "-5"}`, `{"processes": 0}`, `{"processes": "many"}`, `{"x": 1}`, `[]`, `{"wall": "soon"}`} {
		if _, err := ParseLimits(json.RawMessage(bad)); err == nil {
			t.Errorf("ParseLimits(%s): no error", bad)
		}
	}
}

func TestCompareText(t *testing.T) {
	tests := []struct {
		name      string
		c         Compare
		got, want string
		same      bool
	}{
		{"the same", Compare{}, "1\n2\n", "1\n2\n", true},
		{"blanks at the ends", Compare{}, "1  \r\n2\n\n\n", "1\n2", true},
		{"a blank at the start", Compare{}, " 1", "1", false},
		{"an inner blank line", Compare{}, "1\n\n2", "1\n2", false},
		{"to the byte", Compare{Whitespace: ExactText}, "1\n", "1", false},
		{"tokens", Compare{Whitespace: Tokens}, " 1 2\n3", "1\n2 3\n", true},
		{"lines in any order", Compare{Unordered: true}, "b\na\n", "a\nb\n", true},
		{"but as often", Compare{Unordered: true}, "a\na\n", "a\nb\n", false},
		{"numbers are text", Compare{}, "1.0", "1", false},
		{"unless a tolerance is set", Compare{FloatTol: 1e-3}, "x 3.142", "x 3.1415926", true},
		{"within it", Compare{FloatTol: 1e-3}, "3.2", "3.1415926", false},
		{"escapes are text", Compare{}, "\x1b[8m5\x1b[0m", "5", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.c.text(tt.got, tt.want); got != tt.same {
				t.Errorf("text(%q, %q) = %v", tt.got, tt.want, got)
			}
		})
	}
}

func TestAnswersAgainstExpected(t *testing.T) {
	tests := []struct {
		name, wire, want string
		same             bool
	}{
		{"null", `null`, `null`, true},
		{"a truth value", `true`, `true`, true},
		{"0 where false is expected", `0`, `false`, true},
		{"2 where true is expected", `2`, `true`, false},
		{"true where 1 is expected", `true`, `1`, false},
		{"a large integer", `{"i": "0x123456789012345678901234567890"}`, `94522879687365475552814062736`, false},
		{"a negative one", `{"i": "-0x20000000000001"}`, `-9007199254740993`, true},
		{"not a number", `{"f": "nan"}`, `NaN`, true},
		{"infinity", `{"f": "-inf"}`, `-Infinity`, true},
		{"a float", `1.5`, `1.5`, true},
		{"a float that is whole", `1.0`, `1`, false},
		{"a set is no list", `{"S": [1]}`, `[1]`, false},
		{"bytes are no text", `{"b": "61"}`, `"a"`, false},
		{"keys that are numbers", `{"d": [[1, 2]]}`, `{"1": 2}`, false},
		{"keys that are texts", `{"d": [["1", 2]]}`, `{"1": 2}`, true},
		{"an opaque value", `{"o": "Thing"}`, `{"o": "Thing"}`, false},
		{"an object that poses as one", `{"d": [["o", "Thing"]]}`, `{"o": "Thing"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseAnswer(json.RawMessage(tt.wire))
			if err != nil {
				t.Fatal(err)
			}
			want, err := parseExpected(json.RawMessage(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			if same := (Compare{}).value(got, want); same != tt.same {
				t.Errorf("%s against %s: %v", tt.wire, tt.want, same)
			}
		})
	}
}

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	if err := sendJSON(&b, 'V', map[string]int{"v": 1}); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	if f, err := readFrame(&b); err != nil || f.kind != 'V' || string(f.body) != `{"v":1}` {
		t.Errorf("got %c %s, %v", f.kind, f.body, err)
	}
	for _, bad := range []string{"", whole[:3], whole[:7], "\x00\x00\x00\x00", "\xff\xff\xff\xff" + whole, "\x00\x00\x70\x00x"} {
		if _, err := readFrame(strings.NewReader(bad)); err == nil {
			t.Errorf("readFrame(%q): no error", bad)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{`[1, {"t": [2]}]`, `{"d": [[1, 2]]}`, `{"i": "0x1"}`, `{"r": 0}`, `{}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		got, err := parseAnswer(json.RawMessage(wire))
		if err != nil {
			return
		}
		if _, isOpaque := got.(opaque); isOpaque && (Compare{}).value(got, got) {
			t.Error("an opaque value equals something")
		}
	})
}

func FuzzParseTests(f *testing.F) {
	for _, s := range []string{`"assert f()"`, `{"format": "fn_call", "fn_name": "f", "inputs": [[1]], "outputs": [1]}`, `["a"]`, `{"limits": {"wall": "1s"}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if _, err := ParseTests(json.RawMessage(raw)); err != nil && !errors.Is(err, ErrNoTests) && !errors.Is(err, ErrBrokenTests) {
			t.Errorf("an error of another kind: %v", err)
		}
	})
}
