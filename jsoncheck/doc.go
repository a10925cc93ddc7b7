// Package jsoncheck answers three questions about a text: is it strict JSON, does it satisfy a JSON Schema, and
// what stands at a path in it. It takes plain values, reads no file, clock or network, and never panics on input.
//
// Values have the shape of encoding/json with UseNumber: nil, bool, json.Number, string, []any and map[string]any.
// A number keeps its literal, so no digit is lost. All functions and compiled values are safe for concurrent use as
// long as nobody changes the values that are passed in.
//
// Two kinds of failure are kept apart. A *SyntaxError says that the text is not JSON. An error that wraps ErrLimit
// says that the question would cost more than its bound: it was not answered. A caller that holds a killable child may
// ask again there with a larger SchemaConfig.MaxSteps.
package jsoncheck
