package verifiers

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// multipleChoice: the option that the answer chooses is the gold's (RULES 12, 19-21).
type multipleChoice struct {
	Common
	Options jsontext.Value `json:"options,omitzero"` // how many there are, or their texts; default A to J

	last  byte     // the last option's letter
	texts []string // folded, in order; nil where only the count is known
}

// choiceFold folds options and answers that are compared as texts.
var choiceFold = folder{lower: true, punct: true}

func buildMultipleChoice(_ *Builder, spec jsontext.Value) (Verifier, error) {
	m := &multipleChoice{}
	if err := decode(spec, m); err != nil {
		return nil, err
	}
	count := 10
	switch m.Options.Kind() {
	case '[':
		var texts []string
		if err := json.Unmarshal(m.Options, &texts); err != nil {
			return nil, &judge.SpecError{Path: "options", Msg: "must be a list of texts"}
		}
		for _, text := range texts {
			m.texts = append(m.texts, string(choiceFold.append(nil, text)))
		}
		count = len(texts)
	case '0':
		if err := json.Unmarshal(m.Options, &count); err != nil {
			return nil, &judge.SpecError{Path: "options", Msg: "must be a whole number"}
		}
	case 'n':
		m.Options = nil
	case 0:
	default:
		return nil, &judge.SpecError{Path: "options", Msg: "must be how many options there are, or a list of their texts"}
	}
	if count < 1 || count > 26 {
		return nil, &judge.SpecError{Path: "options", Msg: fmt.Sprintf("there must be 1 to 26 options, not %d", count)}
	}
	m.last = 'A' + byte(count-1)
	return m, nil
}

// Spec returns the canonical spec.
func (m *multipleChoice) Spec() jsontext.Value { return encode(m) }

// Judge reads the choice and compares.
func (m *multipleChoice) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	texts, err := m.golds(r, false)
	if err != nil {
		return judge.Verdict{}, err
	}
	last, golds := m.last, make([]byte, 0, 4)
	for _, text := range texts {
		if letter, ok := m.gold(text); ok {
			golds = append(golds, letter)
			last = max(last, letter)
		}
	}
	if len(golds) == 0 {
		return judge.Verdict{}, judge.MissingReference(m.where() + " names no option by its letter")
	}
	answer := visible(r.Candidate())
	got := choiceReader{last}.read(answer)
	if !got.found() && m.texts != nil {
		got = m.byText(answer)
	}
	switch {
	case got.several:
		return judge.Fail(judge.NoAnswer, "the answer names several options"), nil
	case got.letter == 0:
		return judge.Fail(judge.NoAnswer, "the answer names no option"), nil
	}
	letter := string(rune(got.letter))
	for _, gold := range golds {
		if got.letter == gold {
			return judge.Pass("the answer chooses the right option").With("extracted", letter), nil
		}
	}
	return judge.Fail(judge.WrongAnswer, "the answer chooses another option").With("extracted", letter), nil
}

// gold reads a gold: a letter alone, or first ("b. Paris", "(B)"), or announced ("Answer: B"), else an option's text. The
// gold may go beyond the options that are known.
func (m *multipleChoice) gold(text string) (letter byte, ok bool) {
	text = strings.TrimSpace(text)
	reader := choiceReader{'Z'}
	if got := reader.onlyLetter(text, false); got.found() {
		return got.letter, !got.several
	}
	if got := m.byText(text); got.found() {
		return got.letter, true
	}
	if box, boxed := lastBox(text); boxed {
		if got := reader.inBox(box); got.found() {
			return got.letter, !got.several
		}
	}
	if got := reader.statement(text); got.found() {
		return got.letter, !got.several
	}
	i, _ := markup(text, 0)
	if o, single := letterAt(text, i); single && o.upper && !o.prose(text, true) {
		return o.letter, true
	}
	return 0, false
}

// byText reads an answer that is an option's text as a whole, or in its last line, or behind its last announcement.
func (m *multipleChoice) byText(answer string) choice {
	if m.texts == nil {
		return choice{}
	}
	whole := stripText(answer)
	parts := []string{whole, lastLine(whole)}
	if start, after := markBefore(whole, len(whole), markAnswer|markOption); start >= 0 {
		i, _ := gap(whole, after)
		line, _, _ := strings.Cut(whole[i:], "\n")
		parts = append(parts, line)
	}
	for _, part := range parts {
		if len(part) > 4096 {
			continue
		}
		folded := string(choiceFold.append(nil, part))
		for i, text := range m.texts {
			if text != "" && text == folded {
				return choice{letter: 'A' + byte(i)}
			}
		}
	}
	return choice{}
}
