package jsoncheck

import "github.com/santhosh-tekuri/jsonschema/v6"

// Whether a document is valid and where it is not are two questions. The library answers the second by an error for every
// place, each with its whole path: a list of 20,000 wrong items below 1,900 objects is 46 kB of text and half a gigabyte of
// errors. Inside `not` it answers the first question alone and stops at the first fault. So a document that may break too
// much is asked through not: {not: schema} first; only where it is invalid, and its errors are known to fit, is it walked
// again for the places.

const (
	// maxDetail bounds the errors of one document, each counted as errorSize and its path: 64 MB, some 0.2 s.
	maxDetail = 4 << 20
	errorSize = 128 // of an error without its path, in elements of a path (16 bytes); measured with its message
)

// whetherURI names the schema that asks for no places.
const whetherURI = "https://schema.invalid/whether.json"

// compileWhether compiles not: {not: root}.
func compileWhether(c *jsonschema.Compiler) (*jsonschema.Schema, error) {
	doc := map[string]any{"not": map[string]any{"not": map[string]any{"$ref": rootURI}}}
	if err := c.AddResource(whetherURI, doc); err != nil {
		return nil, err
	}
	return c.Compile(whetherURI)
}

// tooLarge is what is said of an invalid document whose errors would not fit.
var tooLarge = Violation{Keyword: "schema", Msg: "does not satisfy the schema, in too many places to name"}

// tellable says whether the errors of a document surely fit, by the cheap bound.
func (m *costModel) tellable(doc *Document) bool {
	visits := doc.Nodes
	if m.paths > 1 {
		for range doc.Depth + 1 {
			visits = mul(visits, m.paths)
		}
	}
	return mul(visits, doc.Depth+errorSize) <= maxDetail
}

// tellableExactly is tellable by the count of step 3 in cost.go.
func (m *costModel) tellableExactly(root *jsonschema.Schema, value any, depth int) bool {
	e := estimate{model: m, memo: map[pair]int{}}
	return mul(e.cost(root, newInstance(value)), depth+errorSize) <= maxDetail
}
