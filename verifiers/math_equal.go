package verifiers

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/mathcheck"
	"github.com/verifyd/verifyd/rollout"
)

// mathEqual: the answer is mathematically equal to the reference (RULES 12, 26; package mathcheck). Each argument turns
// off one rule of the house, which is on where the argument is absent.
type mathEqual struct {
	Common
	BarePercent    *bool  `json:"bare_percent,omitzero"`    // 28 answers 28%
	SetRelation    *bool  `json:"set_relation,omitzero"`    // 0 < x < 1 is (0,1)
	ConvertUnits   *bool  `json:"convert_units,omitzero"`   // 1 m is 100 cm, 90° is π/2
	BareBase       *bool  `json:"bare_base,omitzero"`       // 1010 answers 1010_2
	BareTuples     *bool  `json:"bare_tuples,omitzero"`     // 1,2 answers (1,2)
	Synonyms       *bool  `json:"synonyms,omitzero"`        // "no solution" is ∅
	RoundingDigits int    `json:"rounding_digits,omitzero"` // from how many digits on a rounded decimal equals an exact value; default 6
	Form           string `json:"form,omitzero"`            // any (default), or strict: values must be written alike
	Extract        *bool  `json:"extract,omitzero"`         // false: the whole candidate is the answer
	Undecided      string `json:"undecided,omitzero"`       // fail (default), or unjudged

	options  mathcheck.Options
	compiled goldCache
}

func buildMathEqual(_ *Builder, spec jsontext.Value) (Verifier, error) {
	m := new(mathEqual)
	if err := decode(spec, m); err != nil {
		return nil, err
	}
	switch {
	case m.RoundingDigits < 0 || m.RoundingDigits > 1000:
		return nil, &judge.SpecError{Path: "rounding_digits", Msg: "must be from 1 to 1000"}
	case m.Form != "" && m.Form != "any" && m.Form != "strict":
		return nil, &judge.SpecError{Path: "form", Msg: "must be any or strict"}
	case m.Undecided != "" && m.Undecided != "fail" && m.Undecided != "unjudged":
		return nil, &judge.SpecError{Path: "undecided", Msg: "must be fail or unjudged"}
	}
	m.options = mathcheck.Options{
		NoBarePercent: !yes(m.BarePercent), NoSetRelation: !yes(m.SetRelation), NoUnitConversion: !yes(m.ConvertUnits),
		StrictBase: !yes(m.BareBase), StrictTuples: !yes(m.BareTuples), NoSynonyms: !yes(m.Synonyms),
		StrictForm: m.Form == "strict", RoundingDigits: m.RoundingDigits, Bare: !yes(m.Extract),
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
	gold, err := m.compiled.compile(golds, m.options)
	if err != nil {
		return judge.Verdict{}, judge.MissingReference(m.where() + " cannot be read as mathematics")
	}
	return m.verdict(gold.Check(r.Candidate()))
}

// verdict puts mathcheck's answer in the judge's terms.
func (m *mathEqual) verdict(got mathcheck.Verdict) (judge.Verdict, error) {
	var v judge.Verdict
	switch {
	case got.Equal:
		v = judge.Pass(got.Reason)
	case got.Status == mathcheck.UnparsedGold:
		return judge.Verdict{}, judge.MissingReference(m.where() + " cannot be read as mathematics")
	case got.Status == mathcheck.NoAnswer, got.Status == mathcheck.UnparsedPred:
		v = judge.Fail(judge.NoAnswer, got.Reason)
	case got.Status == mathcheck.Undecided:
		v = m.undecided(judge.Undecided, got.Reason)
	case got.Status == mathcheck.Budget:
		v = m.undecided(judge.CheckLimit, got.Reason)
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

// undecided is the verdict where mathcheck could not tell: a failed row, or an unjudged one where the spec asks for it.
func (m *mathEqual) undecided(class judge.FailureClass, reason string) judge.Verdict {
	v := judge.Fail(class, reason)
	if m.Undecided == "unjudged" {
		v = judge.Unjudged(judge.Error, reason)
	}
	v.Markers = map[string]float64{"decided": 0}
	return v
}
