package verifiers

import "github.com/verifyd/verifyd/judge"

// callKinds describes the kinds that look at more of the row than its answer.
func callKinds() []description {
	return []description{toolCallsKind(), {
		kind: "rule", group: "The whole row", args: rule{}, fails: []judge.FailureClass{judge.RuleNotMet, judge.CheckLimit},
		passes: "an expression is true, or the number that it gives is the reward",
		notes:  "The language is that of expr-lang.org. It sees `candidate`, `reference` (a row without one is `missing_reward` where it is used), `row` (all keys) and `tool_calls` (maps with `name`, `arguments`, `id`). A value is a bool, a number from 0 to 1, a pair of score and reason, or an object with `reward`.",
		keys:   []argument{{key: "expr", doc: "the expression"}},
		examples: []Example{
			example(`{"kind": "rule", "expr": "len(candidate) <= 40 ? 1.0 : 40.0 / len(candidate)"}`,
				passed(`{"final_text": "Short enough."}`),
				graded(`{"final_text": "This answer has eighty characters, which is twice as long as what was asked for."}`, 0.5, judge.RuleNotMet)),
			example(`{"kind": "rule", "expr": "any(tool_calls, .name == \"search\") && row.turns <= 3"}`,
				passed(`{"final_text": "Found.", "turns": 2, "messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "search", "arguments": "{}"}}]}]}`),
				failed(`{"final_text": "Guessed.", "turns": 1}`, judge.RuleNotMet)),
		},
	}}
}

func toolCallsKind() description {
	names := `"items": {"type": "string", "minLength": 1}, "minItems": 1`
	count := `{"type": "integer", "minimum": 0}`
	return description{
		kind: "tool_calls", group: "The whole row", args: toolCallsCheck{}, fails: []judge.FailureClass{judge.RuleNotMet, judge.PartialMatch, judge.CheckLimit},
		passes: "the right tools were called, as often, in the order and with the arguments that are asked for",
		notes:  "Calls are read from `messages` and `steps`, in both wire shapes; prose is no call. Without any argument of its own the check holds.",
		keys: []argument{
			{key: "called", doc: "tools each of which must have been called", schema: names, with: []string{"forbidden"}},
			{key: "only", doc: "the only tools that may be called", schema: names},
			{key: "forbidden", doc: "tools that must not be called", schema: names},
			{key: "none", doc: "no tool may be called at all; goes only with forbidden", values: "true", schema: `"const": true`},
			{key: "order", doc: "names in the order in which the calls must come", schema: names},
			{key: "order_mode", doc: "other calls may stand between, before and behind, or only before and behind, or nowhere", def: `"subsequence"`, words: []string{"subsequence", "consecutive", "exact"}, with: []string{"order"}},
			{key: "count", doc: "how many calls there must be, by name; * counts all", values: `an object of numbers, or of {"min", "max"}`,
				schema: `"type": "object", "minProperties": 1, "additionalProperties": {"anyOf": [` + count + `, {"type": "object", "minProperties": 1, "additionalProperties": false, "properties": {"min": ` + count + `, "max": ` + count + `}}]}`},
			{key: "arguments", doc: "what the arguments of calls must be", of: argumentCheck{}, values: "a list of objects", keys: []argument{
				{key: "name", doc: "the tool, * for any", schema: `"minLength": 1`},
				{key: "which", doc: "the calls of it that must hold", def: `"any"`, values: "any, all, first, last, or a number from 1", schema: `"anyOf": [{"enum": ["any", "all", "first", "last"]}, {"type": "integer", "minimum": 1}]`},
				{key: "equals", doc: "the arguments as a whole", values: "an object", schema: `"type": "object"`},
				{key: "contains", doc: "arguments that must be among them", values: "an object", schema: `"type": "object"`},
				{key: "schema", doc: "a schema that they must satisfy", values: "a JSON Schema", schema: aSchema},
				{key: "expr", doc: "an expression over `arguments` and `row` that must be true"},
			}},
			scoreArgument("of the checks"),
		},
		examples: []Example{
			example(`{"kind": "tool_calls", "called": ["get_weather"], "count": {"*": 1}, "arguments": [{"name": "get_weather", "contains": {"city": "Oslo"}}], "score": "fraction"}`,
				passed(`{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\", \"unit\": \"C\"}"}}]}]}`),
				graded(`{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": "{\"city\": \"Rome\"}"}}]}]}`, 0.6667, judge.PartialMatch),
				failed(`{"final_text": "I would call get_weather."}`, judge.RuleNotMet)),
		},
	}
}
