package verifiers

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
)

// TestTextSpecs: specs turn back into themselves, and faults carry their path.
func TestTextSpecs(t *testing.T) {
	registry := NewRegistry(Config{})
	for _, spec := range []string{
		`{"kind":"exact_match"}`,
		`{"kind":"exact_match","name":"em","field":"info.gold","lower":false,"strip_punct":false,"whole":true,"normalize":"squad"}`,
		`{"kind":"includes","lower":false,"mode":"any","words":true}`,
		`{"kind":"multiple_choice","options":4}`,
		`{"kind":"multiple_choice","options":["Paris","Rome"]}`,
		`{"kind":"numeric","tol":1e-9,"rel":0.01}`,
	} {
		v, err := registry.Build(jsontext.Value(spec))
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if got := string(v.Spec()); got != spec {
			t.Errorf("%s turns back into %s", spec, got)
		}
	}
	for spec, path := range map[string]string{
		`{"kind":"exact_match","normalize":"loose"}`:  "normalize",
		`{"kind":"exact_match","lower":1}`:            "lower",
		`{"kind":"exact_match","case":true}`:          "case",
		`{"kind":"includes","words":"yes"}`:           "words",
		`{"kind":"multiple_choice","options":0}`:      "options",
		`{"kind":"multiple_choice","options":27}`:     "options",
		`{"kind":"multiple_choice","options":2.5}`:    "options",
		`{"kind":"multiple_choice","options":"four"}`: "options",
		`{"kind":"multiple_choice","options":[1,2]}`:  "options",
		`{"kind":"multiple_choice","choices":4}`:      "choices",
		`{"kind":"numeric","tol":-1}`:                 "tol",
		`{"kind":"numeric","rel":"1%"}`:               "rel",
		`{"kind":"numeric","tol":1e999999999}`:        "tol",
	} {
		var fault *judge.SpecError
		if _, err := registry.Build(jsontext.Value(spec)); !errors.As(err, &fault) || fault.Path != path {
			t.Errorf("%s: error %v, want one at %s", spec, err, path)
		}
	}
}

