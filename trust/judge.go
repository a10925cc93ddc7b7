package trust

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/rollout"
)

// Options are what Measure holds a judge to. Zero fields take those of DefaultOptions.
type Options struct {
	AgreementOptions
	MinAgreement    float64 // floor of the lower Wilson bound of the agreement
	MinKappa        float64
	MaxSkippedShare float64 // of labelled rows, those whose reward is neither 0 nor 1
}

// DefaultOptions are those of the reference system.
func DefaultOptions() Options { return Options{MinAgreement: 0.8, MinKappa: 0.6, MaxSkippedShare: 0.1} }

// Floors are the options as the report shows them.
type Floors struct {
	MinAgreement    float64 `json:"min_agreement"`
	MinKappa        float64 `json:"min_kappa"`
	MaxSkippedShare float64 `json:"max_skipped_share"`
}

// Skipped are the labelled rows that measure nothing, and why.
type Skipped struct {
	Gold       int       `json:"n_gold"`
	Used       int       `json:"n_used"`
	Fractional int       `json:"fractional"` // with a partial reward
	Unscored   int       `json:"unscored"`   // without a reward
	Share      float64   `json:"share"`      // of fractional ones
	Floor      float64   `json:"floor"`
	OverFloor  bool      `json:"over_floor"`
	Examples   []float64 `json:"examples"` // up to three of the partial rewards
}

// LengthGap is the judge's pass rate on short and on long replies of one gold class: a judge that reads substance has none.
type LengthGap struct {
	N       int      `json:"n"`
	Median  *int     `json:"median_chars,omitempty"`
	Short   *float64 `json:"judge_pass_short,omitempty"`
	Long    *float64 `json:"judge_pass_long,omitempty"`
	Gap     *float64 `json:"gap_long_minus_short,omitempty"`
	P       *float64 `json:"p_value,omitempty"`
	Note    string   `json:"note,omitempty"`
	flagged bool
}

// LengthSensitivity holds the gaps of both classes.
type LengthSensitivity struct {
	Passes  LengthGap `json:"gold_1"`
	Fails   LengthGap `json:"gold_0"`
	MaxGap  float64   `json:"max_gap"`
	Flagged bool      `json:"flagged"`
}

// Disagreement is a row to look at.
type Disagreement struct {
	Task   string `json:"task"`
	Gold   int    `json:"gold"`
	Judge  int    `json:"judge"`
	Reason string `json:"reason"`
	Reply  string `json:"final_text"`
}

// Report says whether a judge can be believed. Word is PASS, FAIL, NOT MEASURED or INCONCLUSIVE; OK is true for PASS only.
type Report struct {
	OK            bool                 `json:"ok"`
	Word          string               `json:"verdict"`
	Rows          int                  `json:"n_rows"`
	Labeled       int                  `json:"n_labeled"`
	GoldKind      *string              `json:"gold_kind"`
	Degenerate    bool                 `json:"gold_degenerate"` // labels of one class only
	Floors        Floors               `json:"floors"`
	Skipped       Skipped              `json:"skipped"`
	Agreement     Agreement            `json:"agreement"`
	Halves        map[string]Agreement `json:"held_out_halves"` // by the hash of the task
	Length        LengthSensitivity    `json:"length_sensitivity"`
	Disagreements []Disagreement       `json:"disagreements"` // up to maxShown
	Warnings      []string             `json:"warnings"`
}

const (
	maxShown      = 200  // disagreements in a report
	shownChars    = 600  // of a reply
	minLengthRows = 6    // of one class, for a length gap
	lengthGap     = 0.15 // that counts, with lengthP
	lengthP       = 0.025
	halvesGap     = 0.15 // between the halves, with minHalf rows each
	minHalf       = 10
)

// Measure gathers what a Report says, a small record a labelled row. Not for concurrent use.
type Measure struct {
	options Options
	rows    int
	skipped Skipped
	all     counts
	halves  [2]counts
	lengths [2][]lengthRow // by gold label
	shown   []Disagreement
}

