package verifiers

import (
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// rewardCase is a spec and the reward that an answer gets.
type rewardCase struct {
	name, spec, text string
	reward           float64
}

func (c rewardCase) run(t *testing.T) {
	t.Helper()
	row, err := json.Marshal(map[string]any{"final_text": c.text})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdictOf(t, c.spec, string(row)); v.Status != judge.OK || *v.Reward != c.reward {
		t.Errorf("%s: %s %v (%s), want %v", c.name, v.Status, deref(v.Reward), v.Reason, c.reward)
	}
}

func TestFormat(t *testing.T) {
	const r1 = `{"kind":"format","tags":["think","answer"]}`
	const implicit = `{"kind":"format","tags":["think","answer"],"implicit_open":true}`
	for _, c := range []rewardCase{
		{"white space between and around", r1, "\n<think>\na\n</think>\n\n<answer>b</answer>\n", 1},
		{"nested", r1, "<think>a<answer>b</answer></think>", 0},
		{"an opening tag twice", r1, "<think>a<think></think><answer>b</answer>", 0},
		{"a closing tag inside another", r1, "<think>a</answer></think><answer>b</answer>", 0},
		{"capitals are another tag", r1, "<THINK>a</THINK><answer>b</answer>", 0},
		{"closed before it is opened", r1, "</answer><think>a</think><answer>b", 0},
		{"text behind", r1, "<think>a</think><answer>b</answer>.", 0},
		{"a thought that opened in the prompt", implicit, "a</think><answer>b</answer>", 1},
		{"a blank one", implicit, " </think><answer>b</answer>", 0},
		{"only the first may be missing", implicit, "a</think>b</answer>", 0},
		{"and only at the start", implicit, "a</think><think>a</think><answer>b</answer>", 0},
		{"with words outside", `{"kind":"format","tags":["answer"],"outside":"any"}`, "So <answer>b</answer> it is", 1},
		{"bounds of a missing part", `{"kind":"format","tags":["think","answer"],"max_words":5}`, "<think>a</think>", 0},
		{"bounds of the last tag", `{"kind":"format","tags":["think","answer"],"max_chars":1}`, "<think>aaa</think><answer> b </answer>", 1},
		{"bounds of a named part", `{"kind":"format","tags":["think","answer"],"part":"think","min_words":2}`, "<think>a b</think><answer>c</answer>", 1},
		{"bounds of all", `{"kind":"format","tags":["answer"],"part":"text","max_chars":18}`, "<answer>b</answer>\n", 1},
		{"characters and words are one check", `{"kind":"format","min_chars":1,"max_words":1,"score":"fraction"}`, "a b", 0},
		{"too many characters", `{"kind":"format","max_chars":2}`, "abc", 0},
		{"white space at the ends does not count", `{"kind":"format","max_chars":3}`, "\n abc \n", 1},
		{"a language", `{"kind":"format","language":"fr"}`, "Les enfants jouent dans le jardin avec leurs amis.", 1},
		{"thoughts are text", `{"kind":"format","max_words":2}`, "<think>a b</think>c", 0},
		{"no repetition", `{"kind":"format","repetition":{"max":0}}`, "a b c d e f", 1},
		{"the share itself is allowed", `{"kind":"format","repetition":{"n":1,"max":0.5}}`, "a a", 1},
		{"over the share", `{"kind":"format","repetition":{"n":1,"max":0.4}}`, "a A", 0},
		{"long groups", `{"kind":"format","repetition":{"n":5,"max":0}}`, "a b c d e f a b c d e", 0},
		{"long groups that differ", `{"kind":"format","repetition":{"n":6,"max":0}}`, "a b c d e f a b c d e", 1},
		{"two of three", `{"kind":"format","tags":["answer"],"max_words":1,"language":"en","score":"fraction"}`, "<answer>two words</answer>", 0.6667},
		{"empty", `{"kind":"format","max_words":3}`, "", 0},
	} {
		c.run(t)
	}
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		name, spec, row string
		reward          float64
		class           judge.FailureClass
	}{
		{"four digits", `{"kind":"similarity"}`, `{"final_text":"kitten","answer":"sitting"}`, 0.5714, judge.PartialMatch},
		{"the best gold", `{"kind":"similarity"}`, `{"final_text":"ab","answer":["xy","ab","a"]}`, 1, ""},
		{"nothing in common", `{"kind":"similarity","metric":"rouge_1"}`, `{"final_text":"ab","answer":"xy"}`, 0, judge.WrongAnswer},
		{"below the threshold", `{"kind":"similarity","threshold":0.6}`, `{"final_text":"kitten","answer":"sitting"}`, 0, judge.WrongAnswer},
		{"the threshold before rounding", `{"kind":"similarity","threshold":0.66667}`, `{"final_text":"abc","answer":"abd"}`, 0, judge.WrongAnswer},
		{"two thirds reach two thirds", `{"kind":"similarity","threshold":0.6666666666}`, `{"final_text":"abc","answer":"abd"}`, 1, ""},
		{"a blank answer", `{"kind":"similarity"}`, `{"final_text":" ","answer":"a"}`, 0, judge.NoAnswer},
		{"a bool gold", `{"kind":"similarity"}`, `{"final_text":"true","answer":true}`, 1, ""},
		{"rouge_2", `{"kind":"similarity","metric":"rouge_2"}`, `{"final_text":"a b c","answer":"a b d"}`, 0.5, judge.PartialMatch},
		{"rouge_l", `{"kind":"similarity","metric":"rouge_l"}`, `{"final_text":"a c","answer":"a b c"}`, 0.8, judge.PartialMatch},
		{"bleu_4", `{"kind":"similarity","metric":"bleu_4"}`, `{"final_text":"a b c d","answer":"a b c d"}`, 1, ""},
	} {
		v := verdictOf(t, c.spec, c.row)
		if v.Status != judge.OK || *v.Reward != c.reward || v.FailureClass != c.class {
			t.Errorf("%s: %s %v %q, want %v %q", c.name, v.Status, deref(v.Reward), v.FailureClass, c.reward, c.class)
		}
	}
}

// TestSimilarityLimit: a text that is too long to compare is the candidate's.
func TestSimilarityLimit(t *testing.T) {
	long := func(unit string) string {
		b := make([]byte, 0, 400_000)
		for len(b) < 400_000 {
			b = append(b, unit...)
		}
		return string(b)
	}
	v := verdictOf(t, `{"kind":"similarity"}`, `{"final_text":"`+long("ab")+`","answer":"`+long("cd")+`"}`)
	if v.Status != judge.OK || *v.Reward != 0 || v.FailureClass != judge.CheckLimit {
		t.Errorf("%s %v %s", v.Status, deref(v.Reward), v.FailureClass)
	}
}

// FuzzFormat: whatever the text, there is a verdict with status ok.
func FuzzFormat(f *testing.F) {
	for _, text := range []string{"<think>a</think><answer>b</answer>", "a</think><answer>b", "<answer></answer>", ""} {
		f.Add(text)
	}
	v, err := NewRegistry(Config{}).Build(jsontext.Value(`{"kind":"format","tags":["think","answer"],"implicit_open":true,"min_chars":1,"max_words":9,"language":"en","repetition":{"n":2,"max":0.5}}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := judge.Call(t.Context(), v, &rollout.Row{FinalText: text}, 0); got.Status != judge.OK {
			t.Errorf("%s: %s", got.Status, got.Reason)
		}
	})
}
