package verifiers

import (
	"errors"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func TestBuildNamesThePathOfAFault(t *testing.T) {
	for _, tt := range []struct{ name, spec, path, msg string }{
		{"no object", `[1]`, "", "a spec is an object"},
		{"no kind", `{"of":[]}`, "kind", "missing"},
		{"a kind of another type", `{"kind":3}`, "kind", "must be text"},
		{"an unknown kind", `{"kind":"q-7"}`, "kind", `unknown kind "q-7"; known are all, any`},
		{"an unknown key", `{"kind":"exact_match","lowr":true}`, "lowr", "unknown key"},
		{"an unknown key deep inside", `{"kind":"all","of":[{"kind":"exact_match"},{"kind":"not","check":{"kind":"exact_match","x":1}}]}`, "of[1].check.x", "unknown key"},
		{"another type", `{"kind":"exact_match","whole":"yes"}`, "whole", "must be true or false, not text"},
		{"another type deep inside", `{"kind":"weighted","of":[{"weight":"x","check":{"kind":"exact_match"}}]}`, "of[0].weight", "must be a number, not text"},
		{"a key that stands twice", `{"kind":"exact_match","whole":true,"whole":false}`, "whole", "duplicate"},
		{"no children", `{"kind":"all","of":[]}`, "of", "at least one"},
		{"no children of any", `{"kind":"any"}`, "of", "at least one"},
		{"no children of none", `{"kind":"none","of":[]}`, "of", "at least one"},
		{"no child of not", `{"kind":"not"}`, "check", "missing"},
		{"a negative weight", `{"kind":"weighted","of":[{"weight":-1,"check":{"kind":"exact_match"}}]}`, "of[0].weight", "negative"},
		{"weights that are all zero", `{"kind":"weighted","of":[{"weight":0,"check":{"kind":"exact_match"}}]}`, "of", "sum above 0"},
		{"no check beside a weight", `{"kind":"weighted","of":[{"weight":1}]}`, "of[0].check", "missing"},
		{"an unknown kind below a weight", `{"kind":"weighted","of":[{"weight":1,"check":{"kind":"zip"}}]}`, "of[0].check.kind", "unknown kind"},
		{"no pattern", `{"kind":"regex"}`, "pattern", "missing"},
		{"a bad pattern", `{"kind":"regex","pattern":"("}`, "pattern", ""},
		{"bad flags", `{"kind":"regex","pattern":"a","flags":"Q"}`, "flags", ""},
		{"a missing group", `{"kind":"regex","pattern":"(a)","group":2}`, "group", "from 0 to 1"},
		{"a missing named group", `{"kind":"regex","pattern":"(a)","group":"x"}`, "group", "no group named"},
		{"a bad mode", `{"kind":"regex","pattern":"a","mode":"find"}`, "mode", "fullmatch"},
		{"a bad top type", `{"kind":"json_valid","top_type":"thing"}`, "top_type", ""},
		{"no schema", `{"kind":"json_schema"}`, "schema", "missing"},
		{"a bad schema", `{"kind":"json_schema","schema":{"type":5}}`, "schema", ""},
		{"a bad format word", `{"kind":"json_schema","schema":{},"format":"maybe"}`, "format", "annotate"},
		{"no path", `{"kind":"json_field"}`, "path", "missing"},
		{"a bad path", `{"kind":"json_field","path":"$["}`, "path", ""},
		{"a bad path syntax", `{"kind":"json_field","path":"a","path_syntax":"xpath"}`, "path_syntax", ""},
		{"no expression", `{"kind":"rule"}`, "expr", "missing"},
		{"a bad expression", `{"kind":"rule","expr":"1 +"}`, "expr", ""},
		{"an unknown name", `{"kind":"rule","expr":"candidat"}`, "expr", "candidat"},
		{"code without a sandbox", `{"kind":"code_exec"}`, "", "no sandbox"},
		{"an unknown integrity", `{"kind":"code_exec","integrity":"high"}`, "", "lineup"},
		{"an unknown score", `{"kind":"code_exec","score":"best"}`, "", "fraction"},
		{"an unknown language", `{"kind":"code_exec","language":"klingon"}`, "", "klingon"},
		{"a bad limit", `{"kind":"code_exec","limits":{"wall":"soon"}}`, "limits.wall", "duration"},
		{"an unknown limit", `{"kind":"code_exec","limits":{"wal":"1s"}}`, "limits.wal", "want wall, cpu, memory"},
		{"a limit that nothing can start under", `{"kind":"code_exec","limits":{"memory":"1KiB"}}`, "limits.memory", "want at least 1MiB"},
		{"limits that are no object", `{"kind":"code_exec","limits":[]}`, "limits", "want an object"},
		{"a key mistyped", `{"kind":"regex","patern":"a"}`, "patern", "unknown key (did you mean pattern?); want kind, name, field, pattern, flags"},
		{"a key of a part mistyped", `{"kind":"weighted","of":[{"wieght":1,"check":{}}]}`, "of[0].wieght", "want weight, check"},
		{"a kind mistyped", `{"kind":"ExactMatch"}`, "kind", `unknown kind "ExactMatch" (did you mean exact_match?); known are`},
		{"a kind cut short", `{"kind":"all","of":[{"kind":"math"}]}`, "of[0].kind", "did you mean math_equal?"},
		{"broken tests", `{"kind":"code_exec","tests":{"format":"zip"}}`, "tests", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewRegistry(Config{}).Build([]byte(tt.spec))
			var spec *judge.SpecError
			if !errors.As(err, &spec) {
				t.Fatalf("Build(%s) = %v, want a SpecError", tt.spec, err)
			}
			if roomPrefix.MatchString(err.Error()) {
				t.Errorf("Build(%s) = %q, which names a package", tt.spec, err)
			}
			if tt.path != "" && spec.Path != tt.path || !strings.Contains(err.Error(), tt.msg) {
				t.Errorf("Build(%s) = %q at %q, want %q at %q", tt.spec, err, spec.Path, tt.msg, tt.path)
			}
		})
	}
}

