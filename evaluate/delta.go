package evaluate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/internal/stats"
)

// DeltaOptions say what a training run was for, and what it must not cost.
type DeltaOptions struct {
	Target         string          // metric that was to rise: pass_at_1 or a marker; empty: none was named
	MustNotRegress []string        // metrics whose significant fall fails the report
	LowerIsBetter  map[string]bool // metrics by direction, over the defaults
	Markers        []string        // markers to compare; empty: all that both sides carry
	Proxy          string          // the reward that was trained on, where it is not the target
	RunStd         *float64        // standard deviation between evaluation runs of one policy; nil: from rows stamped with runs
	RunStdRuns     int             // evaluation runs behind RunStd; 0: it is known
	Alpha          float64         // 0 means 0.05
	Power          float64         // 0 means 0.8
	Seed           int64
}

// DeltaReport says whether a policy became better, by metric, and whether the two sides can be compared at all.
//
// Words on a metric: moved, moved_unreplicated (one evaluation run a side), within_eval_noise, no_change_detected,
// moved_the_wrong_way, insufficient_data; on the target also target_not_measured.
type DeltaReport struct {
	OK            bool                   `json:"ok"` // no guard fell, the target not the wrong way, nothing over-optimised, comparable
	NotComparable []string               `json:"not_comparable"`
	Target        *string                `json:"target"`
	TargetVerdict *string                `json:"target_verdict"`
	Headline      string                 `json:"headline_verdict"` // the target's, or that of pass_at_1
	TargetDelta   *float64               `json:"target_delta"`
	TargetRange   Interval               `json:"target_ci95"`
	NMetrics      int                    `json:"n_metrics"`
	Alpha         float64                `json:"alpha"`
	Level         float64                `json:"level"`
	FamilyError   float64                `json:"family_error"` // chance of a false alarm on at least one metric
	PairedTasks   int                    `json:"n_paired_tasks"`
	UnpairedTasks int                    `json:"n_unpaired_tasks"`
	Improved      []string               `json:"improved"`
	Regressions   []string               `json:"regressions"` // guarded metrics that fell
	Slipped       []string               `json:"slipped"`     // others that fell
	LowerIsBetter []string               `json:"lower_is_better"`
	WithinNoise   []string               `json:"within_noise"`
	RunStd        *float64               `json:"run_std"`
	RunStdSource  *string                `json:"run_std_source"` // given, eval_run
	NoiseBand     *float64               `json:"noise_band"`
	EvalRuns      map[string]int         `json:"eval_runs"`
	Replicated    bool                   `json:"replicated"`
	Ceiling       bool                   `json:"ceiling"` // the before side leaves little room
	Detectable    *float64               `json:"detectable_effect"`
	TasksNeeded   *int                   `json:"tasks_needed"` // to prove the difference that was seen
	Degenerate    []string               `json:"degenerate_guards"`
	Proxy         *string                `json:"proxy"`
	ProxyVerdict  *string                `json:"proxy_verdict"`
	ProxyDelta    *float64               `json:"proxy_delta"`
	ProxyRange    Interval               `json:"proxy_ci95"`
	OverOptimized bool                   `json:"over_optimized"`
	Metrics       map[string]MetricDelta `json:"metrics"`
	Warnings      []string               `json:"warnings"`
	Config        map[string]Config      `json:"config"`
	Groups        map[string]SliceDelta  `json:"groups"` // the headline metric by slice; null where rows have none
	GroupsWeak    []string               `json:"groups_weak"`

	names []string // of Metrics, in order
}

// ceilingRate is a rate above which there is little left to gain.
const ceilingRate = 0.9

// lowerByDefault are the markers that are better when they are rare.
var lowerByDefault = []string{"boilerplate", "self_reference", "hedging", "refusal", "sycophancy", "truncated"}

// Delta compares two sides. The error is about the options: a name that neither side measures guards nothing, and is refused.
func Delta(before, after *Side, o DeltaOptions) (DeltaReport, error) {
	o.Alpha, o.Power = cmp.Or(o.Alpha, 0.05), cmp.Or(o.Power, 0.8)
	if !(o.Alpha > 0 && o.Alpha < 1 && o.Power > 0 && o.Power < 1) {
		return DeltaReport{}, errors.New("alpha and power are probabilities strictly between 0 and 1")
	}
	r := DeltaReport{NotComparable: []string{}, Alpha: o.Alpha, Level: 1 - o.Alpha, Improved: []string{}, Regressions: []string{}, Slipped: []string{},
		LowerIsBetter: []string{}, WithinNoise: []string{}, Degenerate: []string{}, Warnings: []string{}, GroupsWeak: []string{}, Metrics: map[string]MetricDelta{}}
	r.names = sharedMetrics(before, after, o.Markers)
	if err := checkNames(before.rows+after.rows > 0, r.names, o); err != nil {
		return DeltaReport{}, err
	}
	r.measure(before, after, o)
	r.NMetrics = len(r.names)
	r.FamilyError = math.Round((1-math.Pow(1-o.Alpha, float64(r.NMetrics)))*1e4) / 1e4
	r.direct(o)
	r.judgeTarget(o)
	r.judgeProxy(o)
	r.power(o)
	r.comparable(before, after)
	r.slice(before, after, o)
	r.Config = map[string]Config{"before": before.config(), "after": after.config()}
	wrongWay := r.Headline == "moved_the_wrong_way"
	r.OK = len(r.Regressions) == 0 && !wrongWay && !r.OverOptimized && len(r.NotComparable) == 0
	return r, nil
}

