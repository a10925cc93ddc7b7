package dataset

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// Message is one turn in the wire shape of chat endpoints: a call's arguments are JSON text, and a tool's answer names its call.
type Message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []Call `json:"tool_calls,omitempty"`
	Name       string `json:"name,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

// Call is one tool call.
type Call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Function is what is called.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON text
}

// conversation is a rollout as messages: its own, else its prompt, steps and final text. Thinking is left out, calls are numbered.
// broken counts calls whose arguments are no JSON object.
func conversation(r *rollout.Row) (list []Message, broken int) {
	var c talk
	if len(r.Messages) > 0 {
		c.fromMessages(r)
	} else {
		c.fromSteps(r)
	}
	c.final(r)
	return c.list, c.broken
}

// talk builds a conversation.
type talk struct {
	list    []Message
	calls   int
	pending []Call // calls that no tool has answered yet
	broken  int
}

func (c *talk) call(name string, arguments jsontext.Value, broken bool) Call {
	if broken {
		c.broken++
	}
	call := Call{ID: fmt.Sprintf("call_%04d", c.calls), Type: "function", Function: Function{name, spaced(arguments)}}
	c.calls++
	c.pending = append(c.pending, call)
	return call
}

// answer adds a tool's answer to the oldest open call of its name, else to the oldest.
func (c *talk) answer(name, content string) {
	m := Message{Role: "tool", Content: content, Name: name}
	for i, call := range c.pending {
		if call.Function.Name == name || name == "" {
			m.Name, m.ToolCallID = call.Function.Name, call.ID
			c.pending = append(c.pending[:i], c.pending[i+1:]...)
			break
		}
	}
	if m.ToolCallID == "" && len(c.pending) > 0 {
		m.ToolCallID, c.pending = c.pending[0].ID, c.pending[1:]
	}
	c.list = append(c.list, m)
}

func (c *talk) fromMessages(r *rollout.Row) {
	raw, _ := r.Get("messages")
	i := 0
	for item := range rollout.Elements(raw) {
		if item.Kind() != '{' {
			continue
		}
		m := &r.Messages[i]
		i++
		if m.Role == "tool" {
			name, _ := rollout.Member(item, "name")
			c.answer(rollout.ScalarText(name), m.Content)
			continue
		}
		out := Message{Role: m.Role, Content: m.Content}
		if m.Role == "assistant" {
			out.Content = unthought(m.Content)
		}
		for _, t := range m.ToolCalls {
			out.ToolCalls = append(out.ToolCalls, c.call(t.Name, t.Arguments, t.Broken))
		}
		c.list = append(c.list, out)
	}
}

func (c *talk) fromSteps(r *rollout.Row) {
	if v, ok := r.Get("opener"); ok && rollout.ScalarText(v) != "" {
		c.list = append(c.list, Message{Role: "assistant", Content: rollout.ScalarText(v)})
	}
	if r.Prompt != "" {
		c.list = append(c.list, Message{Role: "user", Content: r.Prompt})
	}
	if len(r.Steps) == 0 {
		c.fromTrace(r)
		return
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		switch {
		case s.Tool != "":
			c.list = append(c.list, Message{Role: "assistant", ToolCalls: []Call{c.call(s.Tool, s.Arguments, s.Broken)}})
			c.answer(s.Tool, result(s.Result))
		case s.User != "":
			c.list = append(c.list, Message{Role: "user", Content: s.User})
		case s.Text != "":
			c.list = append(c.list, Message{Role: "assistant", Content: unthought(s.Text)})
		}
	}
	for len(c.list) > 1 && c.list[len(c.list)-1].Role == "user" { // a turn that nobody answered teaches nothing
		c.list = c.list[:len(c.list)-1]
	}
}

// fromTrace reads tool_trace, where agents put their calls with input and output.
func (c *talk) fromTrace(r *rollout.Row) {
	raw, _ := r.Get("tool_trace")
	calls := rollout.ToolCalls(r)
	i := 0
	for item := range rollout.Elements(raw) {
		if item.Kind() != '{' || i >= len(calls) {
			continue
		}
		t := calls[i]
		i++
		c.list = append(c.list, Message{Role: "assistant", ToolCalls: []Call{c.call(t.Name, t.Arguments, t.Broken)}})
		output, ok := rollout.Member(item, "output")
		if !ok {
			output, _ = rollout.Member(item, "result")
		}
		c.answer(t.Name, result(output))
	}
}

// final adds the final text where the last assistant turn does not say it already, or is empty.
func (c *talk) final(r *rollout.Row) {
	text := unthought(r.FinalText)
	if text == "" {
		return
	}
	for i := len(c.list) - 1; i >= 0; i-- {
		m := &c.list[i]
		if m.Role != "assistant" {
			continue
		}
		if strings.TrimSpace(m.Content) == strings.TrimSpace(text) {
			return
		}
		if i == len(c.list)-1 && m.Content == "" && len(m.ToolCalls) == 0 {
			m.Content = text
			return
		}
		if len(r.Messages) > 0 && i == len(c.list)-1 {
			return // the rollout's own messages have the last word
		}
		break
	}
	c.list = append(c.list, Message{Role: "assistant", Content: text})
}

// unthought is a reply without its thinking.
func unthought(s string) string {
	for {
		start := strings.Index(s, "<think>")
		if start < 0 {
			break
		}
		end := strings.Index(s[start:], "</think>")
		if end < 0 {
			return strings.TrimSpace(s[:start])
		}
		s = s[:start] + s[start+end+len("</think>"):]
	}
	if _, after, ok := strings.Cut(s, "</think>"); ok { // templates that open the tag themselves
		s = after
	}
	return strings.TrimSpace(s)
}

// result is a tool's answer as text.
func result(v jsontext.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind() == '"' {
		return rollout.ScalarText(v)
	}
	return spaced(v)
}

// spaced writes JSON as Python's json module does, a blank behind each comma and colon: what chat templates were trained on.
func spaced(v jsontext.Value) string {
	if v == nil {
		return "{}"
	}
	out := bytes.NewBuffer(nil)
	enc := jsontext.NewEncoder(out, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := json.MarshalEncode(enc, v); err != nil {
		return string(v)
	}
	return strings.TrimSpace(out.String())
}
