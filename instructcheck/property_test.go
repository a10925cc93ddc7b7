package instructcheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// instances are the kinds with each set of parameters of the handmade cases, once.
func instances(t testing.TB) []*Instruction {
	t.Helper()
	var list []*Instruction
	seen := map[string]bool{}
	for _, c := range readHandmade(t) {
		if key := fmt.Sprint(c.id, c.params); !seen[key] {
			seen[key] = true
			list = append(list, compiled(t, c.id, c.params))
		}
	}
	return list
}

// TestEmptyTextFollowsNothing: whatever is asked for, in both modes.
func TestEmptyTextFollowsNothing(t *testing.T) {
	for _, in := range instances(t) {
		for _, text := range []string{"", " \n\t\n", "<think>a b c", "<think>a</think>", "a b</think>\n", "\u3000"} {
			for _, loose := range []bool{false, true} {
				if in.Check(NewAnswer(text), loose).Holds {
					t.Errorf("%s holds on %q", in.ID(), text)
				}
			}
		}
	}
}

// TestNoWordFailsIFBench: where no word stands, each of the 58 kinds fails.
func TestNoWordFailsIFBench(t *testing.T) {
	if len(ifeval) != 25 || len(ifbench) != 58 {
		t.Errorf("%d and %d kinds", len(ifeval), len(ifbench))
	}
	for _, in := range instances(t) {
		if _, bench := ifbench[in.ID()]; !bench {
			continue
		}
		for _, text := range []string{"***", "...?!", "😀 🎉", "— - —", "☀️", "\u0301"} {
			if in.Check(NewAnswer(text), true).Holds {
				t.Errorf("%s holds on %q", in.ID(), text)
			}
		}
	}
}

// TestLoose: what holds strictly holds loosely, and the eight variants are those of the rule.
func TestLoose(t *testing.T) {
	byKey := map[string]*Instruction{}
	for _, c := range readHandmade(t) {
		key := fmt.Sprint(c.id, c.params)
		if byKey[key] == nil {
			byKey[key] = compiled(t, c.id, c.params)
		}
		if c.holds && !byKey[key].Check(NewAnswer(c.text), true).Holds {
			t.Errorf("%s: %q holds strictly, not loosely", c.id, c.text)
		}
	}
	quoted := compiled(t, "startend:quotation", nil)
	for _, c := range []struct {
		name, text string
		holds      bool
	}{
		{"the first line is dropped", "Sure:\n\"a\"", true},
		{"the last line is dropped", "\"a\"\nBye", true},
		{"both are dropped", "Sure:\n\"a\"\nBye", true},
		{"two lines at one end are not", "Sure:\nnow\n\"a\"", false},
		{"asterisks are dropped", "**\"a\"**", true},
		{"lines and asterisks are dropped", "Sure:\n**\"a\"**\nBye", true},
		{"blank lines at the ends are no lines", "\n\nSure:\n\"a\"\n\n", true},
		{"one line is all there is", "a", false},
		{"behind a thought", "<think>x</think>\nSure:\n\"a\"", true},
	} {
		if got := quoted.Check(NewAnswer(c.text), true); got.Holds != c.holds {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestCompileRefuses: what is unknown, missing, of another type or impossible, with the parameter at fault.
func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ id, params, at string }{
		{"no_comma", `{}`, "id"},
		{strings.Repeat("x", 300), `{}`, "id"},
		{"punctuation:no_comma", `{"max":1}`, "max"},
		{"keywords:existence", `{}`, "keywords"},
		{"keywords:existence", `{"keywords":null}`, "keywords"},
		{"keywords:existence", `{"keywords":[]}`, "keywords"},
		{"keywords:existence", `{"keywords":["a"," "]}`, "keywords[1]"},
		{"keywords:existence", `{"keywords":["a",1]}`, "keywords[1]"},
		{"keywords:existence", `{"keywords":"a"}`, "keywords"},
		{"keywords:frequency", `{"keyword":"a","frequency":1.5,"relation":"exactly"}`, "frequency"},
		{"keywords:frequency", `{"keyword":"a","frequency":-1,"relation":"exactly"}`, "frequency"},
		{"keywords:frequency", `{"keyword":"a","frequency":true,"relation":"exactly"}`, "frequency"},
		{"keywords:frequency", `{"keyword":"a","frequency":1,"relation":"at Least"}`, "relation"},
		{"keywords:frequency", `{"keyword":"a","frequency":1}`, "relation"},
		{"keywords:letter_frequency", `{"letter":"ab","let_frequency":1,"let_relation":"exactly"}`, "letter"},
		{"keywords:letter_frequency", `{"letter":"","let_frequency":1,"let_relation":"exactly"}`, "letter"},
		{"keywords:letter_frequency", `{"letter":7,"let_frequency":1,"let_relation":"exactly"}`, "letter"},
		{"keywords:letter_frequency", `{"let_frequency":1,"let_relation":"exactly"}`, "letter"},
		{"language:response_language", `{"language":"English"}`, "language"},
		{"language:response_language", `{"language":["en"]}`, "language"},
		{"length_constraints:nth_paragraph_first_word", `{"num_paragraphs":2,"nth_paragraph":3,"first_word":"a"}`, "nth_paragraph"},
		{"length_constraints:nth_paragraph_first_word", `{"num_paragraphs":2,"nth_paragraph":0,"first_word":"a"}`, "nth_paragraph"},
		{"length_constraints:nth_paragraph_first_word", `{"num_paragraphs":2,"nth_paragraph":1,"first_word":"!"}`, "first_word"},
		{"length_constraints:nth_paragraph_first_word", `{"num_paragraphs":2,"first_word":"a"}`, "nth_paragraph"},
		{"count:word_count_range", `{"min_words":3,"max_words":2}`, "max_words"},
		{"count:words_japanese", `{"N":0}`, "N"},
		{"ratio:stop_words", `{"percentage":101}`, "percentage"},
		{"ratio:stop_words", `{"percentage":"5"}`, "percentage"},
		{"ratio:stop_words", `{}`, "percentage"},
		{"ratio:overlap", `{"reference_text":"abc","percentage":5,"unit":"byte"}`, "unit"},
		{"format:options", `{}`, "options"},
		{"format:options", `{"options":","}`, "options"},
		{"format:options", `{"options":[]}`, "options"},
		{"detectable_format:constrained_response", `{"options":[]}`, "options"},
		{"repeat:repeat_span", `{"prompt_to_repeat":"short","n_start":2,"n_end":5}`, "n_end"},
		{"repeat:repeat_span", `{"prompt_to_repeat":"short","n_start":3,"n_end":2}`, "n_end"},
		{"repeat:repeat_span", `{"prompt_to_repeat":"a b","n_start":1,"n_end":1}`, "n_end"},
		{"count:keywords_multiple", `{"keyword1":"a","keyword2":"b","keyword3":"c","keyword4":"d"}`, "keyword5"},
	} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.params), &params); err != nil {
			t.Fatal(err)
		}
		_, err := Compile(c.id, params)
		fault, ok := err.(*Error)
		if !ok || fault.Param != c.at || len(err.Error()) > 400 {
			t.Errorf("%.40s %s: %v, want a fault of %s", c.id, c.params, err, c.at)
		}
	}
}

