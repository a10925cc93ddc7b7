package verifiers

import (
	"context"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// weighted is a graded rubric.
type weighted struct {
	Common
	Of []weightedPart `json:"of"`

	children []child
	total    float64
}

type weightedPart struct {
	Weight *float64       `json:"weight"`
	Check  jsontext.Value `json:"check"`
}

func buildWeighted(b *Builder, spec jsontext.Value) (Verifier, error) {
	w := new(weighted)
	if err := decode(spec, w); err != nil {
		return nil, err
	}
	if len(w.Of) == 0 {
		return nil, &judge.SpecError{Path: "of", Msg: "needs at least one check"}
	}
	for i := range w.Of {
		p := &w.Of[i]
		path := fmt.Sprintf("of[%d]", i)
		if p.Weight == nil {
			return nil, &judge.SpecError{Path: path + ".weight", Msg: "missing"}
		}
		if *p.Weight < 0 || math.IsInf(*p.Weight, 0) {
			return nil, &judge.SpecError{Path: path + ".weight", Msg: "must not be negative"}
		}
		if p.Check == nil {
			return nil, &judge.SpecError{Path: path + ".check", Msg: "missing"}
		}
		v, err := b.Child(path+".check", p.Check)
		if err != nil {
			return nil, err
		}
		w.children = append(w.children, newChild(v))
		p.Check = v.Spec()
		w.total += *p.Weight
	}
	if w.total == 0 || math.IsInf(w.total, 0) {
		return nil, &judge.SpecError{Path: "of", Msg: "the weights must have a finite sum above 0"}
	}
	return w, nil
}

// Spec returns the canonical spec.
func (w *weighted) Spec() jsontext.Value { return encode(w) }

// Prompt: all children are.
func (w *weighted) Prompt() bool { return allPrompt(w.children) }

// IDBlind: all children are.
func (w *weighted) IDBlind() bool { return allBlind(w.children) }

// Judge answers the weighted mean of the children.
func (w *weighted) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	b := branch{unjudged: judge.OK, parts: make([]any, 0, len(w.children))}
	sum, lost, class := 0.0, 0.0, judge.FailureClass("")
	for i := range w.children {
		child, weight := &w.children[i], *w.Of[i].Weight
		v := judge.Call(ctx, child.Verifier, r, 0)
		p := child.part(&v)
		p["weight"] = weight
		b.parts = append(b.parts, p)
		b.keep(v.Markers)
		if weight == 0 {
			continue
		}
		if v.Reward == nil {
			b.note(child, v)
			continue
		}
		sum += weight * *v.Reward
		if short := weight * (1 - *v.Reward); short > lost {
			lost, class = short, v.FailureClass
		}
	}
	v := judge.Unjudged(b.unjudged, b.why).WithErr(b.err)
	if b.unjudged == judge.OK {
		reward := min(1, math.Round(sum/w.total*1e4)/1e4)
		v = judge.Scored(reward, class, fmt.Sprintf("weighted mean of %d checks: %.4g", len(w.children), reward))
	}
	v.Markers = b.markers
	return v.With("parts", b.parts), nil
}
