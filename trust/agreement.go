package trust

import (
	"crypto/sha1" //nolint:gosec // a key of rows, no secret
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/rollout"
)

// Confusion counts rows by verdict and gold label: a true pass, a false pass, a false fail, a true fail.
type Confusion struct {
	TruePass  int `json:"tp"`
	FalsePass int `json:"fp"`
	FalseFail int `json:"fn"`
	TrueFail  int `json:"tn"`
}

// Agreement is how far a judge agrees with gold labels. Rates are rounded to four digits and nil where nothing is known.
type Agreement struct {
	N         int         `json:"n"`
	Skipped   int         `json:"n_skipped"`   // rows without a binary reward or label
	Unmatched int         `json:"n_unmatched"` // judged rows that the gold rows do not have
	Agreement *float64    `json:"agreement"`
	Kappa     *float64    `json:"kappa"`
	Confusion Confusion   `json:"confusion"`
	FalsePass *float64    `json:"pass_when_gold_fail"`
	FalseFail *float64    `json:"fail_when_gold_pass"`
	JudgeRate *float64    `json:"judge_pass_rate"`
	GoldRate  *float64    `json:"gold_pass_rate"`
	GoldKind  *string     `json:"gold_kind"` // the least trusted of those used
	OK        bool        `json:"ok"`        // the labels are from a person or a program, and there are some
	Interval  *[2]float64 `json:"ci95"`      // Wilson's, of the agreement
	Warnings  []string    `json:"warnings"`
}

// enough is the number of labels below which an agreement is coarse; leak the false-pass rate above which failures are trained.
const (
	enough = 50
	leak   = 0.1
)

// counts gathers an Agreement.
type counts struct {
	confusion          Confusion
	skipped, unmatched int
	kind               int // index in trustOrder of the least trusted label, plus one
}

func (c *counts) add(judged, gold bool, kind string) {
	switch {
	case judged && gold:
		c.confusion.TruePass++
	case judged:
		c.confusion.FalsePass++
	case gold:
		c.confusion.FalseFail++
	default:
		c.confusion.TrueFail++
	}
	c.kind = max(c.kind, slices.Index(trustOrder, kind)+1)
}

func ratio(k, n int) *float64 {
	if n == 0 {
		return nil
	}
	return rounded(float64(k) / float64(n))
}

func rounded(v float64) *float64 {
	v = math.Round(v*1e4) / 1e4
	return &v
}

func (c *counts) report(allowModel bool) Agreement {
	m := c.confusion
	n := m.TruePass + m.FalsePass + m.FalseFail + m.TrueFail
	a := Agreement{N: n, Skipped: c.skipped, Unmatched: c.unmatched, Confusion: m, Warnings: []string{}}
	a.Agreement = ratio(m.TruePass+m.TrueFail, n)
	a.FalsePass, a.FalseFail = ratio(m.FalsePass, m.FalsePass+m.TrueFail), ratio(m.FalseFail, m.FalseFail+m.TruePass)
	a.JudgeRate, a.GoldRate = ratio(m.TruePass+m.FalsePass, n), ratio(m.TruePass+m.FalseFail, n)
	if n == 0 {
		a.Warnings = append(a.Warnings, c.whyNone())
		return a
	}
	a.Kappa = rounded(stats.Kappa(int64(m.TruePass), int64(m.FalsePass), int64(m.FalseFail), int64(m.TrueFail)))
	lo, hi := stats.Wilson(int64(m.TruePass+m.TrueFail), int64(n), stats.Z95)
	a.Interval = &[2]float64{lo, hi}
	kind := trustOrder[c.kind-1]
	a.GoldKind = &kind
	a.OK = kind == Human || kind == Program || allowModel
	if n < enough {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d gold rows: the estimate is coarse below %d", n, enough))
	}
	if fails := m.FalsePass + m.TrueFail; a.FalsePass != nil && *a.FalsePass >= leak {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the judge passed %d of %d gold failures (%.0f%%): those rows train the failure", m.FalsePass, fails, 100**a.FalsePass))
	}
	switch {
	case a.OK:
	case kind == Model:
		a.Warnings = append(a.Warnings, "the gold labels came from a model, so the judge is not measured; label 50 rows by hand (verifyd label)")
	default:
		a.Warnings = append(a.Warnings, "the gold labels have no record of who wrote them (gold_kind), so the judge is not measured")
	}
	return a
}

