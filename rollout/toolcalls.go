package rollout

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// ToolCall is one call of a tool by the policy.
type ToolCall struct {
	Name      string
	Arguments jsontext.Value // always an object; {} where they could not be read
	Broken    bool           // arguments were there, but they are no JSON object
	ID        string         // empty where the call has none
}

var emptyObject = jsontext.Value("{}")

// ToolCalls returns the calls of a rollout in their order, from both wire shapes: flat {"name", "arguments"} and
// {"id", "function": {"name", "arguments": TEXT}}. A row that has `tool_calls` or `role` itself is one message, whatever
// its role. Else the assistant messages count; where they hold no call, `steps`, else `tool_trace`.
func ToolCalls(r *Row) []ToolCall {
	own, single := r.Get("tool_calls")
	if !single {
		_, single = r.Get("role")
	}
	if single {
		return toolCalls(own)
	}
	var calls []ToolCall
	for i := range r.Messages {
		if r.Messages[i].Role == "assistant" {
			calls = append(calls, r.Messages[i].ToolCalls...)
		}
	}
	if len(calls) > 0 {
		return calls
	}
	trace := r.Steps
	if len(trace) == 0 {
		v, _ := r.Get("tool_trace")
		trace = steps(v)
	}
	for _, s := range trace {
		if s.Tool != "" {
			calls = append(calls, ToolCall{Name: s.Tool, Arguments: s.Arguments, Broken: s.Broken})
		}
	}
	return calls
}

func toolCalls(v jsontext.Value) []ToolCall {
	var calls []ToolCall
	for item := range Elements(v) {
		if item.Kind() == '{' {
			calls = append(calls, toolCall(item))
		}
	}
	return calls
}

func toolCall(v jsontext.Value) ToolCall {
	c := ToolCall{Arguments: emptyObject}
	if id, ok := Member(v, "id"); ok {
		c.ID = ScalarText(id)
	}
	if f, ok := Member(v, "function"); ok && f.Kind() == '{' {
		v = f
	}
	if name, ok := Member(v, "name"); ok {
		c.Name = text(name)
	}
	if arguments, ok := Member(v, "arguments"); ok {
		c.Arguments, c.Broken = argumentObject(arguments)
	}
	return c
}

// argumentObject reads arguments as an object: an object itself, or a text that holds one. Anything else is {}, and broken
// unless it is null or an empty text; so are the floats that JSON has not.
func argumentObject(v jsontext.Value) (object jsontext.Value, broken bool) {
	switch {
	case v.Kind() == 'n' || string(v) == `""`:
		return emptyObject, false
	case v.Kind() == '"':
		v = jsontext.Value(bytes.TrimSpace([]byte(text(v))))
		if !v.IsValid(decodeOptions...) {
			broken = true
			v = taggedFloats(v)
		}
		if !v.IsValid(decodeOptions...) {
			return emptyObject, true
		}
	}
	if v.Kind() != '{' {
		return emptyObject, true
	}
	return v, broken
}

// floatTags stand for the floats that Python's json module writes and JSON does not have. A longer name comes before the
// one that it ends with.
var floatTags = []struct{ name, tag string }{
	{"-Infinity", `{"$float":"-inf"}`}, {"Infinity", `{"$float":"inf"}`}, {"NaN", `{"$float":"nan"}`},
}

// taggedFloats replaces the bare words NaN, Infinity and -Infinity outside of strings by objects that name them, so that
// arguments written by Python's json module are not lost.
func taggedFloats(v []byte) []byte {
	var out []byte
	for i := 0; i < len(v); {
		n := 1
		if v[i] == '"' {
			n = stringEnd(v[i:])
		}
		piece := v[i : i+n]
		for _, f := range floatTags {
			if bytes.HasPrefix(v[i:], []byte(f.name)) {
				n, piece = len(f.name), []byte(f.tag)
				break
			}
		}
		out = append(out, piece...)
		i += n
	}
	return out
}

// stringEnd is the length of the JSON string that v begins with, closing quote included.
func stringEnd(v []byte) int {
	for i := 1; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(v)
}
