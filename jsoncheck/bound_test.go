//go:build unix

package jsoncheck_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/verifyd/verifyd/jsoncheck"
)

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// members is an object of n members.
func members(n int, value func(int) string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%s`, i, value(i))
	}
	return "{" + b.String()[1:] + "}"
}

// objects is a list of n different objects.
func objects(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"i":%d}`, i)
	}
	return "[" + b.String()[1:] + "]"
}

// TestHostileSchemasCostLittle: whatever a schema and a document are, building and validating are refused or end within
// seconds and in little memory, in the process itself. The bounds are some three times what is measured on an idle core.
func TestHostileSchemasCostLittle(t *testing.T) {
	list := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	deep := func(n int, leaf string) string { return strings.Repeat(`{"a":`, n) + leaf + strings.Repeat("}", n) }
	for _, tt := range []struct {
		name, schema, text string
		want               string // refused, limit, valid, invalid
	}{
		{"a 25-level doubling", doubling(25, "allOf"), `{}`, "refused"},
		{"a doubling that fails everywhere", doubling(16, "allOf"), `1`, "invalid"},
		{"20,000 unique objects", `{"uniqueItems":true}`, objects(20_000), "valid"},
		{"an evil pattern", `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 100_000) + `!"`, "invalid"},
		{"a step of 1e-300", `{"items":{"multipleOf":1e-300}}`, list("1.7e300", 20_000), "valid"},
		{"a number of a million digits", `{"multipleOf":3}`, `1e1000000`, "limit"},
		{"many wrong items below a long path", `{"properties":{"a":{"$ref":"#"}},"items":{"type":"string"}}`, deep(1_900, list("1", 20_000)), "invalid"},
		{"many right items below a long path", `{"properties":{"a":{"$ref":"#"}},"items":{"type":"integer"}}`, deep(1_900, list("1", 20_000)), "valid"},
		{"half a million wrong items", `{"items":{"type":"string"}}`, list("1", 500_000), "invalid"},
		{"100,000 subschemas", `{"properties":` + members(100_000, func(int) string { return `{"type":"string"}` }) + `}`, `{}`, "refused"},
		{"100,000 subschemas in an example", `{"$ref":"#/examples/0","examples":[{"properties":` + members(100_000, func(int) string { return `{}` }) + `}]}`, `{}`, "refused"},
		{"2,000 large patterns", `{"properties":` + members(2_000, func(i int) string { return fmt.Sprintf(`{"pattern":"^((a{1,30}){1,30}){1,%d}$"}`, i%30+1) }) + `}`, `{}`, "refused"},
		{"an enum of a thousand objects", `{"items":{"enum":` + list(`{"a":1}`, 1_000) + `}}`, list(`{"b":2}`, 4_500), "invalid"},
		{"a dynamic reference, many wrong items", `{"$dynamicAnchor":"n","anyOf":[{"type":"string"},{"items":{"$dynamicRef":"#n"}}]}`, list("1", 100_000), "valid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuTime()
			got := outcome(t, tt.schema, tt.text)
			took := cpuTime() - start
			runtime.ReadMemStats(&after)
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			grown := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%v of CPU time, %d MiB allocated", took.Round(10*time.Microsecond), grown)
			if took > 5*time.Second || grown > 2048 {
				t.Errorf("took %v of CPU time and allocated %d MiB", took, grown)
			}
		})
	}
}

// outcome says what became of a schema and a document.
func outcome(t *testing.T, schema, text string) string {
	t.Helper()
	s, err := jsoncheck.CompileSchema([]byte(schema), jsoncheck.SchemaConfig{})
	if errors.Is(err, jsoncheck.ErrLimit) {
		return "refused"
	}
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsoncheck.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Validate(doc)
	switch {
	case errors.Is(err, jsoncheck.ErrLimit):
		return "limit"
	case err != nil:
		t.Fatal(err)
	case len(list) > 0:
		return "invalid"
	}
	return "valid"
}
