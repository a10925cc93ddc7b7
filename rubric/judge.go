package rubric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
)

// Config says what is graded and how. Model is needed.
type Config struct {
	Model       *model.Client
	Rubric      string   // prose; "" is Conduct, and the verdict says so
	Samples     int      // answers for each row, 1 to 31; 0 is 1
	Vote        string   // mean (the default), or majority: of the samples that pass
	Threshold   float64  // a sample passes from here in a majority; 0 is 0.5
	Temperature *float64 // nil: 0 for one sample, 1 for several
	MaxTokens   int      // of an answer; 0 is 1024
	Against     string   // a field of the row with another answer: the reward is 1 where the candidate is the better one
	Field       string   // where the reference stands; "" is its usual places
	Reference   bool     // show the row's reference to the judge; a row without one is missing_reward
	Policy      string   // the model that wrote the candidates, for the warning about families
	Plain       bool     // do not ask the endpoint for structured output, for those that do not know it
	Stream      bool     // ask for a stream: a silent endpoint is noticed sooner
}

// Judge grades rows with a model. Safe for concurrent use.
type Judge struct {
	config  Config
	warning string
}

// New checks a configuration.
func New(c Config) (*Judge, error) {
	switch {
	case c.Model == nil:
		return nil, &judge.SpecError{Path: "model", Msg: "missing"}
	case c.Samples < 0 || c.Samples > 31:
		return nil, &judge.SpecError{Path: "samples", Msg: "must be from 1 to 31"}
	case c.Vote != "" && c.Vote != "mean" && c.Vote != "majority":
		return nil, &judge.SpecError{Path: "vote", Msg: "must be mean or majority"}
	case c.Vote == "majority" && max(c.Samples, 1)%2 == 0:
		return nil, &judge.SpecError{Path: "samples", Msg: "must be odd for a majority"}
	case !(c.Threshold >= 0 && c.Threshold <= 1):
		return nil, &judge.SpecError{Path: "threshold", Msg: "must be from 0 to 1"}
	case c.MaxTokens < 0:
		return nil, &judge.SpecError{Path: "max_tokens", Msg: "must not be negative"}
	}
	c.Samples = max(c.Samples, 1)
	if c.Threshold == 0 {
		c.Threshold = 0.5
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = 1024
	}
	if c.Temperature == nil {
		t := 0.0
		if c.Samples > 1 {
			t = 1
		}
		c.Temperature = &t
	}
	j := &Judge{config: c}
	if f := model.Family(c.Policy); f != "" && f == model.Family(c.Model.Model()) {
		j.warning = fmt.Sprintf("judge and policy are both of the family %s: such a judge prefers its own kind", f)
	}
	return j, nil
}

// maxMaterial is what a row may show a judge, in bytes: some 60,000 tokens, within the window of common judges.
const maxMaterial = 256 << 10

// Judge asks the model. A refusal, a garbled answer and an endpoint's fault are errors; what the candidate is too long for
// is its own fault.
func (j *Judge) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	reply := r.Candidate()
	if strings.TrimSpace(reply) == "" {
		return judge.Fail(judge.NoAnswer, "there is no answer"), nil
	}
	if len(reply) > maxMaterial {
		return judge.Fail(judge.CheckLimit, fmt.Sprintf("the answer has %d bytes, over the limit of %d", len(reply), maxMaterial)), nil
	}
	shared, err := j.shared(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	if j.config.Against != "" {
		return j.compare(ctx, r, shared, reply)
	}
	scores, reasons, usage, err := j.sample(ctx, j.rubric(), append(shared, part{"CANDIDATE", reply}))
	if err != nil {
		return judge.Verdict{}, j.failed(err, usage)
	}
	return j.verdict(j.vote(scores), scores, reasons, usage), nil
}

func (j *Judge) rubric() string {
	if j.config.Rubric == "" {
		return Conduct
	}
	return j.config.Rubric
}

// shared is the material besides the candidate.
func (j *Judge) shared(r *rollout.Row) ([]part, error) {
	var parts []part
	if ask := conversation(r); ask != "" {
		parts = append(parts, part{"CONVERSATION", ask})
	}
	if j.config.Reference {
		v, ok := r.Reference(j.config.Field)
		if !ok {
			return nil, judge.MissingReference("no reference for the judge to see")
		}
		text := rollout.ScalarText(v)
		if text == "" {
			text = string(v)
		}
		parts = append(parts, part{"REFERENCE", text})
	}
	return parts, nil
}

