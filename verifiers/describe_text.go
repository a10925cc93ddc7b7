package verifiers

import "github.com/verifyd/verifyd/judge"

// textKinds describes the kinds that compare the answer with a reference. A table, and as long as it has lines.
func textKinds() []description {
	wrong := []judge.FailureClass{judge.WrongAnswer, judge.NoAnswer}
	return []description{
		{
			kind: "exact_match", group: "Answers against a reference", args: exactMatch{}, fails: wrong,
			passes: "the last line of the answer, else the whole answer, equals the reference",
			notes:  "It compares text: 0.50 is not 0.5 unless `normalize` is `numeric`. Marks that mean something stay: a sign, a decimal point, C++ and C#. A list of references means any of them.",
			keys: []argument{
				{key: "lower", doc: "case does not count", def: "true"},
				{key: "strip_punct", doc: "punctuation does not count", def: "true"},
				{key: "whole", doc: "only the whole answer is compared, not its last line", def: "false"},
				{key: "normalize", doc: "none: only white space at the ends is cut off; squad: a, an and the are dropped too; numeric: two numbers are compared as numbers", def: `"basic"`, words: []string{"none", "basic", "squad", "numeric"}},
			},
			examples: []Example{
				example(`{"kind": "exact_match"}`,
					passed(`{"final_text": "The capital of France:\nParis.", "reference": "paris"}`),
					failed(`{"final_text": "Paris, of course", "reference": "paris"}`, judge.WrongAnswer),
					failed(`{"final_text": "0.50", "reference": "0.5"}`, judge.WrongAnswer),
					unjudged(`{"final_text": "Paris"}`, judge.MissingReward)),
				example(`{"kind": "exact_match", "normalize": "numeric", "field": "key.value"}`,
					passed(`{"final_text": "0.50", "key": {"value": 0.5}}`)),
			},
		},
		{
			kind: "includes", group: "Answers against a reference", args: includes{}, fails: wrong,
			passes: "the reference stands in the answer",
			notes:  "A reference is looked for as a plain part of the text: 7 is in 17 unless `words` is true.",
			keys: []argument{
				{key: "lower", doc: "case does not count", def: "true"},
				{key: "mode", doc: "how many of several references must be there", def: `"all"`, words: []string{"all", "any", "none"}},
				{key: "words", doc: "a reference counts only where no word goes on at its ends", def: "false"},
			},
			examples: []Example{
				example(`{"kind": "includes", "words": true}`,
					passed(`{"final_text": "I take 7 of them.", "reference": "7"}`),
					failed(`{"final_text": "I take 17 of them.", "reference": "7"}`, judge.WrongAnswer)),
				example(`{"kind": "includes", "mode": "none"}`,
					failed(`{"final_text": "As an AI, I cannot say.", "reference": ["as an ai", "i apologise"]}`, judge.WrongAnswer)),
			},
		},
		{
			kind: "regex", group: "Answers against a reference", args: regex{}, fails: []judge.FailureClass{judge.BadFormat, judge.WrongAnswer, judge.CheckLimit},
			passes: "Python's `re` finds the pattern in the answer; with `group`, what the group took equals the reference",
			notes:  "The syntax and the meaning are those of Python's `re`, look-around and back-references included; steps are counted, and an answer that exhausts them is `check_limit`. Without `group` no reference is read.",
			keys: []argument{
				{key: "pattern", doc: "the pattern"},
				{key: "flags", doc: "letters of I M S X A; the empty text turns all off", def: `"I"`, schema: `"pattern": "^[IMSXA]*$"`},
				{key: "group", doc: "the group that is compared with the reference", values: "a number or a name", schema: `"type": ["integer", "string"], "minimum": 0`, with: []string{"pattern"}},
				{key: "lower", doc: "the group is compared without case", def: "true"},
				{key: "mode", doc: "where the pattern must match: anywhere, at the start, or the whole text", def: `"search"`, words: []string{"search", "match", "fullmatch"}},
			},
			examples: []Example{
				example(`{"kind": "regex", "pattern": "answer:\\s*(\\w+)", "group": 1}`,
					passed(`{"final_text": "ANSWER: Blue", "reference": "blue"}`),
					failed(`{"final_text": "Answer: red", "reference": "blue"}`, judge.WrongAnswer),
					failed(`{"final_text": "blue", "reference": "blue"}`, judge.BadFormat)),
			},
		},
		{
			kind: "multiple_choice", group: "Answers against a reference", args: multipleChoice{}, fails: wrong,
			passes: "the option that the answer settles on is the reference",
			notes:  "Read in this order: the last box, the last statement (\"the answer is B\", in the common languages), a text that is only a letter, the last capital alone. A negated option, the article A and the pronoun I are none. `<think>` parts are skipped.",
			keys: []argument{
				{key: "options", doc: "how many options there are, or their texts, which then count as answers too", def: "10", values: "a number from 1 to 26, or a list of texts", schema: `"anyOf": [{"type": "integer", "minimum": 1, "maximum": 26}, {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 26}]`},
			},
			examples: []Example{
				example(`{"kind": "multiple_choice", "options": ["red", "green", "blue"]}`,
					passed(`{"final_text": "It cannot be A, so the answer is (C).", "reference": "C"}`),
					passed(`{"final_text": "blue", "reference": "C"}`),
					failed(`{"final_text": "B", "reference": "C"}`, judge.WrongAnswer),
					failed(`{"final_text": "A or C", "reference": "C"}`, judge.NoAnswer)),
			},
		},
		{
			kind: "numeric", group: "Answers against a reference", args: numeric{}, fails: append(wrong, judge.CheckLimit),
			passes: "the number that the answer settles on is the reference, within max(tol, rel·|reference|)",
			notes:  "Numbers are compared exactly, not as doubles. Read from the last box, else the last \"answer is\", `####` and the like, else the last number. Units, currency and % are dropped.",
			keys: []argument{
				{key: "tol", doc: "the absolute tolerance", def: "1e-6", values: "a number of 0 or more", schema: `"type": "number", "minimum": 0`},
				{key: "rel", doc: "the tolerance relative to the reference", def: "0", values: "a number of 0 or more", schema: `"type": "number", "minimum": 0`},
			},
			examples: []Example{
				example(`{"kind": "numeric", "rel": 0.01}`,
					passed(`{"final_text": "That makes $1,005 in all.", "reference": 1000}`),
					failed(`{"final_text": "#### 1,011", "reference": 1000}`, judge.WrongAnswer),
					failed(`{"final_text": "a thousand", "reference": 1000}`, judge.NoAnswer)),
			},
		},
		mathKind(),
		similarityKind(),
	}
}

