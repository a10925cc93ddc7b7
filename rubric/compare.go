package rubric

import (
	"context"
	"strings"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

const comparison = `Two answers to the same conversation stand below, FIRST and SECOND. Score how likely the FIRST is the better one by the criteria that follow: 1 for the first, 0 for the second, 0.5 for equal. Which stands first is chance and says nothing.

`

// compare asks in both orders, since judges prefer a place: the reward is the mean of how much better the candidate is,
// first as the first and then as the second.
func (j *Judge) compare(ctx context.Context, r *rollout.Row, shared []part, reply string) (judge.Verdict, error) {
	v, ok := r.Lookup(j.config.Against)
	other := rollout.ScalarText(v)
	if !ok || strings.TrimSpace(other) == "" || len(other) > maxMaterial {
		return judge.Verdict{}, judge.MissingReference("no usable answer to compare with at " + j.config.Against)
	}
	order := func(first, second string) []part {
		return append(append([]part(nil), shared...), part{"FIRST", first}, part{"SECOND", second})
	}
	ahead, reasons, usage, err := j.sample(ctx, comparison+j.rubric(), order(reply, other))
	if err != nil {
		return judge.Verdict{}, j.failed(err, usage)
	}
	behind, _, more, err := j.sample(ctx, comparison+j.rubric(), order(other, reply))
	usage.Add(more)
	if err != nil {
		return judge.Verdict{}, j.failed(err, usage)
	}
	for i := range behind {
		behind[i] = 1 - behind[i]
	}
	one, two := j.vote(ahead), j.vote(behind)
	verdict := j.verdict((one+two)/2, ahead, reasons, usage)
	verdict.Meta["scores"] = append(ahead, behind...)
	verdict.Meta["orders_agree"] = (one > 0.5) == (two > 0.5) && (one < 0.5) == (two < 0.5)
	return verdict, nil
}
