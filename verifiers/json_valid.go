package verifiers

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// jsonValid: the answer holds strict JSON, of a type where one is asked for (RULES 27).
type jsonValid struct {
	Common
	TopType    string `json:"top_type,omitzero"` // dict, list, str, int, float, bool, null, or JSON's own words
	Whole      bool   `json:"whole,omitzero"`    // the whole text must be JSON; no fence, no span
	UniqueKeys bool   `json:"unique_keys,omitzero"`

	top *jsoncheck.Type
}

func buildJSONValid(_ *Builder, spec jsontext.Value) (Verifier, error) {
	j := new(jsonValid)
	if err := decode(spec, j); err != nil {
		return nil, err
	}
	if j.TopType != "" {
		t, err := jsoncheck.ParseType(j.TopType)
		if err != nil {
			return nil, &judge.SpecError{Path: "top_type", Err: err}
		}
		j.top = &t
	}
	return j, nil
}

// Spec returns the canonical spec.
func (j *jsonValid) Spec() jsontext.Value { return encode(j) }

// Judge reads the JSON of the answer.
func (j *jsonValid) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	doc, err := jsoncheck.Extract(r.Candidate(), j.Whole)
	if err != nil {
		return noJSON(err), nil
	}
	v := judge.Pass("valid JSON")
	switch {
	case j.top != nil && !j.top.Admits(doc.Type):
		v = judge.Fail(judge.BadFormat, fmt.Sprintf("the JSON is of type %s, not %s", doc.Type, *j.top))
	case j.UniqueKeys && doc.Repeated != "":
		v = judge.Fail(judge.BadFormat, fmt.Sprintf("the key at %.80s stands twice", doc.Repeated))
	}
	return v.With("type", doc.Type.String()).With("found", doc.How.String()), nil
}
