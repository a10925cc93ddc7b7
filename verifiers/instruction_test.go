package verifiers

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
)

// refused is the path of the fault with which a spec is refused; "-" where it is built.
func refused(t *testing.T, spec string) string {
	t.Helper()
	_, err := NewRegistry(Config{}).Build(jsontext.Value(spec))
	var fault *judge.SpecError
	if errors.As(err, &fault) {
		return fault.Path
	}
	if err != nil {
		t.Errorf("%s: %v is no fault of a spec", spec, err)
	}
	return "-"
}

// TestChecksRefuse: the four kinds say where a spec is wrong.
func TestChecksRefuse(t *testing.T) {
	for spec, path := range map[string]string{
		`{"kind":"instruction"}`:                                                               "-",
		`{"kind":"instruction","instructions":null}`:                                           "instructions",
		`{"kind":"instruction","instructions":[]}`:                                             "instructions",
		`{"kind":"instruction","instructions":{}}`:                                             "instructions",
		`{"kind":"instruction","instructions":["a"]}`:                                          "instructions[0]",
		`{"kind":"instruction","instructions":[{"id":7}]}`:                                     "instructions[0].id",
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"},{"id":"x"}]}`:     "instructions[1].id",
		`{"kind":"instruction","instructions":[{"id":"keywords:existence","keywords":[""]}]}`:  "instructions[0].keywords[0]",
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}],"mode":"firm"}`:  "mode",
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}],"mode":null}`:    "mode",
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}],"score":""}`:     "score",
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}],"score":"half"}`: "score",
		`{"kind":"all","of":[{"kind":"instruction","instructions":[{}]}]}`:                     "of[0].instructions[0].id",

		`{"kind":"format"}`:                                                             "",
		`{"kind":"format","part":"text"}`:                                               "",
		`{"kind":"format","tags":[]}`:                                                   "tags",
		`{"kind":"format","tags":["a",""]}`:                                             "tags[1]",
		`{"kind":"format","tags":["a","a"]}`:                                            "tags[1]",
		`{"kind":"format","tags":["<a>"]}`:                                              "tags[0]",
		`{"kind":"format","tags":["a"],"outside":"some"}`:                               "outside",
		`{"kind":"format","max_words":3,"outside":"none"}`:                              "outside",
		`{"kind":"format","max_words":3,"implicit_open":true}`:                          "implicit_open",
		`{"kind":"format","tags":["a"],"part":"b"}`:                                     "part",
		`{"kind":"format","max_words":3,"part":"a"}`:                                    "part",
		`{"kind":"format","max_words":-1}`:                                              "max_words",
		`{"kind":"format","min_chars":-1}`:                                              "min_chars",
		`{"kind":"format","min_chars":3,"max_chars":2}`:                                 "max_chars",
		`{"kind":"format","max_words":1.5}`:                                             "max_words",
		`{"kind":"format","language":"english"}`:                                        "language",
		`{"kind":"format","language":""}`:                                               "language",
		`{"kind":"format","repetition":{"n":2}}`:                                        "repetition.max",
		`{"kind":"format","repetition":{"n":0,"max":1}}`:                                "repetition.n",
		`{"kind":"format","repetition":{"max":2}}`:                                      "repetition.max",
		`{"kind":"format","repetition":{"max":1,"size":1}}`:                             "repetition.size",
		`{"kind":"format","tags":["a"],"score":"none"}`:                                 "score",
		`{"kind":"format","tags":["a"],"implicit_open":true}`:                           "-",
		`{"kind":"format","part":"text","max_chars":3}`:                                 "-",
		`{"kind":"format","min_words":1,"max_words":1}`:                                 "-",
		`{"kind":"format","language":"de","score":"fraction"}`:                          "-",
		`{"kind":"tool_calls"}`:                                                         "",
		`{"kind":"tool_calls","called":[]}`:                                             "called",
		`{"kind":"tool_calls","called":["a",""]}`:                                       "called[1]",
		`{"kind":"tool_calls","called":["a"],"forbidden":["a"]}`:                        "called[0]",
		`{"kind":"tool_calls","only":null}`:                                             "only",
		`{"kind":"tool_calls","none":false}`:                                            "none",
		`{"kind":"tool_calls","none":true,"only":["a"]}`:                                "none",
		`{"kind":"tool_calls","none":true,"forbidden":["a"]}`:                           "-",
		`{"kind":"tool_calls","order":["a"],"order_mode":"any"}`:                        "order_mode",
		`{"kind":"tool_calls","called":["a"],"order_mode":"exact"}`:                     "order_mode",
		`{"kind":"tool_calls","count":{}}`:                                              "count",
		`{"kind":"tool_calls","count":{"":1}}`:                                          "count",
		`{"kind":"tool_calls","count":{"a":-1}}`:                                        "count.a",
		`{"kind":"tool_calls","count":{"a":null}}`:                                      "count.a",
		`{"kind":"tool_calls","count":{"a":{}}}`:                                        "count.a",
		`{"kind":"tool_calls","count":{"a":{"min":2,"max":1}}}`:                         "count.a.max",
		`{"kind":"tool_calls","count":{"a":{"min":"2"}}}`:                               "count.a.min",
		`{"kind":"tool_calls","count":{"a":{"exactly":2}}}`:                             "count.a.exactly",
		`{"kind":"tool_calls","arguments":[]}`:                                          "arguments",
		`{"kind":"tool_calls","arguments":[7]}`:                                         "arguments[0]",
		`{"kind":"tool_calls","arguments":[{"name":"a"}]}`:                              "arguments[0]",
		`{"kind":"tool_calls","arguments":[{"equals":{}}]}`:                             "arguments[0].name",
		`{"kind":"tool_calls","arguments":[{"name":"a","equals":[]}]}`:                  "arguments[0].equals",
		`{"kind":"tool_calls","arguments":[{"name":"a","contains":null}]}`:              "arguments[0].contains",
		`{"kind":"tool_calls","arguments":[{"name":"a","schema":7}]}`:                   "arguments[0].schema",
		`{"kind":"tool_calls","arguments":[{"name":"a","expr":"x > 1"}]}`:               "arguments[0].expr",
		`{"kind":"tool_calls","arguments":[{"name":"a","expr":"1","k":1}]}`:             "arguments[0].k",
		`{"kind":"tool_calls","arguments":[{"name":"a","schema":true,"which":"some"}]}`: "arguments[0].which",
		`{"kind":"tool_calls","arguments":[{"name":"a","schema":true,"which":0}]}`:      "arguments[0].which",
		`{"kind":"tool_calls","arguments":[{"name":"a","schema":true,"which":1.5}]}`:    "arguments[0].which",
		`{"kind":"tool_calls","arguments":[{"name":"a","schema":true,"which":[1]}]}`:    "arguments[0].which",
		`{"kind":"tool_calls","called":["a"],"score":"x"}`:                              "score",

		`{"kind":"similarity","metric":"cosine"}`:                               "metric",
		`{"kind":"similarity","metric":"rouge_l","lower":true}`:                 "lower",
		`{"kind":"similarity","smooth":"add_one"}`:                              "smooth",
		`{"kind":"similarity","metric":"rouge_1","smooth":"none"}`:              "smooth",
		`{"kind":"similarity","metric":"bleu_4","smooth":"exp"}`:                "smooth",
		`{"kind":"similarity","threshold":0}`:                                   "threshold",
		`{"kind":"similarity","threshold":1.1}`:                                 "threshold",
		`{"kind":"similarity","threshold":"0.5"}`:                               "threshold",
		`{"kind":"similarity","metric":"bleu_4","smooth":"none"}`:               "-",
		`{"kind":"similarity","metric":"rouge_2","threshold":1,"field":"gold"}`: "-",
	} {
		if got := refused(t, spec); got != path {
			t.Errorf("%s: refused at %q, want %q", spec, got, path)
		}
	}
}

