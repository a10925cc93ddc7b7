package verifiers

import "github.com/verifyd/verifyd/judge"

// treeKinds describes the kinds that are made of others.
func treeKinds() []description {
	const group = "Trees"
	ofList := []argument{{key: "of", doc: "the checks", values: "a list of specs", schema: `"minItems": 1`, holds: specs}}
	return []description{
		{
			kind: "all", group: group, args: list{}, keys: ofList,
			passes: "every check passes; the reward is the least of theirs",
			notes:  "0 as soon as one is 0; else without a reward where one of them is.",
			examples: []Example{
				example(`{"kind": "all", "of": [{"kind": "math_equal"}, {"kind": "regex", "pattern": "\\\\boxed"}]}`,
					passed(`{"final_text": "\\boxed{5}", "reference": "5"}`),
					failed(`{"final_text": "5", "reference": "5"}`, judge.BadFormat),
					failed(`{"final_text": "5"}`, judge.BadFormat),
					unjudged(`{"final_text": "\\boxed{5}"}`, judge.MissingReward)),
			},
		},
		{
			kind: "any", group: group, args: list{}, keys: ofList,
			passes: "one of the checks passes; the reward is the greatest of theirs",
			notes:  "1 as soon as one is 1; else without a reward where one of them is.",
			examples: []Example{
				example(`{"kind": "any", "of": [{"kind": "exact_match"}, {"kind": "numeric"}]}`,
					passed(`{"final_text": "It is 5.0", "reference": "5"}`),
					failed(`{"final_text": "It is 6", "reference": "5"}`, judge.WrongAnswer)),
			},
		},
		{
			kind: "none", group: group, args: list{}, keys: ofList, fails: []judge.FailureClass{judge.RuleNotMet, judge.PartialMatch},
			passes: "none of the checks passes; the reward is 1 less the greatest of theirs",
			examples: []Example{
				example(`{"kind": "none", "of": [{"kind": "regex", "pattern": "as an ai"}, {"kind": "regex", "pattern": "i cannot"}]}`,
					passed(`{"final_text": "Take the second road."}`),
					failed(`{"final_text": "As an AI I have no roads."}`, judge.RuleNotMet)),
			},
		},
		{
			kind: "not", group: group, args: not{}, fails: []judge.FailureClass{judge.RuleNotMet, judge.PartialMatch},
			passes: "the check fails; the reward is 1 less its own",
			keys:   []argument{{key: "check", doc: "the check", values: "a spec", holds: oneSpec}},
			examples: []Example{
				example(`{"kind": "not", "check": {"kind": "includes"}}`,
					passed(`{"final_text": "I will not say it.", "reference": "swordfish"}`),
					failed(`{"final_text": "It is swordfish.", "reference": "swordfish"}`, judge.RuleNotMet)),
			},
		},
		{
			kind: "weighted", group: group, args: weighted{},
			passes: "the reward is the weighted mean of the checks, rounded to 4 digits",
			notes:  "Without a reward where a check of weight above 0 has none: a missing check never re-weights the others. A check of weight 0 is shown and not counted.",
			keys: []argument{{key: "of", doc: "the checks with their weights", values: "a list of objects", schema: `"minItems": 1`, holds: specParts, of: weightedPart{}, keys: []argument{
				{key: "weight", doc: "how much it counts, beside the others; their sum must be above 0", values: "a number of 0 or more", schema: `"minimum": 0`},
				{key: "check", doc: "the check", values: "a spec", holds: oneSpec},
			}}},
			examples: []Example{
				example(`{"kind": "weighted", "of": [{"weight": 0.8, "check": {"kind": "math_equal"}}, {"weight": 0.2, "check": {"kind": "regex", "name": "boxed", "pattern": "\\\\boxed"}}]}`,
					passed(`{"final_text": "\\boxed{5}", "reference": "5"}`),
					graded(`{"final_text": "It is 5", "reference": "5"}`, 0.8, judge.BadFormat),
					graded(`{"final_text": "\\boxed{6}", "reference": "5"}`, 0.2, judge.WrongAnswer)),
			},
		},
	}
}
