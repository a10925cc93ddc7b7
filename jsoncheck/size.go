package jsoncheck

import "fmt"

// Bounds of a schema with all its remotes, so that building one costs at most a second or two.
const (
	// maxSubschemas: the library looks each one up in a list of all, so that building takes their square; 20,000 are 1.5 s.
	// The largest schema in public catalogues has some 10,000.
	maxSubschemas = 20_000
	// maxPatternSize bounds the instructions of all patterns together. An instruction is some 0.5 µs and 130 bytes.
	maxPatternSize = 500_000
)

// schemaSize counts what a schema is made of while it is compiled.
type schemaSize struct{ schemas, patterns int }

// add counts the places of a document where a schema may stand.
func (n *schemaSize) add(doc any) error {
	n.count(doc)
	if n.schemas > maxSubschemas {
		return fmt.Errorf("more than %d subschemas: %w", maxSubschemas, ErrLimit)
	}
	return nil
}

// count counts objects and bools, which are all that can be a schema. What stands in const or examples is counted too: a
// reference may lead there.
func (n *schemaSize) count(v any) {
	switch v := v.(type) {
	case bool:
		n.schemas++
	case []any:
		for _, e := range v {
			n.count(e)
		}
	case map[string]any:
		n.schemas++
		for _, e := range v {
			n.count(e)
		}
	}
}

// pattern compiles one of the schema's patterns. One over the bound is returned uncompiled and refused by the cost model,
// since the library would lose the kind of the error.
func (n *schemaSize) pattern(src string) (*pattern, error) {
	if n.patterns > maxPatternSize {
		return &pattern{src: src, err: fmt.Errorf("patterns of more than %d instructions: %w", maxPatternSize, ErrLimit)}, nil
	}
	p, err := compilePattern(src)
	if err == nil {
		n.patterns = add(n.patterns, p.size)
	}
	return p, err
}