// TestChecksRoundTrip: a spec turns back into itself, and what that builds is the same.
func TestChecksRoundTrip(t *testing.T) {
	for _, spec := range []string{
		`{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}],"mode":"loose","score":"fraction"}`,
		`{"kind":"instruction"}`,
		`{"kind":"format","tags":["think","answer"],"outside":"any","implicit_open":true,"part":"think","min_chars":1,"max_words":9,"language":"en","repetition":{"n":2,"max":0.5},"score":"all"}`,
		`{"kind":"tool_calls","called":["a"],"only":["a"],"order":["a"],"order_mode":"exact","count":{"*":{"max":3},"a":2},"arguments":[{"name":"a","which":"last","equals":{"x":1}}]}`,
		`{"kind":"similarity","metric":"bleu_4","threshold":0.5,"smooth":"add_one"}`,
	} {
		v, err := NewRegistry(Config{}).Build(jsontext.Value(spec))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(v.Spec()); got != spec {
			t.Errorf("%s\nbecame %s", spec, got)
		}
	}
}

func TestInstructionParts(t *testing.T) {
	v := verdictOf(t, `{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"},{"id":"length_constraints:number_words","num_words":9,"relation":"at least"}],"score":"fraction"}`,
		`{"final_text":"No marks here."}`)
	if *v.Reward != 0.5 || v.FailureClass != judge.PartialMatch || !strings.Contains(v.Reason, "3 words, at least 9 asked for") {
		t.Errorf("%v %s %s", *v.Reward, v.FailureClass, v.Reason)
	}
	got, _ := json.Marshal(v.Meta["parts"])
	want := `[{"id":"punctuation:no_comma","reason":"no comma occurs","reward":1},{"id":"length_constraints:number_words","reason":"3 words, at least 9 asked for","reward":0}]`
	if string(got) != want {
		t.Errorf("parts %s", got)
	}
	if v := verdictOf(t, `{"kind":"instruction","instructions":[{"id":"punctuation:no_comma"}]}`, `{"final_text":" "}`); v.FailureClass != judge.NoAnswer {
		t.Errorf("an empty answer is %s", v.FailureClass)
	}
}

