package yamljson

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The core schema, YAML 1.2.2 section 10.3.2. The library resolves plain scalars by a mixture of 1.1 and 1.2 (0777 is
// octal there, 1_000 a number, 2001-01-01 a time), so its answer is not used.
var (
	decimalInt = regexp.MustCompile(`^[-+]?[0-9]+$`)
	octalInt   = regexp.MustCompile(`^0o[0-7]+$`)
	hexInt     = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	float      = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	notFinite  = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// plain reports whether a scalar is written without quotes and without a tag.
func plain(n *yaml.Node) bool { return n.Style&^yaml.FlowStyle == 0 }

// scalar returns the JSON of a scalar.
func scalar(n *yaml.Node) (string, error) {
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n)
	}
	if !plain(n) {
		return quote(n.Value), nil
	}
	text, kind := resolve(n.Value)
	if kind == "!!nan" {
		return "", fail(n, "%s has no JSON", n.Value)
	}
	return text, nil
}

// resolve reads a plain scalar: its JSON, and the short tag of its type.
func resolve(v string) (text, tag string) {
	switch v {
	case "", "~", "null", "Null", "NULL":
		return "null", "!!null"
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return strings.ToLower(v), "!!bool"
	}
	switch {
	case decimalInt.MatchString(v):
		return decimal(v), "!!int"
	case octalInt.MatchString(v), hexInt.MatchString(v):
		n, _ := new(big.Int).SetString(v, 0) // matched above
		return n.String(), "!!int"
	case float.MatchString(v):
		return decimal(v), "!!float"
	case notFinite.MatchString(v):
		return "", "!!nan"
	}
	return quote(v), "!!str"
}

// decimal writes a number of the core schema by the rules of JSON: no plus, no leading zeros, digits on both sides
// of a point.
func decimal(v string) string {
	v, neg := strings.CutPrefix(v, "-")
	v = strings.TrimPrefix(v, "+")
	exp := ""
	if i := strings.IndexAny(v, "eE"); i >= 0 {
		v, exp = v[:i], v[i:]
	}
	whole, frac, point := strings.Cut(v, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if point {
		if frac == "" {
			frac = "0"
		}
		whole += "." + frac
	}
	if neg {
		whole = "-" + whole
	}
	return whole + exp
}

// tagged reads a scalar with an explicit tag.
func tagged(n *yaml.Node) (string, error) {
	want := n.ShortTag()
	if want == "!!str" || want == "!" {
		return quote(n.Value), nil
	}
	text, tag := resolve(n.Value)
	switch {
	case want != "!!int" && want != "!!float" && want != "!!bool" && want != "!!null":
		return "", fail(n, "tag %s has no JSON", n.Tag)
	case tag == want || want == "!!float" && tag == "!!int":
		return text, nil
	}
	return "", fail(n, "%q is no %s", n.Value, strings.TrimPrefix(want, "!!"))
}

// quote writes a text as a JSON string.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
