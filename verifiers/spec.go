package verifiers

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// Common are the arguments that every spec has. It is embedded first in each verifier's arguments.
type Common struct {
	KindName string `json:"kind"`
	NameText string `json:"name,omitzero"`
	Field    string `json:"field,omitzero"` // where the reference stands: a literal key of the row, else a dotted path
}

// Kind returns the spec's kind.
func (c *Common) Kind() string { return c.KindName }

// Name returns the spec's name, else its kind.
func (c *Common) Name() string {
	if c.NameText != "" {
		return c.NameText
	}
	return c.KindName
}

// Prompt promises that a native check returns soon: it counts its steps.
func (c *Common) Prompt() bool { return true }

// IDBlind promises that a check never reads the row's id: rows that differ only there are the same work to the engine.
func (c *Common) IDBlind() bool { return c.Field != "id" && !strings.HasPrefix(c.Field, "id.") }

func kindOf(spec jsontext.Value) (string, error) {
	if spec.Kind() != '{' {
		return "", &judge.SpecError{Msg: `a spec is an object {"kind": KIND, …}`}
	}
	v, ok := rollout.Member(spec, "kind")
	if !ok {
		return "", &judge.SpecError{Path: "kind", Msg: "missing"}
	}
	if v.Kind() != '"' {
		return "", &judge.SpecError{Path: "kind", Msg: "must be text"}
	}
	return rollout.ScalarText(v), nil
}

// decode reads a spec's arguments strictly: an unknown key, a key that stands twice and a value of another type are
// faults with their path.
func decode(spec jsontext.Value, args any) error {
	err := json.Unmarshal(spec, args, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		path := specPath(semantic.JSONPointer)
		if errors.Is(err, json.ErrUnknownName) {
			return &judge.SpecError{Path: path, Msg: unknownKey(semantic)}
		}
		var nested *judge.SpecError
		if errors.As(err, &nested) {
			return under(path, nested)
		}
		return &judge.SpecError{Path: path, Msg: typeFault(semantic), Err: err}
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return &judge.SpecError{Path: specPath(syntactic.JSONPointer), Msg: syntactic.Err.Error(), Err: err}
	}
	return &judge.SpecError{Msg: err.Error(), Err: err}
}

// unknownKey says what stands at the end of the path, and which keys may.
func unknownKey(e *json.SemanticError) string {
	known := keysOf(e.GoType)
	if known == nil {
		return "unknown key"
	}
	return "unknown key" + didYouMean(e.JSONPointer.LastToken(), known) + "; want " + strings.Join(known, ", ")
}

func typeFault(e *json.SemanticError) string {
	if e.Err != nil && e.GoType == nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("must be %s, not %s", goTypeName(e.GoType), jsonKindName(e.JSONKind))
}

func goTypeName(t reflect.Type) string {
	if t == nil {
		return "of another type"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return goTypeName(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return t.String()
}

func jsonKindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a bool"
	case '"':
		return "text"
	case '0':
		return "a number"
	case '[':
		return "a list"
	case '{':
		return "an object"
	}
	return "that"
}

// specPath writes a JSON Pointer as a path of a spec: /of/1/check becomes of[1].check.
func specPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// under puts a path before the path of a spec fault.
func under(path string, err error) error {
	var spec *judge.SpecError
	if !errors.As(err, &spec) {
		return &judge.SpecError{Path: path, Err: err}
	}
	joined := path
	switch {
	case spec.Path == "":
	case path == "" || spec.Path[0] == '[':
		joined += spec.Path
	default:
		joined += "." + spec.Path
	}
	return &judge.SpecError{Path: joined, Msg: spec.Msg, Err: spec.Err}
}

// encode writes arguments as the canonical spec.
func encode(args any) jsontext.Value {
	b, err := json.Marshal(args, json.Deterministic(true))
	if err != nil {
		panic("verifiers: a built spec cannot be written: " + err.Error())
	}
	return b
}

// yes reads an optional bool whose default is true.
func yes(b *bool) bool { return b == nil || *b }