// TestInstructionsOfRow: the list may stand in four places; one that cannot be used breaks the check of its row.
func TestInstructionsOfRow(t *testing.T) {
	for _, c := range []struct {
		name, row string
		status    judge.Status
		reward    float64
	}{
		{"metadata", `{"final_text":"a","metadata":{"instruction_id_list":["punctuation:no_comma"],"kwargs":[null]}}`, judge.OK, 1},
		{"an empty list is none", `{"final_text":"a","instruction_id_list":[],"info":{"instruction_id_list":["punctuation:no_comma"]}}`, judge.OK, 1},
		{"null is none", `{"final_text":"a","instruction_id_list":null}`, judge.MissingReward, 0},
		{"no list", `{"final_text":"a","instruction_id_list":"punctuation:no_comma"}`, judge.Error, 0},
		{"no text", `{"final_text":"a","instruction_id_list":[7]}`, judge.Error, 0},
		{"kwargs of another length", `{"final_text":"a","instruction_id_list":["punctuation:no_comma"],"kwargs":[{},{}]}`, judge.Error, 0},
		{"kwargs that are no list", `{"final_text":"a","instruction_id_list":["punctuation:no_comma"],"kwargs":{}}`, judge.Error, 0},
		{"kwargs that are no objects", `{"final_text":"a","instruction_id_list":["punctuation:no_comma"],"kwargs":[1]}`, judge.Error, 0},
		{"a missing parameter", `{"final_text":"a","instruction_id_list":["length_constraints:number_words"]}`, judge.Error, 0},
		{"null parameters", `{"final_text":"a","instruction_id_list":["punctuation:no_comma"],"kwargs":[{"num_words":null}]}`, judge.OK, 1},
	} {
		v := verdictOf(t, `{"kind":"instruction"}`, c.row)
		if v.Status != c.status || v.Reward != nil && *v.Reward != c.reward {
			t.Errorf("%s: %s %v: %s", c.name, v.Status, deref(v.Reward), v.Reason)
		}
	}
}

// TestPrivilegedInstructionsStayHidden: their parameters are part of the answer key.
func TestPrivilegedInstructionsStayHidden(t *testing.T) {
	for _, row := range []string{
		`{"final_text":"a","privileged":{"instruction_id_list":["keywords:existence"],"kwargs":[{"keywords":["xyzzy"]}]}}`,
		`{"final_text":"a","privileged":{"instruction_id_list":["keywords:xyzzy"]}}`,
	} {
		v := verdictOf(t, `{"kind":"instruction"}`, row)
		meta, _ := json.Marshal(v.Meta)
		if strings.Contains(v.Reason, "xyzzy") || strings.Contains(string(meta), "xyzzy") {
			t.Errorf("%s: %s %s", row, v.Reason, meta)
		}
	}
}
