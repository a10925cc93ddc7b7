package optimize

import (
	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/rollout"
)

// Options choose what to keep. Zero fields take those of DefaultOptions, but for Band, which is off where it is nil.
type Options struct {
	Mode        string      // rl, sft
	Target      int         // rows to keep; whole groups are taken, so that a few more may come
	Band        *[2]float64 // inclusive pass rates of groups that are kept; nil: all
	EnforceBand bool        // drop groups outside the band; else they come last
	Truncated   string      // drop, keep, penalize (reward 0)
	Order       string      // spread over pass rates, or middle: nearest to one half first
	Select      string      // supervised: top_per_prompt, random_per_prompt, top
	MinReward   float64     // supervised
}

// DefaultOptions are those of the reference system.
func DefaultOptions() Options {
	return Options{Mode: "rl", Target: 1000, Band: &[2]float64{0.2, 0.8}, EnforceBand: true, Truncated: "drop", Order: "spread",
		Select: "top_per_prompt", MinReward: 1}
}

// record is what is kept of a row.
type record struct {
	group     int32
	kind      int32 // of fault
	prompt    int32
	behaviour int32
	label     int8 // 0, 1, or -1 for none
	reason    Reason
	truncated bool
	reward    float64 // NaN for none
	same      [16]byte
}

// Index holds a record a row. Its zero value is empty. Not for concurrent use.
type Index struct {
	records    []record
	groups     interned
	kinds      interned
	prompts    interned
	behaviours interned
	replied    bool // some row has a reply, so that replies are looked at
	checked    int  // rows with privileged values
	evals      int  // rows made for evaluation
	texts      []rowText
}

// rowText are the findings on a row's text, used where any row has one.
type rowText struct{ junk, longOnly, nothing bool }

type interned struct {
	index map[string]int32
	names []string
}

func (s *interned) id(name string) int32 {
	i, ok := s.index[name]
	if !ok {
		if s.index == nil {
			s.index = map[string]int32{}
		}
		i = int32(len(s.names)) //nolint:gosec // fewer rows than that fit into memory
		s.index[name] = i
		s.names = append(s.names, name)
	}
	return i
}

// Add takes a row. It may be reused afterwards.
func (x *Index) Add(r *rollout.Row) {
	way := behaviour(r)
	rec := record{group: x.groups.id(r.Group), kind: x.kinds.id(fault(r)), prompt: x.prompts.id(fold(r.Prompt)), behaviour: x.behaviours.id(way),
		label: -1, truncated: r.Truncated(), reward: nan, same: same(r, way)}
	if passed, ok := evaluate.Label(r); ok {
		rec.label, rec.reward = 0, 0
		if passed {
			rec.label, rec.reward = 1, 1
		}
	} else if v, ok := evaluate.Reward(r); ok {
		rec.reward = v
	}
	checked, leaked := Leaks(r)
	if checked {
		x.checked++
	}
	if leaked {
		rec.reason = PrivilegedLeak
	}
	if r.Candidate() != "" {
		x.replied = true
	}
	if v, ok := r.Lookup("lineage.source"); ok && rollout.ScalarText(v) == "eval" {
		x.evals++
	}
	text := rowText{nothing: rec.label < 0 && doesNothing(r)}
	if !verifiedZero(r, rec.label) {
		text.junk = junk(r, true)
		text.longOnly = !text.junk && junk(r, false)
	}
	x.records, x.texts = append(x.records, rec), append(x.texts, text)
}
