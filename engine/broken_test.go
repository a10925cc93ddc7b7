package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func TestRecordsOfBrokenLinesStayRecordsWhenGradedAgain(t *testing.T) {
	for _, slow := range []bool{false, true} {
		first, _ := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "len", NoUsage: true}, mixed)
		again, tally := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "other", NoUsage: true}, first)
		want := strings.Split(strings.ReplaceAll(first, `"judge_name":"len"`, `"judge_name":"other"`), "\n")[1]
		if got := strings.Split(again, "\n")[1]; got != want {
			t.Errorf("slow %t: got\n%s\nwant\n%s", slow, got, want)
		}
		if tally.Broken != 1 || tally.Unanswered != 0 || tally.Status[judge.Error] != 1 {
			t.Errorf("slow %t: tally %+v", slow, tally)
		}
		// The same lines, of a run that was cut off after them.
		done := reader(t, strings.Join(strings.SplitAfter(again, "\n")[:2], ""))
		rest, tally := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "other", NoUsage: true, Done: done}, first)
		if tally.Kept != 2 || tally.Broken != 1 || rest != strings.Join(strings.SplitAfter(again, "\n")[2:], "") {
			t.Errorf("slow %t: resumed: tally %+v, rest\n%s", slow, tally, rest)
		}
	}
}

func TestRecordsAreToldFromRows(t *testing.T) {
	const verdict = `"reward":null,"judge_status":"error","judge_name":"n","reason":"line 7: no","judge_meta":{"error":"invalid_row"}}`
	tests := []struct {
		name, row string
		record    bool
	}{
		{"a record", `{"line":7,` + verdict, true},
		{"a record of one of several files", `{"line":7,"file":"a\/b.jsonl",` + verdict, true},
		{"its keys in another order", `{"judge_status":"error","judge_meta":{"error":"invalid_row"},"line":7}`, true},
		{"a row with a line of its own", `{"line":7,"final_text":"a",` + verdict, false},
		{"a line that is no number", `{"line":"7",` + verdict, false},
		{"another error", `{"line":7,"judge_status":"error","judge_meta":{"error":"invalid_spec"}}`, false},
		{"another status", `{"line":7,"judge_status":"ok","judge_meta":{"error":"invalid_row"}}`, false},
		{"no line", `{` + verdict, false},
		{"metadata of another shape", `{"line":7,"judge_status":"error","judge_meta":7}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, tally := grade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len", NoUsage: true}, "\n"+tt.row)
			if (tally.Broken == 1) != tt.record {
				t.Errorf("broken: %d in\n%s", tally.Broken, got)
			}
			if tt.record && !strings.HasPrefix(got, `{"line":7,`) {
				t.Errorf("the line is lost: %s", got)
			}
			_, _, err := tryGrade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len", Strict: true}, tt.row)
			if syntax := (*rollout.SyntaxError)(nil); errors.As(err, &syntax) != tt.record {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

func TestTallyKeepsTheFirstRowOfEachStatus(t *testing.T) {
	for _, slow := range []bool{false, true} {
		_, tally := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "len"}, many(2*blockLines)+mixed+mixed)
		if got := tally.First[judge.MissingReward]; got.Line != 2*blockLines+4 || !strings.Contains(got.Reason, "nothing to compare") {
			t.Errorf("slow %t: missing_reward first at %+v", slow, got)
		}
		if got := tally.First[judge.Error]; got.Line != 2*blockLines+2 || !strings.HasPrefix(got.Reason, "column 2: ") {
			t.Errorf("slow %t: error first at %+v", slow, got)
		}
		if _, ok := tally.First[judge.OK]; ok {
			t.Errorf("slow %t: ok has a first row", slow)
		}
	}
}

func TestTallyCountsRowsWithNothingToJudge(t *testing.T) {
	const input = `{"final_text":""}
{"messages":[{"role":"assistant","content":""}]}
{"messages":[{"role":"user","content":"q"}],"response":"a"}
{"final_text":null,"answer":"a"}
{"final_text":["a"]}
{}
{broken
`
	l := &Lines{Work: Work{Judge: lengths{}}, Name: "len"}
	whole, tally := grade(t, l, input)
	if tally.Unanswered != 4 || tally.Bare != (Sample{Line: 3, Reason: "keys messages, response"}) {
		t.Errorf("%d unanswered, first %+v", tally.Unanswered, tally.Bare)
	}
	_, kept := grade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len", Done: reader(t, whole)}, input)
	if kept.Unanswered != 4 || kept.Bare != tally.Bare {
		t.Errorf("kept: %d unanswered, first %+v", kept.Unanswered, kept.Bare)
	}
}
