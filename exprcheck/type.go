package exprcheck

import "github.com/expr-lang/expr/types"

// A Type is what a name of a rule may hold. The zero value is Any.
type Type struct {
	kind   kind
	elem   *Type           // of a list
	fields map[string]Type // of a record
}

type kind uint8

const (
	anyKind kind = iota
	textKind
	mapKind
	listKind
	recordKind
)

// The types without parameters: Any value, Text, and Map, an object with any members.
var (
	Any  = Type{}
	Text = Type{kind: textKind}
	Map  = Type{kind: mapKind}
)

// ListOf is a list of elements of one type.
func ListOf(elem Type) Type { return Type{kind: listKind, elem: &elem} }

// Record is an object with these members and no others: naming another one in a rule is an error at build.
func Record(fields map[string]Type) Type { return Type{kind: recordKind, fields: fields} }

// RowNames are the names that a rule over rows sees: candidate (the answer's text), reference (any JSON value or
// nil), row (the row as it was read) and tool_calls (a list of name, arguments and id; the id is a text or nil).
func RowNames() map[string]Type {
	return map[string]Type{
		"candidate": Text,
		"reference": Any,
		"row":       Map,
		"tool_calls": ListOf(Record(map[string]Type{
			"name": Text, "arguments": Map, "id": Any,
		})),
	}
}

// library returns the type in the library's terms.
func (t Type) library() types.Type {
	switch t.kind {
	case textKind:
		return types.String
	case mapKind:
		return types.Map{types.Extra: types.Any}
	case listKind:
		return types.Array(t.elem.library())
	case recordKind:
		m := types.Map{}
		for name, field := range t.fields {
			m[name] = field.library()
		}
		return m
	}
	return types.Any
}
