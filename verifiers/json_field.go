package verifiers

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// noJSON is the verdict on an answer in which no JSON was found.
func noJSON(err error) judge.Verdict {
	if errors.Is(err, jsoncheck.ErrLimit) {
		return judge.Fail(judge.CheckLimit, "the JSON is beyond the bound of the check: "+spoken(err.Error()))
	}
	return judge.Fail(judge.BadFormat, "no valid JSON: "+spoken(err.Error()))
}

// jsonField: the JSON of the answer holds a value at a path (RULES 29).
type jsonField struct {
	Common
	Path       *string        `json:"path"`
	PathSyntax string         `json:"path_syntax,omitzero"` // auto (default), dotted, pointer, jsonpath
	Equals     jsontext.Value `json:"equals,omitzero"`      // wins over the reference; null only where the row has none

	path   *jsoncheck.Path
	equals *jsoncheck.Document
}

func buildJSONField(_ *Builder, spec jsontext.Value) (Verifier, error) {
	j := new(jsonField)
	if err := decode(spec, j); err != nil {
		return nil, err
	}
	if j.Path == nil {
		return nil, &judge.SpecError{Path: "path", Msg: "missing"}
	}
	syntax, err := jsoncheck.ParseSyntax(j.PathSyntax)
	if err != nil {
		return nil, &judge.SpecError{Path: "path_syntax", Err: err}
	}
	if j.path, err = jsoncheck.CompilePath(*j.Path, syntax); err != nil {
		return nil, &judge.SpecError{Path: "path", Err: err}
	}
	if j.Equals != nil {
		if j.equals, err = jsoncheck.Parse(string(j.Equals)); err != nil {
			return nil, &judge.SpecError{Path: "equals", Err: err}
		}
	}
	return j, nil
}

// Spec returns the canonical spec.
func (j *jsonField) Spec() jsontext.Value { return encode(j) }

// gold is the value that the field must have, nil where being there is enough.
func (j *jsonField) gold(r *rollout.Row) (*jsoncheck.Document, error) {
	if j.equals != nil && j.equals.Value != nil {
		return j.equals, nil
	}
	v, err := j.reference(r)
	switch {
	case err == nil:
		gold, err := jsoncheck.Parse(string(v))
		if err != nil {
			return nil, judge.MissingReference(j.where() + " cannot be read as JSON")
		}
		return gold, nil
	case j.Field != "":
		return nil, err
	}
	return j.equals, nil
}

// Judge compares.
func (j *jsonField) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	gold, err := j.gold(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	doc, err := jsoncheck.Extract(r.Candidate(), false)
	if err != nil {
		return noJSON(err), nil
	}
	nodes, err := j.path.Select(doc.Value)
	if err != nil {
		return judge.Fail(judge.CheckLimit, "the path visits more of the answer than its bound allows"), nil
	}
	v := j.compare(nodes, gold)
	if j.path.Syntax() == jsoncheck.JSONPath {
		return v.With("extracted", append([]any{}, nodes...)), nil
	}
	if len(nodes) == 1 {
		v = v.With("extracted", nodes[0])
	}
	return v, nil
}

// compare holds the nodes against the gold: a single node is the value, several are a list of values.
func (j *jsonField) compare(nodes []any, gold *jsoncheck.Document) judge.Verdict {
	if len(nodes) == 0 {
		return judge.Fail(judge.BadFormat, fmt.Sprintf("nothing stands at %.80q", *j.Path))
	}
	if gold == nil {
		return judge.Pass(fmt.Sprintf("%.80q is there", *j.Path))
	}
	equal := jsoncheck.Matches
	if gold == j.equals { // a value of the spec is compared as JSON: the text "1" is not 1
		equal = jsoncheck.EqualFold
	}
	if len(nodes) == 1 && equal(nodes[0], gold.Value) ||
		j.path.Syntax() == jsoncheck.JSONPath && equal(append([]any{}, nodes...), gold.Value) {
		return judge.Pass(fmt.Sprintf("%.80q has the value that is asked for", *j.Path))
	}
	return judge.Fail(judge.WrongAnswer, fmt.Sprintf("%.80q has another value", *j.Path))
}
