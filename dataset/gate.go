package dataset

import (
	"fmt"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/optimize"
	"github.com/verifyd/verifyd/rollout"
)

// Refusals of the gate, as their names stand in its errors.
const (
	UngradedRows   = "ungraded_rl_rows"
	NoMixedGroups  = "no_mixed_groups"
	PrivilegedLeak = "privileged_leak"
	RewardHack     = "reward_hack"
	UntrustedJudge = "untrusted_judge"
)

// GateOptions choose what the gate refuses.
type GateOptions struct {
	Mode        string      // rl: the rows are meant for group-relative training whatever their shape
	Band        *[2]float64 // pass rates of groups that teach; others are warned of; nil: 0.2 to 0.8
	StrictHacks bool        // refuse a reward that pays for what is not endorsed
	Trust       string      // require: refuse rewards of a judge that is no program and was never measured; warn (default), off
}

// GateReport says whether rows may be published, and what to know about them.
type GateReport struct {
	OK          bool                 `json:"ok"`
	Refused     string               `json:"refused,omitempty"` // the reason, one of the constants
	Fix         string               `json:"fix,omitempty"`
	RLShaped    bool                 `json:"rl_shaped"` // meant for RL, or some task has several rollouts
	Mode        *string              `json:"mode"`
	Band        [2]float64           `json:"band"`
	Rows        int                  `json:"n_rows"`
	Ungraded    int                  `json:"n_ungraded"`
	Leaks       int                  `json:"n_privileged_leaks"`
	Signal      optimize.Signal      `json:"signal"`
	Calibration optimize.Calibration `json:"calibration"`
	JudgeTrust  *bool                `json:"judge_trust"` // of rewards that a judge's measurement is stamped on; null: not measured
	HackRegime  string               `json:"hack_regime,omitempty"`
	Warnings    []string             `json:"warnings"`
}

// Gate counts rows. Not for concurrent use.
type Gate struct {
	options   GateOptions
	order     []string
	tasks     map[string]*gateTask
	rows      int
	ungraded  int
	leaks     int
	truncated int
	model     int // rewards of a judge that is no program
	measured  int // of them, those with a measurement that says yes
	distrust  int // with one that says no
}

type gateTask struct {
	rows      int
	passed, n int64
}

// NewGate starts a gate.
func NewGate(o GateOptions) *Gate { return &Gate{options: o, tasks: map[string]*gateTask{}} }

// Add counts a row. It may be reused afterwards.
func (g *Gate) Add(r *rollout.Row) {
	g.rows++
	task := g.tasks[r.Group]
	if task == nil {
		task = &gateTask{}
		g.tasks[r.Group] = task
		g.order = append(g.order, r.Group)
	}
	task.rows++
	if passed, ok := evaluate.Label(r); ok {
		task.n++
		if passed {
			task.passed++
		}
	} else {
		g.ungraded++
	}
	if _, leaked := optimize.Leaks(r); leaked {
		g.leaks++
	}
	if r.Truncated() {
		g.truncated++
	}
	g.countTrust(r)
}

// modelKinds are kinds of judges whose rewards are opinions.
var modelKinds = map[string]bool{"model": true, "rubric": true, "reward_model": true, "llm": true}

func (g *Gate) countTrust(r *rollout.Row) {
	kind, _ := r.Lookup("judge_meta.scorer_kind")
	if !modelKinds[rollout.ScalarText(kind)] {
		return
	}
	g.model++
	switch v, _ := r.Lookup("judge_meta.trust.ok"); string(v) {
	case "true":
		g.measured++
	case "false":
		g.distrust++
	}
}