type lengthRow struct {
	chars  int
	passed bool
}

// NewMeasure starts a measurement.
func NewMeasure(o Options) *Measure {
	d := DefaultOptions()
	if o.MinAgreement == 0 {
		o.MinAgreement = d.MinAgreement
	}
	if o.MinKappa == 0 {
		o.MinKappa = d.MinKappa
	}
	if o.MaxSkippedShare == 0 {
		o.MaxSkippedShare = d.MaxSkippedShare
	}
	o.defaults()
	return &Measure{options: o, skipped: Skipped{Floor: o.MaxSkippedShare, Examples: []float64{}}, shown: []Disagreement{}}
}

// Add counts a row.
func (m *Measure) Add(r *rollout.Row) {
	m.rows++
	gold, labelled := label(r, m.options.Gold)
	reward, scored := score(r, m.options.Reward)
	judged, binary := label(r, m.options.Reward)
	if labelled {
		m.skipped.Gold++
		switch {
		case !scored:
			m.skipped.Unscored++
		case !binary:
			m.fractional(reward)
		}
	}
	if !labelled || !binary {
		m.all.skipped++
		return
	}
	kind := goldKind(r)
	m.all.add(judged, gold, kind)
	m.halves[half(r.Group)].add(judged, gold, kind)
	class := 0
	if gold {
		class = 1
	}
	m.lengths[class] = append(m.lengths[class], lengthRow{replyLength(r), judged})
	if judged != gold && len(m.shown) < maxShown {
		m.shown = append(m.shown, Disagreement{Task: r.Group, Gold: class, Judge: 1 - class, Reason: r.Text("reason"), Reply: short(r.Candidate())})
	}
}

func (m *Measure) fractional(reward float64) {
	m.skipped.Fractional++
	if len(m.skipped.Examples) < 3 && !slices.Contains(m.skipped.Examples, reward) {
		m.skipped.Examples = append(m.skipped.Examples, reward)
	}
}

// half puts a task into one of two halves that do not depend on its place in the file.
func half(task string) int {
	sum := sha256.Sum256([]byte(task))
	return int(sum[len(sum)-1] & 1)
}

// replyLength is the length of all that the assistant said, in code points.
func replyLength(r *rollout.Row) int {
	n, last := 0, ""
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Role == "assistant" {
			n, last = n+utf8.RuneCountInString(m.Content), m.Content
		}
	}
	if r.FinalText != last {
		n += utf8.RuneCountInString(r.FinalText)
	}
	return n
}

func short(s string) string {
	n := 0
	for i := range s {
		if n++; n > shownChars {
			return s[:i]
		}
	}
	return s
}

// Report judges the judge.
func (m *Measure) Report() Report {
	o := m.options
	r := Report{Rows: m.rows, Floors: Floors{o.MinAgreement, o.MinKappa, o.MaxSkippedShare}, Skipped: m.skipped, Agreement: m.all.report(o.AllowModelGold),
		Halves: map[string]Agreement{"a": m.halves[0].report(o.AllowModelGold), "b": m.halves[1].report(o.AllowModelGold)}, Disagreements: m.shown}
	a := &r.Agreement
	r.Labeled, r.GoldKind, r.Skipped.Used = a.N, a.GoldKind, a.N
	if r.Skipped.Gold > 0 {
		r.Skipped.Share = float64(r.Skipped.Fractional) / float64(r.Skipped.Gold)
	}
	r.Skipped.OverFloor = r.Skipped.Share > o.MaxSkippedShare
	gold := a.Confusion.TruePass + a.Confusion.FalseFail
	r.Degenerate = a.N > 0 && (gold == 0 || gold == a.N)
	r.Length = sensitivity(m.lengths)
	r.Warnings = append(slices.Clone(a.Warnings), m.warnings(&r)...)
	r.Word = m.word(&r)
	r.OK = r.Word == "PASS"
	return r
}

