package verifiers

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// exactMatch: the last line of the answer, else the whole answer, equals the gold after folding (RULES 14-16). It is
// comparison of text: 0.50 is not 0.5, and no accent is folded.
//
//	none     only white space at the ends is cut off
//	basic    lower case, ASCII punctuation removed, white space folded
//	squad    basic, and the words a, an, the dropped
//	numeric  basic; where both sides are numbers as a whole they are compared exactly as such
type exactMatch struct {
	Common
	Lower      *bool  `json:"lower,omitzero"`       // default true
	StripPunct *bool  `json:"strip_punct,omitzero"` // default true
	Whole      bool   `json:"whole,omitzero"`       // compare the whole text only
	Normalize  string `json:"normalize,omitzero"`   // none, basic (default), squad, numeric

	fold folder
}

func buildExactMatch(_ *Builder, spec jsontext.Value) (Verifier, error) {
	e := new(exactMatch)
	if err := decode(spec, e); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"", "none", "basic", "squad", "numeric"}, e.Normalize) {
		return nil, &judge.SpecError{Path: "normalize", Msg: "must be none, basic, squad or numeric"}
	}
	e.fold = folder{lower: yes(e.Lower), punct: yes(e.StripPunct)}
	return e, nil
}

// Spec returns the canonical spec.
func (e *exactMatch) Spec() jsontext.Value { return encode(e) }

// Judge compares. Reasons are fixed texts: this check is the one that is run millions of times.
func (e *exactMatch) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	gold, err := e.reference(r)
	if err != nil {
		return judge.Verdict{}, err
	}
	whole := stripText(r.Candidate())
	line := whole
	if !e.Whole {
		line = lastLine(whole)
	}
	found, usable := false, false
	for item := range eachGold(gold) {
		usable = true
		if e.equal(line, whole, item) {
			found = true
			break
		}
	}
	switch {
	case !usable:
		return judge.Verdict{}, judge.MissingReference(e.where() + " is an empty list")
	case found:
		return e.extracted(judge.Pass("the answer equals the reference"), line, whole), nil
	case whole == "":
		return judge.Fail(judge.NoAnswer, "the answer is empty"), nil
	}
	return e.extracted(judge.Fail(judge.WrongAnswer, "the answer does not equal the reference"), line, whole), nil
}

// extracted says what was compared where it is not the whole answer.
func (e *exactMatch) extracted(v judge.Verdict, line, whole string) judge.Verdict {
	if len(line) == len(whole) {
		return v
	}
	return v.With("extracted", clipped(line))
}

// eachGold yields the golds that any of them may be: the elements of a list, or the value itself; null is none.
func eachGold(v jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if v.Kind() != '[' {
			yield(v)
			return
		}
		for item := range rollout.Elements(v) {
			if item.Kind() != 'n' && !yield(item) {
				return
			}
		}
	}
}

// isBool: True and False are golds in any case.
func isBool(v jsontext.Value) bool { return v.Kind() == 't' || v.Kind() == 'f' }

// equal says whether the last line or the whole answer is the gold.
func (e *exactMatch) equal(line, whole string, item jsontext.Value) bool {
	gold := goldText(item)
	if isBool(item) && (strings.EqualFold(stripText(line), gold) || strings.EqualFold(whole, gold)) {
		return true
	}
	if line == gold || whole == gold {
		return true
	}
	if e.Normalize == "none" {
		gold = stripText(gold)
		return stripText(line) == gold || whole == gold
	}
	if e.same(line, gold) {
		return true
	}
	return len(whole) != len(line) && e.same(whole, gold)
}

// same compares two texts, folded. A gold of which nothing is left is folded less, so that "..." is not "!!!".
func (e *exactMatch) same(got, gold string) bool {
	var room, goldRoom [192]byte // short answers need no allocation
	if e.Normalize == "numeric" {
		if a, ok := wholeNumber(got); ok {
			if b, ok := wholeNumber(gold); ok {
				return a.Cmp(b) == 0
			}
		}
	}
	want := e.fold.append(goldRoom[:0], gold)
	if len(want) == 0 {
		want = folder{}.append(want, gold)
		return string(folder{}.appendUpTo(room[:0], got, len(want))) == string(want)
	}
	if e.Normalize == "squad" {
		if short := withoutArticles(want); len(short) > 0 {
			return string(withoutArticles(e.fold.append(room[:0], got))) == string(short)
		}
		want = e.fold.append(goldRoom[:0], gold)
	}
	return string(e.fold.appendUpTo(room[:0], got, len(want))) == string(want)
}

// withoutArticles drops the words a, an and the from a folded text, in place.
func withoutArticles(text []byte) []byte {
	kept := text[:0]
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] != ' ' {
			end++
		}
		word := text[start:end]
		start = end + 1
		if isArticle(word) {
			continue
		}
		if len(kept) > 0 {
			kept = append(kept, ' ')
		}
		kept = append(kept, word...)
	}
	return kept
}

func isArticle(w []byte) bool {
	switch len(w) {
	case 1:
		return w[0]|0x20 == 'a'
	case 2:
		return w[0]|0x20 == 'a' && w[1]|0x20 == 'n'
	case 3:
		return w[0]|0x20 == 't' && w[1]|0x20 == 'h' && w[2]|0x20 == 'e'
	}
	return false
}

// clipped bounds what is quoted from an answer in metadata. 200 bytes: enough to recognise it.
func clipped(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
