package verifiers

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/rubric"
)

// endpoint are the arguments of every judge that is a model.
type endpoint struct {
	Model       string  `json:"model"` // openai:NAME, URL#NAME, or a name that goes with base_url
	BaseURL     string  `json:"base_url,omitzero"`
	KeyEnv      string  `json:"key_env,omitzero"`
	Concurrency int     `json:"concurrency,omitzero"`
	Attempts    int     `json:"attempts,omitzero"`
	CallTimeout string  `json:"call_timeout,omitzero"`
	TokenBudget int64   `json:"token_budget,omitzero"`
	CostBudget  float64 `json:"cost_budget,omitzero"`
	Price       *price  `json:"price,omitzero"`
}

type price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// client makes the client of an endpoint.
func (e *endpoint) client(b *Builder) (*model.Client, error) {
	if b.registry.models == nil {
		return nil, &judge.SpecError{Msg: "no client of models was configured"}
	}
	c := model.Config{Model: e.Model, BaseURL: e.BaseURL}
	if e.BaseURL == "" {
		var err error
		if c, err = model.Parse(e.Model); err != nil {
			return nil, &judge.SpecError{Path: "model", Err: err}
		}
	}
	c.KeyEnv, c.Concurrency, c.Attempts = e.KeyEnv, e.Concurrency, e.Attempts
	c.Budget = model.Budget{Tokens: e.TokenBudget, Cost: e.CostBudget}
	if e.Price != nil {
		c.Price = model.Price(*e.Price)
	}
	if e.CallTimeout != "" {
		d, err := time.ParseDuration(e.CallTimeout)
		if err != nil || d <= 0 {
			return nil, &judge.SpecError{Path: "call_timeout", Msg: `must be a duration such as "60s"`}
		}
		c.Timeout = d
	}
	client, err := b.registry.models(c)
	if err != nil {
		return nil, &judge.SpecError{Path: "model", Err: err}
	}
	return client, nil
}

// rubricCheck (rubric): a model grades against a rubric.
type rubricCheck struct {
	Common
	endpoint
	Rubric      string   `json:"rubric,omitzero"`
	Samples     int      `json:"samples,omitzero"`
	Vote        string   `json:"vote,omitzero"`
	Threshold   *float64 `json:"threshold,omitzero"`
	Temperature *float64 `json:"temperature,omitzero"`
	MaxTokens   int      `json:"max_tokens,omitzero"`
	Against     string   `json:"against,omitzero"`
	Reference   bool     `json:"reference,omitzero"`
	Policy      string   `json:"policy,omitzero"`
	Plain       bool     `json:"plain,omitzero"`
	Stream      bool     `json:"stream,omitzero"`

	judge *rubric.Judge
}

func buildRubric(b *Builder, spec jsontext.Value) (Verifier, error) {
	x := new(rubricCheck)
	if err := decodeWithoutNull(spec, x); err != nil {
		return nil, err
	}
	client, err := x.client(b)
	if err != nil {
		return nil, err
	}
	c := rubric.Config{Model: client, Rubric: x.Rubric, Samples: x.Samples, Vote: x.Vote, Temperature: x.Temperature, MaxTokens: x.MaxTokens,
		Against: x.Against, Reference: x.Reference, Field: x.Field, Policy: x.Policy, Plain: x.Plain, Stream: x.Stream}
	if x.Threshold != nil {
		c.Threshold = *x.Threshold
	}
	if x.judge, err = rubric.New(c); err != nil {
		return nil, err
	}
	return x, nil
}

// Prompt: an endpoint answers when it likes.
func (x *rubricCheck) Prompt() bool { return false }

// Spec returns the canonical spec.
func (x *rubricCheck) Spec() jsontext.Value { return encode(x) }

// Judge asks the model.
func (x *rubricCheck) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	return x.judge.Judge(ctx, r)
}

// rewardModel (reward_model): a scoring endpoint's number as a reward.
type rewardModel struct {
	Common
	endpoint
	Threshold *float64 `json:"threshold,omitzero"`
	Transform string   `json:"transform,omitzero"`
	Center    float64  `json:"center,omitzero"`
	Scale     float64  `json:"scale,omitzero"`
	Batch     int      `json:"batch,omitzero"`

	judge *rubric.Reward
}

func buildRewardModel(b *Builder, spec jsontext.Value) (Verifier, error) {
	x := new(rewardModel)
	if err := decodeWithoutNull(spec, x); err != nil {
		return nil, err
	}
	client, err := x.client(b)
	if err != nil {
		return nil, err
	}
	x.judge, err = rubric.NewReward(rubric.RewardConfig{Model: client, Threshold: x.Threshold, Transform: x.Transform, Center: x.Center, Scale: x.Scale, Batch: x.Batch})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Prompt: an endpoint answers when it likes.
func (x *rewardModel) Prompt() bool { return false }

// Spec returns the canonical spec.
func (x *rewardModel) Spec() jsontext.Value { return encode(x) }

// Judge asks for the score.
func (x *rewardModel) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	return x.judge.Judge(ctx, r)
}
