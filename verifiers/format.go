package verifiers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/instructcheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// format: the form that training recipes ask for: tags such as think and answer in order and once, bounds of length, the
// language, no repetition. The text is whole, thoughts included.
type format struct {
	Common
	Tags         []string    `json:"tags,omitzero"`
	Outside      *string     `json:"outside,omitzero"`       // none (default): only white space beside the tags; any
	ImplicitOpen *bool       `json:"implicit_open,omitzero"` // the first opening tag may be missing at the start
	Part         string      `json:"part,omitzero"`          // what the other checks look at: a tag, or text; default the last tag, else the text
	MinChars     *int        `json:"min_chars,omitzero"`     // code points, white space at the ends not counted
	MaxChars     *int        `json:"max_chars,omitzero"`
	MinWords     *int        `json:"min_words,omitzero"`
	MaxWords     *int        `json:"max_words,omitzero"`
	Language     string      `json:"language,omitzero"` // ISO 639-1
	Repetition   *repetition `json:"repetition,omitzero"`
	Score        string      `json:"score,omitzero"` // all (default) or fraction
}

// repetition bounds the share of groups of N words that repeat an earlier one.
type repetition struct {
	N   *int     `json:"n,omitzero"` // default 3
	Max *float64 `json:"max,omitzero"`
}

func (f *format) bounded() bool {
	return f.MinChars != nil || f.MaxChars != nil || f.MinWords != nil || f.MaxWords != nil
}

func buildFormat(_ *Builder, spec jsontext.Value) (Verifier, error) {
	f := new(format)
	if err := decodeWithoutNull(spec, f); err != nil {
		return nil, err
	}
	if v, ok := rollout.Member(spec, "language"); ok && !instructcheck.KnownLanguage(f.Language) {
		return nil, &judge.SpecError{Path: "language", Msg: fmt.Sprintf("unknown language %.40s; known are %s", v, strings.Join(instructcheck.Languages(), ", "))}
	}
	for _, check := range []func() error{f.checkTags, f.checkBounds, f.checkRepetition} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if err := oneOf("score", f.Score, scoreWords...); err != nil {
		return nil, err
	}
	if f.Tags == nil && !f.bounded() && f.Language == "" && f.Repetition == nil {
		return nil, &judge.SpecError{Msg: "asks for nothing: give tags, a bound, language or repetition"}
	}
	return f, nil
}

// checkTags looks at tags and what goes with them.
func (f *format) checkTags() error {
	if f.Tags != nil && len(f.Tags) == 0 {
		return &judge.SpecError{Path: "tags", Msg: "must not be an empty list"}
	}
	for i, tag := range f.Tags {
		path := fmt.Sprintf("tags[%d]", i)
		if tag == "" || strings.ContainsAny(tag, "<>/ \t\r\n") {
			return &judge.SpecError{Path: path, Msg: "must be the name of a tag, without brackets and spaces"}
		}
		if slices.Contains(f.Tags[:i], tag) {
			return &judge.SpecError{Path: path, Msg: "stands twice"}
		}
	}
	if f.Tags == nil && f.Outside != nil {
		return &judge.SpecError{Path: "outside", Msg: "goes with tags"}
	}
	if f.Tags == nil && f.ImplicitOpen != nil {
		return &judge.SpecError{Path: "implicit_open", Msg: "goes with tags"}
	}
	if f.Outside != nil && *f.Outside != "none" && *f.Outside != "any" {
		return &judge.SpecError{Path: "outside", Msg: "must be none or any"}
	}
	if f.Part != "" && f.Part != "text" && !slices.Contains(f.Tags, f.Part) {
		return &judge.SpecError{Path: "part", Msg: "must be text or one of the tags"}
	}
	return nil
}

func (f *format) checkBounds() error {
	for _, b := range []struct {
		name      string
		low, high *int
	}{{"chars", f.MinChars, f.MaxChars}, {"words", f.MinWords, f.MaxWords}} {
		if b.low != nil && *b.low < 0 {
			return &judge.SpecError{Path: "min_" + b.name, Msg: "must not be negative"}
		}
		if b.high != nil && *b.high < 0 {
			return &judge.SpecError{Path: "max_" + b.name, Msg: "must not be negative"}
		}
		if b.low != nil && b.high != nil && *b.low > *b.high {
			return &judge.SpecError{Path: "max_" + b.name, Msg: "must not be below min_" + b.name}
		}
	}
	return nil
}

func (f *format) checkRepetition() error {
	switch r := f.Repetition; {
	case r == nil:
	case r.N != nil && *r.N < 1:
		return &judge.SpecError{Path: "repetition.n", Msg: "must be 1 or more"}
	case r.Max == nil:
		return &judge.SpecError{Path: "repetition.max", Msg: "missing"}
	case !(*r.Max >= 0 && *r.Max <= 1):
		return &judge.SpecError{Path: "repetition.max", Msg: "must be a share from 0 to 1"}
	}
	return nil
}

// Spec returns the canonical spec.
func (f *format) Spec() jsontext.Value { return encode(f) }

