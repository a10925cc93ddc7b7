package verifiers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/regexcheck"
	"github.com/verifyd/verifyd/rollout"
)

// regex: the answer matches a pattern by the rules of Python's re; with a group, what the group took is the reference
// (RULES 18). A group asks for a reference: a row without one is not judged.
type regex struct {
	Common
	Pattern *string        `json:"pattern"`
	Flags   *string        `json:"flags,omitzero"` // letters of I M S X A; absent means I
	Group   jsontext.Value `json:"group,omitzero"` // number or name
	Lower   *bool          `json:"lower,omitzero"` // default true: the group is compared in lower case
	Mode    string         `json:"mode,omitzero"`  // search (default), match, fullmatch

	pattern *regexcheck.Pattern
	run     func(*regexcheck.Pattern, string) (regexcheck.Match, error)
	group   int // -1: none
}

func buildRegex(_ *Builder, spec jsontext.Value) (Verifier, error) {
	x := &regex{group: -1}
	if err := decode(spec, x); err != nil {
		return nil, err
	}
	if x.Pattern == nil {
		return nil, &judge.SpecError{Path: "pattern", Msg: "missing"}
	}
	flags := regexcheck.IgnoreCase
	if x.Flags != nil {
		var err error
		if flags, err = regexcheck.ParseFlags(*x.Flags); err != nil {
			return nil, &judge.SpecError{Path: "flags", Err: err}
		}
	}
	pattern, err := regexcheck.Compile(*x.Pattern, flags)
	if err != nil {
		return nil, &judge.SpecError{Path: "pattern", Err: err}
	}
	x.pattern = pattern
	switch x.Mode {
	case "", "search":
		x.run = (*regexcheck.Pattern).Search
	case "match":
		x.run = (*regexcheck.Pattern).Match
	case "fullmatch":
		x.run = (*regexcheck.Pattern).FullMatch
	default:
		return nil, &judge.SpecError{Path: "mode", Msg: "must be search, match or fullmatch"}
	}
	return x, x.findGroup()
}

// findGroup resolves the group argument. Null is the same as none.
func (x *regex) findGroup() error {
	switch x.Group.Kind() {
	case 0, 'n':
		x.Group = nil
		return nil
	case '"':
		i, ok := x.pattern.GroupIndex(rollout.ScalarText(x.Group))
		if !ok {
			return &judge.SpecError{Path: "group", Msg: fmt.Sprintf("the pattern has no group named %q", rollout.ScalarText(x.Group))}
		}
		x.group = i
		return nil
	}
	i, err := strconv.Atoi(string(x.Group))
	if err != nil || i < 0 || i > x.pattern.NumGroups() {
		return &judge.SpecError{Path: "group", Msg: fmt.Sprintf("must be a name or a number from 0 to %d", x.pattern.NumGroups())}
	}
	x.group = i
	return nil
}

// Spec returns the canonical spec.
func (x *regex) Spec() jsontext.Value { return encode(x) }

// Judge matches.
func (x *regex) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	var golds []string
	if x.group >= 0 {
		var err error
		if golds, err = x.golds(r, true); err != nil {
			return judge.Verdict{}, err
		}
	}
	m, err := x.run(x.pattern, r.Candidate())
	if err != nil {
		return judge.Fail(judge.CheckLimit, "the text exhausted the bound of the pattern"), nil
	}
	if !m.Found {
		return judge.Fail(judge.BadFormat, "the pattern was not found"), nil
	}
	v := x.compare(m, golds)
	start, end := m.Span()
	return v.With("span", []any{start, end}).With("groups", groupTexts(m)), nil
}

// compare holds the group against the golds; without a group a match is enough.
func (x *regex) compare(m regexcheck.Match, golds []string) judge.Verdict {
	if x.group < 0 {
		return judge.Pass("the pattern was found")
	}
	took := m.Groups[x.group].Text
	for _, gold := range golds {
		if x.fold(took) == x.fold(gold) {
			return judge.Pass("the group holds the reference").With("extracted", took)
		}
	}
	return judge.Fail(judge.WrongAnswer, "the group holds something else than the reference").With("extracted", took)
}

func (x *regex) fold(s string) string {
	s = strings.TrimSpace(s)
	if yes(x.Lower) {
		s = strings.ToLower(s)
	}
	return s
}

// groupTexts are the groups' texts without the whole match; null for one that took no part.
func groupTexts(m regexcheck.Match) []any {
	texts := make([]any, 0, len(m.Groups)-1)
	for _, g := range m.Groups[1:] {
		if g.Took {
			texts = append(texts, g.Text)
		} else {
			texts = append(texts, nil)
		}
	}
	return texts
}
