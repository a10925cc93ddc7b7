package dataset

import (
	"crypto/sha1" //nolint:gosec // an identifier, no secret
	"encoding/hex"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/rollout"
)

// TrainingOptions shape training rows.
type TrainingOptions struct {
	SystemPrompt string         // put first where the rollout has no system turn
	Tools        jsontext.Value // the tools' declarations, copied into each row; nil: none
	MaskMode     string         // assistant (default): loss on each assistant turn; final: on the last one
	Unroll       bool           // a row for each assistant turn
	MaxToolChars int            // cut tool answers behind that many code points; 0: never
	HiddenState  bool           // carry world_state and faults, the hidden state of a simulated world
}

// carried are the members of a row that training rows keep. Markers, answers and privileged values are not among them.
var carried = []string{"reward", "reason", "prompt", "scenario_id", "task_id", "tier", "stance", "ask_family", "intent_known", "tool_known", "tools_used",
	"model_version", "policy_version", "writer_model", "user_model", "finish_reason", "sampling", "seed", "behavior_signature", "semantic_cluster", "judge_name",
	"judge_status", "failure_class", "fault_detected", "gold_reward", "gold_kind", "label_source", "calibration", "logprob", "n_tokens", "token_logprobs",
	"conversation_id", "ts"}

// hidden are carried on request only.
var hidden = []string{"world_state", "faults"}

// member is one member of an object that keeps its order.
type member struct {
	name  string
	value any
}

// Groups counts the rewards of each task, for the columns of group-relative methods. Its zero value is empty.
type Groups struct {
	tasks map[string]*groupCount
	many  bool // some task has two rows
}

type groupCount struct {
	k, low, high int
	sum, squares float64
	n            int
}

// Add counts a row.
func (g *Groups) Add(r *rollout.Row) {
	if g.tasks == nil {
		g.tasks = map[string]*groupCount{}
	}
	c := g.tasks[r.Group]
	if c == nil {
		c = &groupCount{}
		g.tasks[r.Group] = c
	}
	c.k++
	g.many = g.many || c.k > 1
	if v, ok := evaluate.Reward(r); ok {
		c.n++
		c.sum += v
		c.squares += v * v
		if v < 0.5 {
			c.low++
		} else if v > 0.5 {
			c.high++
		}
	}
}

func (g *Groups) columns(r *rollout.Row) []member {
	c := g.tasks[r.Group]
	if !g.many || c == nil {
		return nil
	}
	list := []member{{"group_id", digest(r.Group)}, {"k", c.k}, {"n0", c.low}, {"n1", c.high}}
	if c.n > 0 {
		mean := c.sum / float64(c.n)
		list = append(list, member{"reward_mean", mean}, member{"reward_std", math.Sqrt(max(c.squares/float64(c.n)-mean*mean, 0))})
	}
	return list
}

func digest(s string) string {
	sum := sha1.Sum([]byte(s)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])[:12]
}

// CheckMask refuses a mask mode that is none.
func (o *TrainingOptions) CheckMask() error {
	switch o.MaskMode {
	case "", "assistant", "final":
		return nil
	}
	return fmt.Errorf("mask_mode must be assistant or final, got %q", o.MaskMode)
}

// TrainingRows turns a rollout into training rows, one object each: one, or with Unroll one for each assistant turn.
func TrainingRows(r *rollout.Row, groups *Groups, o TrainingOptions) ([]jsontext.Value, error) {
	if err := o.CheckMask(); err != nil {
		return nil, err
	}
	messages, _ := conversation(r)
	if o.SystemPrompt != "" && (len(messages) == 0 || messages[0].Role != "system") {
		messages = append([]Message{{Role: "system", Content: o.SystemPrompt}}, messages...)
	}
	cuts, chars := cutTools(messages, o.MaxToolChars)
	var rows []jsontext.Value
	for _, part := range o.parts(messages) {
		list := []member{{"messages", part.messages}}
		if cuts > 0 {
			list = append(list, member{"tool_output_truncated", cuts}, member{"tool_output_chars_cut", chars})
		}
		list = append(list, member{"loss_mask", part.mask})
		if o.Tools != nil {
			list = append(list, member{"tools", o.Tools})
		}
		list = append(list, o.columns(r)...)
		if part.turns > 0 {
			list = append(list, member{"unroll", map[string]int{"turn": part.turn, "turns": part.turns}}, member{"lineage", unrolledFrom(r)})
		}
		list = append(list, member{"schema_version", "1"})
		row, err := object(append(list, groups.columns(r)...))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (o *TrainingOptions) columns(r *rollout.Row) []member {
	var list []member
	names := carried
	if o.HiddenState {
		names = append(append([]string{}, carried...), hidden...)
	}
	for _, name := range names {
		if v, ok := r.Get(name); ok && v.Kind() != 'n' {
			list = append(list, member{name, v})
		}
	}
	return list
}

// part is one training row's share of a conversation.
type part struct {
	messages    []Message
	mask        []int
	turn, turns int // of an unrolled conversation, from 1
}

func (o *TrainingOptions) parts(messages []Message) []part {
	var turns []int
	for i := range messages {
		if messages[i].Role == "assistant" {
			turns = append(turns, i)
		}
	}
	if o.Unroll {
		var parts []part
		for n, i := range turns {
			mask := make([]int, i+1)
			mask[i] = 1
			parts = append(parts, part{messages[:i+1], mask, n + 1, len(turns)})
		}
		return parts
	}
	mask := make([]int, len(messages))
	if o.MaskMode == "final" && len(turns) > 0 {
		turns = turns[len(turns)-1:]
	}
	for _, i := range turns {
		mask[i] = 1
	}
	return []part{{messages: messages, mask: mask}}
}

// cutTools shortens the answers of tools in place.
func cutTools(messages []Message, limit int) (cuts, chars int) {
	for i := range messages {
		m := &messages[i]
		n := utf8.RuneCountInString(m.Content)
		if m.Role != "tool" || limit <= 0 || n <= limit {
			continue
		}
		cuts++
		chars += n - limit
		m.Content = fmt.Sprintf("%s\n[... %d chars of tool output truncated]", string([]rune(m.Content)[:limit]), n-limit)
	}
	return cuts, chars
}

func unrolledFrom(r *rollout.Row) jsontext.Value {
	from := []member{{"prompt_sha1", digest(r.Prompt)}}
	for _, name := range [...]string{"rollout_index", "scenario_id"} {
		v, ok := r.Get(name)
		if !ok {
			v = jsontext.Value("null")
		}
		from = append(from, member{name, v})
	}
	inner, err := object(from)
	if err != nil {
		return nil
	}
	return jsontext.Value(`{"unrolled_from":` + string(inner) + `}`)
}

// object writes members in their order.
func object(list []member) (jsontext.Value, error) {
	out := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, m.name) // names are valid UTF-8
		out = append(out, ':')
		b, err := json.Marshal(m.value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		out = append(out, b...)
	}
	return append(out, '}'), nil
}
