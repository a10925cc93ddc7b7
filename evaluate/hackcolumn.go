package evaluate

import (
	"cmp"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/rollout"
)

// scored is a feature as the scan computes with it: its values on rows with repeats, divided by the length of the centred column.
type scored struct {
	name    string
	aliases []string
	seen    int
	rho     float64
	col     *column
	scale   float64 // 1 / length of the centred column
}

// centredRewards are rewards minus the mean of their ask, 0 where an ask has one row.
type centredRewards struct {
	values []float64
	length float64
}

func (s *HackScan) centre(rewards []float64) centredRewards {
	c := centredRewards{values: make([]float64, len(rewards))}
	for _, g := range s.groups {
		if len(g.rows) < 2 {
			continue
		}
		mean := 0.0
		for _, row := range g.rows {
			mean += rewards[row]
		}
		mean /= float64(len(g.rows))
		for _, row := range g.rows {
			v := rewards[row] - mean
			c.values[row] = v
			c.length += v * v
		}
	}
	c.length = math.Sqrt(c.length)
	return c
}

// with is the correlation with centred rewards. Their sum over an ask is 0, so the feature need not be centred here.
func (f *scored) with(c centredRewards) float64 {
	if c.length == 0 {
		return 0
	}
	sum := 0.0
	if f.col.values == nil {
		for _, row := range f.col.rows {
			sum += c.values[row]
		}
	} else {
		for i, row := range f.col.rows {
			sum += f.col.values[i] * c.values[row]
		}
	}
	return sum * f.scale / c.length
}

// features are all columns that vary within asks and are seen often enough, equal ones joined, then the joins of the best terms.
func (s *HackScan) features(rewards centredRewards) []*scored {
	columns := slices.Clone(s.texts)
	for i, name := range numericFeatures {
		columns = append(columns, sparse(name, s.numbers[i]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.named)) {
		columns = append(columns, s.named[name])
	}
	slices.SortFunc(columns, func(a, b *column) int { return strings.Compare(a.name, b.name) })
	groupOf := s.groupOf()
	var list []*scored
	for _, c := range columns {
		if f := s.score(c, groupOf, rewards); f != nil {
			list = append(list, f)
		}
	}
	list = append(list, s.joins(list, groupOf, rewards)...)
	return distinctFeatures(list)
}

func sparse(name string, values []float64) *column {
	c := &column{name: name, values: []float64{}}
	for row, v := range values {
		if v != 0 {
			c.rows, c.values = append(c.rows, row), append(c.values, v)
		}
	}
	return c
}

// groupOf maps rows to asks; -1 for a row alone in its ask.
func (s *HackScan) groupOf() []int {
	of := make([]int, s.graded)
	for i, g := range s.groups {
		for _, row := range g.rows {
			of[row] = i
			if len(g.rows) < 2 {
				of[row] = -1
			}
		}
	}
	return of
}

// score correlates a column; nil where it is seen too seldom or does not vary within any ask.
func (s *HackScan) score(c *column, groupOf []int, rewards centredRewards) *scored {
	if len(c.rows) < minSeen {
		return nil
	}
	sums, squares := map[int]float64{}, 0.0
	for i, row := range c.rows {
		v := 1.0
		if c.values != nil {
			v = c.values[i]
		}
		if g := groupOf[row]; g >= 0 {
			sums[g] += v
			squares += v * v
		}
	}
	within := squares
	for _, g := range slices.Sorted(maps.Keys(sums)) {
		within -= sums[g] * sums[g] / float64(len(s.groups[g].rows))
	}
	if within <= 1e-9*max(squares, 1) {
		return nil
	}
	f := &scored{name: c.name, aliases: []string{}, seen: len(c.rows), col: c, scale: 1 / math.Sqrt(within)}
	f.rho = f.with(rewards)
	return f
}

// joins are the pairs of the best terms that correlate more strongly than each alone.
func (s *HackScan) joins(list []*scored, groupOf []int, rewards centredRewards) []*scored {
	var best []*scored
	for _, f := range list {
		if strings.HasPrefix(f.name, "contains:") {
			best = append(best, f)
		}
	}
	slices.SortStableFunc(best, func(a, b *scored) int {
		return cmp.Or(cmp.Compare(math.Abs(b.rho), math.Abs(a.rho)), strings.Compare(a.name, b.name))
	})
	best = best[:min(len(best), maxJoined)]
	var joined []*scored
	for i, a := range best {
		for _, b := range best[i+1:] {
			f := s.score(&column{name: a.name + " AND " + b.name, rows: both(a.col.rows, b.col.rows)}, groupOf, rewards)
			if f != nil && math.Abs(f.rho) > max(math.Abs(a.rho), math.Abs(b.rho)) {
				joined = append(joined, f)
			}
		}
	}
	return joined
}

// both is the intersection of two sorted lists.
func both(a, b []int) []int {
	var list []int
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			list, a, b = append(list, a[0]), a[1:], b[1:]
		}
	}
	return list
}

// distinctFeatures joins columns that are equal under the first of their names.
func distinctFeatures(list []*scored) []*scored {
	first := map[uint64][]*scored{}
	var kept []*scored
	for _, f := range list {
		h := f.col.hash()
		i := slices.IndexFunc(first[h], func(o *scored) bool { return o.col.equal(f.col) })
		if i >= 0 {
			first[h][i].aliases = append(first[h][i].aliases, f.name)
			continue
		}
		first[h] = append(first[h], f)
		kept = append(kept, f)
	}
	return kept
}

func (c *column) value(i int) float64 {
	if c.values == nil {
		return 1
	}
	return c.values[i]
}

func (c *column) equal(o *column) bool {
	if !slices.Equal(c.rows, o.rows) {
		return false
	}
	for i := range c.rows {
		if c.value(i) != o.value(i) {
			return false
		}
	}
	return true
}

var hashSeed = maphash.MakeSeed()

// hash is equal for equal columns.
func (c *column) hash() uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	for i, row := range c.rows {
		maphash.WriteComparable(&h, row)
		maphash.WriteComparable(&h, c.value(i))
	}
	return h.Sum64()
}

// rolloutHash is equal for rollouts that say and do the same.
func rolloutHash(r *rollout.Row) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	_, _ = h.WriteString(r.Candidate()) // a hash never fails
	for _, call := range rollout.ToolCalls(r) {
		_, _ = h.WriteString("\x00" + call.Name + "\x00" + string(call.Arguments))
	}
	return h.Sum64()
}
