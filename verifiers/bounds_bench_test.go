package verifiers

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// bounded runs f and holds its CPU time to a bound in nanoseconds. The bound fails the benchmark only under `make
// bench-verifiers`, which sets VERIFYD_BOUNDS: on a machine of its own a figure is news, in a test run it is noise.
func bounded(b *testing.B, bound float64, f func()) {
	b.ReportAllocs()
	for b.Loop() {
		f()
	}
	got := leastTime(f)
	b.ReportMetric(got, "cpu-ns/op")
	b.ReportMetric(bound, "bound-ns")
	if os.Getenv("VERIFYD_BOUNDS") != "" && got > bound {
		b.Errorf("%.0f ns of CPU time, the bound is %.0f", got, bound)
	}
}

// leastTime is the CPU time of one call in ns: the least of five rounds of some 10 ms, since others use the machine's caches.
func leastTime(f func()) float64 {
	round := func(n int) int64 {
		start := cpuTime()
		for range n {
			f()
		}
		return cpuTime() - start
	}
	n := 1
	for round(n) < 10e6 {
		n *= 2
	}
	best := round(n)
	for range 4 {
		best = min(best, round(n))
	}
	return float64(best) / float64(n)
}

func benchVerifier(b *testing.B, spec string) Verifier {
	b.Helper()
	v, err := NewRegistry(Config{}).Build(jsontext.Value(spec))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func benchRow(b *testing.B, answer, gold string) []byte {
	b.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		b.Fatal(err)
	}
	return []byte(`{"final_text":` + string(text) + `,"privileged":{"reference":` + gold + `}}`)
}

func parsed(b *testing.B, line []byte) *rollout.Row {
	b.Helper()
	r, err := rollout.Parse(line)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkBoundText: 3 µs for 200 bytes, 8 µs for a kilobyte, right and wrong.
func BenchmarkBoundText(b *testing.B) {
	prose := strings.Repeat("She has 3 apples and gives Tom 2 of them, so that I see one left. ", 20)
	for _, kind := range []struct{ name, end, hit, miss string }{
		{"exact_match", "\nParis", `"Paris"`, `"Rome"`},
		{"includes", " Paris", `"Paris"`, `"Rome"`},
		{"multiple_choice", "The answer is (B).", `"B"`, `"C"`},
		{"multiple_choice", " So B", `"B"`, `"C"`},
		{"numeric", "\nThe answer is 42.", `"42"`, `"43"`},
		{"numeric", " so 42 in all", `"42"`, `"43"`},
	} {
		for _, size := range []struct {
			name  string
			bytes int
			bound float64
		}{{"200B", 200, 3000}, {"1kB", 1000, 8000}} {
			answer := prose[:size.bytes-len(kind.end)] + kind.end
			for _, gold := range []string{kind.hit, kind.miss} {
				b.Run(kind.name+"/"+size.name+"/"+gold, func(b *testing.B) {
					v, r := benchVerifier(b, `{"kind":"`+kind.name+`"}`), parsed(b, benchRow(b, answer, gold))
					bounded(b, size.bound, func() { judge.Call(b.Context(), v, r, 0) })
				})
			}
		}
	}
}

// BenchmarkBoundSchema: 60 µs for a schema of 20 properties, reading the row and its JSON included.
func BenchmarkBoundSchema(b *testing.B) {
	var properties, required, good, bad []string
	for i := range 20 {
		name := `"field_` + string(rune('a'+i)) + `"`
		kinds := []string{`{"type":"string","minLength":1,"pattern":"^[A-Za-z ]+$"}`, `{"type":"integer","minimum":0}`, `{"enum":["red","green","blue"]}`, `{"type":"array","items":{"type":"number"}}`}
		values := []string{`"some text"`, `17`, `"green"`, `[1,2.5,3]`}
		properties = append(properties, name+":"+kinds[i%4])
		required = append(required, name)
		good = append(good, name+": "+values[i%4])
		bad = append(bad, name+": "+values[(i+i%2)%4])
	}
	v := benchVerifier(b, `{"kind":"json_schema","schema":{"type":"object","additionalProperties":false,"properties":{`+strings.Join(properties, ",")+`},"required":[`+strings.Join(required, ",")+`]}}`)
	for _, answer := range []struct{ name, text string }{
		{"valid", "{" + strings.Join(good, ", ") + "}"},
		{"valid in a fence", "Here it is:\n```json\n{\n  " + strings.Join(good, ",\n  ") + "\n}\n```"},
		{"invalid", "{" + strings.Join(bad, ", ") + "}"},
	} {
		b.Run(answer.name, func(b *testing.B) {
			line := benchRow(b, answer.text, "null")
			bounded(b, 60000, func() { judge.Call(b.Context(), v, parsed(b, line), 0) })
		})
	}
}

// nothing is a check that costs nothing: what a tree takes beside it is the tree's own.
type nothing struct {
	Common
	reward float64
}

func (n *nothing) Spec() jsontext.Value { return encode(n) }

func (n *nothing) Judge(context.Context, *rollout.Row) (judge.Verdict, error) {
	if n.reward == 1 {
		return judge.Pass("yes"), nil
	}
	return judge.Fail(judge.WrongAnswer, "no"), nil
}

// treeOf is a tree of n checks that cost nothing.
func treeOf(b testing.TB, kind string, n int, reward float64) Verifier {
	b.Helper()
	reg := NewRegistry(Config{})
	reg.Add("nothing", func(_ *Builder, spec jsontext.Value) (Verifier, error) {
		v := &nothing{reward: reward}
		return v, decode(spec, v)
	})
	part := `{"kind":"nothing"}`
	if kind == "weighted" {
		part = `{"weight":1,"check":` + part + `}`
	}
	v, err := reg.Build(jsontext.Value(`{"kind":"` + kind + `","of":[` + strings.TrimSuffix(strings.Repeat(part+",", n), ",") + `]}`))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// BenchmarkBoundTree: 1 µs a node, a tree of 21 nodes at most 21.
func BenchmarkBoundTree(b *testing.B) {
	r := parsed(b, benchRow(b, "text", `"text"`))
	for _, kind := range []struct {
		name   string
		reward float64
	}{{"all", 1}, {"any", 0}, {"none", 0}, {"weighted", 1}, {"weighted", 0}} {
		b.Run(kind.name, func(b *testing.B) {
			v := treeOf(b, kind.name, 20, kind.reward)
			bounded(b, 21*1000, func() { judge.Call(b.Context(), v, r, 0) })
		})
	}
	b.Run("not", func(b *testing.B) {
		deep := strings.Repeat(`{"kind":"not","check":`, 20) + `{"kind":"json_valid"}` + strings.Repeat("}", 20)
		v := benchVerifier(b, deep)
		bounded(b, 21*1000, func() { judge.Call(b.Context(), v, r, 0) })
	})
	b.Run("skipped", func(b *testing.B) {
		v := treeOf(b, "any", 20, 1)
		bounded(b, 2*1000, func() { judge.Call(b.Context(), v, r, 0) })
	})
}

// TestSkippedPartsCostNothing: a tree that is decided by its first part allocates the same, whatever else it has.
func TestSkippedPartsCostNothing(t *testing.T) {
	r, err := rollout.Parse([]byte(`{"final_text":"text"}`))
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(n int) float64 {
		v := treeOf(t, "any", n, 1)
		return testing.AllocsPerRun(100, func() { judge.Call(t.Context(), v, r, 0) })
	}
	if one, many := allocations(2), allocations(40); many > one {
		t.Errorf("39 skipped parts take %v allocations, one takes %v", many, one)
	}
}
