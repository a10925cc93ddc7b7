package optimize

import (
	"math"

	"github.com/verifyd/verifyd/internal/stats"
)

// Duplicates counts equal rows. N, Kept and Rate are nil where rows have no replies to compare.
type Duplicates struct {
	N         *int     `json:"n,omitempty"`
	Kept      *int     `json:"n_kept,omitempty"`
	Dropped   int      `json:"n_dropped"`
	Groups    int      `json:"groups_affected"`
	Rate      *float64 `json:"duplicate_rate,omitempty"`
	Conflicts int      `json:"conflicting_rewards"` // equal rows with different labels
}

// Gates counts rows that were dropped on their own account.
type Gates struct {
	DoNothing      int `json:"do_nothing"`
	IncompleteJunk int `json:"incomplete_junk"`
	UnusableLabel  int `json:"unusable_label"`
}

// BandDropped counts groups outside the band.
type BandDropped struct {
	TooEasy int `json:"too_easy"`
	TooHard int `json:"too_hard"`
}

// Signal says what a group-relative method learns from the selection.
type Signal struct {
	Groups  int      `json:"n_groups"`
	Single  int      `json:"n_single"`
	Mixed   int      `json:"n_mixed"`
	AllZero int      `json:"n_all_zero"`
	AllOne  int      `json:"n_all_one"`
	InBand  int      `json:"n_in_band"`
	Rate    *float64 `json:"mixed_rate"` // of the groups of two or more
}

func (s *Signal) add(g *group, inBand bool) {
	s.Groups++
	switch {
	case len(g.rows) == 1:
		s.Single++
	case g.mixed():
		s.Mixed++
	case g.passed == 0:
		s.AllZero++
	default:
		s.AllOne++
	}
	if len(g.rows) > 1 && inBand {
		s.InBand++
	}
	if n := s.Groups - s.Single; n > 0 {
		rate := float64(s.Mixed) / float64(n)
		s.Rate = &rate
	}
}

// TaskRate is how often a task passed, before anything was dropped.
type TaskRate struct {
	ID       string     `json:"task_id"`
	N        int        `json:"n"`
	PassRate float64    `json:"pass_rate"`
	Interval [2]float64 `json:"pass_rate_ci95"` // Wilson's, four digits
}

// Calibration holds the rates of the tasks that were kept.
type Calibration struct {
	Tasks int        `json:"n_tasks"` // with a label
	Rows  int        `json:"n_rows"`
	List  []TaskRate `json:"tasks"`

	rates map[int32]TaskRate
}

// Report says what was kept and why the rest was not. Fields of the other mode are zero.
type Report struct {
	Mode        string         `json:"mode"`
	N           int            `json:"n"`
	Target      int            `json:"target"`
	Selected    int            `json:"n_selected"`
	Dropped     map[string]int `json:"dropped"` // rows by their one reason
	LeakChecked int            `json:"n_privileged_checked"`
	Leaks       int            `json:"privileged_leaks_dropped"`
	EvalSourced int            `json:"eval_sourced_input"` // rows that were made for evaluation
	Warning     string         `json:"warning,omitempty"`

	AfterGates  int            `json:"n_after_gates"`
	Gates       Gates          `json:"gates"`
	AfterTrim   int            `json:"n_after_trim"`
	Unanimous   int            `json:"unanimous_groups_dropped"` // collapsed ones among them
	Collapsed   int            `json:"collapsed_groups_dropped"`
	Groups      int            `json:"groups_selected"`
	FaultKinds  map[string]int `json:"fault_kinds"` // groups to choose from, by the fault that they met
	Band        *[2]float64    `json:"band"`
	EnforceBand bool           `json:"enforce_band"`
	BandGroups  int            `json:"band_groups_dropped"`
	BandDropped BandDropped    `json:"band_dropped"`
	Duplicates  Duplicates     `json:"duplicates"`
	Truncated   string         `json:"truncated_policy"`
	CutDropped  int            `json:"truncated_dropped"`
	CutKept     int            `json:"truncated_kept"`
	CutFailed   int            `json:"truncated_penalized"`
	Signal      Signal         `json:"signal"`
	Calibration Calibration    `json:"calibration"`

	Eligible   int     `json:"n_eligible"`
	NotPassing int     `json:"n_not_pass"`
	Junk       int     `json:"n_junk"`
	Behaviours int     `json:"unique_behaviors"`
	Select     string  `json:"selection"`
	MinReward  float64 `json:"min_reward"`
}

