package evaluate

import (
	"maps"
	"math"
	"slices"

	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/rollout"
)

// passMetric is the metric that every side has.
const passMetric = "pass_at_1"

// markerPrefix stands before the name of a marker where it is a metric.
const markerPrefix = "marker:"

// Side counts the graded rows of one policy for Delta: a sum a task and metric, no row. Its zero value is empty. Not for
// concurrent use.
type Side struct {
	By string // member that slices rows; empty: `category` or `slice`, whichever rows have

	rows    int
	metrics map[string]*measured
	slices  map[string]*Side
	tally   Tally
}

// measured are the values of one metric, by task and by evaluation run.
type measured struct {
	tasks map[string]*sum
	runs  map[string]*sum
}

type sum struct {
	total float64
	n     int
}

func (s *sum) mean() float64 { return s.total / float64(s.n) }

// Add counts a row. The row may be reused afterwards.
func (s *Side) Add(r *rollout.Row) {
	s.add(r)
	s.tally.Add(r)
	name := s.slice(r)
	if name == "" {
		return
	}
	if s.slices == nil {
		s.slices = map[string]*Side{}
	}
	part := s.slices[name]
	if part == nil {
		part = &Side{}
		s.slices[name] = part
	}
	part.add(r)
}

func (s *Side) slice(r *rollout.Row) string {
	if s.By != "" {
		return lookup(r, s.By)
	}
	if v := r.Text("category"); v != "" {
		return v
	}
	return r.Text("slice")
}

func (s *Side) add(r *rollout.Row) {
	s.rows++
	if passed, ok := Label(r); ok {
		v := 0.0
		if passed {
			v = 1
		}
		s.measure(passMetric, r, v)
	}
	if markers, ok := r.Get("markers"); ok && markers.Kind() == '{' {
		for name, raw := range rollout.Members(markers) {
			if v, ok := number(raw); ok && raw.Kind() == '0' {
				s.measure(markerPrefix+name, r, v)
			}
		}
	}
}

func (s *Side) measure(metric string, r *rollout.Row, v float64) {
	if s.metrics == nil {
		s.metrics = map[string]*measured{}
	}
	m := s.metrics[metric]
	if m == nil {
		m = &measured{tasks: map[string]*sum{}, runs: map[string]*sum{}}
		s.metrics[metric] = m
	}
	addTo(m.tasks, r.Group, v)
	if run := lookup(r, "lineage.eval_run"); run != "" {
		addTo(m.runs, run, v)
	}
}

func addTo(sums map[string]*sum, key string, v float64) {
	to := sums[key]
	if to == nil {
		to = &sum{}
		sums[key] = to
	}
	to.total += v
	to.n++
}

// metric is never nil.
func (s *Side) metric(name string) *measured {
	if m := s.metrics[name]; m != nil {
		return m
	}
	return &measured{}
}

// taskKeys are the tasks with a value, in order.
func (m *measured) taskKeys() []string { return slices.Sorted(maps.Keys(m.tasks)) }

func (m *measured) taskMeans() []float64 {
	means := make([]float64, 0, len(m.tasks))
	for _, key := range m.taskKeys() {
		means = append(means, m.tasks[key].mean())
	}
	return means
}

// runMeans are the means of the evaluation runs that rows are stamped with, in order of their names.
func (m *measured) runMeans() []float64 {
	var means []float64
	for _, key := range slices.Sorted(maps.Keys(m.runs)) {
		means = append(means, m.runs[key].mean())
	}
	return means
}

// runStd is the standard deviation between the runs of both sides, pooled, with its degrees of freedom; ok is false where no
// side has two runs.
func runStd(before, after *measured) (std float64, df int, ok bool) {
	sumOfSquares := 0.0
	for _, m := range [...]*measured{before, after} {
		if means := m.runMeans(); len(means) >= 2 {
			d := stats.Deviation(means)
			sumOfSquares += d * d * float64(len(means)-1)
			df += len(means) - 1
		}
	}
	if df == 0 {
		return 0, 0, false
	}
	return math.Sqrt(sumOfSquares / float64(df)), df, true
}
