package verifiers

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/exprcheck"
	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// rule: an expression over the row. Its value goes through the judge contract (RULES 6, 7).
type rule struct {
	Common
	Expr *string `json:"expr"`

	rule *exprcheck.Rule
}

func buildRule(_ *Builder, spec jsontext.Value) (Verifier, error) {
	x := new(rule)
	if err := decode(spec, x); err != nil {
		return nil, err
	}
	if x.Expr == nil {
		return nil, &judge.SpecError{Path: "expr", Msg: "missing"}
	}
	var err error
	if x.rule, err = exprcheck.Compile(*x.Expr, exprcheck.Config{}); err != nil {
		return nil, &judge.SpecError{Path: "expr", Err: err}
	}
	return x, nil
}

// IDBlind: an expression may read anything of the row.
func (x *rule) IDBlind() bool { return false }

// Spec returns the canonical spec.
func (x *rule) Spec() jsontext.Value { return encode(x) }

// Judge evaluates.
func (x *rule) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	env, err := x.environment(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	value, err := x.rule.Eval(env)
	if errors.Is(err, exprcheck.ErrLimit) {
		return judge.Fail(judge.CheckLimit, "the row exhausted the bound of the rule"), nil
	}
	if err != nil {
		return judge.Verdict{}, err
	}
	v := judge.Coerce(value, judge.Scale{})
	if v.Reward != nil && v.Reason == "" {
		v.Reason = "the rule holds"
		if *v.Reward < 1 {
			v.Reason = "the rule does not hold"
		}
	}
	if v.Reward != nil && *v.Reward < 1 && v.FailureClass == "" {
		v.FailureClass = judge.RuleNotMet
	}
	return v, nil
}

// environment is what the rule sees of the row: only the names that it uses are made. A rule that uses the reference
// cannot judge a row that has none; one that can do without asks the row.
func (x *rule) environment(r *rollout.Row) (map[string]any, error) {
	env := map[string]any{"candidate": r.Candidate()}
	if x.rule.Uses("row") {
		env["row"] = decoded(r.Raw())
	}
	if x.rule.Uses("reference") {
		v, err := x.reference(r)
		if err != nil {
			return nil, err
		}
		env["reference"] = decoded(v)
	}
	if x.rule.Uses("tool_calls") {
		env["tool_calls"] = toolCalls(r)
	}
	return env, nil
}

func toolCalls(r *rollout.Row) []any {
	calls := []any{}
	for _, call := range rollout.ToolCalls(r) {
		m := map[string]any{"name": call.Name, "arguments": decoded(call.Arguments), "id": nil}
		if call.ID != "" {
			m["id"] = call.ID
		}
		calls = append(calls, m)
	}
	return calls
}

// decoded reads JSON as Go values. What is nested too deep is nil.
func decoded(v jsontext.Value) any {
	doc, err := jsoncheck.Parse(string(v))
	if err != nil {
		return nil
	}
	return doc.Value
}
