package verifiers

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// errNoReference is made once: rows without a reference are common, and cost no allocation.
var errNoReference = judge.MissingReference("privileged.reference, reference, answer, target, solution, label and expected are absent or null on the row")

// reference returns the row's answer key by RULES 10, or an error that says where it was looked for.
func (c *Common) reference(r *rollout.Row) (jsontext.Value, error) {
	if v, ok := r.Reference(c.Field); ok {
		return v, nil
	}
	if c.Field != "" {
		return nil, judge.MissingReference(fmt.Sprintf("field %q is absent or null on the row", c.Field))
	}
	return nil, errNoReference
}

// golds returns the answer key as texts, any of which is right. A list of golds is all its elements that are not null.
// Golds that are empty text are left out unless emptyCounts. None left is an error.
func (c *Common) golds(r *rollout.Row, emptyCounts bool) ([]string, error) {
	v, err := c.reference(r)
	if err != nil {
		return nil, err
	}
	var texts []string
	add := func(v jsontext.Value) {
		if s := goldText(v); v.Kind() != 'n' && (emptyCounts || strings.TrimSpace(s) != "") {
			texts = append(texts, s)
		}
	}
	if v.Kind() == '[' {
		for item := range rollout.Elements(v) {
			add(item)
		}
	} else {
		add(v)
	}
	if len(texts) == 0 {
		return nil, judge.MissingReference(c.where() + " is empty")
	}
	return texts, nil
}

// where names the reference in a reason.
func (c *Common) where() string {
	if c.Field != "" {
		return fmt.Sprintf("field %q", c.Field)
	}
	return "the row's reference"
}

// goldText is a gold as text. Bools are spelled as in Python, since golds come from Python's data sets; lists and
// objects are their JSON.
func goldText(v jsontext.Value) string {
	switch v.Kind() {
	case 't':
		return "True"
	case 'f':
		return "False"
	case '{', '[':
		return string(v)
	}
	return rollout.ScalarText(v)
}
