package verifiers

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/sandbox"
)

var update = flag.Bool("update", false, "write docs/spec.schema.json and docs/VERIFIERS.md anew")

// compareFile compares a made file with the one in the repository.
func compareFile(t *testing.T, name string, made []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, want) {
		t.Errorf("%s is not what the code says; go test ./verifiers -update writes it", name)
	}
}

func TestSchemaIsWrittenDown(t *testing.T) { compareFile(t, "../docs/spec.schema.json", SpecSchema()) }

// TestEveryKindIsDescribed: the tables hold each kind of the registry once, and each has examples.
func TestEveryKindIsDescribed(t *testing.T) {
	var kinds []string
	for _, d := range Describe() {
		kinds = append(kinds, d.Kind)
		if d.Passes == "" || d.Group == "" || len(d.Examples) == 0 {
			t.Errorf("%s: no clause, group or example", d.Kind)
		}
	}
	slices.Sort(kinds)
	if want := NewRegistry(Config{}).Kinds(); !slices.Equal(kinds, want) {
		t.Errorf("described are %v, known are %v", kinds, want)
	}
}

// TestEveryKeyIsDescribed: the keys of the tables are those of the structs that specs are decoded into.
func TestEveryKeyIsDescribed(t *testing.T) {
	for _, tables := range [][]description{textKinds(), jsonKinds(), formKinds(), callKinds(), codeKinds(), treeKinds()} {
		for _, d := range tables {
			sameKeys(t, d.kind, d.args, d.keys)
		}
	}
}

func sameKeys(t *testing.T, where string, args any, keys []argument) {
	t.Helper()
	var described []string
	for _, k := range keys {
		described = append(described, k.key)
		if k.doc == "" {
			t.Errorf("%s.%s: no words", where, k.key)
		}
		if k.of != nil {
			sameKeys(t, where+"."+k.key, k.of, k.keys)
		}
	}
	want := slices.DeleteFunc(keysOf(reflect.TypeOf(args)), func(k string) bool {
		return slices.Contains([]string{"kind", "name", "field"}, k) && where == strings.Split(where, ".")[0]
	})
	if !slices.Equal(described, want) {
		t.Errorf("%s: described are %v, the struct has %v", where, described, want)
	}
}

