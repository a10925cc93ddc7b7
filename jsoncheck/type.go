package jsoncheck

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Type is a kind of JSON value. Integer and Number part the numbers by their literal: 3 is Integer, 3.0 is Number.
type Type uint8

// The types of JSON values. None is the zero value: no type, or any where a wish is meant.
const (
	None Type = iota
	Null
	Boolean
	Integer
	Number
	String
	Array
	Object
	// Float is what Python calls so: a number whose literal has a point or an exponent. TypeOf never returns it.
	Float
)

var typeNames = [...]string{"", "null", "boolean", "integer", "number", "string", "array", "object", "float"}

// String returns JSON's own word for the type, "" for None.
func (t Type) String() string { return typeNames[t] }

// ParseType reads JSON's own word for a type, or Python's: object or dict, array or list, string or str, integer or
// int, number, float, boolean or bool, null (None). "" is None, which every value has.
func ParseType(word string) (Type, error) {
	switch word {
	case "":
		return None, nil
	case "object", "dict":
		return Object, nil
	case "array", "list":
		return Array, nil
	case "string", "str":
		return String, nil
	case "integer", "int":
		return Integer, nil
	case "number":
		return Number, nil
	case "float":
		return Float, nil
	case "boolean", "bool":
		return Boolean, nil
	case "null", "None":
		return Null, nil
	}
	return None, fmt.Errorf("jsoncheck: %q is no JSON type (object, array, string, integer, number, float, boolean, null)", word)
}

// TypeOf returns the exact type of a value as Parse builds it, None for anything else.
func TypeOf(v any) Type {
	switch v := v.(type) {
	case nil:
		return Null
	case bool:
		return Boolean
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return Number
		}
		return Integer
	case string:
		return String
	case []any:
		return Array
	case map[string]any:
		return Object
	}
	return None
}

// Admits reports whether a value of exact type got is of the wanted type t: every integer is a number, an integer
// is a literal without point and exponent, a float is a number that is no integer.
func (t Type) Admits(got Type) bool {
	switch t {
	case None:
		return true
	case Number:
		return got == Number || got == Integer
	case Float:
		return got == Number
	}
	return t == got
}
