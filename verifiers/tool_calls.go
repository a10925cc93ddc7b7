package verifiers

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// toolCallsCheck (tool_calls): which tools were called, how often, in which order, with which arguments. Calls are read
// from both wire shapes by rollout.ToolCalls; prose is no call, and a call without a name or with broken arguments is one.
type toolCallsCheck struct {
	Common
	Called    []string             `json:"called,omitzero"`
	Only      []string             `json:"only,omitzero"`
	Forbidden []string             `json:"forbidden,omitzero"`
	None      *bool                `json:"none,omitzero"` // true: no call at all; goes only with forbidden
	Order     []string             `json:"order,omitzero"`
	OrderMode string               `json:"order_mode,omitzero"` // subsequence (default), consecutive, exact
	Count     map[string]callCount `json:"count,omitzero"`      // by name; * counts all
	Arguments []jsontext.Value     `json:"arguments,omitzero"`
	Score     string               `json:"score,omitzero"` // all (default) or fraction

	arguments []*argumentCheck
}

// callCount is a number of calls: exactly so many, or bounds of which one may be missing.
type callCount struct{ Min, Max *int }

// UnmarshalJSON reads N or {"min": N, "max": N}.
func (c *callCount) UnmarshalJSON(b []byte) error {
	v := jsontext.Value(b)
	fault := func(path, msg string) error { return &judge.SpecError{Path: path, Msg: msg} }
	switch v.Kind() {
	case '0':
		n, err := wholeCount(v)
		if err != nil {
			return err
		}
		c.Min, c.Max = &n, &n
	case '{':
		for name, bound := range rollout.Members(v) {
			n, err := wholeCount(bound)
			switch {
			case name != "min" && name != "max":
				return fault(name, "unknown key")
			case err != nil:
				return under(name, err)
			case name == "min":
				c.Min = &n
			default:
				c.Max = &n
			}
		}
		if c.Min == nil && c.Max == nil {
			return fault("", "must have min or max")
		}
		if c.Min != nil && c.Max != nil && *c.Min > *c.Max {
			return fault("max", "must not be below min")
		}
	default:
		return fault("", "must be a whole number, or an object with min and max")
	}
	return nil
}

// MarshalJSON writes the shorter form where both bounds are one.
func (c callCount) MarshalJSON() ([]byte, error) {
	if c.Min != nil && c.Max != nil && *c.Min == *c.Max {
		return json.Marshal(*c.Min)
	}
	return json.Marshal(struct {
		Min *int `json:"min,omitzero"`
		Max *int `json:"max,omitzero"`
	}{c.Min, c.Max})
}

func wholeCount(v jsontext.Value) (int, error) {
	var n int
	if v.Kind() != '0' || json.Unmarshal(v, &n) != nil || n < 0 {
		return 0, &judge.SpecError{Msg: "must be a whole number of 0 or more"}
	}
	return n, nil
}

func buildToolCalls(b *Builder, spec jsontext.Value) (Verifier, error) {
	x := new(toolCallsCheck)
	if err := decodeWithoutNull(spec, x); err != nil {
		return nil, err
	}
	for _, check := range []func() error{x.checkNames, x.checkTogether, func() error { return x.compileArguments(b.schemas) }} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if err := oneOf("score", x.Score, scoreWords...); err != nil {
		return nil, err
	}
	if x.size() == 0 {
		return nil, &judge.SpecError{Msg: "asks for nothing: give called, only, forbidden, none, order, count or arguments"}
	}
	return x, nil
}

// checkNames: each list that is there has names, and none that is empty.
func (x *toolCallsCheck) checkNames() error {
	for _, l := range []struct {
		path  string
		names []string
	}{{"called", x.Called}, {"only", x.Only}, {"forbidden", x.Forbidden}, {"order", x.Order}} {
		if l.names != nil && len(l.names) == 0 {
			return &judge.SpecError{Path: l.path, Msg: "must not be an empty list"}
		}
		if i := slices.Index(l.names, ""); i >= 0 {
			return &judge.SpecError{Path: fmt.Sprintf("%s[%d]", l.path, i), Msg: "must not be empty"}
		}
	}
	if x.Count != nil && len(x.Count) == 0 {
		return &judge.SpecError{Path: "count", Msg: "must not be empty"}
	}
	if _, ok := x.Count[""]; ok {
		return &judge.SpecError{Path: "count", Msg: "a name must not be empty"}
	}
	if x.Arguments != nil && len(x.Arguments) == 0 {
		return &judge.SpecError{Path: "arguments", Msg: "must not be an empty list"}
	}
	return nil
}