// word is the verdict in one: what was not measured is no failure, and no pass.
func (m *Measure) word(r *Report) string {
	a := &r.Agreement
	switch {
	case a.N == 0 || r.Degenerate || !a.OK:
		return "NOT MEASURED"
	case r.Skipped.OverFloor:
		return "INCONCLUSIVE"
	case a.Interval[0] < m.options.MinAgreement, *a.Kappa < m.options.MinKappa, a.FalsePass != nil && *a.FalsePass >= leak, r.Length.Flagged:
		return "FAIL"
	}
	return "PASS"
}

func (m *Measure) warnings(r *Report) []string {
	var w []string
	a := &r.Agreement
	if a.N == 0 {
		return []string{"the judge's trust is not measured: ok is false for want of evidence, not for a failed check"}
	}
	if r.Degenerate {
		w = append(w, fmt.Sprintf("the gold labels are all %d: nothing is measured about the other class; label some of it", int(math.Round(*a.GoldRate))))
	}
	if a.Interval[0] < m.options.MinAgreement {
		w = append(w, fmt.Sprintf("agreement %.0f%% (95%% %.0f%%..%.0f%%, n=%d) is not surely above %.0f%%", 100**a.Agreement, 100*a.Interval[0], 100*a.Interval[1], a.N, 100*m.options.MinAgreement))
	}
	if *a.Kappa < m.options.MinKappa && !r.Degenerate {
		guess := ""
		if *a.Kappa < 0.2 {
			guess = ": the judge does little better than guessing"
		}
		w = append(w, fmt.Sprintf("kappa %.2f is below %.2f%s", *a.Kappa, m.options.MinKappa, guess))
	}
	if s := r.Skipped; s.Fractional > 0 {
		w = append(w, fmt.Sprintf("%d of %d labelled rows have a partial reward and measure nothing (at most %.0f%% may)", s.Fractional, s.Gold, 100*s.Floor))
	}
	x, y := r.Halves["a"], r.Halves["b"]
	if x.N >= minHalf && y.N >= minHalf && math.Abs(*x.Agreement-*y.Agreement) >= halvesGap {
		w = append(w, fmt.Sprintf("the two halves of the tasks differ: %.0f%% and %.0f%%", 100**x.Agreement, 100**y.Agreement))
	}
	if r.Length.Flagged {
		w = append(w, fmt.Sprintf("the judge's pass rate differs by %.0f%% between short and long replies of one gold class: it reads length", 100*r.Length.MaxGap))
	}
	return w
}

func sensitivity(rows [2][]lengthRow) LengthSensitivity {
	s := LengthSensitivity{Passes: gapOf(rows[1]), Fails: gapOf(rows[0])}
	for _, g := range []*LengthGap{&s.Passes, &s.Fails} {
		if g.Gap != nil {
			s.MaxGap = max(s.MaxGap, math.Abs(*g.Gap))
		}
		s.Flagged = s.Flagged || g.flagged
	}
	return s
}

// gapOf splits rows at the median length.
func gapOf(rows []lengthRow) LengthGap {
	g := LengthGap{N: len(rows)}
	if len(rows) < minLengthRows {
		g.Note = "too few rows"
		return g
	}
	chars := make([]int, len(rows))
	for i, r := range rows {
		chars[i] = r.chars
	}
	slices.Sort(chars)
	median := chars[len(chars)/2]
	var passed, n [2]int // short, long
	for _, r := range rows {
		side := 0
		if r.chars >= median {
			side = 1
		}
		n[side]++
		if r.passed {
			passed[side]++
		}
	}
	if n[0] == 0 {
		g.Note = "no length spread"
		return g
	}
	short, long := float64(passed[0])/float64(n[0]), float64(passed[1])/float64(n[1])
	gap, p := long-short, stats.TwoProportions(int64(passed[0]), int64(n[0]), int64(passed[1]), int64(n[1]))
	g.Median, g.Short, g.Long, g.Gap, g.P = &median, &short, &long, &gap, &p
	g.flagged = math.Abs(gap) >= lengthGap && p < lengthP
	return g
}
