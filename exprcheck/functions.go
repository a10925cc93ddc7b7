package exprcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
)

// disabled are the functions that read the clock or the machine's time zones.
var disabled = []string{"now", "date", "duration", "timezone"}

// replaced are the functions of the library that stand under the same name with another body: because their cost is
// not linear in their operands, or because their result depends on the machine. They take the meter first.
var replaced = map[string]func(m *meter, args []any) (any, error){
	"repeat":     repeat,
	"join":       join,
	"replace":    replace,
	"trim":       trimmer(strings.TrimSpace, strings.Trim),
	"trimPrefix": affix(strings.TrimPrefix),
	"trimSuffix": affix(strings.TrimSuffix),
	"int":        toInt,
	"fromJSON":   fromJSON,
}

func replacedName(name string) string { return "·" + name }

// ownFunctions declares the replacements. Their operands were checked by a first pass with the library's own.
func ownFunctions() []expr.Option {
	var list []expr.Option
	for name, fn := range replaced {
		list = append(list, expr.Function(replacedName(name), func(args ...any) (any, error) {
			return fn(args[0].(*meter), args[1:])
		}))
	}
	return list
}

// texts checks that all operands are texts.
func texts(name string, args []any) ([]string, error) {
	list := make([]string, len(args))
	for i, a := range args {
		s, ok := a.(string)
		if !ok {
			return nil, fmt.Errorf("%s needs texts, got %T", name, a)
		}
		list[i] = s
	}
	return list, nil
}

func repeat(m *meter, args []any) (any, error) {
	s, ok := args[0].(string)
	n, isInt := args[1].(int)
	if !ok || !isInt || n < 0 {
		return nil, errors.New("repeat needs a text and a count of 0 or more")
	}
	if err := m.payText(product(len(s), n), 1); err != nil {
		return nil, err
	}
	return strings.Repeat(s, n), nil
}

func join(m *meter, args []any) (any, error) {
	glue := ""
	if len(args) > 1 {
		s, ok := args[1].(string)
		if !ok {
			return nil, errors.New("join needs a text between the elements")
		}
		glue = s
	}
	var list []string
	switch v := args[0].(type) {
	case []string:
		list = v
	case []any:
		var err error
		if list, err = texts("join", v); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("join needs a list of texts, got %T", v)
	}
	size := product(len(list), len(glue)+1)
	for _, s := range list {
		size += len(s)
	}
	if err := m.payText(size, 1); err != nil {
		return nil, err
	}
	return strings.Join(list, glue), nil
}

func replace(m *meter, args []any) (any, error) {
	t, err := texts("replace", args[:3])
	if err != nil {
		return nil, err
	}
	n := -1
	if len(args) == 4 {
		count, ok := args[3].(int)
		if !ok {
			return nil, errors.New("replace needs an integer as its limit")
		}
		n = count
	}
	if err := m.payText(len(t[0]), 2); err != nil {
		return nil, err
	}
	hits := strings.Count(t[0], t[1])
	if n >= 0 {
		hits = min(hits, n)
	}
	if err := m.payText(product(hits, len(t[2])+1), 1); err != nil {
		return nil, err
	}
	return strings.Replace(t[0], t[1], t[2], n), nil
}

// trimmer takes white space off, or the characters of a second text, which are looked for one by one.
func trimmer(space func(string) string, set func(s, cutset string) string) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		t, err := texts("trim", args)
		if err != nil {
			return nil, err
		}
		if len(t) == 1 {
			return space(t[0]), m.payText(len(t[0]), 1)
		}
		if err := m.payText(len(t[0]), len(t[1])+1); err != nil {
			return nil, err
		}
		return set(t[0], t[1]), nil
	}
}

func affix(cut func(s, affix string) string) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		t, err := texts("trim", args)
		if err != nil {
			return nil, err
		}
		by := " "
		if len(t) > 1 {
			by = t[1]
		}
		return cut(t[0], by), m.payText(len(by), 1)
	}
}

// toInt is int(): Go leaves the conversion of a float that no int64 holds to the machine; here it is an error.
func toInt(m *meter, args []any) (any, error) {
	switch v := args[0].(type) {
	case int:
		return v, nil
	case float64:
		if !(math.Abs(v) < 1<<63) {
			return nil, errors.New("int of a number that is none or too large")
		}
		return int(v), nil
	case string:
		if err := m.payText(len(v), 1); err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(v)
		if err != nil {
			return nil, errors.New("int of a text that is no integer")
		}
		return n, nil
	}
	return nil, fmt.Errorf("int of %T", args[0])
}

// fromJSON reads a text as JSON, with numbers as the row's own are given.
func fromJSON(m *meter, args []any) (any, error) {
	t, err := texts("fromJSON", args)
	if err != nil {
		return nil, err
	}
	if err := m.payText(len(t[0]), bytesPerStep); err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(t[0]))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, errors.New("fromJSON of a text that is no JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("fromJSON of a text with more than one JSON value")
	}
	return Value(v), nil
}