// Report decides. regime is what a hack scan of the rows says, empty where none was made.
func (g *Gate) Report(regime string) GateReport {
	r := GateReport{Band: [2]float64{0.2, 0.8}, Rows: g.rows, Ungraded: g.ungraded, Leaks: g.leaks, HackRegime: regime, Warnings: []string{},
		Calibration: optimize.Calibration{List: []optimize.TaskRate{}}}
	if g.options.Band != nil {
		r.Band = *g.options.Band
	}
	if g.options.Mode != "" {
		r.Mode = &g.options.Mode
	}
	r.RLShaped = g.options.Mode == "rl"
	for _, key := range g.order {
		r.RLShaped = r.RLShaped || g.tasks[key].rows > 1
		g.signal(&r, key)
	}
	r.Calibration.Tasks, r.Calibration.Rows = len(r.Calibration.List), g.rows
	g.trust(&r)
	g.warn(&r)
	r.Refused, r.Fix = g.refusal(&r)
	r.OK = r.Refused == ""
	return r
}

func (g *Gate) signal(r *GateReport, key string) {
	task, s := g.tasks[key], &r.Signal
	if task.n == 0 {
		return
	}
	rate := optimize.NewTaskRate(key, task.passed, task.n)
	r.Calibration.List = append(r.Calibration.List, rate)
	s.Groups++
	switch {
	case task.n == 1:
		s.Single++
		return
	case task.passed == 0:
		s.AllZero++
	case task.passed == task.n:
		s.AllOne++
	default:
		s.Mixed++
	}
	if r.Band[0] <= rate.PassRate && rate.PassRate <= r.Band[1] {
		s.InBand++
	}
	share := float64(s.Mixed) / float64(s.Groups-s.Single)
	s.Rate = &share
}

func (g *Gate) trust(r *GateReport) {
	if g.model == 0 || g.options.Trust == "off" {
		return
	}
	if g.measured+g.distrust > 0 {
		ok := g.distrust == 0 && g.measured == g.model
		r.JudgeTrust = &ok
	}
}

// refusal is the first reason against publication, with what to do about it.
func (g *Gate) refusal(r *GateReport) (reason, fix string) {
	switch {
	case g.leaks > 0:
		return PrivilegedLeak, fmt.Sprintf("%d replies quote what only the verifier may know; drop them (verifyd optimize does)", g.leaks)
	case r.RLShaped && g.ungraded > 0:
		return UngradedRows, fmt.Sprintf("%d of %d rows have no reward of 0 or 1, and a grouped update needs one on each; grade first", g.ungraded, g.rows)
	case r.RLShaped && r.Signal.Mixed == 0:
		return NoMixedGroups, "each group passed or failed as a whole, so that advantages are all zero; take harder or easier tasks, or grade more strictly"
	case g.options.StrictHacks && r.HackRegime == evaluate.RewardHack:
		return RewardHack, "the reward pays for what is not endorsed; verifyd hack-scan shows for what"
	case g.options.Trust == "require" && g.model > 0 && (r.JudgeTrust == nil || !*r.JudgeTrust):
		return UntrustedJudge, "a model's rewards were never measured against people's labels; label some rows and run verifyd trust"
	}
	return "", ""
}

func (g *Gate) warn(r *GateReport) {
	add := func(n int, format string) {
		if n > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf(format, n))
		}
	}
	s := r.Signal
	add(s.AllZero+s.AllOne, "%d groups passed or failed as a whole: they carry no gradient")
	add(s.Mixed-s.InBand, fmt.Sprintf("%%d mixed groups lie outside the band %g to %g", r.Band[0], r.Band[1]))
	add(g.truncated, "%d replies were cut off")
	if !r.RLShaped {
		add(g.ungraded, "%d rows have no reward of 0 or 1")
	}
	if r.JudgeTrust == nil && g.options.Trust != "off" {
		add(g.model, "%d rewards are a model's, and the judge was never measured (verifyd trust)")
	}
	if r.HackRegime == evaluate.RewardHack {
		r.Warnings = append(r.Warnings, "the reward pays for what is not endorsed (verifyd hack-scan)")
	}
}

// Rate is how often a row's task passed; ok is false without labels.
func (g *Gate) Rate(r *rollout.Row) (optimize.TaskRate, bool) {
	task := g.tasks[r.Group]
	if task == nil || task.n == 0 {
		return optimize.TaskRate{}, false
	}
	return optimize.NewTaskRate(r.Group, task.passed, task.n), true
}
