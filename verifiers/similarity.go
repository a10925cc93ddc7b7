package verifiers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
	"github.com/verifyd/verifyd/textsim"
)

// similarity: how like the reference is the answer? The reward is the score, or with a threshold whether it reaches it. Of
// several golds the best counts; thoughts are part of the answer.
type similarity struct {
	Common
	Metric    string   `json:"metric,omitzero"`    // edit (default), rouge_1, rouge_2, rouge_l, bleu_4
	Threshold *float64 `json:"threshold,omitzero"` // above 0, at most 1
	Lower     *bool    `json:"lower,omitzero"`     // edit only; default true
	Smooth    string   `json:"smooth,omitzero"`    // bleu_4 only: none (default) or add_one

	score func(got, want string) (float64, error)
}

func buildSimilarity(_ *Builder, spec jsontext.Value) (Verifier, error) {
	s := new(similarity)
	if err := decodeWithoutNull(spec, s); err != nil {
		return nil, err
	}
	metric := s.Metric
	switch metric {
	case "", "edit":
		lower := yes(s.Lower)
		s.score = func(got, want string) (float64, error) { return textsim.Edit(got, want, lower) }
	case "rouge_1":
		s.score = exactScore(func(got, want string) float64 { return textsim.RougeN(got, want, 1) })
	case "rouge_2":
		s.score = exactScore(func(got, want string) float64 { return textsim.RougeN(got, want, 2) })
	case "rouge_l":
		s.score = textsim.RougeL
	case "bleu_4":
		smooth := textsim.NoSmoothing
		if s.Smooth == "add_one" {
			smooth = textsim.AddOne
		}
		s.score = exactScore(func(got, want string) float64 { return textsim.BLEU(got, want, smooth) })
	default:
		return nil, &judge.SpecError{Path: "metric", Msg: "must be edit, rouge_1, rouge_2, rouge_l or bleu_4"}
	}
	if s.Lower != nil && metric != "" && metric != "edit" {
		return nil, &judge.SpecError{Path: "lower", Msg: "goes with the metric edit"}
	}
	if s.Smooth != "" && metric != "bleu_4" {
		return nil, &judge.SpecError{Path: "smooth", Msg: "goes with the metric bleu_4"}
	}
	if err := oneOf("smooth", s.Smooth, "none", "add_one"); err != nil {
		return nil, err
	}
	if s.Threshold != nil && !(*s.Threshold > 0 && *s.Threshold <= 1) {
		return nil, &judge.SpecError{Path: "threshold", Msg: "must be above 0 and at most 1"}
	}
	return s, nil
}

// exactScore is a metric that never meets a bound.
func exactScore(score func(got, want string) float64) func(got, want string) (float64, error) {
	return func(got, want string) (float64, error) { return score(got, want), nil }
}

// Spec returns the canonical spec.
func (s *similarity) Spec() jsontext.Value { return encode(s) }

// Judge compares with each gold.
func (s *similarity) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	golds, err := s.golds(r, false)
	if err != nil {
		return judge.Verdict{}, err
	}
	candidate := r.Candidate()
	if strings.TrimSpace(candidate) == "" {
		return judge.Fail(judge.NoAnswer, "the answer is empty"), nil
	}
	best := 0.0
	for _, gold := range golds {
		score, err := s.score(candidate, gold)
		if errors.Is(err, textsim.ErrLimit) {
			return judge.Fail(judge.CheckLimit, "comparing so long an answer would cost more than the bound of the check"), nil
		}
		if err != nil {
			return judge.Verdict{}, err
		}
		best = max(best, score)
	}
	return s.verdict(best), nil
}

func (s *similarity) verdict(score float64) judge.Verdict {
	rounded := fourDigits(score)
	var v judge.Verdict
	switch {
	case s.Threshold != nil && score >= *s.Threshold-1e-9:
		v = judge.Pass(fmt.Sprintf("a similarity of %.4f reaches %g", rounded, *s.Threshold))
	case s.Threshold != nil:
		v = judge.Fail(judge.WrongAnswer, fmt.Sprintf("a similarity of %.4f is below %g", rounded, *s.Threshold))
	case rounded == 1:
		v = judge.Pass("the answer is as good as the reference")
	case rounded == 0:
		v = judge.Fail(judge.WrongAnswer, "the answer has nothing in common with the reference")
	default:
		v = judge.Scored(rounded, judge.PartialMatch, fmt.Sprintf("a similarity of %.4f", rounded))
	}
	return v.With("score", rounded)
}
