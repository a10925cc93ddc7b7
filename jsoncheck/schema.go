package jsoncheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// SchemaConfig holds what a schema does not say itself. The zero value is draft 2020-12, formats as annotations, no
// remotes.
type SchemaConfig struct {
	// Draft is the dialect where $schema is silent: draft4, draft6, draft7, draft2019-09, draft2020-12, or "".
	Draft string
	// AssertFormat makes format a check. Without it format is an annotation, in every draft.
	AssertFormat bool
	// Remotes are the documents that references may lead to, by absolute URI. Nothing else is ever loaded: no file,
	// no network. The metaschemas of the drafts are known.
	Remotes map[string]json.RawMessage
	// MaxSteps bounds the subschemas that one Validate applies; 0 is 5,000,000, a second or two. A caller that runs in
	// a killable child may set it higher.
	MaxSteps int
	// Budget bounds what compiling costs, together with other schemas that are given the same one. Nil is one of its own.
	Budget *Budget
}

// A Schema is a compiled JSON Schema. It is immutable and safe for concurrent use.
type Schema struct {
	root    *jsonschema.Schema
	whether *jsonschema.Schema // asks only whether, not where
	cost    costModel
}

var errEndless = errors.New("jsoncheck: schema: refers to itself without end")

// rootURI names the schema itself. Under .invalid (RFC 2606) a relative reference leads nowhere by accident.
const rootURI = "https://schema.invalid/root.json"

// CompileSchema reads a schema. Every reference is resolved and every pattern compiled here. Errors: the text is no
// JSON, the schema breaks its metaschema, a reference leads to nothing, a pattern is no ECMA-262 or asks for more
// than a bounded engine can do; one that wraps ErrLimit when the schema itself (on any instance) is over the bound.
func CompileSchema(schema []byte, cfg SchemaConfig) (*Schema, error) {
	size := cfg.Budget
	if size == nil {
		size = new(Budget)
	}
	doc, err := schemaDocument(schema, size)
	if err != nil {
		return nil, fmt.Errorf("jsoncheck: schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(&remoteLoader{cfg.Remotes, size})
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) { return size.pattern(s) })
	if err := setDraft(c, cfg.Draft); err != nil {
		return nil, err
	}
	if cfg.AssertFormat {
		c.AssertFormat()
		for _, f := range ownFormats {
			c.RegisterFormat(f)
		}
	}
	if err := c.AddResource(rootURI, doc); err != nil {
		return nil, fmt.Errorf("jsoncheck: schema: %w", err)
	}
	root, err := c.Compile(rootURI)
	if err != nil {
		return nil, fmt.Errorf("jsoncheck: schema: %w", shortError(err))
	}
	s := &Schema{root: root}
	if s.whether, err = compileWhether(c); err != nil {
		return nil, fmt.Errorf("jsoncheck: schema: %w", err)
	}
	s.cost, err = newCostModel(root, cfg)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// schemaDocument parses a schema and holds its numbers to the size that exact comparison is affordable for.
func schemaDocument(text []byte, size *Budget) (any, error) {
	doc, err := Parse(string(text))
	if err != nil {
		return nil, err
	}
	if err := size.add(doc.Value); err != nil {
		return nil, err
	}
	if doc.wildest > maxSchemaNumber {
		return nil, fmt.Errorf("a number of more than %d digits: %w", maxSchemaNumber, ErrLimit)
	}
	if doc.Depth > maxSchemaDepth {
		return nil, fmt.Errorf("nested deeper than %d: %w", maxSchemaDepth, ErrLimit)
	}
	if doc.wildest > len("9007199254740991") {
		clampCounts(doc.Value)
	}
	return doc.Value, nil
}

// counts are the keywords whose value is a number of things.
var counts = map[string]bool{
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "minProperties": true,
	"maxProperties": true, "minContains": true, "maxContains": true,
}

// clampCounts lowers counts that no document reaches to one that none reaches either: the library takes them modulo
// 2^64, so that maxLength: 1e30 would refuse texts. The values of const and enum are left alone.
func clampCounts(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			clampCounts(e)
		}
	case map[string]any:
		for name, e := range v {
			n, isNumber := e.(json.Number)
			switch {
			case counts[name] && isNumber:
				if r, ok := new(big.Rat).SetString(string(n)); ok && r.IsInt() && r.Cmp(big.NewRat(1<<53, 1)) > 0 {
					v[name] = json.Number("9007199254740992")
				}
			case name != "const" && name != "enum":
				clampCounts(e)
			}
		}
	}
}

func setDraft(c *jsonschema.Compiler, name string) error {
	switch name {
	case "", "draft2020-12":
		c.DefaultDraft(jsonschema.Draft2020)
	case "draft2019-09":
		c.DefaultDraft(jsonschema.Draft2019)
	case "draft7":
		c.DefaultDraft(jsonschema.Draft7)
	case "draft6":
		c.DefaultDraft(jsonschema.Draft6)
	case "draft4":
		c.DefaultDraft(jsonschema.Draft4)
	default:
		return fmt.Errorf("jsoncheck: unknown draft %q (draft4, draft6, draft7, draft2019-09, draft2020-12)", name)
	}
	return nil
}

// remoteLoader loads from its map alone.
type remoteLoader struct {
	remotes map[string]json.RawMessage
	size    *Budget
}

func (l *remoteLoader) Load(uri string) (any, error) {
	text, ok := l.remotes[uri]
	if !ok {
		text, ok = l.remotes[uri+"#"]
	}
	if !ok {
		return nil, errors.New("not among the remotes, and nothing is fetched")
	}
	return schemaDocument(text, l.size)
}

// Validate checks a document. No violation means that it is valid. At most MaxViolations are returned, ordered by
// the place in the document; they quote the document and the schema's own limits, never the values of const and
// enum. The error wraps ErrLimit when the document would cost more than the bound; any other error is a fault of the
// schema that shows with this document (dynamic references that never end). The document was not judged then.
func (s *Schema) Validate(doc *Document) (list []Violation, err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case errMatchSteps:
			list, err = nil, fmt.Errorf("jsoncheck: %w: %w", errMatchSteps, ErrLimit)
		default:
			panic(r)
		}
	}()
	value, err := s.cost.admit(s.root, doc)
	if err != nil {
		return nil, err
	}
	if !s.cost.tellable(doc) {
		if s.whether.Validate(value) == nil {
			return nil, nil
		}
		if !s.cost.tellableExactly(s.root, value, doc.Depth) {
			return []Violation{tooLarge}, nil
		}
	}
	err = s.root.Validate(value)
	if err == nil {
		return nil, nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil, fmt.Errorf("jsoncheck: validate: %w", err)
	}
	if endless(invalid) {
		return nil, errEndless
	}
	return violations(invalid), nil
}