// TestNullIsAbsent: the rows of data sets carry each parameter, null where it does not belong.
func TestNullIsAbsent(t *testing.T) {
	null := json.RawMessage("null")
	params := map[string]json.RawMessage{"num_words": json.RawMessage("2.0"), "relation": json.RawMessage(`"exactly"`), "keywords": null, "anything": null}
	in := compiled(t, "length_constraints:number_words", params)
	if got := in.Check(NewAnswer("two words"), false); !got.Holds {
		t.Error(got.Reason)
	}
	compiled(t, "detectable_format:constrained_response", map[string]json.RawMessage{"options": null})
}

// hostile are texts that make careless checkers slow: what must be looked at again and again.
func hostile(n int) map[string]string {
	units := map[string]string{
		"letters": "a", "words": "word ", "dots": ".", "spaced dots": ". ", "dotted letters": "a.", "stars": "*", "open brackets": "[",
		"open links": "[a](", "labels": "[a][", "backticks": "` ``", "quotes": `"`, "fences": "```\n", "lines": "\n", "returns": "\r", "angles": "<", "title ends": ">>",
		"tags": "</", "emoji": "👨‍👩‍👧", "joiners": "a-", "numbers": "1,", "sentences": "A b. ", "marks": ".\"", "apostrophes": "'",
		"headings": "# a\n", "bullets": "* a\n", "sections": "Day 1\n", "italics": "<i>", "parentheses": "(", "accents": "e\u0301\u0302", "kana": "の",
		"capitals": "A", "thoughts": "<think>", "options": "A) x\n", "questions": "Question 1\n", "tables": "|a", "addresses": "http://a ", "definitions": "[a]: /x\n",
		"markup": ". *_*_", "stops and spaces": ".     ", "dates": "1800-01-01,", "separated": `"a",`, "keycaps": "1\ufe0f\u20e3", "postscripts": "P.S. ",
	}
	texts := make(map[string]string, len(units))
	for name, unit := range units {
		texts[name] = strings.Repeat(unit, n/len(unit))
		texts[name+" between words"] = "F" + texts[name] + " i"
	}
	return texts
}

// TestLinear: no kind is slow on text that is built to hurt. The bound is generous, since the machine may be busy: what is
// quadratic takes minutes here.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts")
	}
	list := instances(t)
	for name, text := range hostile(100_000) {
		start := time.Now()
		answer := NewAnswer(text)
		for _, in := range list {
			in.Check(answer, false)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: %v for %d instructions", name, d, len(list))
		}
	}
}

// FuzzCheck: no panic, the same verdict twice, loose never below strict, words and sentences inside the text.
func FuzzCheck(f *testing.F) {
	for _, c := range readHandmade(f) {
		f.Add(c.text)
	}
	for _, text := range hostile(200) {
		f.Add(text)
	}
	list := instances(f)
	f.Fuzz(func(t *testing.T, text string) {
		a := NewAnswer(text)
		checkStructure(t, a.strict)
		for _, in := range list {
			strict := in.Check(a, false)
			if again := in.Check(NewAnswer(text), false); again != strict {
				t.Fatalf("%s: %v, then %v", in.ID(), strict, again)
			}
			if loose := in.Check(a, true); strict.Holds && !loose.Holds {
				t.Fatalf("%s holds strictly, not loosely", in.ID())
			}
			if strict.Reason == "" || !utf8.ValidString(strict.Reason) {
				t.Fatalf("%s: reason %q", in.ID(), strict.Reason)
			}
		}
		NewText(text).Repetition(3)
	})
}

func checkStructure(t *testing.T, text *Text) {
	last := 0
	for _, w := range text.wordList() {
		if w.start < last || w.end <= w.start || !strings.ContainsFunc(text.s[w.start:w.end], isAlnum) {
			t.Fatalf("word %v in %q", w, text.s)
		}
		last = w.end
	}
	last = 0
	for _, s := range text.sentenceList() {
		if s.start < last || s.end < s.start || s.body < s.start || s.body+len(s.mark) > s.end || text.countIn(s.span) == 0 {
			t.Fatalf("sentence %+v in %q", s, text.s)
		}
		last = s.end
	}
}
