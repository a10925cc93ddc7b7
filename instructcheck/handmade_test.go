package instructcheck

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// handmade is a line of testdata/corpus/instructions/handmade.jsonl: [id, parameters, verdict, text, why].
type handmade struct {
	id     string
	params map[string]json.RawMessage
	holds  bool
	text   string
	why    string
}

func readHandmade(t testing.TB) []handmade {
	t.Helper()
	f, err := os.Open("../testdata/corpus/instructions/handmade.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []handmade
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var c handmade
		var verdict int
		if err := json.Unmarshal(lines.Bytes(), &[]any{&c.id, &c.params, &verdict, &c.text, &c.why}); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		c.holds = verdict == 1
		list = append(list, c)
	}
	return list
}

func compiled(t testing.TB, id string, params map[string]json.RawMessage) *Instruction {
	t.Helper()
	in, err := Compile(id, params)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return in
}

// TestHandmade: every kind with both verdicts and its edges.
func TestHandmade(t *testing.T) {
	verdicts := map[string][2]int{}
	cases := readHandmade(t)
	for _, c := range cases {
		got := compiled(t, c.id, c.params).Check(NewAnswer(c.text), false)
		if got.Holds != c.holds {
			t.Errorf("%s (%s): %v, want %v: %s\n%q", c.id, c.why, got.Holds, c.holds, got.Reason, c.text)
		}
		n := verdicts[c.id]
		n[map[bool]int{false: 0, true: 1}[c.holds]]++
		verdicts[c.id] = n
	}
	for _, id := range IDs() {
		if n := verdicts[id]; n[0] == 0 || n[1] == 0 {
			t.Errorf("%s has %d cases that hold and %d that do not", id, n[1], n[0])
		}
	}
	if len(cases) < 400 {
		t.Errorf("only %d cases", len(cases))
	}
}
