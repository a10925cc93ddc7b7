package verifiers

import "github.com/verifyd/verifyd/judge"

// modelArguments are those of every judge that is a model.
func modelArguments(more ...argument) []argument {
	return append([]argument{
		{key: "model", doc: "openai:NAME, or URL#NAME of an endpoint that speaks the same protocol, or a NAME that goes with base_url"},
		{key: "base_url", doc: "the endpoint's base, such as http://localhost:8000/v1", with: []string{"model"}},
		{key: "key_env", doc: "the environment variable that holds the key; OPENAI_API_KEY for openai:NAME, else no key is sent"},
		{key: "concurrency", doc: "requests in flight at the endpoint; the first spec that names it decides", values: "a whole number, 8 where absent", schema: `"minimum": 0`},
		{key: "attempts", doc: "tries of a request", values: "a whole number, 4 where absent", schema: `"minimum": 0`},
		{key: "call_timeout", doc: "the time of one try, 120s where absent", values: `a duration such as "60s"`},
		{key: "token_budget", doc: "tokens after which no more is asked; rows beyond it are errors", schema: `"minimum": 0`},
		{key: "cost_budget", doc: "the same in the unit of price", schema: `"minimum": 0`},
		{key: "price", doc: "what a million tokens cost, for judge_meta.usage.cost", of: price{}, keys: []argument{
			{key: "input", doc: "of the question", schema: `"minimum": 0`}, {key: "output", doc: "of the answer", schema: `"minimum": 0`}}},
	}, more...)
}

// modelKinds describes the judges that are models.
func modelKinds() []description {
	unit := `"minimum": 0, "maximum": 1`
	return []description{{
		kind: "rubric", group: "Models", args: rubricCheck{}, fails: []judge.FailureClass{judge.NoAnswer, judge.RuleNotMet, judge.PartialMatch, judge.CheckLimit},
		passes: "a model says so by the rubric; the reward is its score",
		notes:  "The row is shown as data between marks with a nonce, and only a JSON object with that nonce counts as an answer. A refusal and an answer that is none are `invalid_result`, an endpoint that does not answer is `error`; neither is 0. Without `rubric` a built-in text about conduct is used, and `judge_meta.rubric` says so. What was used stands in `judge_meta.usage`.",
		keys: modelArguments(
			argument{key: "rubric", doc: "what good means, in prose"},
			argument{key: "samples", doc: "answers asked for each row", values: "a whole number, 1 where absent", schema: `"minimum": 0, "maximum": 31`},
			argument{key: "vote", doc: "the mean of the samples, or whether most of them pass", def: `"mean"`, words: []string{"mean", "majority"}},
			argument{key: "threshold", doc: "a sample passes from here in a majority", def: `0.5`, schema: unit},
			argument{key: "temperature", doc: "0 where absent for one sample, 1 for several", schema: `"minimum": 0`},
			argument{key: "max_tokens", doc: "of an answer, 1024 where absent", schema: `"minimum": 0`},
			argument{key: "against", doc: "a field of the row with another answer: both orders are asked, and the reward is how much better the candidate is"},
			argument{key: "reference", doc: "show the row's reference to the judge", def: `false`},
			argument{key: "policy", doc: "the model that wrote the candidates: `judge_meta.warning` says where it is of the judge's family"},
			argument{key: "plain", doc: "do not ask for structured output, for endpoints that do not know it", def: `false`},
			argument{key: "stream", doc: "ask for a stream", def: `false`},
		),
		examples: []Example{example(`{"kind": "rubric", "model": "http://localhost:8000/v1#judge", "rubric": "1 if the reply is polite and answers the question, else 0.", "samples": 3, "vote": "majority"}`)},
	}, {
		kind: "reward_model", group: "Models", args: rewardModel{}, fails: []judge.FailureClass{judge.NoAnswer, judge.RuleNotMet, judge.PartialMatch, judge.CheckLimit},
		passes: "the score of a reward model reaches the threshold, or is the reward by the transform",
		notes:  "The endpoint is BASE/score as vLLM serves it. Rows that come at the same time share a request. `judge_meta.rm_score` is the number itself.",
		keys: modelArguments(
			argument{key: "threshold", doc: "the reward is 1 from here on, else 0; this or transform"},
			argument{key: "transform", doc: "the score itself, which must be from 0 to 1, or the logistic function of it", words: []string{"identity", "sigmoid"}},
			argument{key: "center", doc: "the score whose sigmoid is 0.5", def: `0`},
			argument{key: "scale", doc: "how far from the center a sigmoid's score is that counts as one, 1 where absent", schema: `"minimum": 0`},
			argument{key: "batch", doc: "rows of one request at most, 1 where absent", schema: `"minimum": 0, "maximum": 1024`},
		),
		examples: []Example{example(`{"kind": "reward_model", "model": "http://localhost:8000/v1#rm", "transform": "sigmoid", "batch": 32}`)},
	}}
}
