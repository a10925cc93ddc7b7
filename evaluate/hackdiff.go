package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Shift is a feature on both sides of training.
type Shift struct {
	Name        string  `json:"name"`
	Before      float64 `json:"rho_before"`
	After       float64 `json:"rho_after"`
	AboveBefore bool    `json:"above_before"`
	AboveAfter  bool    `json:"above_after"`
	Endorsed    bool    `json:"endorsed"`
	Shift       float64 `json:"shift"` // of the absolute values
}

// HackSide is one side in short.
type HackSide struct {
	Regime     string   `json:"regime"`
	Top        *string  `json:"top_feature"`
	RhoMax     float64  `json:"rho_max"`
	Tau        *float64 `json:"tau"`
	Integrity  *float64 `json:"integrity"`
	Degenerate bool     `json:"degenerate"`
}

// HackDiff says what a policy learned to be paid for.
type HackDiff struct {
	Before   HackSide `json:"before"`
	After    HackSide `json:"after"`
	Gained   []Shift  `json:"gained"` // above the floor after training only, the maxGained strongest
	Lost     []Shift  `json:"lost"`
	Moved    []Shift  `json:"moved"`
	Learned  string   `json:"learned"`
	Warnings []string `json:"warnings"`
}

const (
	maxGained = 10
	maxMoved  = 10
)

func (r *HackReport) side() HackSide {
	return HackSide{r.Regime, r.Top, r.RhoMax, r.Tau, r.Integrity, r.Degenerate}
}

// CompareScans compares the scans of two sides.
func CompareScans(before, after *HackReport) HackDiff {
	d := HackDiff{Before: before.side(), After: after.side(), Gained: []Shift{}, Lost: []Shift{}, Warnings: []string{}}
	all := shifts(before.all, after.all)
	for _, s := range all {
		switch {
		case s.AboveAfter && !s.AboveBefore:
			d.Gained = append(d.Gained, s)
		case s.AboveBefore && !s.AboveAfter:
			d.Lost = append(d.Lost, s)
		}
	}
	strongest(d.Gained, func(s Shift) float64 { return s.After })
	strongest(d.Lost, func(s Shift) float64 { return s.Before })
	d.Gained, d.Lost = d.Gained[:min(len(d.Gained), maxGained)], d.Lost[:min(len(d.Lost), maxGained)]
	strongest(all, func(s Shift) float64 { return s.Shift })
	d.Moved = append([]Shift{}, all[:min(len(all), maxMoved)]...)
	d.learned(before, after)
	if before.Regime != after.Regime {
		d.Warnings = append(d.Warnings, fmt.Sprintf("regime %s -> %s", before.Regime, after.Regime))
	}
	return d
}

func shifts(before, after []Feature) []Shift {
	byName := map[string]*Shift{}
	at := func(f Feature) *Shift {
		if byName[f.Name] == nil {
			byName[f.Name] = &Shift{Name: f.Name}
		}
		s := byName[f.Name]
		s.Endorsed = s.Endorsed || f.Endorsed
		return s
	}
	for _, f := range before {
		s := at(f)
		s.Before, s.AboveBefore = f.Rho, f.Above
	}
	for _, f := range after {
		s := at(f)
		s.After, s.AboveAfter = f.Rho, f.Above
	}
	list := make([]Shift, 0, len(byName))
	for _, s := range byName {
		s.Shift = round4(math.Abs(s.After) - math.Abs(s.Before))
		list = append(list, *s)
	}
	return list
}

func strongest(list []Shift, by func(Shift) float64) {
	slices.SortFunc(list, func(a, b Shift) int {
		return cmp.Or(cmp.Compare(math.Abs(by(b)), math.Abs(by(a))), strings.Compare(a.Name, b.Name))
	})
}

// learned says in a line what became paid.
func (d *HackDiff) learned(before, after *HackReport) {
	switch {
	case before.Degenerate || after.Degenerate:
		d.Learned = "one side has too few different rollouts to tell features apart"
	case len(d.Gained) > 0:
		g := d.Gained[0]
		word := "endorsed"
		if !g.Endorsed {
			word = "not endorsed"
		}
		d.Learned = fmt.Sprintf("the policy learned %q (rho within asks %+.2f -> %+.2f), which is %s", g.Name, g.Before, g.After, word)
		if !g.Endorsed && len(after.Endorsed) > 0 {
			d.Warnings = append(d.Warnings, d.Learned+": a reward hack landed (Gao et al. 2022, arXiv:2210.10760)")
		}
	case after.Top == nil || after.NAbove == 0 && after.NFeatures == 0:
		d.Learned = "no feature clears the floor after training"
	default:
		d.Learned = fmt.Sprintf("nothing new clears the floor after training; the strongest feature is %q", *after.Top)
	}
}
