package codecheck

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Group is tests that count together where the score is a fraction: its weight is earned where all of them passed, as the
// subtasks of contests are. Tests of no group count for ScoreAll only.
type Group struct {
	Cases  []string // names of tests, as in Counts
	Weight float64  // above 0
}

// Sample is the part of the inputs that a verdict is made from: N of them, the same for every answer. The zero value is all.
type Sample struct {
	N    int    `json:"n"`
	Seed uint64 `json:"seed"`
}

// wireGroup is the JSON form of Group. A test is named, or is the place of an input or an assertion, from 0.
type wireGroup struct {
	Cases  []json.RawMessage `json:"cases"`
	Weight float64           `json:"weight"`
}

// parseGroups reads the groups of tests whose inputs and assertions are called what, for example "case".
func parseGroups(list []wireGroup, what string) ([]Group, error) {
	groups := make([]Group, len(list))
	for i, w := range list {
		if !(w.Weight > 0) || w.Weight > 1e9 || len(w.Cases) == 0 {
			return nil, broken(fmt.Sprintf("groups[%d]: want cases and a weight above 0", i))
		}
		groups[i].Weight = w.Weight
		for _, raw := range w.Cases {
			var name string
			if json.Unmarshal(raw, &name) != nil {
				n, err := strconv.Atoi(string(raw))
				if err != nil || n < 0 {
					return nil, broken(fmt.Sprintf("groups[%d]: want names or places from 0", i))
				}
				name = fmt.Sprintf("%s %d", what, n+1)
			}
			groups[i].Cases = append(groups[i].Cases, name)
		}
	}
	return groups, nil
}

// draw takes the sample of the inputs; they keep their order and their numbers.
func (t *Tests) draw(s Sample) error {
	n := max(len(t.Inputs), len(t.Stdin))
	if s.N < 0 || s.N > 0 && n == 0 {
		return broken("sample: want a number of inputs, of tests that have inputs")
	}
	if s.N == 0 || s.N >= n {
		return nil
	}
	t.Numbers = rand.New(rand.NewPCG(s.Seed, uint64(n))).Perm(n)[:s.N]
	slices.Sort(t.Numbers)
	t.Inputs, t.Outputs = pick(t.Inputs, t.Numbers), pick(t.Outputs, t.Numbers)
	t.Stdin, t.Stdout, t.Others = pick(t.Stdin, t.Numbers), pick(t.Stdout, t.Numbers), pick(t.Others, t.Numbers)
	return nil
}

// pick gives the elements at the places. An empty list stays empty.
func pick[T any](list []T, places []int) []T {
	if len(list) == 0 {
		return list
	}
	picked := make([]T, len(places))
	for i, at := range places {
		picked[i] = list[at]
	}
	return picked
}

// caseName is the name of the i-th input that is run.
func (t Tests) caseName(i int) string {
	if t.Numbers != nil {
		i = t.Numbers[i]
	}
	return fmt.Sprintf("case %d", i+1)
}

// fraction is the share of what passed: of the tests, or of the weights of their groups. Groups that the sample left out
// count neither way; a group counts as it was sampled.
func (t Tests) fraction(c Counts) float64 {
	if len(t.Groups) == 0 {
		return float64(c.Passed) / float64(c.Total)
	}
	passed := map[string]bool{}
	for _, x := range c.Cases {
		passed[x.Name] = x.Passed
	}
	earned, all := 0.0, 0.0
	for _, g := range t.Groups {
		cases := g.Cases
		if t.Numbers != nil {
			cases = slices.DeleteFunc(slices.Clone(cases), func(name string) bool {
				return !slices.ContainsFunc(t.Numbers, func(n int) bool { return name == fmt.Sprintf("case %d", n+1) })
			})
		}
		if len(cases) == 0 {
			continue
		}
		all += g.Weight
		if !slices.ContainsFunc(cases, func(name string) bool { return !passed[name] }) {
			earned += g.Weight
		}
	}
	if all == 0 {
		return 0
	}
	return earned / all
}
