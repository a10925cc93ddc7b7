package jsoncheck

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// instance is a value with what the estimate needs of it.
type instance struct {
	value any
	size  int // nodes
	names []string
	parts []*instance
}

func newInstance(v any) *instance {
	n := &instance{value: v, size: 1}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n.parts = append(n.parts, newInstance(e))
		}
	case map[string]any:
		for name, e := range v {
			n.names = append(n.names, name)
			n.parts = append(n.parts, newInstance(e))
		}
	}
	for _, p := range n.parts {
		n.size += p.size
	}
	return n
}

type pair struct {
	schema *jsonschema.Schema
	node   *instance
}

// estimate is step 3 of the theory in cost.go.
type estimate struct {
	model *costModel
	memo  map[pair]int
}

// cost is the work of applying s to n with every branch taken, saturating; above the limit it is not finished.
func (e *estimate) cost(s *jsonschema.Schema, n *instance) int {
	key := pair{s, n}
	if c, ok := e.memo[key]; ok {
		return c
	}
	if len(e.memo) > maxPairs {
		return math.MaxInt
	}
	e.memo[key] = 1
	c := e.own(s, n)
	for _, next := range e.model.applied(s) {
		if c > e.model.limit {
			break
		}
		c = add(c, e.cost(next, n))
	}
	for i, part := range n.parts {
		if c > e.model.limit {
			break
		}
		for _, next := range applicable(s, n, i) {
			c = add(c, e.cost(next, part))
		}
	}
	e.memo[key] = c
	return c
}

// own is the work of s on n without its subschemas.
func (e *estimate) own(s *jsonschema.Schema, n *instance) int {
	c := 1 + len(s.Required) + len(n.names)*(1+4*len(s.PatternProperties))
	if s.Enum != nil {
		c += len(s.Enum.Values)
	}
	if e.model.unevaluate {
		c += len(n.parts)
	}
	if s.UniqueItems {
		c = add(c, mul(n.size, min(len(n.parts), 20)))
	}
	switch v := n.value.(type) {
	case json.Number:
		c += numberCost(numberSize(string(v)))
	case string:
		if p, ok := s.Pattern.(*pattern); ok {
			c = add(c, textCost(len(v), p.size))
		}
	}
	return c
}

// applicable returns the schemas of s that may be applied to part i of n.
func applicable(s *jsonschema.Schema, n *instance, i int) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	put := func(next any) {
		if next, ok := next.(*jsonschema.Schema); ok && next != nil {
			list = append(list, next)
		}
	}
	if n.names == nil {
		put(s.Contains)
		put(s.UnevaluatedItems)
		put(s.Items)
		put(s.AdditionalItems)
		put(s.Items2020)
		if tuple, ok := s.Items.([]*jsonschema.Schema); ok && i < len(tuple) {
			put(tuple[i])
		}
		if i < len(s.PrefixItems) {
			put(s.PrefixItems[i])
		}
		return list
	}
	if next, ok := s.Properties[n.names[i]]; ok {
		put(next)
	} else {
		put(s.AdditionalProperties)
	}
	for p, next := range s.PatternProperties {
		if p.MatchString(n.names[i]) {
			put(next)
		}
	}
	put(s.UnevaluatedProperties)
	return list
}

// tame copies a value and brings numbers beyond maxExactNumber digits into its range. A number of huge exponent keeps
// its sign, its digits, and whether it is an integer, and stays larger (or nearer to zero) than any number of a
// schema, which are bounded by maxSchemaNumber: so type, bounds, const and enum decide as before. What does not, a
// multipleOf or uniqueItems anywhere in the schema, and numbers of that many digits, are over the limit.
func (m *costModel) tame(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return m.tameNumber(v)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = m.tame(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, e := range v {
			var err error
			if members[name], err = m.tame(e); err != nil {
				return nil, err
			}
		}
		return members, nil
	}
	return v, nil
}

func (m *costModel) tameNumber(v json.Number) (any, error) {
	if numberSize(string(v)) <= maxExactNumber {
		return v, nil
	}
	d := parseDecimal(string(v))
	exp, err := strconv.Atoi(d.exp)
	huge := err != nil || exp > maxExactNumber || exp < -maxExactNumber
	if len(d.digits) > maxExactNumber || huge && (m.multiple || m.unique) {
		return nil, fmt.Errorf("jsoncheck: a number too long to compare: %w", ErrLimit)
	}
	switch {
	case d.digits == "":
		return json.Number("0"), nil
	case huge && d.exp[0] == '-':
		exp = -maxExactNumber
	case huge:
		exp = maxExactNumber
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	return json.Number(sign + "0." + d.digits + "e" + strconv.Itoa(exp)), nil
}
