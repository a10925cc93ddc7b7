package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// lengths scores a row by the length of its answer: prompt, deterministic, with metadata, and with a status for "?".
type lengths struct{ slow bool }

func (l lengths) Prompt() bool { return !l.slow }

func (l lengths) Judge(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	answer := r.Candidate()
	if answer == "?" {
		return judge.Verdict{}, judge.MissingReference("nothing to compare with")
	}
	v := judge.Pass("short")
	if len(answer) > 2 {
		v = judge.Fail(judge.WrongAnswer, "long")
	}
	if prior, ok := r.Get("reward"); ok {
		v.Reason = "it had " + string(prior)
	}
	v.Markers = map[string]float64{"is_short": *v.Reward}
	return v.With("length", len(answer)).With("usage", map[string]any{"wall_s": 0.5}), nil
}

func reader(t *testing.T, text string) *rollout.Reader {
	t.Helper()
	r, err := rollout.NewReader(strings.NewReader(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// several rows, one of them broken, one without a reward, blank lines between.
const mixed = `{"id":1,"final_text":"a"}
{broken

{"id":2,"final_text":"?","reward":0.3,"own":[1, 2]}
{"id":3,"final_text":"abc","markers":{"own":1}}
`

func grade(t *testing.T, l *Lines, input string) (string, Tally) {
	t.Helper()
	out, tally, err := tryGrade(t, l, input)
	if err != nil {
		t.Fatal(err)
	}
	return out, tally
}

func tryGrade(t *testing.T, l *Lines, input string) (string, Tally, error) {
	t.Helper()
	l.Engine = newEngine(t, Config{Workers: 3})
	var out bytes.Buffer
	var tally Tally
	err := l.Run(t.Context(), reader(t, input), func(b *Block) error {
		tally.Merge(&b.Tally)
		out.Write(b.Out)
		return nil
	})
	return out.String(), tally, err
}

const mixedGraded = `{"id":1,"final_text":"a","reward":1,"judge_status":"ok","judge_name":"len","reason":"short","markers":{"is_short":1},"failure_class":null,"judge_meta":{"length":1}}
{"line":2,"reward":null,"judge_status":"error","judge_name":"len","reason":"line 2, column 2: invalid character 'b' at start of value","markers":{},"failure_class":null,"judge_meta":{"error":"invalid_row"}}
{"id":2,"final_text":"?","own":[1, 2],"reward":null,"judge_status":"missing_reward","judge_name":"len","reason":"no usable reference: nothing to compare with","markers":{},"failure_class":null,"judge_meta":{}}
{"id":3,"final_text":"abc","reward":0,"judge_status":"ok","judge_name":"len","reason":"long","markers":{"is_short":0,"own":1},"failure_class":"wrong_answer","judge_meta":{"length":3}}
`

func TestLinesGradeEachLineInItsPlace(t *testing.T) {
	for _, slow := range []bool{false, true} {
		t.Run(fmt.Sprintf("slow %t", slow), func(t *testing.T) {
			got, tally := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "len", NoUsage: true}, mixed)
			if plainReason(got) != plainReason(mixedGraded) {
				t.Errorf("got\n%swant\n%s", got, mixedGraded)
			}
			if tally.Rows != 4 || tally.Judged != 2 || tally.Passed != 1 || tally.Broken != 1 || tally.Unjudged() != 2 || tally.Mean() != 0.5 ||
				tally.Status[judge.MissingReward] != 1 || tally.Class[judge.WrongAnswer] != 1 || !tally.Markers["is_short"] {
				t.Errorf("tally %+v", tally)
			}
		})
	}
}

// plainReason leaves the JSON library's words for a syntax error out.
func plainReason(s string) string {
	before, rest, _ := strings.Cut(s, "column 2: ")
	_, after, _ := strings.Cut(rest, `","markers"`)
	return before + after
}

func TestLinesWriteLineageAndUsage(t *testing.T) {
	l := &Lines{Work: Work{Judge: lengths{}}, Name: "len", Lineage: &judge.Lineage{RunID: "r", Source: "grade", Judge: "len"}}
	got, _ := grade(t, l, `{"final_text":"a","lineage":{"scoring_run_id":"old"}}`+"\n"+`{"scenario_id":"s","final_text":"b"}`)
	for _, want := range []string{`"lineage":{"scoring_run_id":"r","source":"grade","judge":"len","parent":"row_0"}`, `"parent":"s"`, `"usage":{"wall_s":0.5}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "old") {
		t.Errorf("the old lineage is still there:\n%s", got)
	}
}

func TestLinesEndAtABrokenLineWhenStrict(t *testing.T) {
	for _, slow := range []bool{false, true} {
		got, tally, err := tryGrade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "len", Strict: true}, mixed)
		var syntax *rollout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != 2 || strings.Count(got, "\n") != 1 || tally.Rows != 1 {
			t.Errorf("slow %t: error %v after\n%s", slow, err, got)
		}
	}
}

// many gives n rows, enough for several blocks.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":%d,\"final_text\":%q}\n", i, strings.Repeat("x", i%5))
	}
	return b.String()
}

func TestLinesGoOnWhereTheyWereCutOff(t *testing.T) {
	const n = 3*blockLines + 17
	for _, slow := range []bool{false, true} {
		input := many(n) + mixed
		whole, want := grade(t, &Lines{Work: Work{Judge: lengths{slow}}, Name: "len"}, input)
		lines := strings.SplitAfter(whole, "\n")
		for _, kept := range []int{0, 1, blockLines, blockLines + 3, n + 2, n + 4} {
			for _, prove := range []bool{false, true} {
				t.Run(fmt.Sprintf("slow %t after %d lines, proof %t", slow, kept, prove), func(t *testing.T) {
					done := strings.Join(lines[:kept], "")
					l := &Lines{Work: Work{Judge: lengths{slow}}, Name: "len", Done: reader(t, done), Prove: prove}
					got, tally := grade(t, l, input)
					if done+got != whole {
						t.Errorf("%d bytes kept and %d graded are not the %d of a whole run", len(done), len(got), len(whole))
					}
					if tally.Kept != int64(kept) || tally.Rows != want.Rows || tally.Judged != want.Judged || tally.Passed != want.Passed ||
						tally.Broken != want.Broken || tally.Status[judge.OK] != want.Status[judge.OK] || tally.Class[judge.WrongAnswer] != want.Class[judge.WrongAnswer] {
						t.Errorf("tally %+v, want that of a whole run %+v", tally, want)
					}
				})
			}
		}
	}
}

func TestLinesRefuseToGoOnWithOtherRows(t *testing.T) {
	input := `{"id":1,"final_text":"a"}
{"id":2,"final_text":"b","reward":0.5}
{broken
`
	whole, _ := grade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len"}, input)
	cases := []struct {
		name  string
		input string
		done  string
		prove bool
	}{
		{"a changed row", strings.Replace(input, `"a"`, `"c"`, 1), whole, false},
		{"a changed id", strings.Replace(input, `1`, `9`, 1), whole, false},
		{"an added key", strings.Replace(input, `"final_text":"a"`, `"final_text":"a","k":0`, 1), whole, false},
		{"a changed key that the verdict replaced", strings.Replace(input, `0.5`, `0.6`, 1), whole, false},
		{"another broken line", strings.Replace(input, `broken`, `"broken`, 1), whole, false},
		{"a repaired line", strings.Replace(input, `{broken`, `{}`, 1), whole, false},
		{"a row that broke", strings.Replace(input, `{"id":1`, `{"id"1`, 1), whole, false},
		{"rows in another order", `{"id":2,"final_text":"b"}` + "\n" + `{"id":1,"final_text":"a"}`, whole, false},
		{"a missing row", `{"id":1,"final_text":"a"}`, whole, false},
		{"a graded line that is none", input, "{}\n", false},
		{"a graded line that is broken", input, strings.Replace(whole, `"judge_meta":{"length":1`, `"judge_meta":{"length":`, 1), false},
		{"a graded line by another judge", input, strings.Replace(whole, `"short"`, `"brief"`, 1), true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := tryGrade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len", Done: reader(t, c.done), Prove: c.prove}, c.input)
			var changed *ChangedError
			if !errors.As(err, &changed) || changed.Error() == "" {
				t.Errorf("error %v, want a refusal", err)
			}
		})
	}
}

// What was measured may differ from run to run.
func TestLinesProveALineApartFromItsUsage(t *testing.T) {
	input := `{"id":1,"final_text":"a"}`
	whole, _ := grade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len"}, input)
	slower := strings.Replace(whole, "0.5", "7.5", 1)
	if _, tally := grade(t, &Lines{Work: Work{Judge: lengths{}}, Name: "len", Done: reader(t, slower), Prove: true}, input); tally.Kept != 1 {
		t.Errorf("tally %+v", tally)
	}
}

// pausing gives one line at a time and says that the next is not here yet.
type pausing struct {
	*rollout.Reader
	file string
}

func (pausing) Buffered() bool { return false }
func (p pausing) File() string { return p.file }

func TestLinesAnswerBeforeTheNextLineIsHere(t *testing.T) {
	l := &Lines{Engine: newEngine(t, Config{Workers: 2}), Work: Work{Judge: lengths{}}, Name: "len"}
	blocks := 0
	err := l.Run(t.Context(), pausing{reader(t, "{}\n{}\n{broken\n"), "b.jsonl"}, func(b *Block) error {
		if blocks++; blocks == 3 && !bytes.HasPrefix(b.Out, []byte(`{"line":3,"file":"b.jsonl",`)) {
			t.Errorf("the record of a broken line names no file: %s", b.Out)
		}
		return nil
	})
	if err != nil || blocks != 3 {
		t.Errorf("%d blocks for three lines that came one by one; error %v", blocks, err)
	}
}

// failingReader ends in an error that is not about one line.
type failingReader struct{ *rollout.Reader }

func (f failingReader) AppendNext(dst []byte) ([]byte, error) {
	out, err := f.Reader.AppendNext(dst)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return out, err
}

func TestLinesGradeWhatStandsBeforeABrokenSource(t *testing.T) {
	l := &Lines{Engine: newEngine(t, Config{}), Work: Work{Judge: lengths{}}, Name: "len"}
	rows := int64(0)
	err := l.Run(t.Context(), failingReader{reader(t, many(5))}, func(b *Block) error { rows += b.Tally.Rows; return nil })
	if !errors.Is(err, io.ErrUnexpectedEOF) || rows != 5 {
		t.Errorf("%d rows and error %v, want 5 and the source's", rows, err)
	}
	l.Done = failingReader{reader(t, "")}
	err = l.Run(t.Context(), reader(t, many(1)), func(*Block) error { return nil })
	var changed *ChangedError
	if !errors.As(err, &changed) {
		t.Errorf("error %v where the graded lines cannot be read", err)
	}
}

func TestLinesEmitNoVerdictOfACancelledRow(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	third := judge.Func(func(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
		if r.ID == "2" {
			cancel()
		}
		return judge.Pass(""), ctx.Err()
	})
	l := &Lines{Engine: newEngine(t, Config{Workers: 1}), Work: Work{Judge: third}, Name: "len"}
	var out bytes.Buffer
	err := l.Run(ctx, reader(t, many(50)), func(b *Block) error { out.Write(b.Out); return nil })
	if !errors.Is(err, context.Canceled) || strings.Count(out.String(), `"judge_status":"ok"`) != 2 || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("error %v after\n%s", err, out.String())
	}
}

func BenchmarkLines(b *testing.B) {
	e, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	text := many(b.N)
	b.SetBytes(int64(len(text) / b.N))
	b.ReportAllocs()
	b.ResetTimer()
	r, err := rollout.NewReader(strings.NewReader(text), 0)
	if err != nil {
		b.Fatal(err)
	}
	l := &Lines{Engine: e, Work: Work{Judge: lengths{}}, Name: "len"}
	if err := l.Run(context.Background(), r, func(*Block) error { return nil }); err != nil {
		b.Fatal(err)
	}
}
