// Package goldentest reads the golden cases of testdata/corpus/golden and compares answers with them. Only tests use it.
package goldentest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/rollout"
)

// Value is one golden case whose answer is any JSON value.
type Value struct {
	ID, System, Note string
	Input            Input
	Expected         json.RawMessage
}

// Case is one golden case whose answer is an object. Expected holds numbers as float64.
type Case struct {
	Value
	Expected map[string]any
}

// Input is what the call of a case was given; Rest holds every member, also those named here.
type Input struct {
	Rows, Before, After []json.RawMessage
	Args                map[string]json.RawMessage
	Rest                map[string]json.RawMessage
}

// UnmarshalJSON fills the named members and Rest.
func (i *Input) UnmarshalJSON(b []byte) error {
	type named Input
	if err := json.Unmarshal(b, (*named)(i)); err != nil {
		return err
	}
	return json.Unmarshal(b, &i.Rest)
}

// Values are the cases of a system in a file of the folder, read from a package one level below the module's root.
func Values(t *testing.T, file, system string) []Value {
	t.Helper()
	b, err := os.ReadFile("../testdata/corpus/golden/" + file + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []Value
	for line := range bytes.Lines(b) {
		var c Value
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.System == system {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Fatalf("no cases of %s in %s", system, file)
	}
	return cases
}

// Cases are Values whose answers are objects.
func Cases(t *testing.T, file, system string) []Case {
	t.Helper()
	var cases []Case
	for _, v := range Values(t, file, system) {
		c := Case{Value: v}
		if err := json.Unmarshal(v.Expected, &c.Expected); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// Rows parses lines.
func Rows(t *testing.T, lines []json.RawMessage) []*rollout.Row {
	t.Helper()
	var list []*rollout.Row
	for _, line := range lines {
		r, err := rollout.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// Arg reads an argument of the call into v, where it is there.
func (c *Case) Arg(t *testing.T, name string, v any) (ok bool) {
	t.Helper()
	raw, ok := c.Input.Args[name]
	if ok {
		if err := json.Unmarshal(raw, v); err != nil {
			t.Fatal(err)
		}
	}
	return ok
}

// Differences names the members of want, among keys (separated by blanks), that differ from those of got's JSON: numbers by more
// than tol, everything else at all.
func Differences(t *testing.T, got any, want map[string]any, keys string, tol float64) []string {
	t.Helper()
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var has map[string]any
	if err := json.Unmarshal(b, &has); err != nil {
		t.Fatal(err)
	}
	var off []string
	for _, k := range strings.Fields(keys) {
		if w, ok := want[k]; ok && !near(has[k], w, tol) {
			off = append(off, fmt.Sprintf("%s: %v, want %v", k, has[k], w))
		}
	}
	return off
}

func near(got, want any, tol float64) bool {
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		return ok && math.Abs(g-w) <= tol
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !near(g[i], w[i], tol) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for k := range w {
			if !near(g[k], w[k], tol) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}
