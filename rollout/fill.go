package rollout

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// fill reads the typed fields. What has another shape is left empty.
func (r *Row) fill() {
	for i := range r.raw.fields {
		f := &r.raw.fields[i]
		switch f.name {
		case "id":
			r.ID = ScalarText(f.value)
		case "prompt":
			r.Prompt = text(f.value)
		case "final_text":
			r.FinalText = answerText(f.value)
		case "messages":
			r.Messages = messages(f.value)
		case "steps":
			r.Steps = steps(f.value)
		case "privileged":
			r.Privileged = privileged(f.value)
		}
	}
	r.Group = r.GroupKey()
}

func privileged(v jsontext.Value) Privileged {
	p := Privileged{}
	if v.Kind() != '{' {
		return p
	}
	p.raw = v
	p.Reference, _ = Member(v, "reference")
	p.Tests, _ = Member(v, "tests")
	return p
}

// text is a JSON string's text; anything else is empty.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	if b := v[1 : len(v)-1]; plain(b) {
		return string(b)
	}
	s, _ := jsontext.AppendUnquote(nil, v) // its error is about lone surrogates, which become U+FFFD
	return string(s)
}

// answerText is the text of an answer that need not be text: a number is its spelling, true is Python's True. What is
// false in Python (0, false, null) is no answer.
func answerText(v jsontext.Value) string {
	switch v.Kind() {
	case '0':
		if f, err := strconv.ParseFloat(string(v), 64); err == nil && f == 0 {
			return ""
		}
		return string(v)
	case 't':
		return "True"
	}
	return text(v)
}

// plain: no escape stands in it.
func plain(b []byte) bool {
	for _, c := range b {
		if c == '\\' {
			return false
		}
	}
	return true
}

// ScalarText is a scalar as text: a string's text, a number's spelling, true, false; null, lists and objects are empty.
func ScalarText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return text(v)
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

func messages(v jsontext.Value) []Message {
	var list []Message
	for item := range Elements(v) {
		if item.Kind() == '{' {
			list = append(list, message(item))
		}
	}
	return list
}

func message(v jsontext.Value) Message {
	m := Message{}
	for name, value := range Members(v) {
		switch name {
		case "role":
			m.Role = text(value)
		case "content":
			m.Content = content(value)
		case "tool_calls":
			m.ToolCalls = toolCalls(value)
		}
	}
	return m
}

// content is a message's text: a string, or the text parts of a list of parts, joined.
func content(v jsontext.Value) string {
	if v.Kind() != '[' {
		return text(v)
	}
	var b strings.Builder
	for part := range Elements(v) {
		if part.Kind() == '"' {
			b.WriteString(text(part))
		} else if t, ok := Member(part, "text"); ok {
			b.WriteString(text(t))
		}
	}
	return b.String()
}

func steps(v jsontext.Value) []Step {
	var list []Step
	for item := range Elements(v) {
		if item.Kind() != '{' {
			continue
		}
		s := Step{Arguments: emptyObject}
		var name string
		var arguments, input jsontext.Value
		for key, value := range Members(item) {
			switch key {
			case "tool":
				s.Tool = text(value)
			case "name":
				name = text(value)
			case "arguments":
				arguments = value
			case "input":
				input = value
			case "result":
				s.Result = value
			case "text":
				s.Text = text(value)
			case "user":
				s.User = text(value)
			}
		}
		if arguments == nil {
			arguments = input
		}
		if arguments != nil {
			s.Arguments, s.Broken = argumentObject(arguments)
		}
		if s.Tool == "" && s.Text == "" && s.User == "" {
			s.Tool = name
		}
		list = append(list, s)
	}
	return list
}
