package verifiers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// The golden cases are written with the reference system's class names; goldenSpec turns them into specs.
var goldenKinds = map[string]string{
	"ExactMatch": "exact_match", "Includes": "includes", "Regex": "regex", "MultipleChoice": "multiple_choice",
	"Numeric": "numeric", "MathEqual": "math_equal", "JSONValid": "json_valid", "JSONSchema": "json_schema", "JSONField": "json_field",
}

type goldenCase struct {
	ID, System, Note string
	Input            struct {
		Verifier map[string]any
		Row      json.RawMessage
	}
	Expected struct {
		Reward      *float64
		Status      judge.Status
		Constructor any            `json:"constructor_raises"`
		Meta        map[string]any `json:"judge_meta"`
	}
}

var errInexpressible = errors.New("a value that JSON has not")

// goldenLiteral writes what a wrapped function returned as an expression.
func goldenLiteral(x any) (string, error) {
	switch v := x.(type) {
	case nil:
		return "nil", nil
	case map[string]any:
		if f, ok := v["$float"]; ok {
			return map[string]string{"nan": "0.0 / 0.0", "inf": "1.0 / 0.0", "-inf": "-1.0 / 0.0"}[f.(string)], nil
		}
		if t, ok := v["$tuple"]; ok {
			return goldenLiteral(t)
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			inner, err := goldenLiteral(v[k])
			if err != nil || strings.HasPrefix(k, "$") {
				return "", errInexpressible
			}
			parts = append(parts, fmt.Sprintf("%q: %s", k, inner))
		}
		return "{" + strings.Join(parts, ", ") + "}", nil
	case []any:
		var parts []string
		for _, item := range v {
			inner, err := goldenLiteral(item)
			if err != nil {
				return "", err
			}
			parts = append(parts, inner)
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	b, err := json.Marshal(x)
	return string(b), err
}

func goldenSpec(v map[string]any) (map[string]any, error) {
	kind, _ := v["type"].(string)
	switch kind {
	case "All", "Any":
		of := []any{}
		for _, child := range v["verifiers"].([]any) {
			c, err := goldenSpec(child.(map[string]any))
			if err != nil {
				return nil, err
			}
			of = append(of, c)
		}
		return map[string]any{"kind": strings.ToLower(kind), "of": of}, nil
	case "Weighted":
		of := []any{}
		for _, pair := range v["pairs"].([]any) {
			p := pair.([]any)
			c, err := goldenSpec(p[0].(map[string]any))
			if err != nil {
				return nil, err
			}
			of = append(of, map[string]any{"weight": p[1], "check": c})
		}
		return map[string]any{"kind": "weighted", "of": of}, nil
	case "@verifier":
		spec := map[string]any{"kind": "rule", "name": v["name"], "expr": `int(candidate + "x")`}
		if _, raises := v["raises"]; !raises {
			expr, err := goldenLiteral(v["returns"])
			if err != nil {
				return nil, err
			}
			spec["expr"] = expr
		}
		return spec, nil
	}
	spec := map[string]any{"kind": goldenKinds[kind]}
	if goldenKinds[kind] == "" {
		return nil, errInexpressible
	}
	args, _ := v["args"].(map[string]any)
	maps.Copy(spec, args)
	return spec, nil
}

func tagged(b []byte) bool {
	for _, tag := range []string{`"$float"`, `"$bigint"`, `"$set"`, `"$bytes"`, `"$tuple"`} {
		if bytes.Contains(b, []byte(tag)) {
			return true
		}
	}
	return false
}

// run answers one case: what is wrong with the verdict, or "".
func (c goldenCase) run(ctx context.Context, reg *Registry) (string, error) {
	spec, err := goldenSpec(c.Input.Verifier)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(spec)
	if err != nil || tagged(text) || tagged(c.Input.Row) {
		return "", errInexpressible
	}
	row, err := rollout.Parse(c.Input.Row)
	if err != nil {
		return "", err
	}
	v, err := reg.Build(text)
	if err != nil {
		var spec *judge.SpecError
		if errors.As(err, &spec) && (c.Expected.Constructor != nil || c.Expected.Status == judge.Error) {
			return "", nil
		}
		return err.Error(), nil
	}
	if c.Expected.Constructor != nil {
		return "was built", nil
	}
	got := judge.Call(ctx, v, row, 0)
	want := c.Expected.Reward
	if got.Status != c.Expected.Status || (got.Reward == nil) != (want == nil) || want != nil && math.Abs(*got.Reward-*want) > 1e-9 {
		return fmt.Sprintf("got %s, want %s %s", show(got.Reward, got.Status), show(want, c.Expected.Status), got.Reason), nil
	}
	return "", nil
}

func show(reward *float64, status judge.Status) string {
	if reward == nil {
		return string(status)
	}
	return fmt.Sprint(*reward)
}

// TestGolden holds each kind to its floor of right verdicts, in percent. A floor may only rise; what is below 100 is
// listed in docs/RATIONALE.md.
func TestGolden(t *testing.T) {
	floors := map[string]float64{"MathEqual": 80}
	f, err := os.Open("../testdata/corpus/golden/verifiers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reg := NewRegistry(Config{})
	total, wrong := map[string]int{}, map[string][]string{}
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 4<<20); lines.Scan(); {
		var c goldenCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		kind := strings.TrimPrefix(c.System, "verifier.")
		why, err := c.run(t.Context(), reg)
		if err != nil {
			continue
		}
		total[kind]++
		if why != "" {
			wrong[kind] = append(wrong[kind], c.ID+" ("+c.Note+"): "+why)
		}
	}
	for kind, n := range total {
		floor, ok := floors[kind]
		if !ok {
			floor = 100
		}
		rate := 100 * float64(n-len(wrong[kind])) / float64(n)
		t.Logf("%-15s %6.2f %% of %d", kind, rate, n)
		if rate < floor {
			t.Errorf("%s: %.2f %%, the floor is %.0f %%:\n  %s", kind, rate, floor, strings.Join(wrong[kind], "\n  "))
		}
	}
	if len(total) < 12 {
		t.Errorf("only %d kinds were read", len(total))
	}
}