func (s *Side) config() Config {
	report, _ := s.tally.PassAt(PassAtOptions{}) // the zero options are right
	return report.Config
}

// checkNames refuses names of metrics that are not there.
func checkNames(rows bool, measured []string, o DeltaOptions) error {
	if !rows {
		return nil
	}
	check := func(option string, names []string) error {
		for _, name := range names {
			if !slices.Contains(measured, metricName(name)) {
				return fmt.Errorf("%s names %q, which is not on both sides; measured are %s. A marker counts where both files have it",
					option, name, strings.Join(measured, ", "))
			}
		}
		return nil
	}
	return cmp.Or(check("must_not_regress", o.MustNotRegress), check("lower_is_better", slices.Sorted(maps.Keys(o.LowerIsBetter))), check("markers", o.Markers))
}

func (r *DeltaReport) measure(before, after *Side, o DeltaOptions) {
	r.EvalRuns = map[string]int{"before": len(before.metric(passMetric).runs), "after": len(after.metric(passMetric).runs)}
	r.Replicated = r.EvalRuns["before"] >= 2 && r.EvalRuns["after"] >= 2
	for i, name := range r.names {
		a, b := before.metric(name), after.metric(name)
		d := compareMetric(name, a, b, o.Alpha, o.Seed+int64(i))
		if o.RunStd != nil {
			d.noise(*o.RunStd, max(o.RunStdRuns-1, 0), len(a.runs), len(b.runs))
		} else if std, df, ok := runStd(a, b); ok {
			d.noise(std, df, len(a.runs), len(b.runs))
		}
		if d.Note != "" {
			r.Warnings = append(r.Warnings, name+": "+d.Note)
		}
		r.Metrics[name] = d
	}
}

// direct turns the metrics that are better when lower, and sorts what moved where.
func (r *DeltaReport) direct(o DeltaOptions) {
	for _, name := range r.names {
		d := r.Metrics[name]
		lower := namesMetric(lowerByDefault, name)
		for option, value := range o.LowerIsBetter {
			if metricName(option) == name {
				lower = value
			}
		}
		if lower {
			d.turn()
			r.LowerIsBetter = append(r.LowerIsBetter, name)
		}
		r.Metrics[name] = d
		guarded := namesMetric(o.MustNotRegress, name)
		switch {
		case d.WithinNoise:
			r.WithinNoise = append(r.WithinNoise, name)
		case d.GainVerdict == afterBetter:
			r.Improved = append(r.Improved, name)
		case d.GainVerdict == beforeBetter && guarded:
			r.Regressions = append(r.Regressions, name)
			r.Warnings = append(r.Warnings, "REGRESSION "+d.moved()+", named in must_not_regress")
		case d.GainVerdict == beforeBetter:
			r.Slipped = append(r.Slipped, name)
			r.Warnings = append(r.Warnings, d.moved()+", the wrong way")
		}
		if guarded && d.MeanBefore != nil && d.MeanAfter != nil && *d.MeanBefore == *d.MeanAfter && (*d.MeanBefore == 0 || *d.MeanBefore == 1) {
			r.Degenerate = append(r.Degenerate, name)
			r.Warnings = append(r.Warnings, fmt.Sprintf("the guard %s is %g on every task of both sides: it cannot fall", name, *d.MeanBefore))
		}
	}
}

// moved describes a difference in words.
func (d *MetricDelta) moved() string {
	if d.Delta == nil || d.Interval == nil {
		return d.Metric
	}
	return fmt.Sprintf("%s %+.3f (95%% %+.3f..%+.3f)", d.Metric, *d.Delta, d.Interval[0], d.Interval[1])
}

