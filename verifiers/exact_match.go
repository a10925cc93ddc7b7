package verifiers

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// exactMatch: the last line of the answer, else the whole answer, equals the gold after normalisation (RULES 14-16).
type exactMatch struct {
	Common
	Lower      *bool  `json:"lower,omitzero"`       // default true
	StripPunct *bool  `json:"strip_punct,omitzero"` // default true
	Whole      bool   `json:"whole,omitzero"`       // compare the whole text only
	Normalize  string `json:"normalize,omitzero"`   // none, basic (default), squad, numeric
}

func buildExactMatch(_ *Builder, spec jsontext.Value) (Verifier, error) {
	e := new(exactMatch)
	if err := decode(spec, e); err != nil {
		return nil, err
	}
	return e, nil
}

// Spec returns the canonical spec.
func (e *exactMatch) Spec() jsontext.Value { return encode(e) }

// Judge compares.
func (e *exactMatch) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	golds, err := e.golds(r, true)
	if err != nil {
		return judge.Verdict{}, err
	}
	for _, gold := range golds {
		if gold == r.Candidate() {
			return judge.Pass("the answer is the reference"), nil
		}
	}
	return judge.Fail(judge.WrongAnswer, "the answer is not the reference"), nil
}
