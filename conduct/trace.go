package conduct

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// trace is a rollout read for judging: who said what, what was called and what came back, oldest first.
type trace struct {
	row      *rollout.Row
	reply    string   // as it stands
	folded   string   // reply in lower case with plain apostrophes
	users    []string // texts of the user and of the system prompt, folded
	said     []string // texts of the agent, folded; the reply among them where it stands in the trajectory
	calls    []call
	results  []string // folded texts of results, one for each call
	declared []string // nil: not known
}

// call is one tool call and what came of it.
type call struct {
	tool      string
	arguments jsontext.Value
	result    jsontext.Value // nil where none came
	status    string         // lower case; empty where the result has none
	fault     string         // what went wrong, empty where nothing did
	write     bool           // it changes something: its name does not begin or end with a verb of reading
}

// worked: the call did what its name says.
func (c *call) worked() bool {
	if c.fault != "" || c.result == nil || c.result.Kind() == 'n' || alreadyDone(c.status) {
		return false
	}
	return c.status == "" || !c.write || successes[c.status]
}

// newTrace reads a row. Calls of the messages count; where they hold none, those of the steps do.
func newTrace(r *rollout.Row, declared []string) *trace {
	t := &trace{row: r, reply: strings.TrimSpace(r.Candidate()), declared: declared}
	t.folded = fold(t.reply)
	if r.Prompt != "" {
		t.users = append(t.users, fold(r.Prompt))
	}
	t.readMessages()
	fromMessages := len(t.calls) > 0
	for _, s := range r.Steps {
		switch {
		case s.Tool != "" && !fromMessages:
			t.add(s.Tool, s.Arguments, s.Result)
		case s.User != "":
			t.users = append(t.users, fold(s.User))
		}
		if s.Text != "" {
			t.said = append(t.said, fold(s.Text))
		}
	}
	return t
}

// readMessages joins calls and results by the id of the call, else by their order.
func (t *trace) readMessages() {
	raw, _ := t.row.Get("messages")
	var open []string // ids of calls that wait for their result; place i is call first+i
	first := 0
	i := 0
	for item := range rollout.Elements(raw) {
		if item.Kind() != '{' || i >= len(t.row.Messages) {
			continue
		}
		m := t.row.Messages[i]
		i++
		switch m.Role {
		case "user", "system", "developer":
			t.users = append(t.users, fold(m.Content))
		case "assistant":
			if m.Content != "" {
				t.said = append(t.said, fold(m.Content))
			}
			if len(m.ToolCalls) > 0 {
				first, open = len(t.calls), nil
			}
			for _, c := range m.ToolCalls {
				t.add(c.Name, c.Arguments, nil)
				open = append(open, c.ID)
			}
		case "tool", "function":
			id, _ := rollout.Member(item, "tool_call_id")
			if at := place(open, rollout.ScalarText(id)); at >= 0 {
				open[at] = taken
				t.answer(first+at, resultOf(m.Content))
			}
		}
	}
}

// taken marks a call whose result came; no id holds a zero byte.
const taken = "\x00"

func place(open []string, id string) int {
	for i, o := range open {
		if o != taken && (id == "" || o == "" || o == id) {
			return i
		}
	}
	return -1
}

// resultOf is a tool message as a value: the JSON it holds, else its text.
func resultOf(content string) jsontext.Value {
	if v := jsontext.Value(strings.TrimSpace(content)); v.IsValid() {
		return v
	}
	b, _ := json.Marshal(content) // a text can always be written
	return b
}

func (t *trace) add(tool string, arguments, result jsontext.Value) {
	t.calls = append(t.calls, call{tool: tool, arguments: arguments, write: !reads(tool)})
	t.results = append(t.results, "")
	if result != nil {
		t.answer(len(t.calls)-1, result)
	}
}

func (t *trace) answer(i int, result jsontext.Value) {
	c := &t.calls[i]
	c.result = result
	c.status, c.fault = statusOf(result)
	t.results[i] = fold(scalarsOf(result))
}

// grounded says whether a value was seen, as whole words, in what the user said or in a result of the first n calls.
func (t *trace) grounded(value string, n int) bool {
	value = fold(value)
	for _, list := range [][]string{t.users, t.results[:n]} {
		for _, text := range list {
			if holdsToken(text, value) {
				return true
			}
		}
	}
	return false
}

// outstanding are the calls that failed and whose tool did not work later, in their order; each tool once.
func (t *trace) outstanding() []*call {
	var open []*call
	worked := map[string]bool{}
	for i := len(t.calls) - 1; i >= 0; i-- {
		c := &t.calls[i]
		switch {
		case c.worked():
			worked[c.tool] = true
		case c.fault != "" && !worked[c.tool]:
			worked[c.tool] = true
			open = append([]*call{c}, open...)
		}
	}
	return open
}

// scalarsOf are all scalars and keys of a value, separated by lines.
func scalarsOf(v jsontext.Value) string {
	var b strings.Builder
	eachScalar("", v, func(_ string, s jsontext.Value) {
		b.WriteString(rollout.ScalarText(s))
		b.WriteByte('\n')
	})
	return b.String()
}

// eachScalar calls f with each scalar inside a value and the key under which it stands.
func eachScalar(key string, v jsontext.Value, f func(key string, v jsontext.Value)) {
	switch v.Kind() {
	case '{':
		for name, value := range rollout.Members(v) {
			eachScalar(name, value, f)
		}
	case '[':
		for value := range rollout.Elements(v) {
			eachScalar(key, value, f)
		}
	case 'n':
	default:
		f(key, v)
	}
}
