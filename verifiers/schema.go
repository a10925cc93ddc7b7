package verifiers

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// SpecSchema returns the JSON Schema of specs of the built-in kinds, indented. It is draft 7, the newest that editors know
// well. It takes every spec that Build takes, nulls for absent arguments aside; what only Build can see, a pattern that does
// not compile or a path without end, it takes too.
func SpecSchema() []byte {
	all := Describe()
	kinds := make([]string, len(all))
	branches := make([]string, len(all))
	definitions := []string{""}
	for i, d := range all {
		kinds[i] = quoted(d.Kind)
		branches[i] = `{"if": {"properties": {"kind": {"const": ` + kinds[i] + `}}, "required": ["kind"]}, "then": {"$ref": "#/definitions/` + d.Kind + `"}}`
		own := append(append([]Argument{{Key: "kind", Required: true, Schema: jsontext.Value(`{"const": ` + kinds[i] + `}`)}}, commonArguments()...), d.Arguments...)
		definitions = append(definitions, kinds[i]+`: `+objectSchema(d.Passes, own))
	}
	definitions[0] = `"spec": {"type": "object", "required": ["kind"], "properties": {"kind": {"description": "which check it is", "enum": [` +
		strings.Join(kinds, ", ") + `]}}, "allOf": [` + strings.Join(branches, ", ") + `]}`
	text := jsontext.Value(`{"$schema": "http://json-schema.org/draft-07/schema#", "title": "A verifier of verifyd", "allOf": [{"$ref": "#/definitions/spec"}], "definitions": {` +
		strings.Join(definitions, ", ") + `}}`)
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		panic("verifiers: the schema of specs is no JSON: " + err.Error())
	}
	return append(text, '\n')
}

// objectSchema is the schema of an object with these keys and no others.
func objectSchema(doc string, keys []Argument) string {
	properties, required := make([]string, len(keys)), []string{}
	for i, a := range keys {
		properties[i] = quoted(a.Key) + `: ` + string(a.Schema)
		if a.Required {
			required = append(required, quoted(a.Key))
		}
	}
	text := `{"type": "object", "additionalProperties": false, "properties": {` + strings.Join(properties, ", ") + `}`
	if len(required) > 0 {
		text += `, "required": [` + strings.Join(required, ", ") + `]`
	}
	if doc != "" {
		text += `, "description": ` + quoted(doc)
	}
	return text + `}`
}

// valueSchema is the schema of an argument's values: what follows from its type, and what the table adds.
func valueSchema(t reflect.Type, k argument, keys []Argument) jsontext.Value {
	members := []string{`"description": ` + quoted(k.doc)}
	add := func(member string) {
		if member != "" {
			members = append(members, member)
		}
	}
	switch {
	case k.holds == oneSpec:
		add(`"allOf": [{"$ref": "#/definitions/spec"}]`) // beside $ref draft 7 reads nothing
	case k.holds == specs:
		add(`"type": "array", "items": {"$ref": "#/definitions/spec"}`)
	case keys != nil && listType(t):
		add(`"type": "array", "items": ` + objectSchema("", keys))
	case keys != nil:
		inner := strings.TrimPrefix(objectSchema("", keys), "{")
		add(strings.TrimSuffix(inner, "}"))
	case !strings.HasPrefix(k.schema, `"type":`):
		add(typeSchema(t))
	}
	if len(k.words) > 0 {
		add(`"enum": [` + quotedList(k.words) + `]`)
	}
	add(k.schema)
	if k.def != "" && k.key != "name" {
		add(`"default": ` + k.def)
	}
	return jsontext.Value(`{` + strings.Join(members, ", ") + `}`)
}

func listType(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Slice && t != reflect.TypeFor[jsontext.Value]()
}

// typeSchema is the type that JSON Schema has for a Go type; raw JSON is of any.
func typeSchema(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil, t == reflect.TypeFor[jsontext.Value]():
		return ""
	case t.Kind() == reflect.Bool:
		return `"type": "boolean"`
	case t.Kind() == reflect.String:
		return `"type": "string"`
	case t.Kind() == reflect.Int:
		return `"type": "integer"`
	case t.Kind() == reflect.Float64:
		return `"type": "number"`
	case t.Kind() == reflect.Slice:
		return `"type": "array"`
	}
	return `"type": "object"`
}

func quoted(s string) string {
	b, _ := jsontext.AppendQuote(nil, s) // its error is about invalid UTF-8, which is replaced
	return string(b)
}

// jsonTag is the key of a field in JSON, and what stands behind it in the tag.
func jsonTag(f reflect.StructField) (name, options string) {
	name, options, _ = strings.Cut(f.Tag.Get("json"), ",")
	return name, options
}
