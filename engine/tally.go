package engine

import (
	"github.com/verifyd/verifyd/judge"
)

// Tally counts verdicts. Its zero value is an empty count. Not safe for concurrent use.
type Tally struct {
	Rows    int64
	Judged  int64 // status ok
	Passed  int64 // reward 1
	Broken  int64 // lines that were no row
	Kept    int64 // taken over from a run that was cut off
	Sum     float64
	Status  map[judge.Status]int64
	Class   map[judge.FailureClass]int64
	Markers map[string]bool // names that were seen, at most maxMarkers

	First      map[judge.Status]Sample // the first row of each status but ok
	Unanswered int64                   // rows that hold nothing to judge: no text final_text, no turn of an assistant
	Bare       Sample                  // the first of them; its reason names the row's keys
}

// Sample is one row of many, for a person who wants to know what happened to them.
type Sample struct {
	Line   int64  // within its file, from 1; 0 where there is none
	File   string // empty where there is but one
	Reason string
}

// maxMarkers bounds the names that are remembered for a warning: what a judge calls its markers is not ours to bound.
const maxMarkers = 64

// Add counts one verdict.
func (t *Tally) Add(v *judge.Verdict) {
	t.Rows++
	if t.Status == nil {
		t.Status, t.Class = map[judge.Status]int64{}, map[judge.FailureClass]int64{}
	}
	t.Status[v.Status]++
	if v.Reward != nil {
		t.Judged++
		t.Sum += *v.Reward
		if *v.Reward == 1 {
			t.Passed++
		}
	}
	if v.FailureClass != "" {
		t.Class[v.FailureClass]++
	}
	for name := range v.Markers {
		t.mark(name)
	}
}

// note keeps the first row of a status.
func (t *Tally) note(status judge.Status, s Sample) {
	if _, ok := t.First[status]; ok || status == judge.OK {
		return
	}
	if t.First == nil {
		t.First = map[judge.Status]Sample{}
	}
	t.First[status] = s
}

func (t *Tally) mark(name string) {
	if t.Markers == nil {
		t.Markers = map[string]bool{}
	}
	if len(t.Markers) < maxMarkers {
		t.Markers[name] = true
	}
}

// Merge adds the counts of another tally, whose rows stand behind those of this one.
func (t *Tally) Merge(o *Tally) {
	t.Rows += o.Rows
	t.Judged += o.Judged
	t.Passed += o.Passed
	t.Broken += o.Broken
	t.Kept += o.Kept
	t.Sum += o.Sum
	if t.Status == nil {
		t.Status, t.Class = map[judge.Status]int64{}, map[judge.FailureClass]int64{}
	}
	for k, n := range o.Status {
		t.Status[k] += n
	}
	for k, n := range o.Class {
		t.Class[k] += n
	}
	for name := range o.Markers {
		t.mark(name)
	}
	for status, s := range o.First {
		t.note(status, s)
	}
	if t.Unanswered == 0 {
		t.Bare = o.Bare
	}
	t.Unanswered += o.Unanswered
}

// reset empties a tally, keeping its maps.
func (t *Tally) reset() {
	status, class, first := t.Status, t.Class, t.First
	clear(status)
	clear(class)
	clear(first)
	*t = Tally{Status: status, Class: class, First: first}
}

// Unjudged is the number of rows without a reward.
func (t *Tally) Unjudged() int64 { return t.Rows - t.Judged }

// Mean is the mean reward of the judged rows; 0 where there is none.
func (t *Tally) Mean() float64 {
	if t.Judged == 0 {
		return 0
	}
	return t.Sum / float64(t.Judged)
}
