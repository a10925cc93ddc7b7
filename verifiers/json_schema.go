package verifiers

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// jsonSchema: the JSON of the answer satisfies a JSON Schema (RULES 27, 28).
type jsonSchema struct {
	Common
	Schema  jsontext.Value            `json:"schema"`
	Draft   string                    `json:"draft,omitzero"`   // where $schema is silent; default draft2020-12
	Format  string                    `json:"format,omitzero"`  // annotate (default) or assert
	Remotes map[string]jsontext.Value `json:"remotes,omitzero"` // documents that references may lead to, by URI

	schema *jsoncheck.Schema
}

func buildJSONSchema(b *Builder, spec jsontext.Value) (Verifier, error) {
	j := new(jsonSchema)
	if err := decode(spec, j); err != nil {
		return nil, err
	}
	if j.Schema == nil {
		return nil, &judge.SpecError{Path: "schema", Msg: "missing"}
	}
	config := jsoncheck.SchemaConfig{Draft: j.Draft, Budget: b.schemas, Remotes: make(map[string]json.RawMessage, len(j.Remotes))}
	switch j.Format {
	case "", "annotate":
	case "assert":
		config.AssertFormat = true
	default:
		return nil, &judge.SpecError{Path: "format", Msg: "must be annotate or assert"}
	}
	for uri, remote := range j.Remotes {
		config.Remotes[uri] = json.RawMessage(remote)
	}
	var err error
	if j.schema, err = jsoncheck.CompileSchema(j.Schema, config); err != nil {
		return nil, &judge.SpecError{Path: "schema", Err: err}
	}
	return j, nil
}

// Spec returns the canonical spec.
func (j *jsonSchema) Spec() jsontext.Value { return encode(j) }

// Judge validates.
func (j *jsonSchema) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	doc, err := jsoncheck.Extract(r.Candidate(), false)
	if err != nil {
		return noJSON(err), nil
	}
	violations, err := j.schema.Validate(doc)
	if errors.Is(err, jsoncheck.ErrLimit) {
		return judge.Fail(judge.CheckLimit, "checking this JSON would cost more than the bound of the check"), nil
	}
	if err != nil {
		return judge.Verdict{}, err
	}
	found := doc.How.String()
	if len(violations) == 0 {
		return judge.Pass("the JSON satisfies the schema").With("found", found), nil
	}
	texts, list := make([]string, len(violations)), make([]any, len(violations))
	for i, v := range violations {
		texts[i] = v.String()
		list[i] = map[string]any{"pointer": v.Pointer, "keyword": v.Keyword, "message": v.Msg}
	}
	return judge.Fail(judge.BadFormat, strings.Join(texts, "; ")).With("violations", list).With("found", found), nil
}
