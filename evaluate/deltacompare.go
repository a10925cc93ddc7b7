package evaluate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/verifyd/verifyd/internal/stats"
)

// What makes two sides no comparison of policies.
const (
	minPairedShare = 0.5  // of the tasks of either side, those that both have
	maxGap         = 0.10 // between the shares of rows that answered, or were graded, where it is also significant
	gapP           = 0.01
)

// comparable names what else than the policy differs between the sides.
func (r *DeltaReport) comparable(before, after *Side) {
	d := r.Metrics[passMetric]
	add := func(cause, text string) {
		r.NotComparable = append(r.NotComparable, cause)
		r.Warnings = append(r.Warnings, "NOT COMPARABLE: "+text)
	}
	if d.PairedShare != nil && *d.PairedShare < minPairedShare {
		add("situations", fmt.Sprintf("only %d of %d tasks are on both sides, so two sets of tasks are compared, not two policies; run the after side on the tasks of the before side",
			d.NPaired, d.NPaired+d.OnlyBefore+d.OnlyAfter))
	}
	a, b := before.config(), after.config()
	for _, s := range []struct {
		name   string
		before *string
		after  *string
	}{{"prompt_hash", a.PromptHash, b.PromptHash}, {"user_model", a.UserModel, b.UserModel}, {"writer_model", a.WriterModel, b.WriterModel}} {
		if s.before != nil && s.after != nil && *s.before != *s.after {
			add(s.name, fmt.Sprintf("%s differs: %s and %s", s.name, *s.before, *s.after))
		}
	}
	for _, s := range []struct {
		name, what    string
		before, after share
	}{
		{"answered", "say something", before.tally.settings.answered, after.tally.settings.answered},
		{"graded_share", "have a grade", before.tally.settings.graded, after.tally.settings.graded},
	} {
		if p, ok := gap(s.before, s.after); ok {
			add(s.name, fmt.Sprintf("%.0f%% of the before rows and %.0f%% of the after rows %s (two-proportion test, p=%.2g)",
				100*rate(s.before), 100*rate(s.after), s.what, p))
		}
	}
}

func rate(s share) float64 { return float64(s.yes) / float64(s.of) }

// gap says whether two shares differ by more than chance and maxGap.
func gap(a, b share) (p float64, ok bool) {
	if a.of == 0 || b.of == 0 || math.Abs(rate(a)-rate(b)) <= maxGap {
		return 0, false
	}
	p = stats.TwoProportions(int64(a.yes), int64(a.of), int64(b.yes), int64(b.of))
	return p, p < gapP
}

// SliceDelta is the headline metric on the rows of one slice.
type SliceDelta struct {
	MetricDelta
	RowsBefore int  `json:"rows_a"`
	RowsAfter  int  `json:"rows_b"`
	LowN       bool `json:"low_n"` // fewer paired tasks than a slice is judged by
	Weak       bool `json:"weak"`  // passes less than half, or shows no gain below the ceiling
}

// minSliceTasks is the smallest number of paired tasks that a slice is judged by.
const minSliceTasks = 6

func (r *DeltaReport) slice(before, after *Side, o DeltaOptions) {
	metric := passMetric
	if r.TargetDelta != nil {
		metric = metricName(o.Target)
	}
	for _, name := range slices.Sorted(maps.Keys(before.slices)) {
		a, b := before.slices[name], after.slices[name]
		if b == nil {
			continue
		}
		d := SliceDelta{MetricDelta: compareMetric(metric, a.metric(metric), b.metric(metric), o.Alpha, o.Seed), RowsBefore: a.rows, RowsAfter: b.rows}
		if r.Metrics[metric].LowerIsBetter {
			d.turn()
		}
		d.LowN = d.NPaired < minSliceTasks
		if !d.LowN && d.MeanAfter != nil && !d.LowerIsBetter {
			d.Weak = *d.MeanAfter < 0.5 || d.GainVerdict != afterBetter && *d.MeanAfter < ceilingRate
		}
		if d.Weak {
			r.GroupsWeak = append(r.GroupsWeak, name)
		}
		if r.Groups == nil {
			r.Groups = map[string]SliceDelta{}
		}
		r.Groups[name] = d
	}
}