// conversation is what came before the candidate, its end where it is too long.
func conversation(r *rollout.Row) string {
	var b strings.Builder
	line := func(who, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", who, text)
		}
	}
	if len(r.Messages) == 0 {
		line("user", r.Prompt)
	}
	for i, m := range r.Messages {
		if i == len(r.Messages)-1 && m.Role == "assistant" && m.Content == r.Candidate() {
			break
		}
		line(m.Role, m.Content)
		for _, c := range m.ToolCalls {
			line(m.Role+" calls", c.Name+" "+string(c.Arguments))
		}
	}
	for _, s := range r.Steps {
		line("user", s.User)
		line("assistant", s.Text)
		if s.Tool != "" {
			line("assistant calls", s.Tool+" "+string(s.Arguments))
			line("tool", string(s.Result))
		}
	}
	text := strings.TrimSpace(b.String())
	if len(text) > maxMaterial {
		text = "(the beginning is left out)\n" + strings.ToValidUTF8(text[len(text)-maxMaterial:], "")
	}
	return text
}

// sample asks Samples times at once. All must answer: a judge that fails on some rows and not on others would otherwise
// choose which of its opinions count.
func (j *Judge) sample(ctx context.Context, rubric string, parts []part) (scores []float64, reasons []string, usage model.Usage, err error) {
	n := j.config.Samples
	ask, nonce := messages(rubric, parts)
	scores, reasons = make([]float64, n), make([]string, n)
	usages, errs := make([]model.Usage, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			seed := int64(i)
			q := model.Request{Messages: ask, Temperature: j.config.Temperature, MaxTokens: j.config.MaxTokens, Seed: &seed, Stream: j.config.Stream}
			if !j.config.Plain {
				q.Format = format
			}
			a, err := j.config.Model.Chat(ctx, q)
			usages[i] = a.Usage
			if err != nil {
				var e *model.Error
				if errors.As(err, &e) {
					usages[i].Attempts = e.Attempts
				}
				errs[i] = err
				return
			}
			v, err := read(a, nonce)
			if errs[i] = err; err == nil {
				scores[i], reasons[i] = *v.Score, v.Reason
			}
		})
	}
	all.Wait()
	for i := range n {
		usage.Add(usages[i])
		if err == nil {
			err = errs[i]
		}
	}
	return scores, reasons, usage, err
}

func (j *Judge) vote(scores []float64) float64 {
	sum, passed := 0.0, 0
	for _, s := range scores {
		sum += s
		if s >= j.config.Threshold {
			passed++
		}
	}
	if j.config.Vote == "majority" {
		if 2*passed > len(scores) {
			return 1
		}
		return 0
	}
	return math.Round(sum/float64(len(scores))*1e4) / 1e4
}

// maxReason is what is kept of a judge's reason, in characters.
const maxReason = 600

func (j *Judge) verdict(reward float64, scores []float64, reasons []string, usage model.Usage) judge.Verdict {
	nearest := 0
	for i, s := range scores {
		if math.Abs(s-reward) < math.Abs(scores[nearest]-reward) {
			nearest = i
		}
	}
	reason := visible(reasons[nearest])
	if utf8.RuneCountInString(reason) > maxReason {
		reason = string([]rune(reason)[:maxReason]) + "…"
	}
	class := judge.FailureClass("")
	switch {
	case reward == 0:
		class = judge.RuleNotMet
	case reward < 1:
		class = judge.PartialMatch
	}
	v := judge.Scored(reward, class, reason)
	v.Meta = j.meta(usage)
	if len(scores) > 1 {
		v.Meta["scores"] = scores
	}
	return v
}

func (j *Judge) meta(usage model.Usage) map[string]any {
	m := map[string]any{"scorer_kind": "model", "model": j.config.Model.Model(), "rubric": "given", "usage": usageMeta(usage)}
	if j.config.Rubric == "" {
		m["rubric"] = "built-in conduct"
	}
	if j.warning != "" {
		m["warning"] = j.warning
	}
	return m
}

func usageMeta(u model.Usage) map[string]any {
	return map[string]any{"prompt_tokens": u.Input, "completion_tokens": u.Output, "cost": u.Cost, "attempts": u.Attempts, "cached": u.Cached}
}

// failure is an error of the judge with what it had cost.
type failure struct {
	error
	meta map[string]any
}

func (f *failure) Unwrap() error        { return f.error }
func (f *failure) Meta() map[string]any { return f.meta }

func (j *Judge) failed(err error, usage model.Usage) error {
	return &failure{statusError(err), j.meta(usage)}
}

// statusError gives an endpoint's fault the status that it has: an answer that is none is an invalid result.
func statusError(err error) error {
	var e *model.Error
	if errors.As(err, &e) && e.Malformed() {
		return fmt.Errorf("%w: %w", judge.ErrInvalidResult, err)
	}
	return err
}
