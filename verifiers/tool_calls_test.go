package verifiers

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// callsRow is a row with the flat calls of one assistant message, each "name" or "name {arguments}".
func callsRow(calls ...string) string {
	var list []string
	for _, c := range calls {
		name, arguments, ok := strings.Cut(c, " ")
		if !ok {
			arguments = "{}"
		}
		list = append(list, `{"name":"`+name+`","arguments":`+arguments+`}`)
	}
	return `{"messages":[{"role":"assistant","tool_calls":[` + strings.Join(list, ",") + `]}]}`
}

func TestToolCalls(t *testing.T) {
	for _, c := range []struct {
		name, spec, row string
		reward          float64
	}{
		{"called", `"called":["a","b"]`, callsRow("b", "a"), 1},
		{"one is missing", `"called":["a","b"]`, callsRow("a", "a"), 0},
		{"only", `"only":["a"]`, callsRow("a", "b"), 0},
		{"only, none called", `"only":["a"]`, callsRow(), 1},
		{"none", `"none":true`, callsRow(), 1},
		{"a call without a name", `"none":true`, callsRow(""), 0},
		{"subsequence", `"order":["a","b"]`, callsRow("x", "a", "y", "b", "z"), 1},
		{"subsequence in the wrong order", `"order":["a","b"]`, callsRow("b", "a"), 0},
		{"consecutive", `"order":["a","b","a"],"order_mode":"consecutive"`, callsRow("a", "b", "b", "a", "b", "a"), 1},
		{"consecutive over a false start", `"order":["a","a","b"],"order_mode":"consecutive"`, callsRow("a", "a", "a", "b"), 1},
		{"consecutive with a gap", `"order":["a","b"],"order_mode":"consecutive"`, callsRow("a", "x", "b"), 0},
		{"exact", `"order":["a","b"],"order_mode":"exact"`, callsRow("a", "b"), 1},
		{"exact and one more", `"order":["a","b"],"order_mode":"exact"`, callsRow("a", "b", "b"), 0},
		{"count of one", `"count":{"a":2}`, callsRow("a", "b", "a"), 1},
		{"count of all", `"count":{"*":{"min":1,"max":2}}`, callsRow("a", "b", "a"), 0},
		{"steps with names", `"called":["a"]`, `{"steps":[{"name":"a","arguments":{}}]}`, 1},
		{"the name of a speaker is no call", `"none":true`, `{"steps":[{"name":"bob","text":"hi"},{"name":"eve","user":"yo"}]}`, 1},
		{"tool_trace", `"called":["a"]`, `{"tool_trace":[{"tool":"a"}]}`, 1},
		{"broken arguments of a step", `"arguments":[{"name":"a","schema":true}]`, `{"steps":[{"tool":"a","arguments":"{x"}]}`, 0},
		{"absent arguments", `"arguments":[{"name":"a","equals":{}}]`, `{"steps":[{"tool":"a"}]}`, 1},
		{"empty text as arguments", `"arguments":[{"name":"a","equals":{}}]`, callsRow(`a ""`), 1},
		{"null as arguments", `"arguments":[{"name":"a","equals":{}}]`, callsRow(`a null`), 1},
		{"a list as arguments", `"arguments":[{"name":"a","equals":{}}]`, callsRow(`a []`), 0},
		{"NaN is no JSON", `"arguments":[{"name":"a","schema":true}]`, callsRow(`a "{\"x\":NaN}"`), 0},
		{"equals in text", `"arguments":[{"name":"a","equals":{"x":[1,"b"]}}]`, callsRow(`a "{\"x\":[1.0,\"b\"]}"`), 1},
		{"equals wants all", `"arguments":[{"name":"a","equals":{"x":1,"y":2}}]`, callsRow(`a {"x":1}`), 0},
		{"contains, deep values whole", `"arguments":[{"name":"a","contains":{"x":{"y":1}}}]`, callsRow(`a {"x":{"y":1,"z":2}}`), 0},
		{"contains", `"arguments":[{"name":"a","contains":{"x":1}}]`, callsRow(`a {"x":1,"z":2}`), 1},
		{"schema", `"arguments":[{"name":"a","schema":{"required":["x"]}}]`, callsRow(`a {"y":1}`), 0},
		{"expr", `"arguments":[{"name":"a","expr":"arguments.x > 1"}]`, callsRow(`a {"x":2}`), 1},
		{"expr on another type", `"arguments":[{"name":"a","expr":"arguments.x > 1"}]`, callsRow(`a {"x":"2"}`), 0},
		{"expr that is no bool", `"arguments":[{"name":"a","expr":"arguments.x"}]`, callsRow(`a {"x":1}`), 0},
		{"expr with the row", `"arguments":[{"name":"a","expr":"arguments.x == row.tool_trace[0].tool"}]`, `{"tool_trace":[{"tool":"a","arguments":{"x":"a"}}]}`, 1},
		{"any", `"arguments":[{"name":"a","contains":{"x":2}}]`, callsRow(`a {"x":1}`, `a {"x":2}`), 1},
		{"all", `"arguments":[{"name":"a","contains":{"x":2},"which":"all"}]`, callsRow(`a {"x":1}`, `a {"x":2}`), 0},
		{"first", `"arguments":[{"name":"a","contains":{"x":1},"which":"first"}]`, callsRow(`b {"x":2}`, `a {"x":1}`), 1},
		{"last", `"arguments":[{"name":"a","contains":{"x":1},"which":"last"}]`, callsRow(`a {"x":1}`, `a {"x":2}`), 0},
		{"second", `"arguments":[{"name":"a","contains":{"x":2},"which":2}]`, callsRow(`a {"x":1}`, "b", `a {"x":2}`), 1},
		{"second of one", `"arguments":[{"name":"a","contains":{"x":1},"which":2}]`, callsRow(`a {"x":1}`), 0},
		{"any tool", `"arguments":[{"name":"*","contains":{"x":1},"which":"all"}]`, callsRow(`a {"x":1}`, `b {"x":1}`), 1},
		{"any tool, none called", `"arguments":[{"name":"*","schema":true,"which":"all"}]`, callsRow(), 0},
		{"shares", `"called":["a","b"],"forbidden":["c"],"only":["a"],"score":"fraction"`, callsRow("a", "c"), 0.25},
	} {
		v := verdictOf(t, `{"kind":"tool_calls",`+c.spec+`}`, c.row)
		if v.Status != judge.OK || *v.Reward != c.reward {
			t.Errorf("%s: %s %v (%s), want %v", c.name, v.Status, deref(v.Reward), v.Reason, c.reward)
		}
	}
}

