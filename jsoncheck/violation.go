package jsoncheck

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// MaxViolations bounds the list that Validate returns: a reason is read by people.
const MaxViolations = 5

// A Violation is one keyword that a document breaks.
type Violation struct {
	Pointer string // JSON Pointer to the value, "" for the whole document
	Keyword string // the keyword that failed: "required", "type", "pattern"…
	Msg     string // what is wrong, in a few words
}

// String returns "/age: integer expected, got string".
func (v Violation) String() string {
	if v.Pointer == "" {
		return v.Msg
	}
	return v.Pointer + ": " + v.Msg
}

// violations flattens the library's tree to its leaves. Of the branches of anyOf and oneOf only the summary is
// shown, unless a single branch could have applied. The library walks Go maps, so the order is made here.
func violations(e *jsonschema.ValidationError) []Violation {
	var list []Violation
	collect(e, &list)
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Msg, b.Msg))
	})
	list = slices.Compact(list)
	return list[:min(len(list), MaxViolations)]
}

// endless reports whether the schema applied itself to the same value without end: its fault, not the document's.
func endless(e *jsonschema.ValidationError) bool {
	if _, ok := e.ErrorKind.(*kind.RefCycle); ok {
		return true
	}
	return slices.ContainsFunc(e.Causes, endless)
}

func collect(e *jsonschema.ValidationError, list *[]Violation) {
	switch e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf, *kind.PropertyNames:
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				collect(c, list)
			}
			return
		}
	case *kind.AnyOf, *kind.OneOf:
		if len(e.Causes) == 1 {
			collect(e.Causes[0], list)
			return
		}
	}
	var pointer strings.Builder
	for _, token := range e.InstanceLocation {
		pointer.WriteString("/" + escapeToken(token))
	}
	keyword, msg := describe(e.ErrorKind)
	*list = append(*list, Violation{Pointer: pointer.String(), Keyword: keyword, Msg: msg})
}

// describe names the keyword and says what it found, without the values of const and enum, which may be the answer.
func describe(k jsonschema.ErrorKind) (keyword, msg string) {
	switch k := k.(type) {
	case *kind.Type:
		return "type", fmt.Sprintf("%s expected, got %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		return "enum", fmt.Sprintf("not one of the %d allowed values", len(k.Want))
	case *kind.Const:
		return "const", "not the required value"
	case *kind.Required:
		return "required", "missing " + quoteAll(k.Missing)
	case *kind.Dependency:
		return "dependencies", fmt.Sprintf("%q needs %s", k.Prop, quoteAll(k.Missing))
	case *kind.DependentRequired:
		return "dependentRequired", fmt.Sprintf("%q needs %s", k.Prop, quoteAll(k.Missing))
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		return "additionalProperties", "unexpected " + quoteAll(k.Properties)
	case *kind.PropertyNames:
		return "propertyNames", fmt.Sprintf("name %q is not allowed", clip(k.Property))
	case *kind.Pattern:
		return "pattern", fmt.Sprintf("does not match %q", k.Want)
	case *kind.Format:
		if k.Want == "regex" && k.Err != nil {
			return "format", "is no regex: " + k.Err.Error()
		}
		return "format", "is no " + k.Want
	case *kind.UniqueItems:
		return "uniqueItems", fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Not:
		return "not", "matches what it must not"
	case *kind.AnyOf:
		return "anyOf", "matches none of the alternatives"
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return "oneOf", "matches more than one alternative"
		}
		return "oneOf", "matches none of the alternatives"
	case *kind.FalseSchema:
		return "false", "no value is allowed here"
	case *kind.Contains:
		return "contains", "no item matches"
	}
	return describeBound(k)
}

// describeBound handles the keywords that compare with a number.
func describeBound(k jsonschema.ErrorKind) (keyword, msg string) {
	count := func(keyword string, got, want int, what string) (string, string) {
		return keyword, fmt.Sprintf("%d %s, want %s %d", got, what, keyword[:3], want)
	}
	switch k := k.(type) {
	case *kind.MinProperties:
		return count("minProperties", k.Got, k.Want, "members")
	case *kind.MaxProperties:
		return count("maxProperties", k.Got, k.Want, "members")
	case *kind.MinItems:
		return count("minItems", k.Got, k.Want, "items")
	case *kind.MaxItems:
		return count("maxItems", k.Got, k.Want, "items")
	case *kind.AdditionalItems:
		return "additionalItems", fmt.Sprintf("%d items too many", k.Count)
	case *kind.MinContains:
		return count("minContains", len(k.Got), k.Want, "matching items")
	case *kind.MaxContains:
		return count("maxContains", len(k.Got), k.Want, "matching items")
	case *kind.MinLength:
		return count("minLength", k.Got, k.Want, "characters")
	case *kind.MaxLength:
		return count("maxLength", k.Got, k.Want, "characters")
	case *kind.Minimum:
		return "minimum", "must be >= " + ratio(k.Want)
	case *kind.Maximum:
		return "maximum", "must be <= " + ratio(k.Want)
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", "must be > " + ratio(k.Want)
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", "must be < " + ratio(k.Want)
	case *kind.MultipleOf:
		return "multipleOf", "is no multiple of " + ratio(k.Want)
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0], path[0] + " failed"
	}
	return "", "is not valid"
}

func ratio(r *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(6), "0"), ".")
}

func quoteAll(names []string) string {
	const most = 4
	var b strings.Builder
	for i, n := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", clip(n))
	}
	return b.String()
}

// clip shortens a text of the document to what a reason can hold.
func clip(s string) string {
	const most = 60
	for i := range s {
		if i >= most {
			return s[:i] + "…"
		}
	}
	return s
}

// shortError takes the first leaf of a metaschema failure: the whole tree runs over pages.
func shortError(err error) error {
	var bad *jsonschema.SchemaValidationError
	if !errors.As(err, &bad) {
		return err
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(bad.Err, &invalid) {
		return err
	}
	var texts []string
	for _, v := range violations(invalid) {
		texts = append(texts, v.String())
	}
	return fmt.Errorf("is no valid schema: %s", strings.Join(texts, "; "))
}
