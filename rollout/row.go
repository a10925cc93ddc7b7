package rollout

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Row is one rollout. The exported fields are read from the line it came from and are not written back: a row is never
// changed after Parse. Its zero value is an empty row. Safe for concurrent reading.
type Row struct {
	ID         string    // `id`, as text
	Group      string    // see GroupKey
	Messages   []Message // the trajectory, oldest first
	Prompt     string
	Steps      []Step // tool calls and turns of a simulated rollout
	FinalText  string // empty: the last assistant turn counts, see Candidate
	Privileged Privileged

	raw rawRow
}

// Privileged is what only verifiers read: it is written by no training export, no log line and no error message.
type Privileged struct {
	Reference jsontext.Value // nil where absent
	Tests     jsontext.Value // nil where absent
	raw       jsontext.Value
}

// Message is one turn of a trajectory.
type Message struct {
	Role      string
	Content   string // of a list of parts, the texts joined
	ToolCalls []ToolCall
}

// Step is one step of a simulated rollout: a tool call with its result, a text of the agent, or a turn of the user.
type Step struct {
	Tool      string
	Arguments jsontext.Value // always an object; {} where there were none
	Broken    bool           // arguments were there, but they are no JSON object
	Result    jsontext.Value // nil where absent
	Text      string
	User      string
}

// rawRow is the line itself with an index of its keys.
type rawRow struct {
	line   []byte
	fields []field
}

type field struct {
	name  string
	value jsontext.Value // aliases line
}

// Get returns the raw value of a key of the row, and whether the key is there.
func (r *Row) Get(key string) (jsontext.Value, bool) {
	for i := range r.raw.fields {
		if r.raw.fields[i].name == key {
			return r.raw.fields[i].value, true
		}
	}
	return nil, false
}

// Text is the scalar under a key as ScalarText gives it; empty where the key is absent.
func (r *Row) Text(key string) string {
	v, ok := r.Get(key)
	if !ok {
		return ""
	}
	return ScalarText(v)
}

// Raw returns the line that the row was parsed from. The caller must not change it.
func (r *Row) Raw() jsontext.Value { return r.raw.line }

// Keys returns the row's keys in their order.
func (r *Row) Keys() []string {
	keys := make([]string, len(r.raw.fields))
	for i, f := range r.raw.fields {
		keys[i] = f.name
	}
	return keys
}

// AppendMembers appends the row's members, without the braces and separated by commas, leaving out the keys for which
// drop is true, and reports whether any was written. A nil drop keeps all. Bytes inside a value are kept as they came.
func (r *Row) AppendMembers(dst []byte, drop func(key string) bool) (out []byte, wrote bool) {
	for i := range r.raw.fields {
		f := &r.raw.fields[i]
		if drop != nil && drop(f.name) {
			continue
		}
		if wrote {
			dst = append(dst, ',')
		}
		dst, _ = jsontext.AppendQuote(dst, f.name)
		dst = append(append(dst, ':'), f.value...)
		wrote = true
	}
	return dst, wrote
}

// HasAny says whether the row has a key for which is is true.
func (r *Row) HasAny(is func(key string) bool) bool {
	for i := range r.raw.fields {
		if is(r.raw.fields[i].name) {
			return true
		}
	}
	return false
}
