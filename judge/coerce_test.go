package judge

import (
	"bufio"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// goldenValue turns a tagged JSON value into the Go value that a judge would return.
func goldenValue(x any) any {
	switch v := x.(type) {
	case map[string]any:
		for tag, inner := range v {
			switch tag {
			case "$float":
				f, _ := strconv.ParseFloat(inner.(string), 64)
				return f
			case "$bigint":
				return new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil)
			case "$tuple", "$set":
				return goldenValue(inner)
			case "$bytes":
				return []byte(inner.(string))
			}
		}
		m := map[string]any{}
		for k, inner := range v {
			m[k] = goldenValue(inner)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = goldenValue(v[i])
		}
		return list
	}
	return x
}

func TestCoerceGolden(t *testing.T) {
	f, err := os.Open("../testdata/corpus/golden/judge_contract.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var c struct {
			ID, System string
			Input      struct {
				Returns any       `json:"judge_returns"`
				Scale   []float64 `json:"scale"`
			}
			Expected struct {
				Reward *float64
				Reason string
				Status Status         `json:"judge_status"`
				Meta   map[string]any `json:"judge_meta"`
				Raises string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.System != "judge.normalize" {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			var scale Scale
			if c.Input.Scale != nil {
				scale = Scale{c.Input.Scale[0], c.Input.Scale[1]}
			}
			if err := scale.Validate(); (err != nil) != (c.Expected.Raises != "") {
				t.Fatalf("Validate() = %v, want raises %q", err, c.Expected.Raises)
			} else if err != nil {
				return
			}
			got := Coerce(goldenValue(c.Input.Returns), scale)
			if !reflect.DeepEqual(got.Reward, c.Expected.Reward) || got.Status != c.Expected.Status {
				t.Errorf("got %v %q, want %v %q", got.Reward, got.Status, c.Expected.Reward, c.Expected.Status)
			}
			if got.Status == OK && got.Reason != c.Expected.Reason {
				t.Errorf("reason %q, want %q", got.Reason, c.Expected.Reason)
			}
			for key := range c.Expected.Meta {
				if _, ok := got.Meta[key]; !ok && key != "markers" && key != "failure_class" {
					t.Errorf("metadata lacks %q: %v", key, got.Meta)
				}
			}
		})
	}
	if n < 40 {
		t.Errorf("only %d cases were read", n)
	}
}

func TestCoerceReadsWhatGoProgramsReturn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     any
		want   float64
		status Status
	}{
		{"int64", int64(1), 1, OK},
		{"json.Number", json.Number("0.25"), 0.25, OK},
		{"a rational", big.NewRat(1, 4), 0.25, OK},
		{"json.Number beyond float64", json.Number("1e999"), 0, InvalidResult},
		{"json.Number that is none", json.Number("x"), 0, InvalidResult},
		{"NaN", math.NaN(), 0, InvalidResult},
		{"a pair with null", []any{0.5, nil}, 0.5, OK},
		{"a pair with a number", []any{0.5, 3}, 0, InvalidResult},
		{"three", []any{1, "a", "b"}, 0, InvalidResult},
		{"a pair of text", []any{"1", "a"}, 0, InvalidResult},
		{"a struct", struct{}{}, 0, InvalidResult},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Coerce(tt.in, Scale{})
			if got.Status != tt.status || got.Status == OK && *got.Reward != tt.want || got.Status != OK && got.Reason == "" {
				t.Errorf("Coerce(%v) = %+v", tt.in, got)
			}
		})
	}
}

func TestCoerceTakesMarkersAndFailureClass(t *testing.T) {
	got := Coerce(map[string]any{"reward": 0.7, "failure_class": "wrong_answer", "rating": 3,
		"markers": map[string]any{"grounded": 1.0, "polite": true, "odd": "x"}, "judge_meta": map[string]any{"rating": 4}}, Scale{})
	if want := map[string]float64{"grounded": 1, "polite": 1}; !reflect.DeepEqual(got.Markers, want) {
		t.Errorf("markers %v, want %v", got.Markers, want)
	}
	if got.FailureClass != WrongAnswer || got.Meta["rating"] != 4 {
		t.Errorf("got %+v", got)
	}
}

func TestMarkerWarning(t *testing.T) {
	for name, warns := range map[string]bool{
		"refund_correct": false, "false_refund_success": true, "no_error": false, "error_free": false, "errors": true,
		"Leak": true, "decided": false, "untampered": false, "unsafe-call": true,
	} {
		if got := MarkerWarning(name); (got != "") != warns || warns && !strings.Contains(got, name) {
			t.Errorf("MarkerWarning(%q) = %q, want a warning: %v", name, got, warns)
		}
	}
}
