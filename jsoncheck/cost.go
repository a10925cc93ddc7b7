package jsoncheck

import (
	"cmp"
	"fmt"
	"math"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The validator knows no budget, so its work is bounded before it starts.
//
// A schema is a graph: in-place edges (allOf, anyOf, oneOf, not, if, $ref…) lead to schemas for the same value, child
// edges (properties, items…) to schemas for a part of it. A value is visited once per path, so twenty-five levels of
// allOf: [x, x] visit it 2^25 times, and a recursive schema with two branches doubles at every level of the document.
//
// 1. While building: paths(s) = 1 + the sum of paths over in-place edges, memoised, linear in the schema. Over
// a fifth of the bound no document of any size can be judged, and the schema is refused.
// 2. Per document: nodes * weight * paths^depth is an upper bound that costs a few multiplications. Ordinary schemas
// pass here: their paths are few and documents shallow.
// 3. Otherwise the exact worst case (every branch taken) is computed by the same recursion over pairs of schema and
// node, memoised, so that its own cost is the number of pairs and not of paths.
//
// One unit is one schema applied to one scalar, some 0.3 µs.

const (
	defaultCost    = 5_000_000 // units; a second or two
	maxPairs       = 1_000_000 // of step 3; about half a second
	maxSchemaDepth = 500       // nesting of a schema's text; real ones stay under 50

	// maxInstanceDepth is smaller than MaxDepth: each violation of a deep document carries its whole path, and a
	// recursive schema can find one on every level.
	maxInstanceDepth = 2_000

	// pathCost is how many elements of a value's path are copied for one unit.
	pathCost = 200

	// maxSchemaNumber bounds the digits that a number of a schema is written out to, maxExactNumber those of a
	// document. Both are rational numbers inside the validator.
	maxSchemaNumber = 1_000
	maxExactNumber  = 5_000
)

// costModel is what is known of a schema before any document.
type costModel struct {
	limit      int  // units that one document may take
	paths      int  // most in-place paths of any reachable schema
	weight     int  // most units that one of them takes of a scalar
	patterns   int  // instructions of its largest pattern
	unique     bool // some uniqueItems
	multiple   bool // some multipleOf
	unevaluate bool // some unevaluated…: each visit copies the names of an object

	anchors map[string][]*jsonschema.Schema // by $dynamicAnchor
}

// newCostModel walks all schemas that root reaches. Unless formats are asserted it also takes them out: the library
// asserts them in the drafts before 2019-09.
func newCostModel(root *jsonschema.Schema, cfg SchemaConfig) (costModel, error) {
	m := costModel{limit: cmp.Or(cfg.MaxSteps, defaultCost), anchors: map[string][]*jsonschema.Schema{}}
	seen := map[*jsonschema.Schema]bool{root: true}
	queue := []*jsonschema.Schema{root}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if !cfg.AssertFormat && s.DraftVersion < 2019 {
			s.Format = nil
		}
		if err := m.note(s); err != nil {
			return m, err
		}
		for _, next := range append(inPlace(s), parts(s)...) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	open := map[*jsonschema.Schema]bool{}
	for s := range seen {
		if cyclic(s, open) {
			return m, errEndless
		}
	}
	memo := map[*jsonschema.Schema]int{}
	for s := range seen {
		m.paths = max(m.paths, m.countPaths(s, memo))
	}
	if most := m.limit / 5; m.paths > most {
		return m, fmt.Errorf("jsoncheck: schema applies more than %d subschemas to one value: %w", most, ErrLimit)
	}
	return m, nil
}

func (m *costModel) note(s *jsonschema.Schema) error {
	weight := 1 + len(s.Required)
	if s.Enum != nil {
		weight += len(s.Enum.Values)
	}
	m.weight = max(m.weight, weight+4*len(s.PatternProperties))
	for p := range s.PatternProperties {
		if err := m.notePattern(p); err != nil {
			return err
		}
	}
	if err := m.notePattern(s.Pattern); err != nil {
		return err
	}
	m.unique = m.unique || s.UniqueItems
	m.multiple = m.multiple || s.MultipleOf != nil
	m.unevaluate = m.unevaluate || s.UnevaluatedProperties != nil || s.UnevaluatedItems != nil
	if s.DynamicAnchor != "" {
		m.anchors[s.DynamicAnchor] = append(m.anchors[s.DynamicAnchor], s)
	}
	return nil
}

func (m *costModel) notePattern(r jsonschema.Regexp) error {
	p, ok := r.(*pattern)
	if !ok {
		return nil
	}
	if p.err != nil {
		return fmt.Errorf("jsoncheck: schema: pattern %q: %w", clip(p.src), p.err)
	}
	m.patterns = max(m.patterns, p.size)
	return nil
}

func (m *costModel) countPaths(s *jsonschema.Schema, memo map[*jsonschema.Schema]int) int {
	if n, ok := memo[s]; ok {
		return n
	}
	memo[s] = 1 // a reference back to itself: the validator stops there with an error
	n := 1
	for _, next := range m.applied(s) {
		n = add(n, m.countPaths(next, memo))
	}
	memo[s] = n
	return n
}

// cyclic reports whether s applies itself to the value it is applied to. open holds the schemas on the way, and false
// for those that are known to end. Dynamic references are left to the validator: their targets change with the way.
func cyclic(s *jsonschema.Schema, open map[*jsonschema.Schema]bool) bool {
	if on, seen := open[s]; seen {
		return on
	}
	open[s] = true
	for _, next := range inPlace(s) {
		dynamic := next == s.RecursiveRef || s.DynamicRef != nil && next == s.DynamicRef.Ref
		if !dynamic && cyclic(next, open) {
			return true
		}
	}
	open[s] = false
	return false
}

// applied returns the in-place edges with those that a $dynamicRef may take.
func (m *costModel) applied(s *jsonschema.Schema) []*jsonschema.Schema {
	list := inPlace(s)
	if s.DynamicRef != nil && s.DynamicRef.Anchor != "" {
		list = append(list, m.anchors[s.DynamicRef.Anchor]...)
	}
	return list
}

// inPlace returns the schemas that s applies to the value itself.
func inPlace(s *jsonschema.Schema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	put := func(schemas ...*jsonschema.Schema) {
		for _, next := range schemas {
			if next != nil {
				list = append(list, next)
			}
		}
	}
	put(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	if s.DynamicRef != nil {
		put(s.DynamicRef.Ref)
	}
	put(s.AllOf...)
	put(s.AnyOf...)
	put(s.OneOf...)
	for _, next := range s.DependentSchemas {
		put(next)
	}
	for _, dep := range s.Dependencies {
		if next, ok := dep.(*jsonschema.Schema); ok {
			put(next)
		}
	}
	return list
}

// parts returns the schemas that s applies to parts of the value.
func parts(s *jsonschema.Schema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	put := func(schemas ...*jsonschema.Schema) {
		for _, next := range schemas {
			if next != nil {
				list = append(list, next)
			}
		}
	}
	put(s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	put(s.PrefixItems...)
	for _, next := range s.Properties {
		put(next)
	}
	for _, next := range s.PatternProperties {
		put(next)
	}
	for _, any := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		switch next := any.(type) {
		case *jsonschema.Schema:
			put(next)
		case []*jsonschema.Schema:
			put(next...)
		}
	}
	return list
}

// admit decides whether a document is within the bound, and returns the value to validate: numbers that are too long
// to write out are replaced by ones that behave the same.
func (m *costModel) admit(root *jsonschema.Schema, doc *Document) (any, error) {
	if doc.Depth > maxInstanceDepth {
		return nil, fmt.Errorf("jsoncheck: document nested deeper than %d: %w", maxInstanceDepth, ErrLimit)
	}
	value, wildest := doc.Value, doc.wildest
	if wildest > maxExactNumber {
		var err error
		if value, err = m.tame(doc.Value); err != nil {
			return nil, err
		}
		wildest = 2 * maxExactNumber
	}
	if m.quick(doc, wildest) <= m.limit {
		return value, nil
	}
	e := estimate{model: m, memo: map[pair]int{}}
	if cost := e.cost(root, newInstance(value)); cost > m.limit {
		return nil, fmt.Errorf("jsoncheck: schema and document together take over %d steps: %w", m.limit, ErrLimit)
	}
	return value, nil
}

// quick is step 2 of the theory above.
func (m *costModel) quick(doc *Document, wildest int) int {
	weight := m.weight + numberCost(wildest) + doc.Depth/pathCost
	if m.unique {
		weight += 20 + doc.Depth
	}
	if m.unevaluate {
		weight *= 2
	}
	cost := add(mul(doc.Nodes, weight), textCost(len(doc.Raw), m.patterns))
	if m.paths == 1 {
		return cost
	}
	for range doc.Depth + 1 {
		cost = mul(cost, m.paths)
	}
	return cost
}

// numberCost is the price of a number of so many digits as a rational; short ones are free.
func numberCost(digits int) int { return digits / 20 }

// textCost is the price of matching a text with a pattern of so many instructions, by Go's engine.
func textCost(bytes, instructions int) int { return mul(bytes, instructions) / 128 }

// add and mul saturate.
func add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func mul(a, b int) int {
	if a != 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}
