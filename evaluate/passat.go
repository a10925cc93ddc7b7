package evaluate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/verifyd/verifyd/internal/stats"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// PassAtOptions choose what PassAt estimates.
type PassAtOptions struct {
	K              int  // 0: the smallest number of graded rollouts of a task that has at least two, else 1
	MinK           int  // k-way numbers below it are withheld; 0 means 4
	UnanimousShort bool // a task with fewer than k rollouts that all agree (at least two) counts as it stands
}

// Interval is a 95 % interval; nil where too few tasks give none.
type Interval *[2]float64

// PassAtReport holds pass@1 (the mean over tasks of the share that passed), pass@k, pass^k and intervals by resampling tasks.
type PassAtReport struct {
	K            int                `json:"k"`
	PassAt1      *float64           `json:"pass_at_1"`
	PassHatK     *float64           `json:"pass_pow_k"`
	PassAtK      *float64           `json:"pass_at_k"`
	Headroom     *float64           `json:"headroom"` // pass@k - pass@1: what picking the right rollout would bring
	Groups       int                `json:"n_groups"`
	GroupsAtK    int                `json:"n_groups_at_k"` // tasks behind the k-way numbers
	Imputed      int                `json:"n_groups_imputed"`
	Partial      int                `json:"n_partial"` // rows with a partial reward: they are in no rate
	Rows         int                `json:"n_rows"`    // rows with a binary label
	Note         string             `json:"note"`
	Interval     Interval           `json:"ci95"`
	HatInterval  Interval           `json:"pass_pow_k_ci95"`
	AtKInterval  Interval           `json:"pass_at_k_ci95"`
	Config       Config             `json:"config"`
	PerTask      map[string]float64 `json:"per_task"`
	Unjudged     int                `json:"n_unjudged"` // rows with a status other than ok
	smallest     int
	largest      int
	defaultedToK bool
}

// Tally counts graded rows. Its zero value is empty. It keeps a few numbers a task and no row. Not for concurrent use.
type Tally struct {
	index    map[string]int
	tasks    []taskCount
	settings settings
	all      int
	partial  int
	unjudged int
	status   judge.Status // the first status other than ok, and its reason
	reason   string
	first    float64 // the first reward that was a number
	same     int     // rows with that reward
	numbers  int     // rows with a number
}

type taskCount struct {
	key, prompt string
	passed, n   int
}

// Add counts a row. The row may be reused afterwards.
func (t *Tally) Add(r *rollout.Row) {
	t.all++
	t.settings.add(r)
	t.countStatus(r)
	if v, ok := Reward(r); ok {
		if t.numbers == 0 {
			t.first = v
		}
		if t.numbers++; v == t.first {
			t.same++
		}
	}
	passed, ok := Label(r)
	if !ok {
		if v, ok := Reward(r); ok && v > 0 && v < 1 {
			t.partial++
		}
		return
	}
	task := t.task(r)
	task.n++
	if passed {
		task.passed++
	}
}

func (t *Tally) countStatus(r *rollout.Row) {
	status := judge.Status(r.Text("judge_status"))
	if status == "" || status == judge.OK {
		return
	}
	if t.unjudged++; t.unjudged == 1 {
		t.status, t.reason = status, r.Text("reason")
	}
}

func (t *Tally) task(r *rollout.Row) *taskCount {
	key := r.Group
	i, ok := t.index[key]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.tasks)
		t.index[key] = i
		t.tasks = append(t.tasks, taskCount{key: key, prompt: r.Prompt})
	}
	return &t.tasks[i]
}

