package verifiers

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// Trees are verifiers made of verifiers, in Kleene's strong three-valued logic with minimum and maximum for graded parts:
//
//	all       0 as soon as a child is 0, else unjudged if any child is, else the least
//	any       1 as soon as a child is 1, else unjudged if any child is, else the greatest
//	none      not any
//	weighted  unjudged if a child of weight above 0 is, else the weighted mean, rounded to 4 digits
//	not       1 - r; unjudged stays unjudged
//
// An unjudged tree has the gravest status of the children that made it so. The verdict does not depend on the order of
// the children; the order only decides which work is skipped once the verdict stands.

// child is a check inside a tree with what of its story never changes, made once: most of the cost of a tree is the telling.
type child struct {
	Verifier
	kind, name any
	skipped    any // its part where it was not asked; shared by all verdicts
}

func newChild(v Verifier) child {
	c := child{Verifier: v, kind: v.Kind(), name: v.Name()}
	c.skipped = map[string]any{"kind": c.kind, "name": c.name, "skipped": true}
	return c
}

// Values that most parts have, as they stand in a map.
var (
	okStatus  any = string(judge.OK)
	oneReward any = 1.0
)

// part is the child's story in judge_meta.parts.
func (c *child) part(got *judge.Verdict) map[string]any {
	m := map[string]any{"kind": c.kind, "name": c.name, "reason": got.Reason, "reward": nil, "judge_status": okStatus}
	if got.Status != judge.OK {
		m["judge_status"] = string(got.Status)
	}
	if got.Reward != nil {
		m["reward"] = oneReward
		if *got.Reward != 1 {
			m["reward"] = *got.Reward
		}
	}
	if len(got.Meta) > 0 {
		m["judge_meta"] = got.Meta
	}
	return m
}

// branch judges children in order until decided says that the verdict stands, and keeps every child's story.
type branch struct {
	parts    []any
	deciding *judge.Verdict // the child that decided, or the least (all), the greatest (any)
	decider  Verifier
	unjudged judge.Status // gravest status of unjudged children; ok where there is none
	why      string       // reason of the first child with that status
	err      error        // and its error
	markers  map[string]float64
}

func (b *branch) judge(ctx context.Context, r *rollout.Row, children []child, decides func(float64) bool, better func(a, b float64) bool) {
	b.unjudged = judge.OK
	b.parts = make([]any, 0, len(children))
	done := false
	for i := range children {
		child := &children[i]
		if done {
			b.parts = append(b.parts, child.skipped)
			continue
		}
		v := judge.Call(ctx, child.Verifier, r, 0)
		b.parts = append(b.parts, child.part(&v))
		b.keep(v.Markers)
		if v.Reward == nil {
			b.note(child, v)
			continue
		}
		if b.deciding == nil || better(*v.Reward, *b.deciding.Reward) {
			b.deciding, b.decider = &v, child.Verifier
		}
		done = decides(*v.Reward)
	}
	if done {
		b.unjudged = judge.OK
	}
}

func (b *branch) note(child Verifier, v judge.Verdict) {
	if graver := judge.Graver(b.unjudged, v.Status); graver != b.unjudged {
		b.unjudged, b.why, b.err = graver, fmt.Sprintf("%s: %s", child.Name(), v.Reason), v.Err()
	}
}

// keep merges the children's markers; where two name one marker, the worse counts.
func (b *branch) keep(markers map[string]float64) {
	for name, value := range markers {
		if b.markers == nil {
			b.markers = map[string]float64{}
		}
		if old, ok := b.markers[name]; !ok || value < old {
			b.markers[name] = value
		}
	}
}

// verdict turns the branch into the tree's verdict.
func (b *branch) verdict() judge.Verdict {
	v := judge.Unjudged(b.unjudged, b.why).WithErr(b.err)
	if b.unjudged == judge.OK {
		v = judge.Scored(*b.deciding.Reward, b.deciding.FailureClass, fmt.Sprintf("%s: %s", b.decider.Name(), b.deciding.Reason))
	}
	v.Markers = b.markers
	return v.With("parts", b.parts)
}

