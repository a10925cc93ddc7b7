package verifiers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/instructcheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// instruction: the answer follows verifiable instructions such as "at least 200 words" or "no commas". Without a list in
// the spec each row brings its own, as instruction_id_list and kwargs.
type instruction struct {
	Common
	Instructions jsontext.Value `json:"instructions,omitzero"`
	Mode         string         `json:"mode,omitzero"`  // strict (default) or loose
	Score        string         `json:"score,omitzero"` // all (default) or fraction

	list []*instructcheck.Instruction // nil: from the row
}

func buildInstruction(_ *Builder, spec jsontext.Value) (Verifier, error) {
	x := new(instruction)
	if err := decodeWithoutNull(spec, x); err != nil {
		return nil, err
	}
	if err := oneOf("mode", x.Mode, "strict", "loose"); err != nil {
		return nil, err
	}
	if err := oneOf("score", x.Score, scoreWords...); err != nil {
		return nil, err
	}
	if x.Instructions == nil {
		return x, nil
	}
	if x.Instructions.Kind() != '[' {
		return nil, &judge.SpecError{Path: "instructions", Msg: "must be a list"}
	}
	for item := range rollout.Elements(x.Instructions) {
		in, err := compileInstruction(item)
		if err != nil {
			return nil, under(fmt.Sprintf("instructions[%d]", len(x.list)), err)
		}
		x.list = append(x.list, in)
	}
	if len(x.list) == 0 {
		return nil, &judge.SpecError{Path: "instructions", Msg: "must not be an empty list"}
	}
	return x, nil
}

// Spec returns the canonical spec.
func (x *instruction) Spec() jsontext.Value { return encode(x) }

// compileInstruction reads {"id": ID, …parameters}.
func compileInstruction(v jsontext.Value) (*instructcheck.Instruction, error) {
	if v.Kind() != '{' {
		return nil, &judge.SpecError{Msg: `an instruction is an object {"id": ID, …}`}
	}
	params := paramsOf(v)
	id, ok := params["id"]
	if !ok || id[0] != '"' {
		return nil, &judge.SpecError{Path: "id", Msg: "must be text"}
	}
	delete(params, "id")
	return compileByID(rollout.ScalarText(jsontext.Value(id)), params)
}

func paramsOf(v jsontext.Value) map[string]json.RawMessage {
	params := map[string]json.RawMessage{}
	for name, value := range rollout.Members(v) {
		params[name] = json.RawMessage(value)
	}
	return params
}

func compileByID(id string, params map[string]json.RawMessage) (*instructcheck.Instruction, error) {
	in, err := instructcheck.Compile(id, params)
	var fault *instructcheck.Error
	if errors.As(err, &fault) {
		return nil, &judge.SpecError{Path: fault.Param, Msg: fault.Msg}
	}
	return in, err
}

// Judge checks each instruction on its own.
func (x *instruction) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	list, secret := x.list, false
	if list == nil {
		var err error
		if list, secret, err = instructionsOf(r); err != nil {
			return judge.Verdict{}, err
		}
	}
	answer := instructcheck.NewAnswer(r.Candidate())
	parts := make(checkedParts, len(list))
	for i, in := range list {
		result := in.Check(answer, x.Mode == "loose")
		if secret {
			result.Reason = plainReason(result.Holds) // a reason may quote a parameter
		}
		parts[i] = checkedPart{in.ID(), result.Holds, result.Reason}
	}
	class := judge.BadFormat
	if answer.Blank() {
		class = judge.NoAnswer
	}
	return parts.verdict(x.Score, class, "instructions"), nil
}

func plainReason(holds bool) string {
	if holds {
		return "the instruction is followed"
	}
	return "the instruction is not followed"
}

// instructionsOf compiles the list of a row, which stands in it, in info, metadata or privileged; secret says that it is
// the last. A row without one has no usable reference; a list that cannot be compiled breaks the check of this row.
func instructionsOf(r *rollout.Row) (list []*instructcheck.Instruction, secret bool, err error) {
	for _, place := range [...]string{"", "info", "metadata", "privileged"} {
		ids, kwargs := rowInstructions(r, place)
		if ids == nil {
			continue
		}
		list, err = compileRow(ids, kwargs)
		if err != nil && place == "privileged" {
			err = errors.New("the row's privileged instructions cannot be compiled")
		}
		return list, place == "privileged", err
	}
	return nil, false, judge.MissingReference("instruction_id_list is absent, null or empty on the row, in info, metadata and privileged")
}

