package verifiers

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/conduct"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// conductCheck (conduct, task_checklist): honesty of a trajectory from its own trace, and that times an outcome.
type conductCheck struct {
	Common
	Tools []string `json:"tools,omitzero"` // what the policy was given; nil where not known

	grade func(*rollout.Row, []string) judge.Verdict
}

func buildConduct(_ *Builder, spec jsontext.Value) (Verifier, error) {
	return decodeConduct(spec, conduct.Grade)
}

func buildTaskChecklist(_ *Builder, spec jsontext.Value) (Verifier, error) {
	return decodeConduct(spec, conduct.Checklist)
}

func decodeConduct(spec jsontext.Value, grade func(*rollout.Row, []string) judge.Verdict) (Verifier, error) {
	c := &conductCheck{grade: grade}
	if err := decode(spec, c); err != nil {
		return nil, err
	}
	for i, name := range c.Tools {
		if name == "" {
			return nil, &judge.SpecError{Path: fmt.Sprintf("tools[%d]", i), Msg: "must not be empty"}
		}
	}
	return c, nil
}

// Spec returns the canonical spec.
func (c *conductCheck) Spec() jsontext.Value { return encode(c) }

// Judge grades the trace.
func (c *conductCheck) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	return c.grade(r, c.Tools), nil
}
