package verifiers

import (
	"strings"

	"github.com/verifyd/verifyd/instructcheck"
	"github.com/verifyd/verifyd/judge"
)

// quotedList writes words as the members of a JSON list.
func quotedList(words []string) string { return `"` + strings.Join(words, `", "`) + `"` }

// scoreArgument describes how several checks become one reward.
func scoreArgument(of string) argument {
	return argument{key: "score", doc: "all " + of + " must hold, or the reward is the share that does", def: `"all"`, words: scoreWords}
}

// formKinds describes the kinds that look at the form of the answer.
func formKinds() []description {
	return []description{formatKind(), instructionKind()}
}

func formatKind() description {
	count := func(key, doc string) argument {
		return argument{key: key, doc: doc, values: "a whole number of 0 or more", schema: `"minimum": 0`}
	}
	return description{
		kind: "format", group: "Form", args: format{}, fails: []judge.FailureClass{judge.BadFormat, judge.NoAnswer, judge.PartialMatch},
		passes: "the answer has the form that is asked for: tags in order and once, bounds of length, a language, no repetition",
		notes:  "At least one of tags, a bound, language and repetition must be given. No reference is read, and the text is whole, thoughts included.",
		keys: []argument{
			{key: "tags", doc: "names of tags that must open and close once each, in this order, none of them blank", schema: `"items": {"type": "string", "pattern": "^[^<>/ \\t\\r\\n]+$"}, "minItems": 1, "uniqueItems": true`},
			{key: "outside", doc: "what may stand beside the tags: only white space, or any text", def: `"none"`, words: []string{"none", "any"}, with: []string{"tags"}},
			{key: "implicit_open", doc: "the first opening tag may be missing where the text begins inside it", def: "false", with: []string{"tags"}},
			{key: "part", doc: "what bounds, language and repetition look at: a tag, or text for the whole; the last tag where there are tags", values: "text", with: []string{"tags"}},
			count("min_chars", "the fewest characters, white space at the ends not counted"),
			with(count("max_chars", "the most characters"), "min_chars"),
			count("min_words", "the fewest words"),
			with(count("max_words", "the most words"), "min_words"),
			{key: "language", doc: "the language that the text must be in, by ISO 639-1", values: "a code such as en", schema: `"enum": [` + quotedList(instructcheck.Languages()) + `]`},
			{key: "repetition", doc: "bounds how much of the text repeats itself", of: repetition{}, keys: []argument{
				{key: "n", doc: "the length of the groups of words", def: "3", values: "a whole number from 1", schema: `"minimum": 1`},
				{key: "max", doc: "the largest share of groups that repeat an earlier one; must be given", values: "a number from 0 to 1", schema: `"minimum": 0, "maximum": 1`},
			}},
			scoreArgument("of the checks"),
		},
		examples: []Example{
			example(`{"kind": "format", "tags": ["think", "answer"], "max_words": 5}`,
				passed(`{"final_text": "<think>2 and 2</think>\n<answer>It is 4</answer>"}`),
				failed(`{"final_text": "<answer>4</answer>"}`, judge.BadFormat),
				failed(`{"final_text": "<think>2 and 2</think> so <answer>4</answer>"}`, judge.BadFormat)),
			example(`{"kind": "format", "max_words": 4, "language": "en", "score": "fraction"}`,
				graded(`{"final_text": "The quick brown fox jumps over the lazy dog and runs away."}`, 0.5, judge.PartialMatch)),
		},
	}
}

func with(a argument, keys ...string) argument {
	a.with = keys
	return a
}

func instructionKind() description {
	item := `"type": "object", "required": ["id"], "properties": {"id": {"enum": [` + quotedList(instructcheck.IDs()) + `]}}`
	return description{
		kind: "instruction", group: "Form", args: instruction{}, fails: []judge.FailureClass{judge.BadFormat, judge.NoAnswer, judge.PartialMatch},
		passes: "the answer follows verifiable instructions, those of IFEval and IFBench",
		notes:  "Without `instructions` each row brings its own, as `instruction_id_list` and `kwargs`. An unknown id and a missing parameter are refused while building.",
		keys: []argument{
			{key: "instructions", doc: "the instructions, each an object with its id and its parameters", values: "a list of objects", schema: `"type": "array", "minItems": 1, "items": {` + item + `}`},
			{key: "mode", doc: "loose: an instruction also holds where it does without the first line, the last one, both, or any asterisk", def: `"strict"`, words: []string{"strict", "loose"}},
			scoreArgument("of the instructions"),
		},
		examples: []Example{
			example(`{"kind": "instruction", "instructions": [{"id": "length_constraints:number_words", "num_words": 5, "relation": "less than"}, {"id": "punctuation:no_comma"}], "score": "fraction"}`,
				passed(`{"final_text": "Short and plain."}`),
				graded(`{"final_text": "Short, and plain."}`, 0.5, judge.PartialMatch)),
			example(`{"kind": "instruction"}`,
				passed(`{"final_text": "no capitals here", "instruction_id_list": ["change_case:english_lowercase"], "kwargs": [{}]}`),
				unjudged(`{"final_text": "No list on this row."}`, judge.MissingReward)),
		},
	}
}
