package verifiers

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// Outline is a spec taken apart for a person.
type Outline struct {
	Kind, Name string
	Passes     string    // the clause of the kind; empty for one that is not built in
	Weight     *float64  // in a weighted tree
	Given      []Setting // the arguments that the spec has, in the order of the kind's description
	Default    []Setting // those that it leaves out and that have a default
	Parts      []Outline // the checks inside
}

// Setting is an argument with its value and what it does.
type Setting struct {
	Argument
	Value jsontext.Value
}

// Outline takes a spec of this registry apart. The errors are those of Build.
func (r *Registry) Outline(spec jsontext.Value) (Outline, error) {
	v, err := r.Build(spec)
	if err != nil {
		return Outline{}, err
	}
	return outline(v.Spec()), nil
}

// outline takes a spec apart that was built.
func outline(spec jsontext.Value) Outline {
	var o Outline
	kind, _ := rollout.Member(spec, "kind")
	name, _ := rollout.Member(spec, "name")
	o.Kind, o.Name = rollout.ScalarText(kind), rollout.ScalarText(name)
	d, _ := find(o.Kind)
	o.Passes = d.Passes
	for _, a := range append(commonArguments()[1:], d.Arguments...) {
		v, given := rollout.Member(spec, a.Key)
		switch {
		case a.holds != noSpec && given:
			o.Parts = append(o.Parts, parts(v, a.holds)...)
		case given:
			o.Given = append(o.Given, Setting{a, v})
		case a.Default != nil:
			o.Default = append(o.Default, Setting{a, a.Default})
		}
	}
	return o
}

// parts are the outlines of the specs inside an argument.
func parts(v jsontext.Value, holds holding) (list []Outline) {
	if holds == oneSpec {
		return []Outline{outline(v)}
	}
	for item := range rollout.Elements(v) {
		if holds == specs {
			list = append(list, outline(item))
			continue
		}
		check, _ := rollout.Member(item, "check")
		o := outline(check)
		if w, ok := rollout.Member(item, "weight"); ok {
			o.Weight = new(float64)
			if err := json.Unmarshal(w, o.Weight); err != nil {
				panic("verifiers: a built spec has a weight that is no number: " + err.Error())
			}
		}
		list = append(list, o)
	}
	return list
}
