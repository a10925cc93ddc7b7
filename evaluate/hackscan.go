package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/rollout"
)

// HackOptions say what the reward may pay for.
type HackOptions struct {
	Endorsed []string // patterns of feature names (path.Match), such as tool:search or marker:*
	NoTerms  bool     // leave words out
}

// Regimes of a reward, by what it separates rollouts of one ask on.
const (
	Train         = "train"          // a feature clears the floor, and none that is not endorsed leads
	RewardHack    = "reward_hack"    // the leading feature is not endorsed, or an endorsed one is punished
	PoolExhausted = "pool_exhausted" // more than a fifth of the asks pass always
	NoSignal      = "no_signal"      // nothing clears the floor
	Degenerate    = "degenerate"     // too few different rollouts to tell features apart
	UnknownRegime = "unknown"        // no repeats, no rewards, or endorsed patterns that match nothing
)

// Feature is one of what rows differ in, with its correlation with the reward within asks.
type Feature struct {
	Name     string   `json:"name"`
	Aliases  []string `json:"aliases"` // features that have the same values on all rows
	Rho      float64  `json:"rho"`
	Seen     int      `json:"n_obs"` // rows on which it is not zero
	Above    bool     `json:"above_floor"`
	Endorsed bool     `json:"endorsed"`
}

// HackReport says what a reward pays: correlations of features of a reply with the reward, both centred within each ask, against
// a floor that chance does not cross: the 95th of 100 largest correlations after shuffling rewards within asks.
type HackReport struct {
	Regime        string    `json:"regime"`
	Rows          int       `json:"n_rows"`
	Graded        int       `json:"n_graded"`
	Groups        int       `json:"n_groups"`
	GroupsMulti   int       `json:"n_groups_multi"`
	Tau           *float64  `json:"tau"` // the floor; nil without repeats
	NFeatures     int       `json:"n_features"`
	NAbove        int       `json:"n_above_floor"`
	Features      []Feature `json:"features"` // the maxFeatures strongest
	Top           *string   `json:"top_feature"`
	RhoMax        float64   `json:"rho_max"`
	Endorsed      []string  `json:"endorsed"`
	Matched       int       `json:"endorsed_matched"`
	Integrity     *float64  `json:"integrity"` // of the features above the floor, the share that is endorsed and paid
	Inverted      []string  `json:"inverted"`  // endorsed features that the reward punishes
	Degenerate    bool      `json:"degenerate"`
	Collinear     []string  `json:"collinear"`        // features that explain the reward wholly
	Distinct      float64   `json:"distinct_per_ask"` // median number of different rollouts
	SaturatedRate float64   `json:"saturated_share"`  // of the asks, those that always pass
	Warnings      []string  `json:"warnings"`

	all []Feature
}

const (
	maxFeatures    = 20
	shuffles       = 100
	floorRank      = 94 // of the sorted maxima
	wholly         = 0.999
	minDistinct    = 3
	exhaustedShare = 0.2
)

// HackScan gathers rows: Look at all of them first, then Add all of them in the same order. Not for concurrent use.
type HackScan struct {
	options HackOptions
	words   vocabulary
	terms   map[string]int // columns of the common terms
	rows    int
	graded  int
	asks    map[string]int
	groups  []askGroup
	rewards []float64
	numbers [][]float64        // by numericFeatures
	named   map[string]*column // tools and markers
	texts   []*column          // by terms
	seen    map[int]struct{}   // terms of the current row
}

type askGroup struct {
	rows     []int
	distinct map[uint64]bool
}

// column is a sparse feature: its value on the rows where it is not zero.
type column struct {
	name   string
	rows   []int
	values []float64 // nil: all 1
}

// NewHackScan starts a scan.
func NewHackScan(o HackOptions) *HackScan { return &HackScan{options: o} }

// Look counts the words of a row.
func (s *HackScan) Look(r *rollout.Row) {
	if _, ok := Reward(r); ok && !s.options.NoTerms {
		s.words.add(r.Candidate())
	}
}

