package rollout

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// TestToolCallsGolden runs the golden cases that JSON can say: those whose input is an object and holds no value that
// JSON has not.
func TestToolCallsGolden(t *testing.T) {
	f, err := os.Open("../testdata/corpus/golden/tool_calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c struct {
			ID    string
			Input struct {
				Row json.RawMessage `json:"message_or_row"`
			}
			Expected []any
			Note     string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Input.Row == nil || c.Input.Row[0] != '{' {
			continue
		}
		n++
		got := []any{}
		for _, call := range ToolCalls(mustParse(t, string(c.Input.Row))) {
			var arguments any
			if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
				t.Errorf("%s: arguments %s: %v", c.ID, call.Arguments, err)
			}
			m := map[string]any{"name": call.Name, "arguments": arguments, "id": nil}
			if call.ID != "" {
				m["id"] = call.ID
			}
			got = append(got, m)
		}
		if !reflect.DeepEqual(got, c.Expected) {
			t.Errorf("%s (%s): %v, want %v", c.ID, c.Note, got, c.Expected)
		}
	}
	if n < 18 {
		t.Errorf("only %d cases were read", n)
	}
}

func TestStepsAreReadWhole(t *testing.T) {
	r := mustParse(t, `{"steps":[{"tool":"get","arguments":{"id":1},"result":{"ok":true}},{"text":"hm"},{"user":"and?"},7]}`)
	if len(r.Steps) != 3 || r.Steps[0].Tool != "get" || string(r.Steps[0].Result) != `{"ok":true}` || r.Steps[1].Text != "hm" || r.Steps[2].User != "and?" {
		t.Errorf("Steps = %+v", r.Steps)
	}
}

func TestArgumentsWrittenByPythonAreRead(t *testing.T) {
	for arguments, want := range map[string]string{
		`{\"a\": [NaN, -Infinity, Infinity]}`: `{"a": [{"$float":"nan"}, {"$float":"-inf"}, {"$float":"inf"}]}`,
		`{\"NaN\": \"x NaN \\\" NaN\"}`:       `{"NaN": "x NaN \" NaN"}`,
		`{\"a\": NaNa}`:                       `{}`,
		`{\"a\": \"NaN`:                       `{}`,
	} {
		r := mustParse(t, `{"tool_calls":[{"name":"n","arguments":"`+arguments+`"}]}`)
		if got := string(ToolCalls(r)[0].Arguments); got != want {
			t.Errorf("arguments %s are read as %s, want %s", arguments, got, want)
		}
	}
}
