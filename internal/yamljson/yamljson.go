package yamljson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

const (
	// maxDepth bounds nesting; the JSON decoders behind stop at 10,000, people at ten.
	maxDepth = 1_000
	// Aliases repeat what they name, nine lines of them a billion times: maxAliased bounds the nodes that they add,
	// maxOutput the JSON in bytes.
	maxAliased = 100_000
	maxOutput  = 64 << 20
)

// An Error says where a text is no YAML, or is YAML that no JSON stands for.
type Error struct {
	Line, Column int // both from 1; 0 where it is not known
	Msg          string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Msg
	case e.Column == 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// ToJSON returns the JSON that one YAML document stands for, keys in their order, number literals with their digits.
// A text that is JSON already comes back without its surrounding white space and byte-order mark. An empty document
// is null. The error is an *Error.
func ToJSON(data []byte) ([]byte, error) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(text) && json.Valid(text) {
		if err := checkJSON(text); err != nil {
			return nil, err
		}
		return bytes.Trim(text, " \t\r\n"), nil
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return []byte("null"), nil
	case err != nil:
		return nil, syntaxError(err)
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, &Error{second.Line, second.Column, "a second document"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(err)
	}
	w := writer{open: map[*yaml.Node]bool{}}
	if err := w.node(&doc); err != nil {
		return nil, err
	}
	return w.out.Bytes(), nil
}

// yamlLine is how the library names a place.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(?s)(.*)$`)

func syntaxError(err error) error {
	m := yamlLine.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(m[1]) // "" is 0: not known
	return &Error{Line: line, Msg: m[2]}
}

// writer writes the JSON of nodes.
type writer struct {
	out     bytes.Buffer
	open    map[*yaml.Node]bool // anchors that are being expanded
	aliased int                 // nodes written below an alias
	depth   int
}

func fail(n *yaml.Node, format string, args ...any) error {
	return &Error{n.Line, n.Column, fmt.Sprintf(format, args...)}
}

func (w *writer) node(n *yaml.Node) error {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		return fail(n, "nested deeper than %d", maxDepth)
	}
	if len(w.open) > 0 {
		w.aliased++
	}
	if w.aliased > maxAliased || w.aliased > 0 && w.out.Len() > maxOutput {
		return fail(n, "aliases stand for too much JSON")
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return w.node(n.Content[0])
	case yaml.AliasNode:
		if w.open[n.Alias] {
			return fail(n, "*%s stands inside what it names", n.Value)
		}
		w.open[n.Alias] = true
		defer delete(w.open, n.Alias)
		return w.node(n.Alias)
	case yaml.SequenceNode:
		return w.sequence(n)
	case yaml.MappingNode:
		return w.mapping(n)
	case yaml.ScalarNode:
		text, err := scalar(n)
		w.out.WriteString(text)
		return err
	}
	return fail(n, "unknown kind of node")
}

func (w *writer) sequence(n *yaml.Node) error {
	if err := checkTag(n, "!!seq"); err != nil {
		return err
	}
	w.out.WriteByte('[')
	for i, e := range n.Content {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.node(e); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	return nil
}

func (w *writer) mapping(n *yaml.Node) error {
	if err := checkTag(n, "!!map"); err != nil {
		return err
	}
	seen := map[string]bool{}
	w.out.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := keyOf(n.Content[i])
		if err != nil {
			return err
		}
		if seen[key] {
			return fail(n.Content[i], "key %s stands twice", key)
		}
		seen[key] = true
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.out.WriteString(key + ":")
		if err := w.node(n.Content[i+1]); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

// keyOf returns a key as a JSON string.
func keyOf(n *yaml.Node) (string, error) {
	at := n
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", fail(at, "a key must be a text")
	}
	if plain(n) && n.Value == "<<" {
		return "", fail(at, "merge keys (<<) are not part of YAML 1.2")
	}
	key, err := scalar(n)
	if err != nil {
		return "", err
	}
	if key[0] != '"' {
		return "", fail(at, "key %s is no text: quote it", n.Value)
	}
	return key, nil
}

// checkTag refuses an explicit tag other than want; the library resolves the others itself.
func checkTag(n *yaml.Node, want string) error {
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != want {
		return fail(n, "tag %s has no JSON", n.Tag)
	}
	return nil
}