// TestLimitsAreTaken: each limit of the table is one, and its default is the sandbox's.
func TestLimitsAreTaken(t *testing.T) {
	var stated []string
	for _, k := range limitKeys() {
		if k.def != "" {
			stated = append(stated, quoted(k.key)+":"+k.def)
		}
	}
	got, err := codecheck.ParseLimits(json.RawMessage("{" + strings.Join(stated, ",") + `,"cpu":"10s"}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := sandbox.DefaultLimits(); !reflect.DeepEqual(got, want) {
		t.Errorf("the table says %+v, the sandbox %+v", got, want)
	}
}

// TestExamplesAreJudged: each example has the verdict that the page gives it. Programs are tried in cmd/verifyd.
func TestExamplesAreJudged(t *testing.T) {
	reg := NewRegistry(Config{Model: new(model.Pool).Client})
	for _, d := range Describe() {
		if d.Kind == "code_exec" {
			continue
		}
		for _, e := range d.Examples {
			v, err := reg.Build(e.Spec)
			if err != nil {
				t.Errorf("%s: %s: %v", d.Kind, e.Spec, err)
				continue
			}
			for _, r := range e.Rows {
				row, err := rollout.Parse(r.Row)
				if err != nil {
					t.Errorf("%s: %s: %v", d.Kind, r.Row, err)
					continue
				}
				got := judge.Call(t.Context(), v, row, 0)
				if got.Status != r.Status || got.FailureClass != r.Class || got.Reward != nil && math.Abs(*got.Reward-r.Reward) > 1e-9 {
					t.Errorf("%s of %s on %s: %s, class %q; want %s, class %q (%s)", d.Kind, e.Spec, r.Row, show(got.Reward, got.Status), got.FailureClass, show(&r.Reward, r.Status), r.Class, got.Reason)
				}
				if r.Class != "" && len(d.Fails) > 0 && !slices.Contains(d.Fails, r.Class) {
					t.Errorf("%s: the class %s is not among its failures", d.Kind, r.Class)
				}
			}
		}
	}
}

// specWith is a spec with one key set, or taken out.
func specWith(t *testing.T, spec jsontext.Value, key string, value jsontext.Value) jsontext.Value {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(spec, &members); err != nil {
		t.Fatal(err)
	}
	if members[key] = json.RawMessage(value); value == nil {
		delete(members, key)
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// extras are keys that an argument is only taken together with.
var extras = map[string]map[string]string{
	"format.outside":         {"tags": `["think"]`},
	"format.implicit_open":   {"tags": `["think"]`},
	"tool_calls.order_mode":  {"order": `["a"]`},
	"similarity.lower":       {"metric": `"edit"`},
	"similarity.smooth":      {"metric": `"bleu_4"`},
	"json_field.path_syntax": {"path": `"$.unit"`},
}

// TestWordsAndDefaultsAreTaken: each word of the tables builds and another one does not, and writing a default down changes
// no verdict of the examples.
func TestWordsAndDefaultsAreTaken(t *testing.T) {
	reg := NewRegistry(Config{Model: new(model.Pool).Client, Code: func(string) (CodeRunner, error) { return nil, nil }})
	for _, d := range Describe() {
		for _, a := range d.Arguments {
			base := d.Examples[0].Spec
			for key, value := range extras[d.Kind+"."+a.Key] {
				base = specWith(t, base, key, jsontext.Value(value))
			}
			if !a.Required {
				base = specWith(t, base, a.Key, nil)
			}
			for _, w := range a.Words {
				spec := base
				if w == "pointer" {
					spec = specWith(t, base, "path", jsontext.Value(`"/unit"`))
				}
				if _, err := reg.Build(specWith(t, spec, a.Key, jsontext.Value(quoted(w)))); err != nil {
					t.Errorf("%s.%s: %s is not taken: %v", d.Kind, a.Key, w, err)
				}
			}
			if _, err := reg.Build(specWith(t, base, a.Key, jsontext.Value(`"zzz"`))); a.Words != nil && err == nil && d.Kind+"."+a.Key != "includes.mode" {
				t.Errorf("%s.%s: takes a word that is none", d.Kind, a.Key)
			}
			if a.Default == nil || d.Kind == "code_exec" {
				continue
			}
			plain, err := reg.Build(base)
			if err != nil {
				t.Fatal(err)
			}
			stated, err := reg.Build(specWith(t, base, a.Key, a.Default))
			if err != nil {
				t.Errorf("%s.%s: the default %s is not taken: %v", d.Kind, a.Key, a.Default, err)
				continue
			}
			for _, r := range d.Examples[0].Rows {
				row, _ := rollout.Parse(r.Row)
				one, two := judge.Call(t.Context(), plain, row, 0), judge.Call(t.Context(), stated, row, 0)
				if !reflect.DeepEqual(one.Reward, two.Reward) || one.Reason != two.Reason {
					t.Errorf("%s.%s: the default %s changes a verdict: %s, %s", d.Kind, a.Key, a.Default, one.Reason, two.Reason)
				}
			}
		}
	}
}

// TestSchemaAgreesWithBuild: the schema takes what Build takes, and refuses what is no spec by its form.
func TestSchemaAgreesWithBuild(t *testing.T) {
	schema, err := jsoncheck.CompileSchema(SpecSchema(), jsoncheck.SchemaConfig{})
	if err != nil {
		t.Fatal(err)
	}
	satisfies := func(spec jsontext.Value) []jsoncheck.Violation {
		doc, err := jsoncheck.Parse(string(spec))
		if err != nil {
			t.Fatal(err)
		}
		list, err := schema.Validate(doc)
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		return list
	}
	for _, d := range Describe() {
		for _, e := range d.Examples {
			if list := satisfies(e.Spec); len(list) > 0 {
				t.Errorf("%s: %v", e.Spec, list)
			}
			if list := satisfies(specWith(t, e.Spec, "zzz", jsontext.Value(`1`))); len(list) == 0 {
				t.Errorf("%s: takes an unknown key", d.Kind)
			}
			for _, a := range d.Arguments {
				if a.Type == "any JSON" || a.Type == "a number" && !strings.Contains(string(a.Schema), "minimum") {
					continue
				}
				if list := satisfies(specWith(t, e.Spec, a.Key, jsontext.Value(`-0.5`))); len(list) == 0 {
					t.Errorf("%s.%s: takes -0.5", d.Kind, a.Key)
				}
			}
		}
	}
	reg := NewRegistry(Config{Model: new(model.Pool).Client})
	n := 0
	for _, spec := range goldenSpecs(t) {
		if _, err := reg.Build(spec); err != nil || bytes.Contains(spec, []byte("null")) {
			continue
		}
		n++
		if list := satisfies(spec); len(list) > 0 && !strings.Contains(string(spec), `"mode"`) {
			t.Errorf("%s: %v", spec, list)
		}
	}
	if n < 200 {
		t.Errorf("only %d golden specs were tried", n)
	}
}

// goldenSpecs are the specs of the golden cases.
func goldenSpecs(t *testing.T) []jsontext.Value {
	t.Helper()
	text, err := os.ReadFile("../testdata/corpus/golden/verifiers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []jsontext.Value
	for line := range bytes.Lines(text) {
		var c goldenCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		spec, err := goldenSpec(c.Input.Verifier)
		if err != nil {
			continue
		}
		if b, err := json.Marshal(spec); err == nil && !tagged(b) {
			list = append(list, b)
		}
	}
	return list
}