func mathKind() description {
	return description{
		kind: "math_equal", group: "Answers against a reference", args: mathEqual{},
		fails:  []judge.FailureClass{judge.WrongAnswer, judge.NoAnswer, judge.Undecided, judge.CheckLimit},
		passes: "the answer is the same mathematical object as the reference",
		notes:  "LaTeX and program notation; numbers, sets, intervals, tuples, matrices, equations, expressions with letters, units, words. What cannot be decided is 0 with the marker `decided: 0`. The rules stand in [RULES.md](RULES.md#mathematics).",
		keys: []argument{
			{key: "bare_percent", doc: "28 answers 28%", def: "true"},
			{key: "set_relation", doc: "0 < x < 1 answers (0,1)", def: "true"},
			{key: "convert_units", doc: "100 cm answers 1 m, π/2 answers 90°", def: "true"},
			{key: "bare_base", doc: "1010 answers 1010₂", def: "true"},
			{key: "bare_tuples", doc: "1,2 answers (1,2)", def: "true"},
			{key: "synonyms", doc: "\"no solution\" answers ∅, and the like", def: "true"},
			{key: "rounding_digits", doc: "from how many digits on a correctly rounded decimal equals an exact value", def: "6", values: "a whole number from 1 to 1000", schema: `"minimum": 1, "maximum": 1000`},
			{key: "form", doc: "strict: values must be written alike, not only be equal", def: `"any"`, words: []string{"any", "strict"}},
			{key: "extract", doc: "the final answer is looked for; false: the whole text is the answer", def: "true"},
			{key: "undecided", doc: "whether what cannot be decided is a reward of 0, or no reward (`error`)", def: `"fail"`, words: []string{"fail", "unjudged"}},
		},
		examples: []Example{
			example(`{"kind": "math_equal"}`,
				passed(`{"final_text": "Adding gives \\boxed{\\frac{5}{4}}.", "reference": "1.25"}`),
				passed(`{"final_text": "\\boxed{x < 3 \\text{ or } x > 5}", "reference": "(-\\infty, 3) \\cup (5, \\infty)"}`),
				failed(`{"final_text": "\\boxed{1.3}", "reference": "1.25"}`, judge.WrongAnswer)),
			example(`{"kind": "math_equal", "form": "strict"}`,
				failed(`{"final_text": "\\boxed{2/4}", "reference": "1/2"}`, judge.WrongAnswer)),
		},
	}
}

func similarityKind() description {
	return description{
		kind: "similarity", group: "Answers against a reference", args: similarity{},
		fails:  []judge.FailureClass{judge.PartialMatch, judge.WrongAnswer, judge.NoAnswer, judge.CheckLimit},
		passes: "the reward is how like the reference the answer is; with `threshold`, whether it reaches it",
		notes:  "Of several references the best counts. `<think>` parts belong to the answer.",
		keys: []argument{
			{key: "metric", doc: "the edit similarity, ROUGE (F1) of words, pairs of words or the longest common subsequence, or BLEU-4", def: `"edit"`, words: []string{"edit", "rouge_1", "rouge_2", "rouge_l", "bleu_4"}},
			{key: "threshold", doc: "makes the reward 1 from here on, and 0 below", values: "a number above 0, at most 1", schema: `"exclusiveMinimum": 0, "maximum": 1`},
			{key: "lower", doc: "case does not count; only with the metric edit", def: "true", with: []string{"metric"}},
			{key: "smooth", doc: "how missing groups of words are counted; only with the metric bleu_4", def: `"none"`, words: []string{"none", "add_one"}, with: []string{"metric"}},
		},
		examples: []Example{
			example(`{"kind": "similarity", "metric": "rouge_l"}`,
				graded(`{"final_text": "the cat sat", "reference": "the cat sat down"}`, 0.8571, judge.PartialMatch)),
			example(`{"kind": "similarity", "threshold": 0.9}`,
				passed(`{"final_text": "Colour", "reference": "colour"}`),
				failed(`{"final_text": "color", "reference": "colour"}`, judge.WrongAnswer)),
		},
	}
}