// PassAt estimates from what was added so far. The error is about the options.
func (t *Tally) PassAt(o PassAtOptions) (PassAtReport, error) {
	if o.K < 0 {
		return PassAtReport{}, errors.New("k must be at least 1")
	}
	if o.MinK == 0 {
		o.MinK = 4
	}
	r := PassAtReport{K: o.K, Groups: len(t.tasks), Partial: t.partial, Unjudged: t.unjudged, PerTask: map[string]float64{}}
	rates := make([]float64, len(t.tasks))
	for i, c := range t.tasks {
		rates[i] = float64(c.passed) / float64(c.n)
		r.PerTask[c.key] = rates[i]
		r.Rows += c.n
		r.largest = max(r.largest, c.n)
		if c.n >= 2 && (r.smallest == 0 || c.n < r.smallest) {
			r.smallest = c.n
		}
	}
	if r.defaultedToK = o.K == 0; r.defaultedToK {
		r.K = max(r.smallest, 1)
	}
	r.PassAt1, r.Interval = summary(rates)
	if r.K >= o.MinK {
		t.kWay(&r, o)
	}
	r.Config = t.settings.config(r.Groups, r.K)
	r.Note = strings.Join(t.notes(&r, o), "; ")
	return r, nil
}

// kWay fills in the numbers that need k rollouts of a task.
func (t *Tally) kWay(r *PassAtReport, o PassAtOptions) {
	var at, hat []float64
	for _, c := range t.tasks {
		a, ok := stats.PassAt(c.passed, c.n, r.K)
		h, _ := stats.PassHat(c.passed, c.n, r.K)
		if !ok && o.UnanimousShort && c.n >= 2 && (c.passed == 0 || c.passed == c.n) {
			a, ok = float64(c.passed/c.n), true
			h = a
			r.Imputed++
		}
		if ok {
			at, hat = append(at, a), append(hat, h)
		}
	}
	r.GroupsAtK = len(at)
	r.PassAtK, r.AtKInterval = summary(at)
	r.PassHatK, r.HatInterval = summary(hat)
	if r.PassAtK != nil {
		d := *r.PassAtK - *r.PassAt1
		r.Headroom = &d
	}
}

// summary is the mean of one value a task and its interval.
func summary(values []float64) (*float64, Interval) {
	if len(values) == 0 {
		return nil, nil
	}
	mean := stats.Mean(values)
	lo, hi, ok := stats.Bootstrap(values, 0.05, 0)
	if !ok {
		return &mean, nil
	}
	return &mean, &[2]float64{lo, hi}
}

// notes say what a reader of the numbers should know.
func (t *Tally) notes(r *PassAtReport, o PassAtOptions) []string {
	var notes []string
	if t.numbers >= 2 && t.same == t.numbers {
		notes = append(notes, fmt.Sprintf("every row scored %.3g (%d of %d); check the judge before reading this number", t.first, t.same, t.numbers))
	}
	switch {
	case r.Groups == 0 && t.unjudged > 0 && t.numbers == 0:
		why := ""
		if t.reason != "" {
			why = ": " + t.reason
		}
		notes = append(notes, fmt.Sprintf("the judge failed on all %d rows (%s)%s; re-run the judge", t.unjudged, t.status, why))
	case r.Groups == 0:
		notes = append(notes, "no binary rewards; grade first")
	case r.K < o.MinK && r.defaultedToK && r.smallest < o.MinK && r.largest >= o.MinK:
		notes = append(notes, fmt.Sprintf("groups are uneven (%d to %d repeats); k defaults to the smallest: --k %d scores the tasks that have as many",
			r.smallest, r.largest, r.largest))
	case r.K < o.MinK:
		notes = append(notes, fmt.Sprintf("run at least %d rollouts of each task for pass^k and pass@k, or lower --min-k", o.MinK))
	case r.GroupsAtK == 0:
		notes = append(notes, fmt.Sprintf("no task has %d graded rollouts", r.K))
	}
	if r.Groups > 0 && r.Interval == nil {
		notes = append(notes, fmt.Sprintf("no interval: %d tasks, and resampling tasks needs %d; run more tasks, or give rows that are separate items a task_id each",
			r.Groups, stats.MinResample))
	}
	return notes
}
