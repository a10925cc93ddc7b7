package verifiers

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// leaf is a rule that answers a given value or status.
func leaf(what string) string {
	switch what {
	case "missing":
		return `{"kind":"exact_match","field":"nowhere"}`
	case "invalid":
		return `{"kind":"rule","expr":"nil"}`
	case "error":
		return `{"kind":"rule","expr":"int(candidate + \"x\")"}`
	}
	return fmt.Sprintf(`{"kind":"rule","expr":"%s"}`, what)
}

func leaves(list string) string {
	var specs []string
	for _, what := range strings.Fields(list) {
		specs = append(specs, leaf(what))
	}
	return strings.Join(specs, ",")
}

func call(t *testing.T, spec, line string) judge.Verdict {
	t.Helper()
	v, err := NewRegistry(Config{}).Build([]byte(spec))
	if err != nil {
		t.Fatalf("Build(%s): %v", spec, err)
	}
	row, err := rollout.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return judge.Call(t.Context(), v, row, 0)
}

func TestTreesAreKleenesLogic(t *testing.T) {
	for _, tt := range []struct{ kind, children, want string }{
		{"all", "1 1", "1"},
		{"all", "1 0.5 1", "0.5"},
		{"all", "1 0", "0"},
		{"all", "missing 0", "0"},
		{"all", "0 missing", "0"},
		{"all", "error 0.5", "error"},
		{"all", "0.5 error", "error"},
		{"all", "missing error invalid", "error"},
		{"all", "invalid missing 1", "invalid_result"},
		{"any", "0 0", "0"},
		{"any", "0 0.5", "0.5"},
		{"any", "missing 1", "1"},
		{"any", "1 error", "1"},
		{"any", "0.5 missing", "missing_reward"},
		{"none", "0 0", "1"},
		{"none", "0 0.25", "0.75"},
		{"none", "1 error", "0"},
		{"none", "0 error", "error"},
	} {
		t.Run(tt.kind+" of "+tt.children, func(t *testing.T) {
			got := call(t, fmt.Sprintf(`{"kind":%q,"of":[%s]}`, tt.kind, leaves(tt.children)), `{"final_text":"a"}`)
			if show(got.Reward, got.Status) != tt.want {
				t.Errorf("got %s, want %s (%s)", show(got.Reward, got.Status), tt.want, got.Reason)
			}
			if n := len(got.Meta["parts"].([]any)); n != len(strings.Fields(tt.children)) {
				t.Errorf("%d parts", n)
			}
			if (got.Reward != nil && *got.Reward == 1) != (got.FailureClass == "") && got.Reward != nil {
				t.Errorf("failure class %q with reward %v", got.FailureClass, *got.Reward)
			}
		})
	}
}

func TestNot(t *testing.T) {
	for what, want := range map[string]string{"1": "0", "0": "1", "0.25": "0.75", "error": "error", "missing": "missing_reward"} {
		got := call(t, fmt.Sprintf(`{"kind":"not","check":%s}`, leaf(what)), `{"final_text":"a"}`)
		if show(got.Reward, got.Status) != want {
			t.Errorf("not %s = %s, want %s", what, show(got.Reward, got.Status), want)
		}
	}
}

func TestWeighted(t *testing.T) {
	for _, tt := range []struct{ name, of, want string }{
		{"the mean", "3:1 1:0", "0.75"},
		{"rounded to four digits", "1:1 1:0 1:0", "0.3333"},
		{"weight 0 is not counted", "1:1 0:0", "1"},
		{"nor does it unjudge", "1:1 0:error", "1"},
		{"an unjudged child of weight above 0 does", "1:1 0.1:missing", "missing_reward"},
		{"the gravest counts", "1:missing 1:error", "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var of []string
			for _, pair := range strings.Fields(tt.of) {
				weight, what, _ := strings.Cut(pair, ":")
				of = append(of, fmt.Sprintf(`{"weight":%s,"check":%s}`, weight, leaf(what)))
			}
			got := call(t, `{"kind":"weighted","of":[`+strings.Join(of, ",")+`]}`, `{"final_text":"a"}`)
			if show(got.Reward, got.Status) != tt.want {
				t.Errorf("got %s, want %s", show(got.Reward, got.Status), tt.want)
			}
		})
	}
}

func TestAPartSaysWhatItsChildSaid(t *testing.T) {
	got := call(t, `{"kind":"all","of":[`+leaves("0 1")+`]}`, `{"final_text":"a"}`)
	parts := got.Meta["parts"].([]any)
	first := parts[0].(map[string]any)
	if first["kind"] != "rule" || first["reward"] != 0.0 || first["judge_status"] != "ok" || first["reason"] == "" {
		t.Errorf("first part %v", first)
	}
	if want := map[string]any{"kind": "rule", "name": "rule", "skipped": true}; !reflect.DeepEqual(parts[1], want) {
		t.Errorf("second part %v, want %v", parts[1], want)
	}
}

func TestMarkersOfChildrenMeet(t *testing.T) {
	child := func(m string) string {
		return fmt.Sprintf(`{"kind":"rule","expr":"{\"reward\": 1, \"markers\": {%s}}"}`, m)
	}
	got := call(t, `{"kind":"all","of":[`+child(`\"polite\": 1.0, \"short\": 0.5`)+","+child(`\"polite\": 0.0`)+`]}`, `{}`)
	if want := map[string]float64{"polite": 0, "short": 0.5}; !reflect.DeepEqual(got.Markers, want) {
		t.Errorf("markers %v, want %v", got.Markers, want)
	}
}

func TestARuleThatUsesTheReferenceNeedsOne(t *testing.T) {
	for expr, want := range map[string]string{`reference == candidate`: "missing_reward", `(row.answer ?? \"a\") == candidate`: "1"} {
		if got := call(t, `{"kind":"rule","expr":"`+expr+`"}`, `{"final_text":"a"}`); show(got.Reward, got.Status) != want {
			t.Errorf("%s: %s, want %s (%s)", expr, show(got.Reward, got.Status), want, got.Reason)
		}
	}
}