func (r *Report) start(x *Index, o *Options) {
	*r = Report{Mode: o.Mode, N: len(x.records), Target: o.Target, Dropped: map[string]int{}, LeakChecked: x.checked, EvalSourced: x.evals,
		FaultKinds: map[string]int{}, Band: o.Band, EnforceBand: o.EnforceBand, Truncated: o.Truncated, Select: o.Select, MinReward: o.MinReward,
		Calibration: Calibration{List: []TaskRate{}}}
}

// calibrate measures each task on all its labelled rows.
func (r *Report) calibrate(x *Index, recs []record) {
	type count struct{ passed, n int64 }
	counts := map[int32]count{}
	for i := range recs {
		if c := counts[recs[i].group]; recs[i].label >= 0 {
			c.n++
			c.passed += int64(recs[i].label)
			counts[recs[i].group] = c
		}
	}
	r.Calibration.Tasks, r.Calibration.rates = len(counts), map[int32]TaskRate{}
	for id, c := range counts {
		r.Calibration.rates[id] = NewTaskRate(x.groups.names[id], c.passed, c.n)
	}
}

// NewTaskRate is the rate of passed among n > 0 labels.
func NewTaskRate(task string, passed, n int64) TaskRate {
	lo, hi := stats.Wilson(passed, n, stats.Z95)
	return TaskRate{task, int(n), float64(passed) / float64(n), [2]float64{round4(lo), round4(hi)}}
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// Stamp is what the selection writes into a kept row.
type Stamp struct {
	Rate      TaskRate
	Penalized bool // a truncated row whose reward became 0
}

// Stamp is what to write into a kept row; ok is false in supervised mode, which writes nothing.
func (s *Selection) Stamp(row int) (stamp Stamp, ok bool) {
	stamp, ok = s.stamps[row]
	return stamp, ok
}

// finish counts, and warns of a selection that teaches nothing.
func (s *selecting) finish() Selection {
	r := &s.report
	r.Selected = len(s.kept)
	for i := range s.recs {
		if why := s.recs[i].reason; why != Kept {
			r.Dropped[why.String()]++
		}
	}
	r.Leaks = s.count(PrivilegedLeak)
	stamps := map[int]Stamp{}
	if s.options.Mode == "rl" {
		r.Gates = Gates{DoNothing: s.count(DoNothing), IncompleteJunk: s.count(IncompleteJunk), UnusableLabel: s.count(UnusableLabel)}
		r.CutDropped = s.count(TruncatedReply)
		s.stamp(stamps)
		if r.Signal.Mixed == 0 {
			r.Warning = "no_mixed_groups: each selected group is unanimous or single, so that group-relative advantages are all zero; grade more strictly or take harder tasks"
		}
	}
	return Selection{Rows: s.kept, Report: *r, stamps: stamps}
}

func (s *selecting) stamp(stamps map[int]Stamp) {
	c, seen := &s.report.Calibration, map[int32]bool{}
	c.Rows = len(s.kept)
	for _, i := range s.kept {
		rec := &s.recs[i]
		rate := c.rates[rec.group]
		if !seen[rec.group] {
			seen[rec.group] = true
			c.List = append(c.List, rate)
		}
		stamps[i] = Stamp{Rate: rate, Penalized: rec.truncated && s.options.Truncated == "penalize"}
	}
	for i := range s.recs {
		if s.recs[i].truncated && s.recs[i].reason == Kept {
			switch s.options.Truncated {
			case "keep":
				s.report.CutKept++
			case "penalize":
				s.report.CutFailed++
			}
		}
	}
}