// TestToolCallsLimit: arguments that exhaust an expression are the candidate's.
func TestToolCallsLimit(t *testing.T) {
	numbers := strings.TrimSuffix(strings.Repeat("1,", 3000), ",")
	v := verdictOf(t, `{"kind":"tool_calls","arguments":[{"name":"a","expr":"all(arguments.x, all(arguments.x, # < 9))"}]}`, callsRow(`a {"x":[`+numbers+`]}`))
	if v.Status != judge.OK || *v.Reward != 0 || v.FailureClass != judge.CheckLimit {
		t.Errorf("%s %v %s %s", v.Status, deref(v.Reward), v.FailureClass, v.Reason)
	}
	v = verdictOf(t, `{"kind":"tool_calls","arguments":[{"name":"a","which":"all","expr":"all(arguments.x, all(arguments.x, # < 9))"}]}`, callsRow(`a {"x":[`+numbers+`]}`))
	if v.FailureClass != judge.CheckLimit {
		t.Errorf("all: %s %s", v.FailureClass, v.Reason)
	}
}

// FuzzToolCalls: whatever the row, there is a verdict with status ok.
func FuzzToolCalls(f *testing.F) {
	for _, row := range []string{callsRow(`a {"x":1}`, "b"), `{"steps":[{"tool":"a","arguments":"{"}]}`, `{"tool_calls":[{"function":{"arguments":[]}}]}`, `{}`} {
		f.Add(row)
	}
	v, err := NewRegistry(Config{}).Build(jsontext.Value(`{"kind":"tool_calls","called":["a"],"only":["a","b"],"forbidden":["c"],"order":["a","b"],"order_mode":"consecutive",
		"count":{"*":{"max":3},"a":1},"arguments":[{"name":"a","equals":{"x":1}},{"name":"*","which":"all","schema":{"required":["x"]}},{"name":"b","which":2,"expr":"arguments.y > row.z"}],"score":"fraction"}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row, err := rollout.Parse([]byte(text))
		if err != nil {
			t.Skip()
		}
		if got := judge.Call(t.Context(), v, row, 0); got.Status != judge.OK {
			t.Errorf("%s: %s", got.Status, got.Reason)
		}
	})
}
