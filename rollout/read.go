package rollout

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Candidate is the text that is judged: FinalText where it is not empty, else the last assistant message with content.
func (r *Row) Candidate() string {
	if r.FinalText != "" {
		return r.FinalText
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := &r.Messages[i]; m.Role == "assistant" && m.Content != "" {
			return m.Content
		}
	}
	return ""
}

// GroupKey is what rollouts of one ask share: scenario_id, else task_id, else prompt, as text. Empty and false values
// are skipped, as in the reference system; "" where there is none.
func (r *Row) GroupKey() string {
	for _, key := range [...]string{"scenario_id", "task_id"} {
		if v, ok := r.Get(key); ok {
			if s := ScalarText(v); s != "" && s != "false" && s != "0" {
				return s
			}
		}
	}
	return r.Prompt
}

// flatReferences are the keys under which data sets keep the answer key, in the order in which they are tried.
var flatReferences = [...]string{"reference", "answer", "target", "solution", "label", "expected"}

// Reference is the answer key: with a field, the value that Lookup finds there and nothing else; without,
// privileged.reference, else the first of reference, answer, target, solution, label, expected in the row, then in its
// info, metadata and privileged objects. Null is skipped; 0, false and "" count. It reports whether there is one, and
// whether it is privileged: such a value must not be seen outside.
func (r *Row) Reference(field string) (v jsontext.Value, ok bool) {
	if field != "" {
		v, ok = r.Lookup(field)
		return v, ok && v.Kind() != 'n'
	}
	if v := r.Privileged.Reference; v != nil && v.Kind() != 'n' {
		return v, true
	}
	for _, key := range flatReferences {
		if v, ok := r.Get(key); ok && v.Kind() != 'n' {
			return v, true
		}
	}
	for _, part := range [...]string{"info", "metadata", "privileged"} {
		object, ok := r.Get(part)
		if !ok {
			continue
		}
		for _, key := range flatReferences {
			if v, ok := Member(object, key); ok && v.Kind() != 'n' {
				return v, true
			}
		}
	}
	return nil, false
}

// Lookup finds a value by a literal key, else by a dotted path (`info.answers.0`: list indices are plain digits).
func (r *Row) Lookup(path string) (jsontext.Value, bool) {
	if v, ok := r.Get(path); ok {
		return v, true
	}
	head, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		return nil, false
	}
	v, ok := r.Get(head)
	for ok && dotted {
		head, rest, dotted = strings.Cut(rest, ".")
		v, ok = child(v, head)
	}
	return v, ok
}

func child(v jsontext.Value, key string) (jsontext.Value, bool) {
	if v.Kind() == '{' {
		return Member(v, key)
	}
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || key[0] == '+' {
		return nil, false
	}
	for item := range Elements(v) {
		if i == 0 {
			return item, true
		}
		i--
	}
	return nil, false
}

// Secrets yields every scalar of the row's privileged golds, for redaction: the texts that must not be seen outside.
// Hidden tests are not among them; whoever reads tests quotes none of them.
func (r *Row) Secrets() []jsontext.Value {
	var list []jsontext.Value
	for name, v := range Members(r.Privileged.raw) {
		if name != "tests" {
			list = scalars(list, v)
		}
	}
	return list
}

func scalars(list []jsontext.Value, v jsontext.Value) []jsontext.Value {
	switch v.Kind() {
	case '[':
		for item := range Elements(v) {
			list = scalars(list, item)
		}
	case '{':
		for _, item := range Members(v) {
			list = scalars(list, item)
		}
	case 'n':
	default:
		list = append(list, v)
	}
	return list
}