// word is the verdict on a metric in the report's words; unreplicated is the word for a gain that one run a side shows.
func (d *MetricDelta) word(replicated bool) string {
	switch {
	case d.GainVerdict == insufficient:
		return insufficient
	case d.WithinNoise:
		return "within_eval_noise"
	case d.GainVerdict == noDifference:
		return "no_change_detected"
	case d.GainVerdict == beforeBetter:
		return "moved_the_wrong_way"
	case replicated:
		return "moved"
	}
	return "moved_unreplicated"
}

func (r *DeltaReport) judgeTarget(o DeltaOptions) {
	main := r.Metrics[passMetric]
	r.Headline = main.word(r.Replicated)
	if o.Target != "" {
		r.Target = &o.Target
		d, ok := r.Metrics[metricName(o.Target)]
		word := "target_not_measured"
		if ok {
			word, main = d.word(r.Replicated), d
			r.TargetDelta, r.TargetRange, r.Headline = d.Delta, d.Interval, word
		} else {
			r.Warnings = append(r.Warnings, fmt.Sprintf("target %q is not on both sides", o.Target))
		}
		r.TargetVerdict = &word
	}
	r.PairedTasks, r.UnpairedTasks = main.NPaired, main.OnlyBefore+main.OnlyAfter
	r.RunStd, r.NoiseBand = main.RunStd, main.NoiseBand
	if main.RunStd != nil {
		source := "eval_run"
		if o.RunStd != nil {
			source = "given"
		}
		r.RunStdSource = &source
	}
	if r.Headline == "moved_unreplicated" {
		r.Warnings = append(r.Warnings, "one evaluation run a side: this may be noise; three runs of each side tell")
	}
	if main.MeanBefore != nil && *main.MeanBefore > ceilingRate && !main.LowerIsBetter {
		r.Ceiling = true
		r.Warnings = append(r.Warnings, fmt.Sprintf("the before side has %.2f already: there is little room to measure a gain; take harder tasks", *main.MeanBefore))
	}
}

// judgeProxy looks for a training reward that rose while the target did not.
func (r *DeltaReport) judgeProxy(o DeltaOptions) {
	if o.Proxy == "" {
		return
	}
	r.Proxy = &o.Proxy
	target := metricName(cmp.Or(o.Target, passMetric))
	d, ok := r.Metrics[metricName(o.Proxy)]
	var word string
	switch {
	case !ok:
		word = "proxy_not_measured"
		r.Warnings = append(r.Warnings, fmt.Sprintf("proxy %q is not on both sides", o.Proxy))
	case metricName(o.Proxy) == target:
		word = "proxy_is_target"
		r.Warnings = append(r.Warnings, fmt.Sprintf("proxy %q is the target itself; name the reward that was trained on", o.Proxy))
	default:
		word = d.word(true)
	}
	r.ProxyVerdict = &word
	if !ok {
		return
	}
	r.ProxyDelta, r.ProxyRange = d.Delta, d.Interval
	t, measured := r.Metrics[target]
	if word != "moved" || !measured || t.Interval == nil {
		return
	}
	if t.GainVerdict != afterBetter || d.gainLow() > t.gainHigh() {
		r.OverOptimized = true
		r.Warnings = append(r.Warnings, "OVER-OPTIMIZED: "+d.moved()+" while "+t.moved()+": the policy learned something that the target does not credit (Gao et al. 2022, arXiv:2210.10760)")
	}
}

// gainLow and gainHigh bound the gain, the good direction upwards.
func (d *MetricDelta) gainLow() float64 {
	if d.LowerIsBetter {
		return -d.Interval[1]
	}
	return d.Interval[0]
}

func (d *MetricDelta) gainHigh() float64 {
	if d.LowerIsBetter {
		return -d.Interval[0]
	}
	return d.Interval[1]
}

// power says which gain this many tasks can prove, from the spread of the paired differences.
func (r *DeltaReport) power(o DeltaOptions) {
	d := r.Metrics[passMetric]
	if o.Target != "" && r.TargetDelta != nil {
		d = r.Metrics[metricName(o.Target)]
	}
	if len(d.differences) < minPaired {
		return
	}
	spread := (stats.Normal(1-o.Alpha/2) + stats.Normal(o.Power)) * stats.Deviation(d.differences)
	effect := math.Round(spread/math.Sqrt(float64(len(d.differences)))*1e4) / 1e4
	r.Detectable = &effect
	if d.Delta != nil && *d.Delta != 0 {
		n := int(math.Ceil(math.Pow(spread / *d.Delta, 2)))
		r.TasksNeeded = &n
	}
	if d.GainVerdict == noDifference {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d paired tasks can prove a gain of about %.2f at %.0f%% power", len(d.differences), effect, 100*o.Power))
	}
}

// Names are the metrics in order: pass_at_1, then the markers by name.
func (r *DeltaReport) Names() []string { return r.names }