type list struct {
	Common
	Of []jsontext.Value `json:"of"`

	children []child
}

func buildList(b *Builder, spec jsontext.Value) (*list, error) {
	l := new(list)
	if err := decode(spec, l); err != nil {
		return nil, err
	}
	if len(l.Of) == 0 {
		return nil, &judge.SpecError{Path: "of", Msg: "needs at least one check"}
	}
	for i, child := range l.Of {
		v, err := b.Child(fmt.Sprintf("of[%d]", i), child)
		if err != nil {
			return nil, err
		}
		l.children = append(l.children, newChild(v))
		l.Of[i] = v.Spec()
	}
	return l, nil
}

// Spec returns the canonical spec.
func (l *list) Spec() jsontext.Value { return encode(l) }

// Prompt: a tree returns soon if all its children do.
func (l *list) Prompt() bool { return allPrompt(l.children) }

func allPrompt(children []child) bool {
	return !slices.ContainsFunc(children, func(c child) bool { return !c.Prompt() })
}

// IDBlind: a tree reads what its children read.
func (l *list) IDBlind() bool { return allBlind(l.children) }

func allBlind(children []child) bool {
	return !slices.ContainsFunc(children, func(c child) bool {
		blind, ok := c.Verifier.(interface{ IDBlind() bool })
		return !ok || !blind.IDBlind()
	})
}

type all struct{ *list }

func buildAll(b *Builder, spec jsontext.Value) (Verifier, error) {
	l, err := buildList(b, spec)
	return all{l}, err
}

// Judge answers the least of the children.
func (t all) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	var b branch
	b.judge(ctx, r, t.children, func(x float64) bool { return x == 0 }, func(a, b float64) bool { return a < b })
	return b.verdict(), nil
}

type anyOf struct{ *list }

func buildAny(b *Builder, spec jsontext.Value) (Verifier, error) {
	l, err := buildList(b, spec)
	return anyOf{l}, err
}

// Judge answers the greatest of the children.
func (t anyOf) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	var b branch
	b.judge(ctx, r, t.children, func(x float64) bool { return x == 1 }, func(a, b float64) bool { return a > b })
	return b.verdict(), nil
}

type none struct{ anyOf }

func buildNone(b *Builder, spec jsontext.Value) (Verifier, error) {
	l, err := buildList(b, spec)
	return none{anyOf{l}}, err
}

// Judge answers 1 minus the greatest of the children.
func (t none) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	v, err := t.anyOf.Judge(ctx, r)
	return complement(v), err
}

type not struct {
	Common
	Check jsontext.Value `json:"check"`

	child child
}

func buildNot(b *Builder, spec jsontext.Value) (Verifier, error) {
	n := new(not)
	if err := decode(spec, n); err != nil {
		return nil, err
	}
	if n.Check == nil {
		return nil, &judge.SpecError{Path: "check", Msg: "missing"}
	}
	v, err := b.Child("check", n.Check)
	if err != nil {
		return nil, err
	}
	n.child, n.Check = newChild(v), v.Spec()
	return n, nil
}

// Spec returns the canonical spec.
func (n *not) Spec() jsontext.Value { return encode(n) }

// Prompt is the child's.
func (n *not) Prompt() bool { return n.child.Prompt() }

// IDBlind is the child's.
func (n *not) IDBlind() bool { return allBlind([]child{n.child}) }

// Judge answers 1 minus the child.
func (n *not) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	v := judge.Call(ctx, n.child.Verifier, r, 0)
	parts := []any{n.child.part(&v)}
	v.Meta = nil
	return complement(v).With("parts", parts), nil
}

// complement turns a verdict around. An unjudged one stays as it is.
func complement(v judge.Verdict) judge.Verdict {
	if v.Reward == nil {
		return v
	}
	reward := 1 - *v.Reward
	class := judge.FailureClass("")
	switch {
	case reward == 0:
		class = judge.RuleNotMet
	case reward < 1:
		class = judge.PartialMatch
	}
	turned := judge.Scored(reward, class, "not: "+v.Reason)
	turned.Meta, turned.Markers = v.Meta, nil
	return turned
}
