package verifiers

import (
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
)

// The built-in kinds are described once, in the tables of describe_*.go. The JSON Schema of specs, docs/VERIFIERS.md and
// what `verifyd spec` says are made from them; types and required keys come from the argument structs themselves. Tests
// hold the tables to the code: every key of a struct is described, every word and default is taken, every example judged.

// Description says what a kind of verifier is.
type Description struct {
	Kind      string
	Group     string               // of kinds that belong together, for a heading
	Passes    string               // when a row passes, or what the reward is; a clause whose subject is the row or its answer
	Notes     string               // what else is worth knowing; may be empty
	Fails     []judge.FailureClass // the classes of rows that fall short; a tree passes on those of its parts
	Arguments []Argument           // besides kind, name and field
	Examples  []Example
}

// Argument is one key of a spec.
type Argument struct {
	Key      string
	Doc      string         // what it does, a clause
	Type     string         // of its values, in words
	Required bool           // a spec without it is refused
	Default  jsontext.Value // what holds where it is absent; nil where nothing does
	Words    []string       // its values, where it is one of a few words
	With     []string       // other keys without which it cannot be understood
	Keys     []Argument     // of the object, or the objects of the list, that it is
	Schema   jsontext.Value // the JSON Schema of its values

	holds holding
}

// holding says where specs stand inside an argument.
type holding int

const (
	noSpec    holding = iota
	oneSpec           // it is a spec
	specs             // it is a list of specs
	specParts         // it is a list of objects with a spec under `check`
)

// Example is a spec with rows and their verdicts.
type Example struct {
	Spec jsontext.Value
	Rows []ExampleRow
}

// ExampleRow is a row and what it is worth.
type ExampleRow struct {
	Row    jsontext.Value
	Reward float64 // where Status is ok
	Status judge.Status
	Class  judge.FailureClass
}

// Describe returns the built-in kinds, those that belong together side by side. What it holds is shared: it must not be
// changed.
func Describe() []Description { return slices.Clone(described()) }

// described is made once: it looks at every argument struct.
var described = sync.OnceValue(func() []Description {
	var all []Description
	for _, tables := range [][]description{textKinds(), jsonKinds(), formKinds(), callKinds(), codeKinds(), conductKinds(), modelKinds(), treeKinds()} {
		for _, d := range tables {
			all = append(all, d.complete())
		}
	}
	return all
})

// commonArguments describes the keys that every spec may have besides kind.
func commonArguments() []Argument {
	return complete(reflect.TypeFor[Common](), []argument{
		{key: "kind", doc: "which check it is"},
		{key: "name", doc: "what the check is called in reports", def: `"the kind"`},
		{key: "field", doc: "where the reference stands: a literal key of the row, else a dotted path, and nowhere else"},
	})[1:]
}

// description is a line of the tables: args is the struct that the spec is decoded into.
type description struct {
	kind, group, passes, notes string
	fails                      []judge.FailureClass
	args                       any
	keys                       []argument
	examples                   []Example
}

// argument is a key in the tables. Its type is that of the struct's field; where that is raw JSON, values says it in words
// and schema to programs.
type argument struct {
	key, doc string
	def      string // JSON
	words    []string
	with     []string
	values   string // in words
	schema   string // members of the JSON Schema, without the brackets; added to what follows from the type
	of       any    // the struct of the objects inside, which keys describe; nil where there is none
	keys     []argument
	holds    holding
}

func (d description) complete() Description {
	return Description{
		Kind: d.kind, Group: d.group, Passes: d.passes, Notes: d.notes, Fails: d.fails,
		Arguments: complete(reflect.TypeOf(d.args), d.keys), Examples: d.examples,
	}
}

// complete joins the table of an object's keys with the struct that the object is decoded into.
func complete(t reflect.Type, keys []argument) []Argument {
	var list []Argument
	for _, k := range keys {
		a := Argument{Key: k.key, Doc: k.doc, Words: k.words, With: k.with, holds: k.holds}
		if k.def != "" {
			a.Default = jsontext.Value(k.def)
		}
		f, required := fieldOf(t, k.key)
		a.Required = required
		if k.keys != nil {
			a.Keys = complete(reflect.TypeOf(k.of), k.keys)
		}
		a.Type = typeWords(f, k)
		a.Schema = valueSchema(f, k, a.Keys)
		list = append(list, a)
	}
	return list
}

// fieldOf is the type of the field with a key, and whether the key must be there; nil where there is none.
func fieldOf(t reflect.Type, key string) (field reflect.Type, required bool) {
	if t == nil {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options := jsonTag(f)
		if name == key && !f.Anonymous {
			return f.Type, options != "omitzero"
		}
	}
	return nil, false
}

// typeWords is the type of an argument for a person.
func typeWords(t reflect.Type, k argument) string {
	switch {
	case k.values != "":
		return k.values
	case len(k.words) > 0:
		return "one of the words"
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[[]string]() {
		return "a list of texts"
	}
	return goTypeName(t)
}

// find is the description of a kind; ok is false for kinds that are not built in.
func find(kind string) (d Description, ok bool) {
	all := described()
	i := slices.IndexFunc(all, func(d Description) bool { return d.Kind == kind })
	if i < 0 {
		return Description{}, false
	}
	return all[i], true
}

// passed, failed, graded and unjudged write the rows of examples.
func passed(row string) ExampleRow { return ExampleRow{jsontext.Value(row), 1, judge.OK, ""} }

func failed(row string, class judge.FailureClass) ExampleRow {
	return ExampleRow{jsontext.Value(row), 0, judge.OK, class}
}

func graded(row string, reward float64, class judge.FailureClass) ExampleRow {
	return ExampleRow{jsontext.Value(row), reward, judge.OK, class}
}

func unjudged(row string, status judge.Status) ExampleRow {
	return ExampleRow{Row: jsontext.Value(row), Status: status}
}

func example(spec string, rows ...ExampleRow) Example { return Example{jsontext.Value(spec), rows} }
