package optimize

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
)

var nan = math.NaN()

// group is a task with the rows that are left of it.
type group struct {
	id     int32
	rows   []int
	before int // rows that passed the gates
	passed int
	kind   int32
}

func (g *group) rate() float64 { return float64(g.passed) / float64(len(g.rows)) }

func (g *group) mixed() bool { return g.passed > 0 && g.passed < len(g.rows) }

// check refuses options that mean nothing.
func (o *Options) check() error {
	oneOf := func(name, value string, words ...string) error {
		if slices.Contains(words, value) {
			return nil
		}
		return fmt.Errorf("%s must be one of %v; got %q", name, words, value)
	}
	if b := o.Band; b != nil && !(0 <= b[0] && b[0] <= b[1] && b[1] <= 1) {
		return fmt.Errorf("band must satisfy 0 <= lo <= hi <= 1, got %g,%g", b[0], b[1])
	}
	return cmp.Or(oneOf("mode", o.Mode, "rl", "sft"), oneOf("truncated", o.Truncated, "drop", "keep", "penalize"), oneOf("order", o.Order, "spread", "middle"),
		oneOf("select", o.Select, "top_per_prompt", "random_per_prompt", "top"))
}

// Selection are the rows to keep, by their number in the order of Add, and how.
type Selection struct {
	Rows   []int
	Report Report
	stamps map[int]Stamp
}

// Select chooses rows. The error is about the options. The index can be asked again with other options.
func (x *Index) Select(o Options) (Selection, error) {
	d := DefaultOptions()
	o.Mode, o.Target, o.Truncated, o.Order, o.Select = cmp.Or(o.Mode, d.Mode), cmp.Or(o.Target, d.Target), cmp.Or(o.Truncated, d.Truncated), cmp.Or(o.Order, d.Order), cmp.Or(o.Select, d.Select)
	if err := o.check(); err != nil {
		return Selection{}, err
	}
	s := &selecting{Index: x, options: o, recs: slices.Clone(x.records)}
	s.report.start(x, &o)
	if o.Mode == "sft" {
		s.supervised()
	} else {
		s.reinforced()
	}
	return s.finish(), nil
}

// selecting is one call of Select.
type selecting struct {
	*Index
	options Options
	recs    []record
	report  Report
	groups  []*group
	kept    []int
}

// reinforced keeps whole groups that carry gradient.
func (s *selecting) reinforced() {
	s.report.calibrate(s.Index, s.recs)
	s.penalize()
	s.gate()
	s.report.AfterGates = s.left()
	before := s.groupSizes()
	s.dropDuplicates()
	if s.options.Truncated == "drop" {
		s.dropEach(TruncatedReply, func(i int) bool { return s.recs[i].truncated })
	}
	s.makeGroups(before)
	s.dropGroups()
	s.report.AfterTrim = s.left()
	s.take(s.ordered())
}

// penalize turns truncated rows into failures.
func (s *selecting) penalize() {
	if s.options.Truncated != "penalize" {
		return
	}
	for i := range s.recs {
		if r := &s.recs[i]; r.truncated && r.label >= 0 {
			r.label, r.reward = 0, 0
		}
	}
}

// gate drops rows on their own account.
func (s *selecting) gate() {
	stays := s.options.Truncated != "drop" && s.options.Mode == "rl" // cut rows have a policy of their own
	for i := range s.recs {
		r, text := &s.recs[i], s.texts[i]
		switch {
		case r.reason != Kept:
		case s.replied && (text.junk || text.longOnly && !stays):
			r.reason = IncompleteJunk
		case s.replied && text.nothing:
			r.reason = DoNothing
		case r.label < 0 && s.options.Mode == "rl":
			r.reason = UnusableLabel
		}
	}
}

func (s *selecting) left() int {
	n := 0
	for i := range s.recs {
		if s.recs[i].reason == Kept {
			n++
		}
	}
	return n
}

func (s *selecting) groupSizes() map[int32]int {
	sizes := map[int32]int{}
	for i := range s.recs {
		if s.recs[i].reason == Kept {
			sizes[s.recs[i].group]++
		}
	}
	return sizes
}

func (s *selecting) dropEach(why Reason, is func(i int) bool) {
	for i := range s.recs {
		if s.recs[i].reason == Kept && is(i) {
			s.recs[i].reason = why
		}
	}
}

// dropDuplicates keeps the first of equal rows. Without replies nothing tells rows apart, and all stay.
func (s *selecting) dropDuplicates() {
	d := &s.report.Duplicates
	if !s.replied {
		return
	}
	first, affected := map[[16]byte]int{}, map[int32]bool{}
	conflicts := map[[16]byte]bool{}
	n := s.left()
	s.dropEach(Duplicate, func(i int) bool {
		r := &s.recs[i]
		j, seen := first[r.same]
		if !seen {
			first[r.same] = i
			return false
		}
		d.Dropped++
		affected[r.group] = true
		if s.recs[j].label != r.label {
			conflicts[r.same] = true
		}
		return true
	})
	kept, rate := n-d.Dropped, 0.0
	if n > 0 {
		rate = float64(d.Dropped) / float64(n)
		d.N, d.Kept, d.Rate = &n, &kept, &rate
	}
	d.Groups, d.Conflicts = len(affected), len(conflicts)
}