// checkTogether refuses what can not go together.
func (x *toolCallsCheck) checkTogether() error {
	for i, name := range x.Called {
		if slices.Contains(x.Forbidden, name) {
			return &judge.SpecError{Path: fmt.Sprintf("called[%d]", i), Msg: "is forbidden too"}
		}
	}
	if x.None != nil && !*x.None {
		return &judge.SpecError{Path: "none", Msg: "must be true where it is there"}
	}
	if x.None != nil && (x.Called != nil || x.Only != nil || x.Order != nil || x.Count != nil || x.Arguments != nil) {
		return &judge.SpecError{Path: "none", Msg: "goes only with forbidden"}
	}
	if x.OrderMode != "" && x.Order == nil {
		return &judge.SpecError{Path: "order_mode", Msg: "goes with order"}
	}
	return oneOf("order_mode", x.OrderMode, "subsequence", "consecutive", "exact")
}

func (x *toolCallsCheck) compileArguments(schemas *jsoncheck.Budget) error {
	for i, v := range x.Arguments {
		a, err := compileArgument(v, schemas)
		if err != nil {
			return under(fmt.Sprintf("arguments[%d]", i), err)
		}
		x.arguments = append(x.arguments, a)
	}
	return nil
}

// size is the number of checks: each name of called and forbidden, each entry of count and arguments, and only, none, order.
func (x *toolCallsCheck) size() int {
	n := len(x.Called) + len(x.Forbidden) + len(x.Count) + len(x.Arguments)
	for _, there := range []bool{x.Only != nil, x.None != nil, x.Order != nil} {
		if there {
			n++
		}
	}
	return n
}

// IDBlind: an expression over arguments may read anything of the row.
func (x *toolCallsCheck) IDBlind() bool {
	return !slices.ContainsFunc(x.arguments, func(a *argumentCheck) bool { return a.rule != nil })
}

// Spec returns the canonical spec.
func (x *toolCallsCheck) Spec() jsontext.Value { return encode(x) }

// Judge looks at the calls, one check after the other.
func (x *toolCallsCheck) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	calls := rollout.ToolCalls(r)
	parts := make(checkedParts, 0, x.size())
	x.checkCalls(calls, func(id string, holds bool, reason string) {
		parts = append(parts, checkedPart{id, holds, reason})
	})
	read := make([]readCall, len(calls))
	for i, c := range calls {
		read[i].ToolCall = c
	}
	class := judge.RuleNotMet
	for i, a := range x.arguments {
		holds, why, err := a.check(read, r)
		if err != nil {
			return judge.Verdict{}, err
		}
		if why == overBound {
			class = judge.CheckLimit
		}
		parts = append(parts, checkedPart{fmt.Sprintf("arguments[%d]", i), holds, why})
	}
	return parts.verdict(x.Score, class, "checks of the calls"), nil
}

// checkCalls runs the checks that look at names alone.
func (x *toolCallsCheck) checkCalls(calls []rollout.ToolCall, add func(id string, holds bool, reason string)) {
	n := map[string]int{}
	for _, c := range calls {
		n[c.Name]++
	}
	for _, name := range x.Called {
		add("called "+name, n[name] > 0, fmt.Sprintf("%s was called %d×", name, n[name]))
	}
	for _, name := range x.Forbidden {
		add("forbidden "+name, n[name] == 0, fmt.Sprintf("%s was called %d×", name, n[name]))
	}
	if x.Only != nil {
		i := slices.IndexFunc(calls, func(c rollout.ToolCall) bool { return !slices.Contains(x.Only, c.Name) })
		why := "nothing else was called"
		if i >= 0 {
			why = fmt.Sprintf("call %d is of another tool", i+1)
		}
		add("only", i < 0, why)
	}
	if x.None != nil {
		add("none", len(calls) == 0, fmt.Sprintf("number of calls: %d", len(calls)))
	}
	if x.Order != nil {
		holds := x.orderHolds(calls)
		why := "the calls came in order"
		if !holds {
			why = "the calls did not come in the order asked for"
		}
		add("order", holds, why)
	}
	for _, name := range sortedKeys(x.Count) {
		c, got := x.Count[name], n[name]
		if name == "*" {
			got = len(calls)
		}
		add("count "+name, within(got, c.Min, c.Max), fmt.Sprintf("number of calls: %d", got))
	}
}

func (x *toolCallsCheck) orderHolds(calls []rollout.ToolCall) bool {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Name
	}
	switch x.OrderMode {
	case "exact":
		return slices.Equal(names, x.Order)
	case "consecutive":
		return containsRun(names, x.Order)
	}
	next := 0
	for _, name := range names {
		if next < len(x.Order) && name == x.Order[next] {
			next++
		}
	}
	return next == len(x.Order)
}

// containsRun says whether one list stands in another side by side (Knuth, Morris and Pratt 1977): linear, whatever
// repeats.
func containsRun(list, run []string) bool {
	fail := make([]int, len(run)) // how much of run is still matched when the next one is not
	for i, k := 1, 0; i < len(run); i++ {
		for k > 0 && run[i] != run[k] {
			k = fail[k-1]
		}
		if run[i] == run[k] {
			k++
		}
		fail[i] = k
	}
	k := 0
	for _, name := range list {
		for k > 0 && name != run[k] {
			k = fail[k-1]
		}
		if name == run[k] {
			k++
		}
		if k == len(run) {
			return true
		}
	}
	return false
}