func TestBuildRefusesATreeThatIsTooLarge(t *testing.T) {
	reg := NewRegistry(Config{})
	deep := strings.Repeat(`{"kind":"not","check":`, 40) + `{"kind":"exact_match"}` + strings.Repeat("}", 40)
	wide := `{"kind":"all","of":[` + strings.Repeat(`{"kind":"exact_match"},`, 1200) + `{"kind":"exact_match"}]}`
	for name, spec := range map[string]string{"deep": deep, "wide": wide, "long": `{"kind":"exact_match","name":"` + strings.Repeat("x", maxSpec) + `"}`} {
		if _, err := reg.Build([]byte(spec)); err == nil || !strings.Contains(err.Error(), "too large") && !strings.Contains(err.Error(), "over the limit") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// TestSpecsComeBack builds each spec from its own canonical form: what is built twice is the same.
func TestSpecsComeBack(t *testing.T) {
	reg := NewRegistry(Config{})
	for _, spec := range []string{
		`{"kind":"exact_match"}`,
		`{"kind":"exact_match","name":"n","field":"f","lower":false,"strip_punct":false,"whole":true,"normalize":"squad"}`,
		`{"kind":"regex","pattern":"(?P<a>x)","flags":"","group":"a","lower":false,"mode":"match"}`,
		`{"kind":"regex","pattern":"x","group":0}`,
		`{"kind":"json_valid","top_type":"dict","whole":true,"unique_keys":true}`,
		`{"kind":"json_schema","schema":{"type":"object"},"draft":"draft7","format":"assert","remotes":{"http://x.invalid/a":{}}}`,
		`{"kind":"json_field","path":"","path_syntax":"pointer","equals":null}`,
		`{"kind":"rule","expr":"candidate == reference"}`,
		`{"kind":"math_equal"}`,
		`{"kind":"weighted","of":[{"weight":0.5,"check":{"kind":"not","check":{"kind":"exact_match"}}},{"weight":1,"check":{"kind":"none","of":[{"kind":"math_equal"}]}}]}`,
	} {
		v, err := reg.Build([]byte(spec))
		if err != nil {
			t.Errorf("Build(%s): %v", spec, err)
			continue
		}
		if got := string(v.Spec()); got != spec {
			t.Errorf("Spec() = %s, want %s", got, spec)
		}
	}
}

func TestCanonicalSpecDropsNothingAndSpelling(t *testing.T) {
	v, err := NewRegistry(Config{}).Build([]byte(`{ "of": [ {"kind" : "exact_match", "name":"x"} ], "kind":"all" }`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(v.Spec()), `{"kind":"all","of":[{"kind":"exact_match","name":"x"}]}`; got != want {
		t.Errorf("Spec() = %s, want %s", got, want)
	}
	if v.Name() != "all" || v.Kind() != "all" || !v.Prompt() {
		t.Errorf("name %q, kind %q, prompt %v", v.Name(), v.Kind(), v.Prompt())
	}
}

func FuzzBuild(f *testing.F) {
	for _, seed := range []string{`{"kind":"all","of":[{"kind":"regex","pattern":"a+"}]}`, `{"kind":"json_schema","schema":{"$ref":"#"}}`,
		`{"kind":"weighted","of":[{"weight":1e308,"check":{"kind":"not","check":{"kind":"numeric","tol":0.1}}}]}`, `{"kind":"rule","expr":"row.x > 1"}`} {
		f.Add(seed, `{"final_text":"a","answer":"b"}`)
	}
	reg := NewRegistry(Config{})
	f.Fuzz(func(t *testing.T, spec, line string) {
		v, err := reg.Build([]byte(spec))
		if err != nil {
			return
		}
		again, err := reg.Build(v.Spec())
		if err != nil {
			t.Fatalf("the canonical spec %s of %s cannot be built: %v", v.Spec(), spec, err)
		}
		row, err := rollout.Parse([]byte(line))
		if err != nil {
			return
		}
		a, b := judge.Call(t.Context(), v, row, 0), judge.Call(t.Context(), again, row, 0)
		if a.Status != b.Status || (a.Reward == nil) != (b.Reward == nil) || a.Reward != nil && *a.Reward != *b.Reward {
			t.Errorf("%s and its canonical spec disagree: %+v, %+v", spec, a, b)
		}
	})
}