// TestTextOptions tries what the arguments of the specs change.
func TestTextOptions(t *testing.T) {
	for _, c := range []struct {
		name, spec, answer string
		gold               any
		want               outcome
	}{
		{"case counts without lower", `{"kind":"exact_match","lower":false}`, "paris", "Paris", wrong},
		{"a bool is a gold in any case", `{"kind":"exact_match","lower":false}`, "true", true, right},
		{"marks count without strip_punct", `{"kind":"exact_match","strip_punct":false}`, "Paris!", "Paris", wrong},
		{"whole compares no last line", `{"kind":"exact_match","whole":true}`, "x\nParis", "Paris", wrong},
		{"squad drops articles", `{"kind":"exact_match","normalize":"squad"}`, "An apple, the best", "apple best", right},
		{"squad keeps a gold that is an article", `{"kind":"exact_match","normalize":"squad"}`, "a", "A", right},
		{"squad keeps articles inside of words", `{"kind":"exact_match","normalize":"squad"}`, "theater", "ater", wrong},
		{"none folds nothing", `{"kind":"exact_match","normalize":"none"}`, "Paris.", "Paris", wrong},
		{"none cuts white space off", `{"kind":"exact_match","normalize":"none"}`, "x\n Paris ", "Paris", right},
		{"numeric compares whole numbers as numbers", `{"kind":"exact_match","normalize":"numeric"}`, "$1,000.50", "1000.5", right},
		{"numeric compares fractions", `{"kind":"exact_match","normalize":"numeric"}`, "**1/2**", "0.5", right},
		{"numeric compares other texts as texts", `{"kind":"exact_match","normalize":"numeric"}`, "about 5", "5", wrong},
		{"numeric keeps signs", `{"kind":"exact_match","normalize":"numeric"}`, "-5", "5", wrong},
		{"any gold of a list is right", `{"kind":"exact_match"}`, "Rome", []any{"Paris", nil, "Rome"}, right},
		{"a list of nulls is no gold", `{"kind":"exact_match"}`, "Rome", []any{nil}, unusable},
		{"all golds must be included", `{"kind":"includes"}`, "a b", []any{"a", "", "b"}, right},
		{"one that is not included fails", `{"kind":"includes"}`, "a b", []any{"a", "c"}, wrong},
		{"any gold is enough in mode any", `{"kind":"includes","mode":"any"}`, "a b", []any{"a", "c"}, right},
		{"no gold may be included in mode none", `{"kind":"includes","mode":"none"}`, "a b", []any{"c", "a"}, wrong},
		{"empty golds are none", `{"kind":"includes","mode":"none"}`, "a b", []any{"", " "}, unusable},
		{"an unknown mode is all", `{"kind":"includes","mode":"ANY"}`, "a b", []any{"a", "c"}, wrong},
		{"case counts without lower in includes", `{"kind":"includes","lower":false}`, "ABC", "b", wrong},
		{"a bool is included in any case", `{"kind":"includes","lower":false}`, "it is TRUE", true, right},
		{"7 is in 17", `{"kind":"includes"}`, "17", 7, right},
		{"7 is no word of 17", `{"kind":"includes","words":true}`, "17", 7, wrong},
		{"a word is found behind a part of one", `{"kind":"includes","words":true}`, "catscat cat", "cat", right},
		{"scripts without blanks have no word bounds", `{"kind":"includes","words":true}`, "我爱北京天", "北京", right},
		{"words may end in marks", `{"kind":"includes","words":true}`, "C++ is", "c++", right},
		{"letters beyond the options are none", `{"kind":"multiple_choice","options":4}`, "The answer is E. B", "B", right},
		{"the gold extends the options", `{"kind":"multiple_choice","options":4}`, "The answer is E", "E", right},
		{"any letter of a list is right", `{"kind":"multiple_choice"}`, "B", []any{"A", 2, "B"}, right},
		{"a number is no letter", `{"kind":"multiple_choice"}`, "B", 2, unusable},
		{"null options are none", `{"kind":"multiple_choice","options":null}`, "J", "J", right},
		{"an option's text is a gold", `{"kind":"multiple_choice","options":["Rome","Paris"]}`, "B", "paris.", right},
		{"an option's text is an answer", `{"kind":"multiple_choice","options":["Rome","Paris"]}`, "The answer is Paris.", "B", right},
		{"an option's text in the last line is an answer", `{"kind":"multiple_choice","options":["Rome","Paris"]}`, "so:\nRome", "B", wrong},
		{"a text that is no option is none", `{"kind":"multiple_choice","options":["Rome","Paris"]}`, "London", "London", unusable},
		{"the bound of tol is inside", `{"kind":"numeric","tol":0.5}`, "5.5", 5, right},
		{"rel is of the gold", `{"kind":"numeric","rel":0.01}`, "100", 101, right},
		{"rel has its bound", `{"kind":"numeric","rel":0.01}`, "99", 101, wrong},
		{"null is no tolerance", `{"kind":"numeric","tol":null,"rel":null}`, "5.000001", 5, right},
		{"a bool is no number", `{"kind":"numeric"}`, "1", true, unusable},
		{"any number of a list is right", `{"kind":"numeric"}`, "7", []any{"x", 6, "7"}, right},
		{"a list without numbers is no gold", `{"kind":"numeric"}`, "7", []any{"x"}, unusable},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOf(t, c.spec, textRow(t, c.answer, c.gold))
			if got := outcomeOf(v); got != c.want {
				t.Errorf("%s of %q against %v: outcome %d, want %d (%s)", c.spec, c.answer, c.gold, got, c.want, v.Reason)
			}
		})
	}
	if v := verdictOf(t, `{"kind":"includes","mode":"ANY"}`, textRow(t, "a", "a")); v.Meta["warning"] == nil {
		t.Error("an unknown mode is read without a warning")
	}
}

