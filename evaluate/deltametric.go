package evaluate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/verifyd/verifyd/internal/stats"
)

// minPaired is the smallest number of tasks on both sides that are compared task by task.
const minPaired = 5

// The verdicts on one metric.
const (
	beforeBetter = "a_better"
	afterBetter  = "b_better"
	noDifference = "no_difference_detected"
	insufficient = "insufficient_data"
)

// MetricDelta is one metric before (a) and after (b). Tasks on both sides are compared with themselves; below five of them the two
// sets of task means are compared, which is weaker.
type MetricDelta struct {
	Metric        string   `json:"metric"`
	Paired        bool     `json:"paired"`
	NPaired       int      `json:"n_paired"`
	OnlyBefore    int      `json:"n_only_a"`
	OnlyAfter     int      `json:"n_only_b"`
	PairedShare   *float64 `json:"paired_share"` // of the tasks of either side; nil where there are none
	Used          int      `json:"n_used"`       // tasks behind the comparison, of the smaller side where unpaired
	MeanBefore    *float64 `json:"mean_a"`
	MeanAfter     *float64 `json:"mean_b"`
	Delta         *float64 `json:"delta"`
	Interval      Interval `json:"ci95"` // of 1-alpha, by resampling tasks
	Level         float64  `json:"level"`
	P             *float64 `json:"p_value"` // by flipping signs of paired differences
	Verdict       string   `json:"verdict"`
	Note          string   `json:"note"`
	LowerIsBetter bool     `json:"lower_is_better"`
	GainVerdict   string   `json:"gain_verdict"` // Verdict with the good direction upwards
	RunStd        *float64 `json:"run_std"`
	NoiseBand     *float64 `json:"noise_band"` // what evaluation runs alone move the difference by, 95 %
	WithinNoise   bool     `json:"within_noise"`

	differences []float64
}

// compareMetric tests one metric; seed is that of its resamples.
func compareMetric(name string, before, after *measured, alpha float64, seed int64) MetricDelta {
	d := MetricDelta{Metric: name, Level: 1 - alpha}
	var a, b []float64
	for _, key := range before.taskKeys() {
		if other := after.tasks[key]; other != nil {
			a, b = append(a, before.tasks[key].mean()), append(b, other.mean())
		} else {
			d.OnlyBefore++
		}
	}
	d.NPaired, d.OnlyAfter = len(a), len(after.tasks)-len(a)
	if all := d.NPaired + d.OnlyBefore + d.OnlyAfter; all > 0 {
		share := float64(d.NPaired) / float64(all)
		d.PairedShare = &share
	}
	if d.NPaired >= minPaired {
		d.pair(a, b, alpha, seed)
	} else {
		d.Note = fmt.Sprintf("fewer than %d shared tasks; unpaired task means, weaker test", minPaired)
		d.unpaired(before.taskMeans(), after.taskMeans(), alpha, seed)
	}
	d.Verdict = d.verdict()
	d.GainVerdict = d.Verdict
	return d
}

func (d *MetricDelta) pair(a, b []float64, alpha float64, seed int64) {
	d.Paired, d.Used = true, len(a)
	d.differences = make([]float64, len(a))
	for i := range a {
		d.differences[i] = b[i] - a[i]
	}
	d.means(a, b)
	lo, hi, _ := stats.Bootstrap(d.differences, alpha, seed)
	d.Interval = &[2]float64{lo, hi}
	p := stats.SignFlip(d.differences, stats.Draws, seed)
	d.P = &p
}

func (d *MetricDelta) unpaired(a, b []float64, alpha float64, seed int64) {
	d.Used = min(len(a), len(b))
	d.means(a, b)
	if lo, hi, ok := stats.BootstrapDifference(a, b, alpha, seed); ok {
		d.Interval = &[2]float64{lo, hi}
	}
}

func (d *MetricDelta) means(a, b []float64) {
	if len(a) > 0 {
		m := stats.Mean(a)
		d.MeanBefore = &m
	}
	if len(b) > 0 {
		m := stats.Mean(b)
		d.MeanAfter = &m
	}
	if d.MeanBefore != nil && d.MeanAfter != nil {
		delta := *d.MeanAfter - *d.MeanBefore
		d.Delta = &delta
	}
}

func (d *MetricDelta) verdict() string {
	switch {
	case d.Interval == nil:
		return insufficient
	case d.Interval[0] > 0:
		return afterBetter
	case d.Interval[1] < 0:
		return beforeBetter
	}
	return noDifference
}

// turn reads the metric with lower values as better.
func (d *MetricDelta) turn() {
	d.LowerIsBetter = true
	switch d.Verdict {
	case afterBetter:
		d.GainVerdict = beforeBetter
	case beforeBetter:
		d.GainVerdict = afterBetter
	}
}

// noise compares the difference with what evaluation runs of one policy differ by: std between runs of na and nb runs a side. With
// df degrees of freedom behind std, Student's quantile is taken; df 0 means that std is known.
func (d *MetricDelta) noise(std float64, df, na, nb int) {
	quantile := stats.Z95
	if df > 0 {
		quantile = stats.Student(0.975, float64(df))
	}
	band := quantile * std * math.Sqrt(1/float64(max(na, 1))+1/float64(max(nb, 1)))
	d.RunStd, d.NoiseBand = &std, &band
	d.WithinNoise = d.Delta != nil && math.Abs(*d.Delta) <= band
}

// sharedMetrics are pass_at_1 and the markers that both sides carry, restricted to names where there are any.
func sharedMetrics(before, after *Side, only []string) []string {
	names := []string{passMetric}
	for _, name := range slices.Sorted(maps.Keys(before.metrics)) {
		if name != passMetric && after.metrics[name] != nil && (len(only) == 0 || namesMetric(only, name)) {
			names = append(names, name)
		}
	}
	return names
}

// namesMetric says whether a list names a metric, with or without the prefix of markers.
func namesMetric(list []string, metric string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return metricName(name) == metric })
}

// metricName completes the name of a marker.
func metricName(name string) string {
	if name == passMetric || len(name) > len(markerPrefix) && name[:len(markerPrefix)] == markerPrefix {
		return name
	}
	return markerPrefix + name
}
