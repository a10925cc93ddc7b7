package verifiers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
)

func faultPaths(r *Registry, spec string) string {
	var paths []string
	for _, f := range r.Faults(jsontext.Value(spec)) {
		paths = append(paths, f.Path)
	}
	return strings.Join(paths, " ")
}

// TestFaultsNamesThemAll: each fault once, and no consequence of another one.
func TestFaultsNamesThemAll(t *testing.T) {
	reg := NewRegistry(Config{Code: func(string) (CodeRunner, error) { return nil, nil }})
	for _, tt := range []struct{ name, spec, want string }{
		{"none", `{"kind":"exact_match"}`, ""},
		{"no object", `[]`, ""},
		{"unknown keys", `{"kind":"exact_match","lowr":1,"whole":true,"strip":2}`, "lowr strip"},
		{"types and words", `{"kind":"exact_match","lower":"yes","normalize":"all","whole":3}`, "lower whole normalize"},
		{"what must be there, and something else", `{"kind":"regex","flags":"Q"}`, "pattern flags"},
		{"a pattern and what does not hang on it", `{"kind":"regex","pattern":"(","mode":"find","group":2}`, "pattern mode"},
		{"a group without its pattern's fault", `{"kind":"regex","pattern":"(a)","mode":"find","group":2}`, "mode group"},
		{"several parts", `{"kind":"all","of":[{"kind":"zip"},{"kind":"exact_match"},{"kind":"any","of":[{"kind":"regex","pattern":"("},7]}]}`,
			"of[0].kind of[2].of[0].pattern of[2].of[1]"},
		{"a tree and its parts", `{"kind":"weighted","x":1,"of":[{"weight":-1,"check":{"kind":"numeric","tol":-1}},{"wieght":1,"check":{"kind":"numeric"}},{"weight":2}]}`,
			"x of[1].wieght of[0].weight of[2].check of[0].check.tol"},
		{"a key that stands twice", `{"kind":"regex","pattern":"a","pattern":"b","mode":"x"}`, "pattern mode"},
		{"a key mistyped", `{"kind":"regex","patern":"a","mode":"x"}`, "patern mode"},
		{"a check that is not there", `{"kind":"not"}`, "check"},
		{"a list of the wrong things", `{"kind":"all","of":"x"}`, "of"},
		{"entries of a list keep their places", `{"kind":"tool_calls","arguments":[{"name":"a","expr":"1 +"},{"name":"b","equals":{}},{"name":"c"},{"name":"d","which":"x","equals":{}}]}`,
			"arguments[0].expr arguments[2] arguments[3].which"},
		{"instructions", `{"kind":"instruction","mode":"hard","instructions":[{"id":"punctuation:no_comma"},{"id":"nope"},{"id":"length_constraints:number_words"}]}`,
			"mode instructions[1].id instructions[2].num_words"},
		{"what goes with tags", `{"kind":"format","outside":"all","part":"answer","max_words":3}`, "outside part"},
		{"what goes with tags that are at fault", `{"kind":"format","tags":["a b"],"part":"a b","min_words":9,"max_words":3}`, "tags[0] max_words"},
		{"limits", `{"kind":"code_exec","limits":{"wall":"soon","memory":"1KiB","disc":1},"score":"best","language":"klingon"}`, "language score limits.disc limits.wall limits.memory"},
		{"a name with a point", `{"kind":"tool_calls","count":{"a.b":-1,"a":{"min":3,"max":1}}}`, "count.a.b count.a.max"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := reg.Faults(jsontext.Value(tt.spec))
			got, want := strings.Fields(faultPaths(reg, tt.spec)), strings.Fields(tt.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v: %v", got, want, faults)
			}
			if _, err := reg.Build(jsontext.Value(tt.spec)); (err == nil) != (len(faults) == 0) {
				t.Errorf("Build says %v, Faults %v", err, faults)
			}
		})
	}
}

// TestFaultsAgreesWithBuild: over the golden specs and over small changes to them, there are faults exactly where Build
// refuses, and Build's own is among them.
func TestFaultsAgreesWithBuild(t *testing.T) {
	reg := NewRegistry(Config{})
	try := func(spec jsontext.Value) {
		faults := reg.Faults(spec)
		_, err := reg.Build(spec)
		if (err == nil) != (len(faults) == 0) {
			t.Fatalf("%s: Build says %v, Faults %v", spec, err, faults)
		}
		var first *judge.SpecError
		if errors.As(err, &first) && !slices.ContainsFunc(faults, func(f *judge.SpecError) bool { return f.Path == first.Path && f.Msg == first.Msg }) {
			t.Errorf("%s: Build says %v, which is not among %v", spec, err, faults)
		}
	}
	list := goldenSpecs(t)
	for _, d := range Describe() {
		for _, e := range d.Examples {
			if d.Kind != "code_exec" {
				list = append(list, e.Spec)
			}
		}
	}
	for _, spec := range list {
		try(spec)
		for i := 0; i < len(spec); i += 1 + len(spec)/25 { // take a part out, where JSON is left
			for _, n := range []int{1, 4, 9} {
				if cut := append(slices.Clone(spec[:i]), spec[min(i+n, len(spec)):]...); cut.IsValid() {
					try(cut)
				}
			}
		}
	}
}

// TestFaultsIsBounded: a spec that is nothing but faults costs little.
func TestFaultsIsBounded(t *testing.T) {
	var keys, parts []string
	for i := range 1100 {
		keys = append(keys, fmt.Sprintf(`"x%d":1`, i))
		parts = append(parts, `{"kind":"zip"}`)
	}
	reg := NewRegistry(Config{})
	if n := len(reg.Faults(jsontext.Value(`{"kind":"exact_match",` + strings.Join(keys, ",") + `}`))); n != maxFaults {
		t.Errorf("%d faults of one check", n)
	}
	if n := len(reg.Faults(jsontext.Value(`{"kind":"all","of":[` + strings.Join(parts, ",") + `]}`))); n == 0 || n > maxNodes+maxFaults {
		t.Errorf("%d faults of one tree", n)
	}
	deep := strings.Repeat(`{"kind":"not","check":`, 5000) + `1` + strings.Repeat(`}`, 5000)
	if n := len(reg.Faults(jsontext.Value(deep))); n != 1 {
		t.Errorf("%d faults of a deep tree", n)
	}
}

// TestSchemasOfASpecShareABudget: a tree of many costly schemas costs no more than one of them may.
func TestSchemasOfASpecShareABudget(t *testing.T) {
	var parts []string
	for i := range 200 {
		schema := fmt.Sprintf(`{"pattern":"((a{1,30}){1,30}){1,30}%d"}`, i)
		parts = append(parts, `{"kind":"json_schema","schema":`+schema+`}`, `{"kind":"tool_calls","arguments":[{"name":"a","schema":`+schema+`}]}`)
	}
	start := cpuTime()
	_, err := NewRegistry(Config{}).Build(jsontext.Value(`{"kind":"all","of":[` + strings.Join(parts, ",") + `]}`))
	if !errors.Is(err, jsoncheck.ErrLimit) {
		t.Errorf("built: %v", err)
	}
	if took := time.Duration(cpuTime() - start); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}
