package evaluate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/rollout"
)

// Config is under which settings rows were made, as far as they say: a setting is absent where no row has it or where rows
// differ, and then it stands in Mixed. Shares are rounded to four digits and absent where no row could tell.
type Config struct {
	Tasks         int      `json:"n_tasks"`
	K             int      `json:"k"`
	Temperature   *float64 `json:"temperature"`
	MaxTokens     *int     `json:"max_tokens"`
	PolicyVersion *string  `json:"policy_version"`
	JudgeVersion  *string  `json:"judge_version"`
	PromptHash    *string  `json:"prompt_hash"`
	UserModel     *string  `json:"user_model"`
	WriterModel   *string  `json:"writer_model"`
	Mixed         []string `json:"mixed"`
	Truncated     *float64 `json:"truncated_share"`      // of rows with a finish_reason, those that ended by length
	Answered      *float64 `json:"answered_share"`       // of rows with a final_text, those that say something behind their thinking
	UnclosedThink *float64 `json:"unclosed_think_share"` // of the same rows, those whose thinking never ends
	Graded        *float64 `json:"graded_share"`         // of all rows, those with a number for a reward
}

// settings gathers what a Config says.
type settings struct {
	values    map[string]setting
	truncated share
	answered  share
	unclosed  share
	graded    share
}

type setting struct {
	text  string
	mixed bool
}

type share struct{ yes, of int }

func (s *share) add(yes bool) {
	s.of++
	if yes {
		s.yes++
	}
}

func (s share) rounded() *float64 {
	if s.of == 0 {
		return nil
	}
	v := math.Round(float64(s.yes)/float64(s.of)*1e4) / 1e4
	return &v
}

func (s *settings) add(r *rollout.Row) {
	for _, name := range [...]string{"policy_version", "user_model", "writer_model"} {
		s.see(name, r.Text(name))
	}
	s.see("temperature", lookup(r, "sampling.temperature"))
	s.see("max_tokens", lookup(r, "sampling.max_tokens"))
	s.see("judge_version", lookup(r, "lineage.judge_version"))
	if _, hash, ok := strings.Cut(r.Text("policy_version"), "@"); ok {
		s.see("prompt_hash", hash)
	} else {
		s.see("prompt_hash", lookup(r, "lineage.system_prompt_sha"))
	}
	if reason := r.Text("finish_reason"); reason != "" {
		s.truncated.add(reason == "length")
	}
	if _, ok := r.Get("final_text"); ok {
		open, rest := unclosedThink(r.FinalText)
		s.answered.add(rest != "")
		s.unclosed.add(open)
	}
	_, ok := Reward(r)
	s.graded.add(ok)
}

// unclosedThink says whether a reply never ends its thinking, and what it says behind it.
func unclosedThink(text string) (open bool, rest string) {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	before, _, open := strings.Cut(text, "<think>")
	return open, strings.TrimSpace(before)
}

func lookup(r *rollout.Row, path string) string {
	v, ok := r.Lookup(path)
	if !ok {
		return ""
	}
	return rollout.ScalarText(v)
}

func (s *settings) see(name, value string) {
	if value == "" {
		return
	}
	if s.values == nil {
		s.values = map[string]setting{}
	}
	switch old, ok := s.values[name]; {
	case !ok:
		s.values[name] = setting{text: value}
	case old.text != value && !old.mixed:
		s.values[name] = setting{mixed: true}
	}
}

func (s *settings) config(tasks, k int) Config {
	c := Config{Tasks: tasks, K: k, Mixed: []string{}, Truncated: s.truncated.rounded(), Answered: s.answered.rounded(),
		UnclosedThink: s.unclosed.rounded(), Graded: s.graded.rounded()}
	for name, to := range map[string]**string{"policy_version": &c.PolicyVersion, "judge_version": &c.JudgeVersion,
		"prompt_hash": &c.PromptHash, "user_model": &c.UserModel, "writer_model": &c.WriterModel} {
		if v, ok := s.values[name]; ok && !v.mixed {
			*to = &v.text
		}
	}
	if v, err := strconv.ParseFloat(s.values["temperature"].text, 64); err == nil {
		c.Temperature = &v
	}
	if v, err := strconv.Atoi(s.values["max_tokens"].text); err == nil {
		c.MaxTokens = &v
	}
	for name, v := range s.values {
		if v.mixed {
			c.Mixed = append(c.Mixed, name)
		}
	}
	slices.Sort(c.Mixed)
	return c
}
