package rubric

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/rollout"
)

// RewardConfig says how a scoring endpoint's number becomes a reward. Model is needed; just one of Threshold and Transform
// must be given.
type RewardConfig struct {
	Model     *model.Client
	Threshold *float64 // the reward is 1 from here on, else 0
	Transform string   // identity: the score is the reward, and one outside [0,1] is an invalid result; sigmoid: 1/(1+e^-(score-Center)/Scale)
	Center    float64
	Scale     float64 // 0 is 1
	Batch     int     // rows of one request at most; 0 is 1. Rows that come within a few milliseconds go together
}

// Reward judges with a reward model. Safe for concurrent use.
type Reward struct {
	config RewardConfig

	mu      sync.Mutex
	waiting []*ticket
}

// ticket is a row that waits for its score.
type ticket struct {
	pair  model.Pair
	done  chan struct{}
	score float64
	usage model.Usage // of the whole request; on its first ticket alone
	err   error
}

// NewReward checks a configuration.
func NewReward(c RewardConfig) (*Reward, error) {
	switch {
	case c.Model == nil:
		return nil, &judge.SpecError{Path: "model", Msg: "missing"}
	case c.Transform != "" && c.Transform != "identity" && c.Transform != "sigmoid":
		return nil, &judge.SpecError{Path: "transform", Msg: "must be identity or sigmoid"}
	case (c.Threshold == nil) == (c.Transform == ""):
		return nil, &judge.SpecError{Msg: "needs one of threshold and transform"}
	case c.Scale < 0:
		return nil, &judge.SpecError{Path: "scale", Msg: "must be above 0"}
	case c.Batch < 0 || c.Batch > 1024:
		return nil, &judge.SpecError{Path: "batch", Msg: "must be from 1 to 1024"}
	}
	if c.Scale == 0 {
		c.Scale = 1
	}
	c.Batch = max(c.Batch, 1)
	return &Reward{config: c}, nil
}

// Judge asks for the score of a row, with others where they come at the same time.
func (w *Reward) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	reply := r.Candidate()
	if strings.TrimSpace(reply) == "" {
		return judge.Fail(judge.NoAnswer, "there is no answer"), nil
	}
	if len(reply) > maxMaterial {
		return judge.Fail(judge.CheckLimit, fmt.Sprintf("the answer has %d bytes, over the limit of %d", len(reply), maxMaterial)), nil
	}
	prompt := r.Prompt
	if prompt == "" {
		prompt = conversation(r)
	}
	t := &ticket{pair: model.Pair{Prompt: prompt, Reply: reply}, done: make(chan struct{})}
	w.join(ctx, t)
	select {
	case <-t.done:
	case <-ctx.Done():
		return judge.Verdict{}, ctx.Err()
	}
	if t.err != nil {
		return judge.Verdict{}, statusError(t.err)
	}
	return w.verdict(t)
}

// gather is how long the first row of a batch waits for others: far below what a score takes. Chosen by feel.
const gather = 5 * time.Millisecond

// join puts a ticket into the batch that is being gathered. The first of it waits and sends all; a full one goes at once.
func (w *Reward) join(ctx context.Context, t *ticket) {
	w.mu.Lock()
	w.waiting = append(w.waiting, t)
	n := len(w.waiting)
	var full []*ticket
	if n >= w.config.Batch {
		full, w.waiting = w.waiting, nil
	}
	w.mu.Unlock()
	switch {
	case full != nil:
		w.send(ctx, full)
	case n == 1:
		timer := time.NewTimer(gather)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-t.done: // another filled the batch
			return
		}
		w.mu.Lock()
		late := w.waiting
		if len(late) > 0 && late[0] == t {
			w.waiting = nil
		} else {
			late = nil
		}
		w.mu.Unlock()
		if late != nil {
			w.send(ctx, late)
		}
	}
}

// send asks for a batch. One row's end must not end the others', so its deadline counts and its cancellation does not. A
// batch that is refused as a whole is asked row by row: one bad row costs itself.
func (w *Reward) send(ctx context.Context, batch []*ticket) {
	deadline, bounded := ctx.Deadline()
	ctx = context.WithoutCancel(ctx)
	if bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	pairs := make([]model.Pair, len(batch))
	for i, t := range batch {
		pairs[i] = t.pair
	}
	scores, usage, err := w.config.Model.Score(ctx, pairs)
	if err != nil && len(batch) > 1 && ctx.Err() == nil {
		for _, t := range batch {
			w.send(ctx, []*ticket{t})
		}
		return
	}
	for i, t := range batch {
		if t.err = err; err == nil {
			t.score = scores[i]
		}
		if i == 0 {
			t.usage = usage
		}
		close(t.done)
	}
}

func (w *Reward) verdict(t *ticket) (judge.Verdict, error) {
	reward := t.score
	switch {
	case w.config.Threshold != nil:
		reward = 0
		if t.score >= *w.config.Threshold {
			reward = 1
		}
	case w.config.Transform == "sigmoid":
		reward = 1 / (1 + math.Exp(-(t.score-w.config.Center)/w.config.Scale))
	}
	if !(reward >= 0 && reward <= 1) {
		return judge.Verdict{}, fault("the score %g is outside [0,1]: give a threshold or transform sigmoid", t.score)
	}
	class := judge.FailureClass("")
	switch {
	case reward == 0:
		class = judge.RuleNotMet
	case reward < 1:
		class = judge.PartialMatch
	}
	v := judge.Scored(reward, class, fmt.Sprintf("the reward model's score is %g", t.score))
	v.Meta = map[string]any{"scorer_kind": "reward_model", "model": w.config.Model.Model(), "rm_score": t.score, "usage": usageMeta(t.usage)}
	if w.config.Threshold != nil {
		v.Meta["threshold"] = *w.config.Threshold
	}
	return v, nil
}
