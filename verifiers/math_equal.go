package verifiers

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/mathcheck"
	"github.com/verifyd/verifyd/rollout"
)

// mathEqual: the answer is mathematically equal to the reference (RULES 12, 26; package mathcheck).
type mathEqual struct {
	Common
}

func buildMathEqual(_ *Builder, spec jsontext.Value) (Verifier, error) {
	m := new(mathEqual)
	if err := decode(spec, m); err != nil {
		return nil, err
	}
	return m, nil
}

// Spec returns the canonical spec.
func (m *mathEqual) Spec() jsontext.Value { return encode(m) }

// Judge compares.
func (m *mathEqual) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	golds, err := m.golds(r, false)
	if err != nil {
		return judge.Verdict{}, err
	}
	gold, err := mathcheck.CompileAny(golds, mathcheck.Options{})
	if err != nil {
		return judge.Verdict{}, judge.MissingReference(m.where() + " cannot be read as mathematics")
	}
	return mathVerdict(gold.Check(r.Candidate()), m.where())
}

// mathVerdict puts mathcheck's answer in the judge's terms.
func mathVerdict(got mathcheck.Verdict, where string) (judge.Verdict, error) {
	var v judge.Verdict
	switch {
	case got.Equal:
		v = judge.Pass(got.Reason)
	case got.Status == mathcheck.UnparsedGold:
		return judge.Verdict{}, judge.MissingReference(where + " cannot be read as mathematics")
	case got.Status == mathcheck.NoAnswer, got.Status == mathcheck.UnparsedPred:
		v = judge.Fail(judge.NoAnswer, got.Reason)
	case got.Status == mathcheck.Undecided:
		v = undecided(judge.Undecided, got.Reason)
	case got.Status == mathcheck.Budget:
		v = undecided(judge.CheckLimit, got.Reason)
	default:
		v = judge.Fail(judge.WrongAnswer, got.Reason)
	}
	if got.Kind != "" {
		v = v.With("kind", got.Kind)
	}
	if got.Extracted != "" {
		v = v.With("extracted", got.Extracted)
	}
	return v.With("status", string(got.Status)), nil
}

func undecided(class judge.FailureClass, reason string) judge.Verdict {
	v := judge.Fail(class, reason)
	v.Markers = map[string]float64{"decided": 0}
	return v
}
