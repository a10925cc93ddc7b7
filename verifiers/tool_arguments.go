package verifiers

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/exprcheck"
	"github.com/verifyd/verifyd/jsoncheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// argumentCheck is one entry of arguments: which calls of a tool, and what their arguments must be.
type argumentCheck struct {
	Name     string         `json:"name"`            // * is any tool
	Which    jsontext.Value `json:"which,omitzero"`  // any (default), all, first, last, or a number from 1
	Equals   jsontext.Value `json:"equals,omitzero"` // the whole object
	Contains jsontext.Value `json:"contains,omitzero"`
	Schema   jsontext.Value `json:"schema,omitzero"` // draft 2020-12
	Expr     *string        `json:"expr,omitzero"`   // over arguments and row; holds where it is true

	which  string // any, all, first, last; "" for nth
	nth    int
	want   map[string]any // of equals and contains
	schema *jsoncheck.Schema
	rule   *exprcheck.Rule
}

func compileArgument(spec jsontext.Value, schemas *jsoncheck.Budget) (*argumentCheck, error) {
	if spec.Kind() != '{' {
		return nil, &judge.SpecError{Msg: `must be an object {"name": NAME, …}`}
	}
	a := new(argumentCheck)
	if err := decodeWithoutNull(spec, a); err != nil {
		return nil, err
	}
	if a.Name == "" {
		return nil, &judge.SpecError{Path: "name", Msg: "missing"}
	}
	ways := 0
	for _, there := range []bool{a.Equals != nil, a.Contains != nil, a.Schema != nil, a.Expr != nil} {
		if there {
			ways++
		}
	}
	if ways != 1 {
		return nil, &judge.SpecError{Msg: "must have exactly one of equals, contains, schema and expr"}
	}
	if err := a.readWhich(); err != nil {
		return nil, err
	}
	return a, a.compile(schemas)
}

func (a *argumentCheck) readWhich() error {
	fault := &judge.SpecError{Path: "which", Msg: "must be any, all, first, last or a number from 1"}
	switch a.Which.Kind() {
	case 0:
		a.which = "any"
	case '"':
		a.which = rollout.ScalarText(a.Which)
		if !slices.Contains([]string{"any", "all", "first", "last"}, a.which) {
			return fault
		}
	case '0':
		if json.Unmarshal(a.Which, &a.nth) != nil || a.nth < 1 {
			return fault
		}
	default:
		return fault
	}
	return nil
}

func (a *argumentCheck) compile(schemas *jsoncheck.Budget) error {
	var err error
	switch {
	case a.Equals != nil:
		a.want, err = wantedObject("equals", a.Equals)
	case a.Contains != nil:
		a.want, err = wantedObject("contains", a.Contains)
	case a.Schema != nil:
		if a.schema, err = jsoncheck.CompileSchema(a.Schema, jsoncheck.SchemaConfig{Budget: schemas}); err != nil {
			return &judge.SpecError{Path: "schema", Err: err}
		}
	default:
		names := map[string]exprcheck.Type{"arguments": exprcheck.Map, "row": exprcheck.Map}
		if a.rule, err = exprcheck.Compile(*a.Expr, exprcheck.Config{Names: names}); err != nil {
			return &judge.SpecError{Path: "expr", Err: err}
		}
	}
	return err
}

func wantedObject(path string, v jsontext.Value) (map[string]any, error) {
	want, ok := decoded(v).(map[string]any)
	if !ok {
		return nil, &judge.SpecError{Path: path, Msg: "must be an object"}
	}
	return want, nil
}

// readCall is a call whose arguments are parsed when they are first asked for.
type readCall struct {
	rollout.ToolCall
	doc *jsoncheck.Document
}

// document is the arguments as JSON, nil where they are no object.
func (c *readCall) document() *jsoncheck.Document {
	if c.doc == nil && !c.Broken {
		doc, err := jsoncheck.Parse(string(c.Arguments))
		if c.Broken = err != nil; !c.Broken {
			c.doc = doc
		}
	}
	return c.doc
}

// overBound is the reason of a check that these arguments made too dear.
const overBound = "checking these arguments would cost more than the bound of the check"

// check says whether the calls that are meant hold, and why.
func (a *argumentCheck) check(calls []readCall, r *rollout.Row) (bool, string, error) {
	var own []*readCall
	for i := range calls {
		if a.Name == "*" || calls[i].Name == a.Name {
			own = append(own, &calls[i])
		}
	}
	if own = a.chosen(own); len(own) == 0 {
		return false, "there is no such call of " + a.Name, nil
	}
	over := false
	for i, c := range own {
		holds, err := a.holds(c, r)
		if errors.Is(err, exprcheck.ErrLimit) || errors.Is(err, jsoncheck.ErrLimit) {
			over, err = true, nil
		}
		if err != nil {
			return false, "", err
		}
		if holds && a.which == "any" {
			return true, fmt.Sprintf("call %d of %s has the arguments", i+1, a.Name), nil
		}
		if !holds && a.which != "any" {
			if over {
				return false, overBound, nil
			}
			return false, "a call of " + a.Name + " has other arguments", nil
		}
	}
	switch {
	case a.which != "any":
		return true, "the calls of " + a.Name + " have the arguments", nil
	case over:
		return false, overBound, nil
	}
	return false, "no call of " + a.Name + " has the arguments", nil
}

// chosen are the calls that which means.
func (a *argumentCheck) chosen(own []*readCall) []*readCall {
	switch n := len(own); {
	case a.which == "any" || a.which == "all" || n == 0:
		return own
	case a.which == "first":
		return own[:1]
	case a.which == "last":
		return own[n-1:]
	case a.nth <= n:
		return own[a.nth-1 : a.nth]
	}
	return nil
}

// holds judges one call. Arguments that are no object hold nothing.
func (a *argumentCheck) holds(c *readCall, r *rollout.Row) (bool, error) {
	doc := c.document()
	if doc == nil {
		return false, nil
	}
	got, ok := doc.Value.(map[string]any)
	switch {
	case !ok:
		return false, nil
	case a.schema != nil:
		violations, err := a.schema.Validate(doc)
		return err == nil && len(violations) == 0, err
	case a.rule != nil:
		return a.ruleHolds(doc, r)
	case a.Equals != nil && len(got) != len(a.want):
		return false, nil
	}
	for key, want := range a.want {
		if v, there := got[key]; !there || !jsoncheck.Equal(v, want) {
			return false, nil
		}
	}
	return true, nil
}

// ruleHolds: the expression is true. Where it fails on these arguments it does not hold; that is the candidate's fault.
func (a *argumentCheck) ruleHolds(doc *jsoncheck.Document, r *rollout.Row) (bool, error) {
	env := map[string]any{"arguments": doc.Value}
	if a.rule.Uses("row") {
		env["row"] = decoded(r.Raw())
	}
	value, err := a.rule.Eval(env)
	if errors.Is(err, exprcheck.ErrLimit) {
		return false, err
	}
	holds, _ := value.(bool)
	return err == nil && holds, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
