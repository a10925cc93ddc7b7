package exprcheck_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/exprcheck"
)

func eval(t *testing.T, src string, values map[string]any) (any, error) {
	t.Helper()
	r, err := exprcheck.Compile(src, exprcheck.Config{})
	if err != nil {
		t.Fatalf("Compile(%q): %v", src, err)
	}
	return r.Eval(values)
}

func TestEval(t *testing.T) {
	values := map[string]any{
		"candidate": "The answer is 42.",
		"reference": json.Number("42"),
		"row": map[string]any{
			"id": "r1", "n": json.Number("3"), "x": json.Number("0.5"), "big": json.Number("12345678901234567891"),
			"round": json.Number("100000000000000000000"), "wild": json.Number("1e999"), "list": []any{json.Number("1"), "b", nil},
		},
		"tool_calls": []map[string]any{{"name": "get", "arguments": map[string]any{"a": json.Number("1")}, "id": nil}},
	}
	for _, tt := range []struct {
		name, src string
		want      any
	}{
		{"a bool", `true`, true},
		{"a float", `0.5`, 0.5},
		{"an integer stays one", `1 + 1`, 2},
		{"a negative number", `-3`, -3},
		{"nil", `nil`, nil},
		{"a text", `"0.5"`, "0.5"},
		{"a pair", `[0.25, "part"]`, []any{0.25, "part"}},
		{"an object", `{"reward": 1, "reason": "ok", "3": [1]}`, map[string]any{"reward": 1, "reason": "ok", "3": []any{1}}},
		{"an empty object", `{}`, map[string]any{}},
		{"the candidate", `candidate contains "42"`, true},
		{"a text by pattern", `candidate matches "\\d+\\.$"`, true},
		{"the reference as a number", `reference == 42`, true},
		{"arithmetic on the row", `row.n * row.x`, 1.5},
		{"a member that is missing is nil", `row.nothing == nil`, true},
		{"an optional chain", `row?.a?.b ?? "none"`, "none"},
		{"a long integer is exact text", `row.big == "12345678901234567891"`, true},
		{"a long integer that a float holds is one", `row.round == 1e20`, true},
		{"a number beyond floats is its literal", `row.wild`, "1e999"},
		{"a list of the row", `row.list`, []any{1, "b", nil}},
		{"the tool calls", `tool_calls`, []any{map[string]any{"name": "get", "arguments": map[string]any{"a": 1}, "id": nil}}},
		{"a predicate", `any(tool_calls, .name == "get" and .arguments.a == 1)`, true},
		{"a count", `count(tool_calls, .name == "put")`, 0},
		{"split gives a list", `split("a b", " ")`, []any{"a", "b"}},
		{"groups get text keys", `groupBy([1, 2, 3], # % 2 == 0 ? "even" : "odd")`, map[string]any{"even": []any{2}, "odd": []any{1, 3}}},
		{"groups by number get text keys", `groupBy([1], #)`, map[string]any{"1": []any{1}}},
		{"reduce", `reduce([1, 2, 3], #acc + #, 0)`, 6},
		{"let", `let n = len(candidate); n > 3 ? 1 : 0`, 1},
		{"int of a text", `int("42")`, 42},
		{"int of a float", `int(3.9)`, 3},
		{"fromJSON keeps integers", `fromJSON("[9007199254740993, 1.5]")`, []any{9007199254740993, 1.5}},
		{"toJSON", `fromJSON(toJSON(row)).id`, "r1"},
		{"join", `join(["a", "b"], "-")`, "a-b"},
		{"join of split", `join(split("a b", " "), "")`, "ab"},
		{"repeat", `repeat("ab", 2)`, "abab"},
		{"replace", `replace("aaa", "a", "b", 2)`, "bba"},
		{"trim", `trim("  a ") + trim("xax", "x")`, "aa"},
		{"trimPrefix", `trimPrefix("abc", "a")`, "bc"},
		{"pipes", `candidate | lower() | hasPrefix("the")`, true},
		{"surrogate pairs in texts", `"\ud83d\ude00" == '😀' and "\\ud83d" == '\\ud83d'`, true},
		{"in a list", `"b" in row.list`, true},
		{"in a map", `"id" in row`, true},
		{"in a range", `3 in 1..5`, true},
		{"equality of lists", `row.list == [1, "b", nil]`, true},
		{"uniq", `uniq([1, 1, 2])`, []any{1, 2}},
		{"sort", `sort([3, 1, 2])`, []any{1, 2, 3}},
		{"a slice of a text", `candidate[:3]`, "The"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval(t, tt.src, values)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s = %#v, want %#v", tt.src, got, tt.want)
			}
		})
	}
}

