package jsoncheck

import "fmt"

// Bounds of a Budget: what they allow takes a second or two.
const (
	// maxSubschemas: the library looks each one up in a list of all, so that building takes their square; 20,000 are 1.5 s.
	// The largest schema in public catalogues has some 10,000.
	maxSubschemas = 20_000
	// maxPatternSize bounds the instructions of all patterns together. An instruction is some 0.5 µs and 130 bytes.
	maxPatternSize = 500_000
)

// A Budget bounds what it costs to compile schemas: 20,000 subschemas and 500,000 instructions of patterns, remotes included.
// Schemas that are compiled with the same Budget share it, so that a stranger's list of schemas costs no more than one. The
// zero value is whole. Not safe for concurrent use.
type Budget struct{ schemas, patterns int } // used of it

// add counts the places of a document where a schema may stand.
func (n *Budget) add(doc any) error {
	n.count(doc)
	if n.schemas > maxSubschemas {
		return fmt.Errorf("more than %d subschemas: %w", maxSubschemas, ErrLimit)
	}
	return nil
}

// count counts objects and bools, which are all that can be a schema. What stands in const or examples is counted too: a
// reference may lead there.
func (n *Budget) count(v any) {
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
func (n *Budget) pattern(src string) (*pattern, error) {
	if n.patterns > maxPatternSize {
		return &pattern{src: src, err: fmt.Errorf("patterns of more than %d instructions: %w", maxPatternSize, ErrLimit)}, nil
	}
	p, err := compilePattern(src)
	if err == nil {
		n.patterns = add(n.patterns, p.size)
	}
	return p, err
}