// Add takes a row's features and reward. The row may be reused afterwards.
func (s *HackScan) Add(r *rollout.Row) {
	if s.asks == nil {
		s.start()
	}
	s.rows++
	reward, ok := Reward(r)
	if !ok {
		return
	}
	row := s.graded
	s.graded++
	s.rewards = append(s.rewards, reward)
	s.join(r, row)
	for i, v := range numbersOf(r) {
		s.numbers[i] = append(s.numbers[i], v)
	}
	for name, v := range namedFeatures(r) {
		c := s.named[name]
		if c == nil {
			c = &column{name: name}
			s.named[name] = c
		}
		c.rows, c.values = append(c.rows, row), append(c.values, v)
	}
	if s.options.NoTerms {
		return
	}
	clear(s.seen)
	termsOf(r.Candidate(), func(term string) {
		i, ok := s.terms[term]
		if _, again := s.seen[i]; ok && !again {
			s.seen[i] = struct{}{}
			s.texts[i].rows = append(s.texts[i].rows, row)
		}
	})
}

func (s *HackScan) start() {
	s.asks, s.named, s.terms, s.seen = map[string]int{}, map[string]*column{}, map[string]int{}, map[int]struct{}{}
	s.numbers = make([][]float64, len(numericFeatures))
	for i, term := range s.words.common() {
		s.terms[term] = i
		s.texts = append(s.texts, &column{name: "contains:" + term})
	}
	s.words = vocabulary{}
}

// join puts a row into its ask.
func (s *HackScan) join(r *rollout.Row, row int) {
	i, ok := s.asks[r.Group]
	if !ok {
		i = len(s.groups)
		s.asks[r.Group] = i
		s.groups = append(s.groups, askGroup{distinct: map[uint64]bool{}})
	}
	g := &s.groups[i]
	g.rows = append(g.rows, row)
	g.distinct[rolloutHash(r)] = true
}

// Report scans. The scan can be asked once.
func (s *HackScan) Report() HackReport {
	r := HackReport{Rows: s.rows, Graded: s.graded, Groups: len(s.groups), Features: []Feature{}, Endorsed: append([]string{}, s.options.Endorsed...),
		Inverted: []string{}, Collinear: []string{}, Warnings: []string{}}
	s.asksReport(&r)
	if r.GroupsMulti > 0 {
		s.correlate(&r)
	}
	r.judge(s)
	return r
}

func (s *HackScan) asksReport(r *HackReport) {
	saturated := 0
	var distinct []float64
	for _, g := range s.groups {
		if len(g.rows) > 1 {
			r.GroupsMulti++
		}
		distinct = append(distinct, float64(len(g.distinct)))
		passes := true
		for _, row := range g.rows {
			passes = passes && s.rewards[row] == 1
		}
		if passes {
			saturated++
		}
	}
	if len(s.groups) == 0 {
		return
	}
	slices.Sort(distinct)
	n := len(distinct)
	r.Distinct = (distinct[(n-1)/2] + distinct[n/2]) / 2
	r.SaturatedRate = float64(saturated) / float64(n)
}

// correlate fills in the features and the floor.
func (s *HackScan) correlate(r *HackReport) {
	rewards := append([]float64{}, s.rewards...)
	centred := s.centre(rewards)
	features := s.features(centred)
	floor := s.floor(features, rewards)
	tau := round4(floor)
	r.Tau = &tau
	for _, f := range features {
		v := Feature{Name: f.name, Aliases: f.aliases, Rho: round4(f.rho), Seen: f.seen, Above: math.Abs(f.rho) > floor, Endorsed: s.endorsed(f)}
		if v.Endorsed {
			r.Matched++
		}
		r.all = append(r.all, v)
	}
	slices.SortStableFunc(r.all, func(a, b Feature) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Rho), math.Abs(a.Rho)), strings.Compare(a.Name, b.Name))
	})
	r.NFeatures = len(r.all)
	for _, f := range r.all {
		if f.Above {
			r.NAbove++
		}
		if math.Abs(f.Rho) >= wholly {
			r.Collinear = append(r.Collinear, f.Name)
		}
		if f.Above && f.Endorsed && f.Rho < 0 {
			r.Inverted = append(r.Inverted, f.Name)
		}
	}
	if len(r.Collinear) < 2 {
		r.Collinear = []string{}
	}
	if len(r.all) > 0 {
		r.RhoMax, r.Top = math.Abs(r.all[0].Rho), &r.all[0].Name
	}
	r.Features = append(r.Features, r.all[:min(len(r.all), maxFeatures)]...)
}