// Judge looks at the tags, then at the part that the other checks are about.
func (f *format) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	text := instructcheck.NewText(r.Candidate())
	var parts checkedParts
	if f.Tags != nil {
		holds, why := f.tagsHold(text.String())
		parts = append(parts, checkedPart{"tags", holds, why})
	}
	part, there := f.partOf(text)
	add := func(id string, check func(*instructcheck.Text) (bool, string)) {
		holds, why := false, "the part is blank or not there"
		if there {
			holds, why = check(part)
		}
		parts = append(parts, checkedPart{id, holds, why})
	}
	if f.bounded() {
		add("bounds", f.boundsHold)
	}
	if f.Language != "" {
		add("language", func(t *instructcheck.Text) (bool, string) { return t.InLanguage(f.Language) })
	}
	if f.Repetition != nil {
		add("repetition", f.Repetition.holds)
	}
	class := judge.BadFormat
	if text.Blank() {
		class = judge.NoAnswer
	}
	return parts.verdict(f.Score, class, "checks of the form"), nil
}

// tagSpan is where a tag stands: its marks and what is between them.
type tagSpan struct{ start, content, closing, end int }

// findTag finds the first <tag> and the first </tag> behind it. With implicit the opening tag may be missing: the content
// begins with the text then.
func findTag(s, tag string, implicit bool) (t tagSpan, ok bool) {
	open, shut := "<"+tag+">", "</"+tag+">"
	t.start = strings.Index(s, open)
	t.content = t.start + len(open)
	if t.start < 0 {
		if !implicit {
			return t, false
		}
		t.start, t.content = 0, 0
	}
	i := strings.Index(s[t.content:], shut)
	if i < 0 {
		return t, false
	}
	t.closing = t.content + i
	t.end = t.closing + len(shut)
	return t, true
}

func (f *format) implicit(i int) bool { return i == 0 && f.ImplicitOpen != nil && *f.ImplicitOpen }

// tagsHold: each tag opens and closes exactly once anywhere, in order, side by side, none blank.
func (f *format) tagsHold(s string) (bool, string) {
	end := 0
	for i, tag := range f.Tags {
		opened, closed := strings.Count(s, "<"+tag+">"), strings.Count(s, "</"+tag+">")
		if opened != 1 && !(opened == 0 && f.implicit(i)) || closed != 1 {
			return false, fmt.Sprintf("<%s> must open and close once (it opens %d×, closes %d×)", tag, opened, closed)
		}
		t, ok := findTag(s, tag, f.implicit(i))
		switch {
		case !ok || t.start < end:
			return false, fmt.Sprintf("<%s> is out of order", tag)
		case strings.TrimSpace(s[t.content:t.closing]) == "":
			return false, fmt.Sprintf("<%s> is blank", tag)
		case !f.outsideAllowed() && strings.TrimSpace(s[end:t.start]) != "":
			return false, fmt.Sprintf("something stands before <%s>", tag)
		}
		end = t.end
	}
	if !f.outsideAllowed() && strings.TrimSpace(s[end:]) != "" {
		return false, "something stands behind the last tag"
	}
	return true, "the tags stand in order"
}

func (f *format) outsideAllowed() bool { return f.Outside != nil && *f.Outside == "any" }

// partOf is what bounds, language and repetition look at, and whether it is there and not blank.
func (f *format) partOf(text *instructcheck.Text) (*instructcheck.Text, bool) {
	if f.Part == "text" || f.Part == "" && f.Tags == nil {
		return text, !text.Blank()
	}
	i := len(f.Tags) - 1
	if f.Part != "" {
		i = slices.Index(f.Tags, f.Part)
	}
	s := text.String()
	t, ok := findTag(s, f.Tags[i], f.implicit(i))
	if !ok {
		return nil, false
	}
	part := instructcheck.NewText(s[t.content:t.closing])
	return part, !part.Blank()
}

func (f *format) boundsHold(t *instructcheck.Text) (bool, string) {
	chars := utf8.RuneCountInString(stripText(t.String()))
	if !within(chars, f.MinChars, f.MaxChars) {
		return false, fmt.Sprintf("%d characters are out of bounds", chars)
	}
	if f.MinWords == nil && f.MaxWords == nil {
		return true, fmt.Sprintf("%d characters are within bounds", chars)
	}
	words := t.CountWords()
	if !within(words, f.MinWords, f.MaxWords) {
		return false, fmt.Sprintf("%d words are out of bounds", words)
	}
	return true, fmt.Sprintf("%d words are within bounds", words)
}

func within(n int, low, high *int) bool {
	return (low == nil || n >= *low) && (high == nil || n <= *high)
}

// holds: 1 less different groups / all groups of N words, folded, is at most Max; fewer than N words repeat nothing.
func (r *repetition) holds(t *instructcheck.Text) (bool, string) {
	n := 3
	if r.N != nil {
		n = *r.N
	}
	share := t.Repetition(n)
	return share <= *r.Max+1e-9, fmt.Sprintf("%.4g of the groups of %d words repeat an earlier one", share, n)
}
