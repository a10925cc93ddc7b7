package verifiers

import (
	"context"
	"errors"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// numeric: the number that the answer gives is the gold's, within max(tol, rel·|gold|), computed exactly (RULES 12, 22-25).
type numeric struct {
	Common
	Tol jsontext.Value `json:"tol,omitzero"` // absolute tolerance, default 1e-6
	Rel jsontext.Value `json:"rel,omitzero"` // relative tolerance, default 0

	tol, rel   *big.Rat
	wholeApart bool // no two different whole numbers are near
}

func buildNumeric(_ *Builder, spec jsontext.Value) (Verifier, error) {
	n := &numeric{tol: big.NewRat(1, 1000000), rel: new(big.Rat)}
	if err := decode(spec, n); err != nil {
		return nil, err
	}
	if err := tolerance("tol", &n.Tol, &n.tol); err != nil {
		return nil, err
	}
	if err := tolerance("rel", &n.Rel, &n.rel); err != nil {
		return nil, err
	}
	n.wholeApart = n.rel.Sign() == 0 && n.tol.Cmp(big.NewRat(1, 1)) < 0
	return n, nil
}

// tolerance reads a number of the spec exactly as it is written. Null is as good as absent.
func tolerance(path string, raw *jsontext.Value, into **big.Rat) error {
	switch raw.Kind() {
	case 0:
		return nil
	case 'n':
		*raw = nil
		return nil
	case '0':
	default:
		return &judge.SpecError{Path: path, Msg: "must be a number"}
	}
	lit, ok := nextNumber(string(*raw), 0)
	if !ok {
		return &judge.SpecError{Path: path, Msg: "must be a number"}
	}
	v, err := lit.value.rat()
	if err != nil {
		return &judge.SpecError{Path: path, Err: err}
	}
	if v.Sign() < 0 {
		return &judge.SpecError{Path: path, Msg: "must not be negative"}
	}
	*into = v
	return nil
}

// Spec returns the canonical spec.
func (n *numeric) Spec() jsontext.Value { return encode(n) }

// Judge reads both numbers and compares.
func (n *numeric) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	golds, err := n.goldNumbers(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	lit, in, ok := readNumber(visible(r.Candidate()))
	if !ok {
		return judge.Fail(judge.NoAnswer, "no number is in the answer"), nil
	}
	extracted := clipped(in[lit.start:lit.end])
	got, err := lit.value.rat()
	switch {
	case errors.Is(err, errTooLarge):
		return judge.Fail(judge.CheckLimit, "the answer's number is too large to compare: over 10000 digits").With("extracted", extracted), nil
	case err != nil:
		return judge.Fail(judge.NoAnswer, "the answer's number is not defined").With("extracted", extracted), nil
	}
	for _, gold := range golds {
		if n.near(got, gold) {
			return judge.Pass("the answer's number is the reference's").With("extracted", extracted), nil
		}
	}
	return judge.Fail(judge.WrongAnswer, "the answer's number is another one").With("extracted", extracted), nil
}

// goldNumbers reads the golds as answers are read. One that holds no number, or one over the bound, is not usable.
func (n *numeric) goldNumbers(r *rollout.Row) ([]*big.Rat, error) {
	texts, err := n.golds(r, false)
	if err != nil {
		return nil, err
	}
	var golds []*big.Rat
	why := " holds no number"
	for _, text := range texts {
		lit, _, ok := readNumber(text)
		if !ok {
			continue
		}
		gold, err := lit.value.rat()
		if err != nil {
			why = " cannot be used: " + err.Error()
			continue
		}
		golds = append(golds, gold)
	}
	if len(golds) == 0 {
		return nil, judge.MissingReference(n.where() + why)
	}
	return golds, nil
}

// near: |got - want| <= max(tol, rel·|want|).
func (n *numeric) near(got, want *big.Rat) bool {
	if n.wholeApart && got.IsInt() && want.IsInt() { // two whole numbers are equal or at least 1 apart
		return got.Num().Cmp(want.Num()) == 0
	}
	if got.Cmp(want) == 0 {
		return true
	}
	off := new(big.Rat).Sub(got, want)
	off.Abs(off)
	if off.Cmp(n.tol) <= 0 {
		return true
	}
	if n.rel.Sign() == 0 {
		return false
	}
	bound := new(big.Rat).Abs(want)
	return off.Cmp(bound.Mul(bound, n.rel)) <= 0
}
