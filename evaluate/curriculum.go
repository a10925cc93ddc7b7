package evaluate

import (
	"cmp"
	"slices"
)

// Thresholds sort tasks by pass rate: above Solved a task teaches nothing more, below Floor nothing yet, and fewer than MinRollouts
// labels say nothing. Zero fields take DefaultThresholds.
type Thresholds struct {
	Solved      float64    `json:"solved"`
	Floor       float64    `json:"floor"`
	Band        [2]float64 `json:"band"` // inclusive: tasks with the most gradient
	MinRollouts int        `json:"min_rollouts"`
}

// DefaultThresholds are those of the reference system.
func DefaultThresholds() Thresholds {
	return Thresholds{Solved: 0.8, Floor: 0.2, Band: [2]float64{0.2, 0.8}, MinRollouts: 2}
}

// TaskRate is a task with its graded rollouts.
type TaskRate struct {
	ID       string  `json:"task_id"`
	Prompt   string  `json:"prompt"`
	N        int     `json:"n"` // rows with a binary label
	PassRate float64 `json:"pass_rate"`
}

// CurriculumReport is an order in which to train: trainable tasks, easy ones first, in three tiers of equal size.
type CurriculumReport struct {
	Tasks      int           `json:"n_tasks"`
	NTrainable int           `json:"n_trainable"`
	NSolved    int           `json:"n_solved"`
	NNotReady  int           `json:"n_not_ready"`
	NThin      int           `json:"n_thin"`
	NInBand    int           `json:"n_in_band"`
	Thresholds Thresholds    `json:"thresholds"`
	Schedule   []string      `json:"schedule"`
	Trainable  []TaskRate    `json:"trainable"`
	Retired    []TaskRate    `json:"retired"`
	NotReady   []TaskRate    `json:"not_ready"`
	Thin       []TaskRate    `json:"thin"` // too few labels
	Tiers      [3][]TaskRate `json:"tiers"`
}

// rates are the tasks in the order of their first label.
func (t *Tally) rates() []TaskRate {
	list := make([]TaskRate, len(t.tasks))
	for i, c := range t.tasks {
		list[i] = TaskRate{ID: c.key, Prompt: c.prompt, N: c.n, PassRate: float64(c.passed) / float64(c.n)}
	}
	return list
}

// Curriculum sorts the tasks that were added.
func (t *Tally) Curriculum(th Thresholds) CurriculumReport {
	r := CurriculumReport{Tasks: len(t.tasks), Thresholds: th, Schedule: []string{}, Trainable: []TaskRate{}, Retired: []TaskRate{}, NotReady: []TaskRate{}, Thin: []TaskRate{}}
	for i := range r.Tiers {
		r.Tiers[i] = []TaskRate{}
	}
	for _, task := range t.rates() {
		switch {
		case task.N < th.MinRollouts:
			r.Thin = append(r.Thin, task)
		case task.PassRate > th.Solved:
			r.Retired = append(r.Retired, task)
		case task.PassRate < th.Floor:
			r.NotReady = append(r.NotReady, task)
		default:
			r.Trainable = append(r.Trainable, task)
		}
		if task.N >= th.MinRollouts && th.Band[0] <= task.PassRate && task.PassRate <= th.Band[1] {
			r.NInBand++
		}
	}
	slices.SortStableFunc(r.Trainable, func(a, b TaskRate) int { return cmp.Compare(b.PassRate, a.PassRate) })
	for i, task := range r.Trainable {
		r.Schedule = append(r.Schedule, task.ID)
		tier := i * len(r.Tiers) / len(r.Trainable)
		r.Tiers[tier] = append(r.Tiers[tier], task)
	}
	r.NTrainable, r.NSolved, r.NNotReady, r.NThin = len(r.Trainable), len(r.Retired), len(r.NotReady), len(r.Thin)
	return r
}

// Solved are the keys of the tasks that pass more often than th.Solved: all their rows leave the training set.
func (t *Tally) Solved(th Thresholds) map[string]bool {
	solved := map[string]bool{}
	for _, task := range t.rates() {
		if task.N >= th.MinRollouts && task.PassRate > th.Solved {
			solved[task.ID] = true
		}
	}
	return solved
}

// Tasks is the number of tasks with a label.
func (t *Tally) Tasks() int { return len(t.tasks) }
