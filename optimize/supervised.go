package optimize

import (
	"cmp"
	"slices"

	"github.com/verifyd/verifyd/internal/stats"
)

// supervised keeps the best reply of each prompt, behaviours in turn.
func (s *selecting) supervised() {
	s.gate()
	for i := range s.recs {
		if s.recs[i].reason == IncompleteJunk || s.recs[i].reason == DoNothing {
			s.report.Junk++
		}
	}
	s.dropEach(NotPassing, func(i int) bool { return !(s.recs[i].reward >= s.options.MinReward) })
	s.report.NotPassing = s.count(NotPassing)
	chosen := s.onePerPrompt()
	s.report.Eligible = len(chosen)
	ways := map[int32]bool{}
	for _, i := range chosen {
		ways[s.recs[i].behaviour] = true
	}
	s.report.Behaviours = len(ways)
	for _, i := range s.byBehaviour(chosen) {
		if len(s.kept) >= s.options.Target {
			s.recs[i].reason = BeyondTarget
			continue
		}
		s.kept = append(s.kept, i)
	}
}

func (s *selecting) count(why Reason) int {
	n := 0
	for i := range s.recs {
		if s.recs[i].reason == why {
			n++
		}
	}
	return n
}

// onePerPrompt are the rows that stand for their prompts, or all where all may stay.
func (s *selecting) onePerPrompt() []int {
	byPrompt := map[int32][]int{}
	var prompts []int32
	for i := range s.recs {
		if r := &s.recs[i]; r.reason == Kept {
			if byPrompt[r.prompt] == nil {
				prompts = append(prompts, r.prompt)
			}
			byPrompt[r.prompt] = append(byPrompt[r.prompt], i)
		}
	}
	random := stats.NewRandom(0)
	var chosen []int
	for _, p := range prompts {
		rows := byPrompt[p]
		best := slices.MaxFunc(rows, func(a, b int) int { return cmp.Compare(s.recs[a].reward, s.recs[b].reward) })
		switch s.options.Select {
		case "top":
			chosen = append(chosen, rows...)
			continue
		case "random_per_prompt":
			best = rows[random.Intn(len(rows))]
		}
		for _, i := range rows {
			if i != best {
				s.recs[i].reason = SamePrompt
			}
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// byBehaviour takes one row of each behaviour in turn.
func (s *selecting) byBehaviour(rows []int) []int {
	groups := make([]*group, len(rows))
	for k, i := range rows {
		groups[k] = &group{rows: []int{i}, kind: s.recs[i].behaviour}
	}
	ordered := make([]int, 0, len(rows))
	for _, g := range s.inTurn(groups) {
		ordered = append(ordered, g.rows[0])
	}
	return ordered
}
