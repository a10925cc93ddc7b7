package codecheck

import (
	"math/big"
	"slices"
)

// value reports whether an answer equals the expected value, by the stated rules: the same JSON type, an integer is no
// float unless asked, a bool is no number (but 0 and 1 are taken where a truth value is expected), a tuple is a list unless refused, keys of maps in any order, opaque values
// equal to nothing.
func (c Compare) value(got, want any) bool {
	if c.AnyOf {
		answers, ok := want.(list)
		c.AnyOf = false
		return ok && slices.ContainsFunc(answers, func(w any) bool { return c.value(got, w) })
	}
	switch w := want.(type) {
	case nil:
		return got == nil
	case bool:
		if g, ok := got.(*big.Int); ok { // a truth value may be given as 0 or 1, as Python's == has it
			return g.IsInt64() && (g.Int64() == 1 && w || g.Int64() == 0 && !w)
		}
		g, ok := got.(bool)
		return ok && g == w
	case string:
		g, ok := got.(string)
		return ok && g == w
	case *big.Int, float64:
		return c.number(got, want)
	case list:
		g, ok := c.sequence(got)
		if c.Unordered {
			c.Unordered = false
			return ok && c.multiset(g, w)
		}
		return ok && slices.EqualFunc(g, w, c.value)
	case dict:
		g, ok := got.(dict)
		return ok && c.dict(g, w)
	}
	return false
}

func (c Compare) number(got, want any) bool {
	if g, ok := got.(double); ok {
		if w, ok := want.(*big.Int); ok {
			return c.close(float64(g), toFloat(w))
		}
		return c.close(float64(g), want.(float64))
	}
	if g, ok := got.(*big.Int); ok {
		if w, ok := want.(*big.Int); ok {
			return g.Cmp(w) == 0
		}
		return c.IntIsFloat && c.close(toFloat(g), want.(float64))
	}
	g, ok := got.(float64)
	if !ok {
		return false
	}
	if w, ok := want.(*big.Int); ok {
		return c.IntIsFloat && c.close(g, toFloat(w))
	}
	return c.close(g, want.(float64))
}

func toFloat(i *big.Int) float64 {
	f, _ := new(big.Float).SetInt(i).Float64()
	return f
}

func (c Compare) sequence(got any) (list, bool) {
	switch g := got.(type) {
	case list:
		return g, true
	case tuple:
		return list(g), !c.TupleIsNotList
	}
	return nil, false
}

// multiset compares without order. Quadratic, so bounded: beyond 2,000 elements the order counts.
func (c Compare) multiset(got, want list) bool {
	if len(got) != len(want) {
		return false
	}
	if len(got) > 2000 {
		return slices.EqualFunc(got, want, c.value)
	}
	left := slices.Clone(want)
	for _, g := range got {
		i := slices.IndexFunc(left, func(w any) bool { return c.value(g, w) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// dict compares maps; JSON's keys are texts, so an answer with another kind of key is no equal.
func (c Compare) dict(got, want dict) bool {
	if len(got) != len(want) {
		return false
	}
	byKey := make(map[string]any, len(got))
	for _, pair := range got {
		key, ok := pair[0].(string)
		if !ok {
			return false
		}
		byKey[key] = pair[1]
	}
	for _, pair := range want {
		g, ok := byKey[pair[0].(string)]
		if !ok || !c.value(g, pair[1]) {
			return false
		}
	}
	return true
}