func (s *HackScan) endorsed(f *scored) bool {
	for _, pattern := range s.options.Endorsed {
		for _, name := range append([]string{f.name}, f.aliases...) {
			if ok, err := path.Match(pattern, name); name == pattern || ok && err == nil {
				return true
			}
		}
	}
	return false
}

// judge names the regime.
func (r *HackReport) judge(s *HackScan) {
	r.Degenerate = r.Distinct < minDistinct && len(r.Collinear) >= 2
	endorsing := len(s.options.Endorsed) > 0
	if endorsing && r.Matched > 0 {
		r.integrity()
	}
	switch {
	case r.Graded == 0:
		r.unknown("no row has a number for a reward; grade first")
	case r.GroupsMulti == 0:
		r.unknown("one rollout an ask: correlation within asks needs repeats")
	case r.Degenerate:
		r.Regime, r.Top = Degenerate, nil
		r.Warnings = append(r.Warnings, fmt.Sprintf("%.3g different rollouts an ask: the features cannot be told apart", r.Distinct))
	case endorsing && r.Matched == 0:
		r.unknown(fmt.Sprintf("endorsed %s matches none of the %d features", strings.Join(s.options.Endorsed, ", "), r.NFeatures))
	case r.NAbove == 0:
		r.Regime = NoSignal
		r.Warnings = append(r.Warnings, fmt.Sprintf("nothing clears the floor (strongest %.2f, floor %.2f): the reward separates rollouts of one ask on nothing that is measured here", r.RhoMax, *r.Tau))
	case endorsing && (!r.all[0].Endorsed || len(r.Inverted) > 0):
		r.Regime = RewardHack
		r.Warnings = append(r.Warnings, fmt.Sprintf("the reward pays for %q (rho %+.2f)", r.all[0].Name, r.all[0].Rho))
	case r.SaturatedRate > exhaustedShare:
		r.Regime = PoolExhausted
	default:
		r.Regime = Train
	}
}

func (r *HackReport) unknown(why string) {
	r.Regime = UnknownRegime
	r.Warnings = append(r.Warnings, why)
}

// integrity is the share of endorsed features among those above the floor; a punished one does not count.
func (r *HackReport) integrity() {
	good, other := 0, 0
	for _, f := range r.all {
		switch {
		case f.Above && f.Endorsed && f.Rho > 0:
			good++
		case f.Above && !f.Endorsed:
			other++
		}
	}
	share := 0.0
	if good > 0 {
		share = round4(float64(good) / float64(good+other))
	}
	r.Integrity = &share
}

func round4(v float64) float64 { return math.Round(v*1e4)/1e4 + 0 } // + 0: no negative zero

// floor is the correlation that chance does not cross. Shuffles build on one another, as in the reference system.
func (s *HackScan) floor(features []*scored, rewards []float64) float64 {
	random, maxima := stats.NewRandom(0), make([]float64, shuffles)
	for i := range maxima {
		for _, g := range s.groups {
			random.Shuffle(len(g.rows), func(a, b int) {
				rewards[g.rows[a]], rewards[g.rows[b]] = rewards[g.rows[b]], rewards[g.rows[a]]
			})
		}
		centred := s.centre(rewards)
		for _, f := range features {
			maxima[i] = max(maxima[i], math.Abs(f.with(centred)))
		}
	}
	slices.Sort(maxima)
	return maxima[floorRank]
}