// makeGroups gathers what is left, in the order of the rows.
func (s *selecting) makeGroups(before map[int32]int) {
	byID := map[int32]*group{}
	for i := range s.recs {
		r := &s.recs[i]
		if r.reason != Kept {
			continue
		}
		g := byID[r.group]
		if g == nil {
			g = &group{id: r.group, before: before[r.group], kind: r.kind}
			byID[r.group] = g
			s.groups = append(s.groups, g)
		}
		if s.kinds.names[g.kind] == noFault {
			g.kind = r.kind
		}
		g.rows = append(g.rows, i)
		if r.label == 1 {
			g.passed++
		}
	}
}

// dropGroups drops groups without gradient and, where that is asked for, outside the band. A task that had one rollout stays.
func (s *selecting) dropGroups() {
	s.groups = slices.DeleteFunc(s.groups, func(g *group) bool {
		why := s.against(g)
		for _, i := range g.rows {
			s.recs[i].reason = why
		}
		return why != Kept
	})
}

func (s *selecting) against(g *group) Reason {
	b := s.options.Band
	switch {
	case len(g.rows) == 1 && g.before > 1:
		s.report.Unanimous++
		s.report.Collapsed++
		return Collapsed
	case len(g.rows) > 1 && !g.mixed():
		s.report.Unanimous++
		return Unanimous
	case len(g.rows) > 1 && b != nil && s.options.EnforceBand && g.rate() > b[1]:
		s.report.BandDropped.TooEasy++
	case len(g.rows) > 1 && b != nil && s.options.EnforceBand && g.rate() < b[0]:
		s.report.BandDropped.TooHard++
	default:
		return Kept
	}
	s.report.BandGroups++
	return OutOfBand
}

// ordered puts groups in the order in which they are taken: mixed ones in the band, then the rest; within each, kinds of fault in
// turn, and of one kind the rates in turn or those nearest to one half first.
func (s *selecting) ordered() []*group {
	var first, last []*group
	for _, g := range s.groups {
		if g.mixed() && s.inBand(g) {
			first = append(first, g)
		} else {
			last = append(last, g)
		}
	}
	return append(s.inTurn(s.byRate(first)), s.inTurn(s.byRate(last))...)
}

func (s *selecting) inBand(g *group) bool {
	b := s.options.Band
	return b == nil || b[0] <= g.rate() && g.rate() <= b[1]
}

// byRate orders groups; tasks of one rate by a hash of their key, so that no order of the file shows.
func (s *selecting) byRate(groups []*group) []*group {
	type keyed struct {
		*group
		key [32]byte
	}
	list := make([]keyed, len(groups))
	for i, g := range groups {
		list[i] = keyed{g, sha256.Sum256([]byte(":" + s.Index.groups.names[g.id]))}
	}
	distance := func(g keyed) float64 {
		if s.options.Order == "middle" {
			return math.Abs(g.rate() - 0.5)
		}
		return g.rate()
	}
	slices.SortFunc(list, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), slices.Compare(a.key[:], b.key[:]))
	})
	sorted := make([]*group, len(list))
	for i, g := range list {
		sorted[i] = g.group
	}
	if s.options.Order == "middle" {
		return sorted
	}
	return turns(sorted, func(g *group) float64 { return g.rate() })
}

func (s *selecting) inTurn(groups []*group) []*group {
	return turns(groups, func(g *group) int32 { return g.kind })
}

// turns takes one of each class in turn, classes in the order of their first member.
func turns[K comparable](groups []*group, class func(*group) K) []*group {
	var classes []K
	byClass := map[K][]*group{}
	for _, g := range groups {
		k := class(g)
		if byClass[k] == nil {
			classes = append(classes, k)
		}
		byClass[k] = append(byClass[k], g)
	}
	taken := make([]*group, 0, len(groups))
	for len(classes) > 0 {
		classes = slices.DeleteFunc(classes, func(k K) bool {
			taken, byClass[k] = append(taken, byClass[k][0]), byClass[k][1:]
			return len(byClass[k]) == 0
		})
	}
	return taken
}

// take keeps whole groups until there are enough rows.
func (s *selecting) take(groups []*group) {
	s.report.FaultKinds = map[string]int{}
	for _, g := range groups {
		s.report.FaultKinds[s.kinds.names[g.kind]]++
		if len(s.kept) >= s.options.Target {
			for _, i := range g.rows {
				s.recs[i].reason = BeyondTarget
			}
			continue
		}
		s.report.Groups++
		s.kept = append(s.kept, g.rows...)
		s.report.Signal.add(g, s.inBand(g))
	}
}
