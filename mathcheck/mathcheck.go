// Package mathcheck decides whether a model's answer to a mathematical question equals the reference answer.
//
// It reads LaTeX and program notation alike, finds the final answer in a whole model output, and compares by
// mathematics, not by text: numbers exactly, expressions as identities, sets without order, intervals with
// inequalities, quantities by unit. Work is bounded by counted steps, never by a clock, so the same pair gets the same
// verdict on every machine and in any goroutine. Nothing of the input is ever executed.
//
//	extract -> fold -> lex -> parse -> compare
//
// extract.go, boxes.go, markers.go and prose.go find the answer span; fold.go and lex*.go make tokens of one spelling;
// parse*.go builds a tree or fails as a whole; readings.go tries the readings of an answer in turn and compare.go is the
// table of kinds. Values are compared in scalar.go, cheapest proof first: rational.go (exact), field.go (identities),
// ball.go and numeric.go (enclosures), separation.go and logform.go (proofs of equality).
package mathcheck

import (
	"errors"
	"strings"
)

// Options change the house rules of equality. The zero value is the house rules.
type Options struct {
	NoBarePercent    bool // 28 does not answer 28%
	NoSetRelation    bool // an inequality does not equal the interval it describes
	NoUnitConversion bool // 1 m is not 100 cm, 90° is not π/2
	StrictBase       bool // 1010 does not answer 1010_2, nor 12_8
	StrictTuples     bool // 1,2 does not answer (1,2)
	NoSynonyms       bool // "no solution" is not ∅, "twelve" is not 12
	StrictForm       bool // values must be written alike up to the order of sums and products: 0.5 is not 1/2
	// RoundingDigits is the least number of significant digits at which a correctly rounded decimal equals an exact
	// value; 0 means 6. Values below 1 are read as 6.
	RoundingDigits int
	// Bare takes the whole candidate as the answer: nothing is extracted from prose or boxes.
	Bare bool
}

func (o *Options) roundingDigits() int {
	if o.RoundingDigits < 1 {
		return 6
	}
	return o.RoundingDigits
}

// Status says how a verdict was reached.
type Status string

// The statuses. Only proven and numeric come with Equal true.
const (
	Proven       Status = "proven"        // equality or inequality follows by exact reasoning or by enclosure
	Numeric      Status = "numeric"       // agreement to many digits or at random points
	Undecided    Status = "undecided"     // neither equal nor different could be shown
	UnparsedGold Status = "unparsed_gold" // the reference is not readable; only identical text equals it
	UnparsedPred Status = "unparsed_pred" // the candidate's answer is not readable
	NoAnswer     Status = "no_answer"     // the candidate holds no final answer
	Budget       Status = "budget"        // the step budget ran out
)

// Verdict is the outcome of one check.
type Verdict struct {
	Equal     bool
	Status    Status
	Kind      string // what the reference is: number, expression, set, interval, ..., "" if unreadable
	Extracted string // the candidate's final answer as found, "" if none
	Reason    string // one sentence for a person; never quotes the reference
}

// ErrEmptyGold is returned for a reference without any text.
var ErrEmptyGold = errors.New("mathcheck: compile: empty reference")

// Gold is a compiled reference. It is immutable and safe for concurrent use.
type Gold struct {
	opt  Options
	alts []*answer
}

// Compile reads a reference answer: plain text or LaTeX, bare, boxed or a whole solution. It fails only for an empty
// reference; one that is not readable compiles, and then equals identical text alone (Status unparsed_gold).
func Compile(gold string, opt Options) (*Gold, error) {
	return CompileAny([]string{gold}, opt)
}

// CompileAny reads several references, any of which is right. Empty ones are passed over; ErrEmptyGold if all are.
func CompileAny(golds []string, opt Options) (*Gold, error) {
	g := &Gold{opt: opt}
	for _, s := range golds {
		if a := compileGold(s); a != nil {
			g.alts = append(g.alts, a)
		}
	}
	if len(g.alts) == 0 {
		return nil, ErrEmptyGold
	}
	return g, nil
}

// Readable reports whether at least one reference could be read as mathematics, a word or a choice.
func (g *Gold) Readable() bool {
	for _, a := range g.alts {
		if a.readable() {
			return true
		}
	}
	return false
}

// Kind names what the first reference is.
func (g *Gold) Kind() string { return g.alts[0].kind() }

// Reading shows how the final answer of a text is read: the span taken for the answer, what it is ("" if nothing), and
// its parse in prefix form, empty where the answer is words, a date or unreadable. It is meant for people and linters;
// the form is not stable between versions.
func Reading(s string) (span, kind, form string) {
	a := compileGold(s)
	if a == nil {
		return "", "", ""
	}
	if a.root != nil && a.root.within(maxDerived) {
		form = a.root.canon()
	}
	return clip(a.span), a.kind(), form
}

// Equal compares a reference and a candidate by the house rules. An empty reference equals nothing.
func Equal(gold, pred string) Verdict {
	g, err := Compile(gold, Options{})
	if err != nil {
		return Verdict{Status: UnparsedGold, Reason: "the reference is empty"}
	}
	return g.Check(pred)
}

// Check decides whether the candidate's final answer equals the reference. Of several references the first that is
// equal decides, otherwise the first.
func (g *Gold) Check(pred string) Verdict {
	var first Verdict
	cand := newCandidate(pred, g.opt.Bare)
	for i, a := range g.alts {
		v := g.check(a, cand)
		if v.Equal {
			return v
		}
		if i == 0 {
			first = v
		}
	}
	return first
}

func (g *Gold) check(a *answer, cand *candidate) Verdict {
	v := Verdict{Kind: a.kind()}
	if t := strings.TrimSpace(cand.whole); t != "" && (t == a.raw || t == a.span) {
		v.Equal, v.Status, v.Extracted, v.Reason = true, Proven, clip(t), "identical text"
		return v
	}
	if !a.readable() {
		v.Status, v.Reason = UnparsedGold, "the reference is not readable as mathematics, and the answer is not identical text"
		if spans := cand.spans(a); len(spans) > 0 {
			v.Extracted = clip(spans[0])
			if identical(a, spans[0]) {
				v.Equal, v.Status, v.Reason = true, Proven, "identical text"
			}
		}
		return v
	}
	spans := cand.spans(a)
	if len(spans) == 0 {
		v.Status, v.Reason = NoAnswer, "no final answer was found"
		return v
	}
	c := &comparer{opt: &g.opt, b: &budget{left: maxSteps}}
	for i, span := range spans {
		w := c.verdict(a, span)
		if i == 0 || w.Equal {
			w.Kind = a.kind()
			v = w
		}
		if w.Equal {
			break
		}
	}
	return v
}

// verdict compares one span.
func (c *comparer) verdict(a *answer, span string) Verdict {
	p := readAnswer(span, false)
	v := Verdict{Extracted: clip(span)}
	c.numeric = false
	r, why := c.compare(a, p)
	switch {
	case r == yes:
		v.Equal, v.Status, v.Reason = true, Proven, why
		if c.numeric {
			v.Status = Numeric
		}
	case c.b.hit:
		v.Status, v.Reason = Budget, "the step budget ran out"
	case r == unsure:
		v.Status, v.Reason = Undecided, "neither equality nor difference could be shown"
	case !p.readable():
		v.Status, v.Reason = UnparsedPred, "the answer is not readable as mathematics"
	default:
		v.Status, v.Reason = Proven, why
	}
	return v
}

// clip bounds what a verdict quotes of the candidate.
func clip(s string) string {
	const most = 500
	if len(s) <= most {
		return strings.ToValidUTF8(s, "")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
