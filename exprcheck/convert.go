package exprcheck

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// Value brings a decoded JSON value into the shape that rules see: nil, bool, int, float64, string, []any and
// map[string]any. Other kinds of integers, floats, lists and maps with text keys are converted; json.Number becomes
//
//   - int, for an integer literal of 64 bits;
//   - float64, the nearest one, for a literal with point or exponent, and for a longer integer that it holds exactly;
//   - the text of its literal otherwise (12345678901234567891, 1e999): such a number equals itself and its text, and
//     arithmetic or order with it is an error, never a rounded answer.
//
// What needs no change is returned as it is, not copied.
func Value(v any) any {
	switch v := v.(type) {
	case nil, bool, int, float64, string:
		return v
	case json.Number:
		return number(string(v))
	case []any:
		return list(v)
	case map[string]any:
		return members(v)
	}
	return reflected(v)
}

func number(literal string) any {
	if !strings.ContainsAny(literal, ".eE") {
		if n, err := strconv.Atoi(literal); err == nil {
			return n
		}
		f, err := strconv.ParseFloat(literal, 64)
		if exact, ok := new(big.Int).SetString(literal, 10); ok && err == nil {
			if same, _ := big.NewFloat(f).Int(nil); same != nil && same.Cmp(exact) == 0 {
				return f
			}
		}
		return literal
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return literal
	}
	return f
}

// list copies only when an element changes.
func list(old []any) []any {
	out := old
	for i, e := range old {
		v := Value(e)
		if same(v, e) {
			continue
		}
		if &out[0] == &old[0] {
			out = append([]any(nil), old...)
		}
		out[i] = v
	}
	return out
}

func members(old map[string]any) map[string]any {
	var out map[string]any
	for k, e := range old {
		v := Value(e)
		if same(v, e) {
			continue
		}
		if out == nil {
			out = make(map[string]any, len(old))
			for k, e := range old {
				out[k] = e
			}
		}
		out[k] = v
	}
	if out == nil {
		return old
	}
	return out
}

// same reports whether Value returned its argument.
func same(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	}
	_, converted := b.(json.Number)
	return !converted && reflect.TypeOf(a) == reflect.TypeOf(b)
}

// reflected converts what has another static type: []string of split, map[any][]any of groupBy, int64 of a caller.
func reflected(v any) any {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(r.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if r.Uint() > math.MaxInt64 {
			return number(strconv.FormatUint(r.Uint(), 10))
		}
		return int(r.Uint())
	case reflect.Float32, reflect.Float64:
		return r.Float()
	case reflect.String:
		return r.String()
	case reflect.Bool:
		return r.Bool()
	case reflect.Slice, reflect.Array:
		out := make([]any, r.Len())
		for i := range out {
			out[i] = Value(r.Index(i).Interface())
		}
		return out
	case reflect.Map:
		out := make(map[string]any, r.Len())
		for it := r.MapRange(); it.Next(); {
			key, ok := Value(it.Key().Interface()).(string)
			if !ok {
				raw, err := json.Marshal(it.Key().Interface())
				if err != nil {
					return v
				}
				key = string(raw)
			}
			out[key] = Value(it.Value().Interface())
		}
		return out
	case reflect.Pointer, reflect.Interface:
		if r.IsNil() {
			return nil
		}
		return Value(r.Elem().Interface())
	}
	return v
}