// rowInstructions are the ids and parameters of one place; ids is nil where there are none.
func rowInstructions(r *rollout.Row, place string) (ids, kwargs jsontext.Value) {
	get := r.Get
	if place != "" {
		object, _ := r.Get(place)
		get = func(key string) (jsontext.Value, bool) { return rollout.Member(object, key) }
	}
	ids, ok := get("instruction_id_list")
	if !ok || ids.Kind() == 'n' || ids.Kind() == '[' && isEmptyList(ids) {
		return nil, nil
	}
	kwargs, _ = get("kwargs")
	return ids, kwargs
}

func isEmptyList(v jsontext.Value) bool {
	for range rollout.Elements(v) {
		return false
	}
	return true
}

func compileRow(ids, kwargs jsontext.Value) ([]*instructcheck.Instruction, error) {
	if ids.Kind() != '[' {
		return nil, errors.New("the row's instruction_id_list is no list")
	}
	var params []jsontext.Value
	if kwargs != nil && kwargs.Kind() != 'n' {
		if kwargs.Kind() != '[' {
			return nil, errors.New("the row's kwargs are no list")
		}
		params = slices.Collect(rollout.Elements(kwargs))
	}
	names := slices.Collect(rollout.Elements(ids))
	if params != nil && len(params) != len(names) {
		return nil, fmt.Errorf("the row has %d instructions and %d kwargs", len(names), len(params))
	}
	list := make([]*instructcheck.Instruction, len(names))
	for i, id := range names {
		own := map[string]json.RawMessage{}
		if params != nil && params[i].Kind() != 'n' {
			if params[i].Kind() != '{' {
				return nil, fmt.Errorf("the row's kwargs[%d] are no object", i)
			}
			own = paramsOf(params[i])
		}
		if id.Kind() != '"' {
			return nil, fmt.Errorf("the row's instruction_id_list[%d] is no text", i)
		}
		var err error
		if list[i], err = compileByID(rollout.ScalarText(id), own); err != nil {
			return nil, fmt.Errorf("the row's instruction %d: %w", i, err)
		}
	}
	return list, nil
}

// checkedPart is what one of several checks over one answer said.
type checkedPart struct {
	id     string
	holds  bool
	reason string
}

type checkedParts []checkedPart

// scoreWords are the ways to make one reward of several checks: all must hold, or the share that does.
var scoreWords = []string{"all", "fraction"}

// verdict makes one verdict of the parts; class is that of a failure, noun what the parts are called.
func (p checkedParts) verdict(score string, class judge.FailureClass, noun string) judge.Verdict {
	held, list := 0, make([]any, len(p))
	first := ""
	for i, part := range p {
		reward := 0
		if part.holds {
			reward = 1
			held++
		} else if first == "" {
			first = part.id + ": " + part.reason
		}
		list[i] = map[string]any{"id": part.id, "reward": reward, "reason": part.reason}
	}
	var v judge.Verdict
	switch {
	case len(p) == 1 && held == 1:
		v = judge.Pass(p[0].id + ": " + p[0].reason)
	case held == len(p):
		v = judge.Pass(fmt.Sprintf("each of %d %s holds", len(p), noun))
	case score == "fraction" && held > 0:
		v = judge.Scored(fourDigits(float64(held)/float64(len(p))), judge.PartialMatch, fmt.Sprintf("%d of %d hold; %s", held, len(p), first))
	default:
		v = judge.Fail(class, first)
		if len(p) > 1 {
			v.Reason = fmt.Sprintf("%d of %d hold; %s", held, len(p), first)
		}
	}
	return v.With("parts", list)
}

// fourDigits rounds a reward as the wire has it.
func fourDigits(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// oneOf checks an optional word of a spec.
func oneOf(path, got string, words ...string) error {
	if got == "" || slices.Contains(words, got) {
		return nil
	}
	return &judge.SpecError{Path: path, Msg: "must be " + orList(words)}
}

func orList(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " or " + w
		} else {
			text += ", " + w
		}
	}
	return text
}

// decodeWithoutNull is decode for the kinds whose arguments are there or not: null and the empty text are no values of theirs.
func decodeWithoutNull(spec jsontext.Value, args any) error {
	if err := decode(spec, args); err != nil {
		return err
	}
	given := maps.Collect(rollout.Members(spec))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name == "name" || name == "field" {
			continue
		}
		switch v := given[name]; {
		case v.Kind() == 'n':
			return &judge.SpecError{Path: name, Msg: "must not be null"}
		case string(v) == `""`:
			return &judge.SpecError{Path: name, Msg: "must not be empty"}
		}
	}
	return nil
}
