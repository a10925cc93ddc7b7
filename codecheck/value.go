package codecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A value is what a function gave or should have given, in Go:
//
//	nil, bool, string     themselves
//	*big.Int, float64     an integer of any size, a float (NaN and infinities included)
//	double                a number of a language that has no integers: equal to an integer or a float
//	list, tuple, set      sequences of values
//	dict                  pairs in order
//	[]byte                bytes
//	opaque                anything else; equal to nothing
type (
	list   []any
	tuple  []any
	set    []any
	dict   [][2]any
	opaque string
	double float64
)

var errValue = errors.New("malformed value")

// parseExpected reads an expected value: JSON, and the NaN and Infinity that Python writes.
func parseExpected(raw json.RawMessage) (any, error) {
	switch s := strings.TrimSpace(string(raw)); s {
	case "NaN":
		return math.NaN(), nil
	case "Infinity", "-Infinity":
		return math.Inf(len("Infinity") - len(s)), nil
	}
	return decodeJSON(raw, func(pairs [][2]any) (any, error) { return dict(pairs), nil })
}

// parseAnswer reads the tagged wire form that harness/python/peer.py describes.
func parseAnswer(raw json.RawMessage) (any, error) {
	return decodeJSON(raw, tagged)
}

// decodeJSON reads one JSON value; object makes what becomes of an object from its pairs in order.
func decodeJSON(raw []byte, object func([][2]any) (any, error)) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := decodeNext(d, object, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errValue
	}
	return v, nil
}

func decodeNext(d *json.Decoder, object func([][2]any) (any, error), depth int) (any, error) {
	if depth > 2000 {
		return nil, errValue
	}
	t, err := d.Token()
	if err != nil {
		return nil, errValue
	}
	switch t := t.(type) {
	case json.Number:
		return number(t.String())
	case json.Delim:
		if t == '[' {
			return decodeList(d, object, depth)
		}
		return decodeObject(d, object, depth)
	}
	return t, nil // nil, bool, string
}

func decodeList(d *json.Decoder, object func([][2]any) (any, error), depth int) (any, error) {
	v := list{}
	for d.More() {
		x, err := decodeNext(d, object, depth+1)
		if err != nil {
			return nil, err
		}
		v = append(v, x)
	}
	_, err := d.Token()
	return v, err
}

func decodeObject(d *json.Decoder, object func([][2]any) (any, error), depth int) (any, error) {
	var pairs [][2]any
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, errValue
		}
		x, err := decodeNext(d, object, depth+1)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, [2]any{key, x})
	}
	if _, err := d.Token(); err != nil {
		return nil, errValue
	}
	return object(pairs)
}

// number reads a JSON number as Python does: an integer of any size without a point or exponent, else a double.
func number(s string) (any, error) {
	if !strings.ContainsAny(s, ".eE") {
		i, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return nil, errValue
		}
		return i, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return nil, errValue
	}
	return f, nil
}

// tagged makes the value of a wire object, whose first key is its tag.
func tagged(pairs [][2]any) (any, error) {
	if len(pairs) == 0 {
		return nil, errValue
	}
	tag, _ := pairs[0][0].(string)
	items, _ := pairs[0][1].(list)
	text, _ := pairs[0][1].(string)
	switch tag {
	case "i":
		i, ok := new(big.Int).SetString(text, 0)
		if !ok {
			return nil, errValue
		}
		return i, nil
	case "f":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, errValue
		}
		return f, nil
	case "n":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, errValue
		}
		return double(f), nil
	case "t":
		return tuple(items), nil
	case "S", "F":
		return set(items), nil
	case "b":
		return hexBytes(text)
	case "d":
		d := make(dict, 0, len(items))
		for _, x := range items {
			pair, ok := x.(list)
			if !ok || len(pair) != 2 {
				return nil, errValue
			}
			d = append(d, [2]any{pair[0], pair[1]})
		}
		return d, nil
	}
	return opaque(tag), nil
}

func hexBytes(s string) (any, error) {
	b := make([]byte, len(s)/2)
	for i := range b {
		x, err := strconv.ParseUint(s[2*i:2*i+2], 16, 8)
		if err != nil {
			return nil, errValue
		}
		b[i] = byte(x)
	}
	return b, nil
}
