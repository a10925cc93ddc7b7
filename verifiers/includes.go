package verifiers

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// includes: the golds are in the answer, as plain parts of its text (RULES 17): 7 is in 17 unless words is set.
type includes struct {
	Common
	Lower *bool  `json:"lower,omitzero"` // default true: case does not count
	Mode  string `json:"mode,omitzero"`  // all (default), any, none of the golds; another word is read as all, and said so
	Words bool   `json:"words,omitzero"` // a gold counts only where no word goes on at its ends
}

func buildIncludes(_ *Builder, spec jsontext.Value) (Verifier, error) {
	v := new(includes)
	if err := decode(spec, v); err != nil {
		return nil, err
	}
	return v, nil
}

// Spec returns the canonical spec.
func (v *includes) Spec() jsontext.Value { return encode(v) }

// Judge counts the golds that are in the answer.
func (v *includes) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	reference, err := v.reference(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	answer := r.Candidate()
	lower := foldedLower(answer)
	if yes(v.Lower) {
		answer = lower
	}
	found, of := 0, 0
	for item := range eachGold(reference) {
		gold, in := goldText(item), answer
		if strings.TrimSpace(gold) == "" {
			continue
		}
		if yes(v.Lower) || isBool(item) {
			gold, in = foldedLower(gold), lower
		}
		of++
		if v.holds(in, gold) {
			found++
		}
	}
	if of == 0 {
		return judge.Verdict{}, judge.MissingReference(v.where() + " is empty")
	}
	return v.verdict(found, of, strings.TrimSpace(answer) == ""), nil
}

func (v *includes) verdict(found, of int, empty bool) judge.Verdict {
	var passed bool
	switch v.Mode {
	case "any":
		passed = found > 0
	case "none":
		passed = found == 0
	default:
		passed = found == of
	}
	reason := fmt.Sprintf("%d of %d reference texts are in the answer", found, of)
	if of == 1 {
		reason = "the reference text is not in the answer"
		if found == 1 {
			reason = "the reference text is in the answer"
		}
	}
	verdict := judge.Pass(reason)
	switch {
	case !passed && empty:
		verdict = judge.Fail(judge.NoAnswer, "the answer is empty")
	case !passed:
		verdict = judge.Fail(judge.WrongAnswer, reason)
	}
	switch v.Mode {
	case "", "all", "any", "none":
	default:
		verdict = verdict.With("warning", fmt.Sprintf("mode %.40q is unknown and read as all", v.Mode))
	}
	return verdict
}

// holds says whether the gold is in the answer.
func (v *includes) holds(answer, gold string) bool {
	if !v.Words {
		return strings.Contains(answer, gold)
	}
	first, _ := utf8.DecodeRuneInString(gold)
	last, _ := utf8.DecodeLastRuneInString(gold)
	for from := 0; ; {
		i := strings.Index(answer[from:], gold)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(gold)
		left, _ := utf8.DecodeLastRuneInString(answer[:start])
		right, _ := utf8.DecodeRuneInString(answer[end:])
		if !(wordRune(first) && wordRune(left)) && !(wordRune(last) && wordRune(right)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(answer[start:])
		from = start + size
	}
}

// wordRune: a character of words that are kept apart by white space. Scripts that run on without it have no such bounds.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r) || isDigit(r) || r == '_'
	}
	if r == utf8.RuneError || isGlued(r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isGlued: a letter of a script that puts no white space between words, or glues particles to them: Thai, Lao, Burmese,
// Khmer, Han, Kana, Hangul.
func isGlued(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r < 0x10a0: // Thai, Lao, (Tibetan), Burmese
		return r < 0x0f00 || r >= 0x1000
	case r < 0x1200:
		return r >= 0x1100 // Hangul letters
	case r < 0x1800:
		return r >= 0x1780 // Khmer
	case r < 0x3005:
		return false
	}
	return r < 0x3008 || 0x3021 <= r && r < 0xa000 || 0xac00 <= r && r < 0xd7b0 || 0xf900 <= r && r < 0xfb00 || 0xff66 <= r && r < 0xffa0 || r >= 0x20000 && r < 0x32000
}
