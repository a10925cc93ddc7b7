package verifiers

import "github.com/verifyd/verifyd/judge"

// aSchema is the JSON Schema of JSON Schemas, as far as a spec's schema needs it.
const aSchema = `"type": ["object", "boolean"]`

// jsonKinds describes the kinds that read the answer's JSON.
func jsonKinds() []description {
	form := []judge.FailureClass{judge.BadFormat, judge.CheckLimit}
	return []description{
		{
			kind: "json_valid", group: "JSON", args: jsonValid{}, fails: form,
			passes: "the answer is strict JSON, or holds it",
			notes:  "Looked for in the whole text, else in the last json or untagged fence, else from the first bracket to the last one that matches. NaN, comments and trailing commas are not JSON.",
			keys: []argument{
				{key: "top_type", doc: "the type that the value must be of, in JSON's words or Python's; int is a literal such as 3, not 3.0", words: []string{"dict", "list", "str", "int", "float", "bool", "object", "array", "string", "integer", "number", "boolean", "null"}},
				{key: "whole", doc: "only the whole text counts, no fence and no part", def: "false"},
				{key: "unique_keys", doc: "a key that stands twice in an object is a fault", def: "false"},
			},
			examples: []Example{
				example(`{"kind": "json_valid", "top_type": "list"}`,
					passed(`{"final_text": "Here you are: [1, 2, 3]"}`),
					failed(`{"final_text": "{\"a\": 1}"}`, judge.BadFormat),
					failed(`{"final_text": "[1, 2, 3,]"}`, judge.BadFormat)),
			},
		},
		{
			kind: "json_schema", group: "JSON", args: jsonSchema{}, fails: form,
			passes: "the answer's JSON satisfies a JSON Schema",
			notes:  "Drafts 4 to 2020-12. Nothing is ever loaded, from disk or network. `judge_meta.violations` says what broke and where.",
			keys: []argument{
				{key: "schema", doc: "the schema", values: "a JSON Schema", schema: aSchema, with: []string{"draft", "remotes"}},
				{key: "draft", doc: "which draft it is where `$schema` does not say", def: `"draft2020-12"`, words: []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"}},
				{key: "format", doc: "whether `format` is a remark or a check", def: `"annotate"`, words: []string{"annotate", "assert"}},
				{key: "remotes", doc: "documents that references may lead to, by URI", values: "an object of JSON Schemas", schema: `"type": "object", "additionalProperties": {` + aSchema + `}`},
			},
			examples: []Example{
				example(`{"kind": "json_schema", "schema": {"type": "object", "required": ["name"], "properties": {"age": {"type": "integer"}}}}`,
					passed(`{"final_text": "{\"name\": \"Ada\", \"age\": 36}"}`),
					failed(`{"final_text": "{\"age\": \"36\"}"}`, judge.BadFormat)),
			},
		},
		{
			kind: "json_field", group: "JSON", args: jsonField{}, fails: append(form, judge.WrongAnswer),
			passes: "the answer's JSON has at `path` the value of `equals`, else of the reference; without either, has something there",
			notes:  "Values are compared as JSON: 1 is 1.0, the order of keys is free; texts without case and blanks at the ends.",
			keys: []argument{
				{key: "path", doc: "where the value stands: /a/0, $.a[0] or a.0", with: []string{"path_syntax"}},
				{key: "path_syntax", doc: "how the path is read; auto: from / a JSON Pointer, from $ a JSONPath (RFC 9535), else dotted", def: `"auto"`, words: []string{"auto", "dotted", "pointer", "jsonpath"}},
				{key: "equals", doc: "the value; null only counts where the row has no reference", values: "any JSON", schema: ""},
			},
			examples: []Example{
				example(`{"kind": "json_field", "path": "/unit", "equals": "km"}`,
					passed(`{"final_text": "{\"value\": 3, \"unit\": \"km\"}"}`),
					failed(`{"final_text": "{\"value\": 3, \"unit\": \"mi\"}"}`, judge.WrongAnswer),
					failed(`{"final_text": "{\"value\": 3}"}`, judge.BadFormat)),
				example(`{"kind": "json_field", "path": "items.0.price"}`,
					passed(`{"final_text": "{\"items\": [{\"price\": 2.50}]}", "reference": 2.5}`)),
			},
		},
	}
}