// TestKnownGraderBugs holds faults that users of other graders reported, each with its verdict here.
func TestKnownGraderBugs(t *testing.T) {
	for _, c := range []struct {
		name, kind, answer, gold string
		want                     outcome
	}{
		{"inspect_ai 721: the statement counts, not the reasoning", "multiple_choice", "A is hot, B is cold, C fits, D is too small.\nANSWER: C", "C", right},
		{"inspect_ai 4590: labels of two digits are not compared digit by digit", "numeric", "ANSWER: 10", "10", right},
		{"inspect_ai 4590: the first digit is not the label", "numeric", "ANSWER: 10", "1", wrong},
		{"MMLU-Pro 7: the article A is no answer", "multiple_choice", "A perfect answer cannot be found.", "A", wrong},
		{"omlx 3668: the pronoun I is no answer", "multiple_choice", "The answer is C because I computed the integral.", "C", right},
		{"lm-evaluation-harness 4188: the article a is no answer", "multiple_choice", "The answer is B because a car moves.", "B", right},
		{"openbench 348: the first letter of a word is no answer", "multiple_choice", "Answer seems to be A", "A", right},
		{"openbench 348: S is not read", "multiple_choice", "Answer seems to be A", "S", wrong},
		{"tpu-inference 3518: thinking is left out", "multiple_choice", "<think>Answer: A?</think> Answer: B", "B", right},
		{"lm-evaluation-harness 2278: the last number counts", "numeric", "204 + 160 + 330 makes a total, and the total is $694", "694", right},
		{"lm-evaluation-harness 1204: the gold is read like the answer", "numeric", "70000", "He sold 1000 at 70 each.\n#### 70000", right},
		{"lm-evaluation-harness 2552: a box in display mathematics is seen", "numeric", `Thus \[ \boxed{42} \]`, "42", right},
		{"lm-evaluation-harness 3438: the last marker counts", "numeric", "#### 5\nNow mine.\n#### 7", "7", right},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOf(t, `{"kind":"`+c.kind+`"}`, textRow(t, c.answer, c.gold))
			if got := outcomeOf(v); got != c.want {
				t.Errorf("%q against %q: outcome %d, want %d (extracted %v)", c.answer, c.gold, got, c.want, v.Meta["extracted"])
			}
		})
	}
}

// TestKnownJSONAndRegexBugs holds the same of JSON, schemas and patterns.
func TestKnownJSONAndRegexBugs(t *testing.T) {
	tenth := `{"kind":"json_schema","schema":{"multipleOf":0.1}}`
	for _, c := range []struct {
		name, spec, answer string
		want               outcome
	}{
		{"jsonschema 1433: 1.2 is a multiple of 0.1", tenth, "1.2", right},
		{"NJsonSchema 221: so is 0.3", tenth, "0.3", right},
		{"NJsonSchema 221: 0.35 is none", tenth, "0.35", wrong},
		{"jsonschema 818: 360.57 is a multiple of 0.0001", `{"kind":"json_schema","schema":{"multipleOf":0.0001}}`, "360.57", right},
		{"jsonschema 1477: whole numbers beyond doubles are exact", `{"kind":"json_schema","schema":{"multipleOf":11.0}}`, "9007199254740995", right},
		{"jsonschema 1477: the next one is no multiple", `{"kind":"json_schema","schema":{"multipleOf":11.0}}`, "9007199254740996", wrong},
		{"json_repair 32: a closing fence alone is cut", `{"kind":"json_valid"}`, "{\"a\": \"\", \"b\": [ { \"c\": 1} ] }```", right},
		{"jsonrepair 143: a fence inside brackets is not JSON as a whole", `{"kind":"json_valid","whole":true}`, "[```json\n[{\"id\":\"1\"}]\n```]", wrong},
		{"R1-V 65: with (?s) a dot takes the lines of the reasoning", `{"kind":"regex","pattern":"(?s)^<think>.*</think><answer>.*</answer>$"}`, "<think>a\nb</think><answer>1</answer>", right},
		{"R1-V 65: without it a dot ends at the line", `{"kind":"regex","pattern":"^<think>.*</think><answer>.*</answer>$"}`, "<think>a\nb</think><answer>1</answer>", wrong},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOf(t, c.spec, textRow(t, c.answer, nil))
			if got := outcomeOf(v); got != c.want {
				t.Errorf("%s of %q: outcome %d, want %d (%s)", c.spec, c.answer, got, c.want, v.Reason)
			}
		})
	}
}