func TestEvalPassesNonFiniteNumbers(t *testing.T) {
	for src, want := range map[string]func(float64) bool{
		`0.0 / 0.0`:           math.IsNaN,
		`[0.0 / 0.0, "x"][0]`: math.IsNaN,
		`1.0 / 0.0`:           func(f float64) bool { return math.IsInf(f, 1) },
		`-1.0 / 0.0`:          func(f float64) bool { return math.IsInf(f, -1) },
	} {
		got, err := eval(t, src, nil)
		if f, ok := got.(float64); err != nil || !ok || !want(f) {
			t.Errorf("%s = %v, %v", src, got, err)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"an unknown name", `candidat == "x"`, "line 1, column 1: unknown name candidat"},
		{"an unknown name on another line", "true and\n  foo", "line 2, column 3: unknown name foo"},
		{"an unknown member of a call", `tool_calls[0].nme`, "unknown field nme"},
		{"the clock", `now()`, "unknown name now"},
		{"dates", `date("2024-01-01")`, "unknown name date"},
		{"time zones", `timezone("UTC")`, "unknown name timezone"},
		{"durations", `duration("1s")`, "unknown name duration"},
		{"the whole environment", `$env`, "$env is not available"},
		{"a type error", `candidate + 1`, "mismatched types"},
		{"a wrong argument", `len(1)`, "invalid argument for len"},
		{"a wrong argument of a replaced function", `repeat(1, 2)`, "cannot use int as argument"},
		{"a bad pattern", `candidate matches "["`, "missing closing ]"},
		{"an unfinished text", `"abc`, "literal not terminated"},
		{"nothing", ``, "unexpected token EOF"},
		{"a predicate that is no bool", `filter([1], "x")`, "predicate should return boolean"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := exprcheck.Compile(tt.src, exprcheck.Config{})
			var e *exprcheck.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || errors.Is(err, exprcheck.ErrLimit) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestCompileIsBounded(t *testing.T) {
	for name, src := range map[string]string{
		"source":               strings.Repeat(" ", 70_000) + "1",
		"nodes":                "1" + strings.Repeat("+1", 20_000),
		"brackets":             strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000),
		"lists":                strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000),
		"signs":                strings.Repeat("-", 60_000) + "1",
		"nots":                 strings.Repeat("!", 60_000) + "true",
		"nested conditionals":  strings.Repeat("true ? ", 9_000) + "1" + strings.Repeat(" : 1", 9_000),
		"brackets past a text": "/* ' */" + strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, err := exprcheck.Compile(src, exprcheck.Config{}); !errors.Is(err, exprcheck.ErrLimit) && name != "brackets past a text" {
				t.Errorf("got %.200v, want ErrLimit", err)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
	nested := strings.Repeat("any([1], ", 9) + "true" + strings.Repeat(")", 9)
	if _, err := exprcheck.Compile(nested, exprcheck.Config{}); err == nil {
		t.Error("nine nested predicates compiled")
	}
	if _, err := exprcheck.Compile(nested[9:len(nested)-1], exprcheck.Config{}); err != nil {
		t.Errorf("eight nested predicates: %v", err)
	}
}

func TestEvalIsBounded(t *testing.T) {
	long := strings.Repeat("ab ", 300_000)
	var many []any
	for i := range 20_000 {
		many = append(many, i)
	}
	values := map[string]any{"candidate": long, "reference": many, "row": map[string]any{"many": many}}
	for _, src := range []string{
		`all(1..1000, all(1..1000, all(1..1000, true)))`,
		`count(1..3000, let i = #; count(1..3000, # == i) > 0)`,
		`reduce(1..60, #acc + #acc, candidate)`,
		`len(reduce(1..60, #acc + #acc, "ab"))`,
		`reduce(1..60, concat(#acc, #acc), [1])`,
		`reduce(1..60, [#acc, #acc], [1]) == reduce(1..60, [#acc, #acc], [1])`,
		`len(toJSON(reduce(1..40, [#acc, #acc], [1])))`,
		`len(string(reduce(1..40, [#acc, #acc], [1])))`,
		`none(1..100000, candidate contains "zzz")`,
		`none(1..100000, candidate matches "(a|b|c)*z")`,
		`all(1..100000, upper(candidate) != "")`,
		`none(1..100000, "x" in reference)`,
		`candidate matches "(.{1,900}){1}z"`,
		`candidate matches ("(.{1,900}" + "){1}z")`,
		`len(repeat(candidate, 900000))`,
		`len(replace(candidate, "", candidate))`,
		`len(replace(candidate, "a", candidate))`,
		`len(join(split(candidate, ""), candidate))`,
		`len(trim(candidate, "é" + candidate))`,
		`uniq(reference)`,
		`all(1..100000, reference == row.many)`,
		`all(1..1000, len(flatten([reference, reference])) > 0)`,
		`all(1..100000, sum(reference) > 0)`,
		`all(1..100000, len(sort(reference)) > 0)`,
		`map(1..1000000, 1)`,
		`map(1..900, map(1..900, map(1..900, 1)))`,
		`1..100000000`,
		`let x = 1..900000; let y = 1..900000; x`,
	} {
		t.Run(src, func(t *testing.T) {
			start := time.Now()
			got, err := eval(t, src, values)
			d := time.Since(start)
			if !errors.Is(err, exprcheck.ErrLimit) {
				t.Errorf("got %.80v, %v, want ErrLimit", got, err)
			}
			if d > 20*time.Second {
				t.Errorf("took %v", d)
			}
			t.Log(d, err)
		})
	}
}

func TestEvalErrorsPointAndKeepValues(t *testing.T) {
	values := map[string]any{"candidate": "cand", "reference": "s3cret", "row": map[string]any{"list": []any{1}, "big": json.Number("12345678901234567891")}}
	for _, src := range []string{
		`int(candidate + "x")`,
		`int(reference)`,
		`float(reference)`,
		`row.list[reference]`,
		`row[reference][reference]`,
		`reference.x`,
		`reference > 1`,
		`row.big + 1`,
		`fromJSON(reference)`,
		`"abc" matches (reference + "[")`,
		`1 % 0`,
		`row.list[5]`,
		`reference()`,
		`{reference: 1}.x.y`,
		`int(0.0 / 0.0)`,
		`toJSON(1.0 / 0.0)`,
	} {
		t.Run(src, func(t *testing.T) {
			got, err := eval(t, src, values)
			var e *exprcheck.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, %v, want an error", got, err)
			}
			if e.Line != 1 || e.Column == 0 || strings.Contains(err.Error(), "s3cret") || errors.Is(err, exprcheck.ErrLimit) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
		})
	}
}

func TestRuleIsSharedSafely(t *testing.T) {
	r, err := exprcheck.Compile(`sum(map(1..n, # * 2)) + len(text)`, exprcheck.Config{
		Names: map[string]exprcheck.Type{"n": exprcheck.Any, "text": exprcheck.Text},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Names()); got != "[n text]" || !r.Uses("n") || r.Uses("row") {
		t.Errorf("Names() = %s", got)
	}
	var wg sync.WaitGroup
	for n := range 16 {
		wg.Go(func() {
			for range 50 {
				got, err := r.Eval(map[string]any{"n": n, "text": "ab"})
				if err != nil || got != n*(n+1)+2 {
					t.Errorf("n = %d: %v, %v", n, got, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestEvalLeavesValuesAlone(t *testing.T) {
	row := map[string]any{"a": []any{json.Number("1"), map[string]any{"b": json.Number("2")}}}
	if _, err := eval(t, `row.a[1].b == 2 and len(sort([2, 1])) == 2 and len(reverse(row.a)) == 2`, map[string]any{"row": row}); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": []any{json.Number("1"), map[string]any{"b": json.Number("2")}}}
	if !reflect.DeepEqual(row, want) {
		t.Errorf("row became %v", row)
	}
}

func ExampleCompile() {
	rule, err := exprcheck.Compile(`any(tool_calls, .name == "refund" and .arguments.amount <= 50)`, exprcheck.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rule.Eval(map[string]any{"tool_calls": []any{
		map[string]any{"name": "refund", "arguments": map[string]any{"amount": json.Number("20")}, "id": nil},
	}}))
	_, err = exprcheck.Compile(`candidte == "x"`, exprcheck.Config{})
	fmt.Println(err)
	// Output:
	// true <nil>
	// exprcheck: line 1, column 1: unknown name candidte
}

func FuzzCompile(f *testing.F) {
	for _, src := range []string{`candidate contains "x"`, `any(tool_calls, .name == "a")`, `{"reward": 1, "x": [1, 2]}`, `reduce(1..9, #acc + #, 0)`, `row?.a[1:2] ?? "\ud83d\ude00"`} {
		f.Add(src, "text")
	}
	f.Fuzz(func(t *testing.T, src, candidate string) {
		r, err := exprcheck.Compile(src, exprcheck.Config{MaxSteps: 20_000, MaxCells: 20_000})
		if err != nil {
			return
		}
		_, _ = r.Eval(map[string]any{"candidate": candidate, "reference": candidate, "row": map[string]any{"final_text": candidate}})
	})
}