func (c *counts) whyNone() string {
	if c.unmatched > 0 && c.skipped == 0 {
		return "no judged row is among the gold rows by rollout_id, scenario_id and rollout_index, or prompt and reply"
	}
	return "no row has both a reward and a gold label: grade the rows, and label some by hand (verifyd label)"
}

// AgreementOptions say where verdict and label stand.
type AgreementOptions struct {
	Reward         string // member with the judge's reward; empty: reward
	Gold           string // member with the label; empty: gold_reward
	AllowModelGold bool   // labels of a model or of unknown origin count
}

func (o *AgreementOptions) defaults() {
	if o.Reward == "" {
		o.Reward = "reward"
	}
	if o.Gold == "" {
		o.Gold = "gold_reward"
	}
}

// Comparison counts judged rows against gold labels, in the rows themselves or in GoldRows. Not for concurrent use.
type Comparison struct {
	options AgreementOptions
	gold    *GoldRows
	counts  counts
}

// NewComparison compares with the labels in the rows, or with gold where it is not nil.
func NewComparison(o AgreementOptions, gold *GoldRows) *Comparison {
	o.defaults()
	return &Comparison{options: o, gold: gold}
}

// Add counts a row.
func (c *Comparison) Add(r *rollout.Row) {
	judged, ok := label(r, c.options.Reward)
	if !ok {
		c.counts.skipped++
		return
	}
	if c.gold != nil {
		if gold, ok := c.gold.label(r); ok {
			c.counts.add(judged, gold, Model)
		} else {
			c.counts.unmatched++
		}
		return
	}
	gold, ok := label(r, c.options.Gold)
	if !ok {
		c.counts.skipped++
		return
	}
	c.counts.add(judged, gold, goldKind(r))
}

// Report is the agreement of what was added.
func (c *Comparison) Report() Agreement { return c.counts.report(c.options.AllowModelGold) }

// GoldRows are the rewards of a second judge, or of the same rows judged again: model gold. Its zero value is empty.
type GoldRows struct{ labels map[string]bool }

// Add keeps a row's reward under each of its keys.
func (g *GoldRows) Add(r *rollout.Row) {
	passed, ok := label(r, "reward")
	if !ok {
		return
	}
	if g.labels == nil {
		g.labels = map[string]bool{}
	}
	for _, key := range rowKeys(r) {
		if _, there := g.labels[key]; !there {
			g.labels[key] = passed
		}
	}
}

func (g *GoldRows) label(r *rollout.Row) (passed, ok bool) {
	for _, key := range rowKeys(r) {
		if passed, ok = g.labels[key]; ok {
			return passed, true
		}
	}
	return false, false
}

// rowKeys are what a row is found again by, the surest first.
func rowKeys(r *rollout.Row) []string {
	var keys []string
	if id := r.Text("rollout_id"); id != "" {
		keys = append(keys, "id:"+id)
	}
	if scenario, index := r.Text("scenario_id"), r.Text("rollout_index"); scenario != "" && index != "" {
		keys = append(keys, "scenario:"+scenario+"#"+index)
	}
	h := sha1.New() //nolint:gosec // as above
	for _, part := range []string{r.Prompt, r.Candidate()} {
		_, _ = h.Write([]byte(strings.TrimSpace(part) + "\x00")) // a hash never fails
	}
	return append(keys, "text:"+hex.EncodeToString(h.Sum(nil)))
}
