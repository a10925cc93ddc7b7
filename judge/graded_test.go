package judge

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestGradedIsTheRowThenTheVerdict(t *testing.T) {
	r := row(t, `{"id": 1, "reward": 0, "reason": "old", "x": {"k": 1.0}, "judge_status": "error", "markers": {"kept": 0.5, "m": 0, "odd": null}}`)
	v := Scored(0.25, PartialMatch, "a \"quoted\" reason").With("extracted", "x").With("n", 2)
	v.Markers = map[string]float64{"m": 1}
	got := string(Graded{Row: r, Verdict: v, Name: "numeric"}.AppendJSON(nil))
	want := `{"id":1,"x":{"k": 1.0},"reward":0.25,"judge_status":"ok","judge_name":"numeric","reason":"a \"quoted\" reason",` +
		`"markers":{"kept":0.5,"m":1,"odd":null},"failure_class":"partial","judge_meta":{"extracted":"x","n":2}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestGradedAgainIsEqual(t *testing.T) {
	g := Graded{Row: row(t, `{"id":1}`), Verdict: Pass("fine"), Name: "j"}
	once := string(g.AppendJSON(nil))
	g.Row = row(t, once)
	if twice := string(g.AppendJSON(nil)); twice != once {
		t.Errorf("graded again: %s, want %s", twice, once)
	}
}

func TestGradedWithoutARewardIsNull(t *testing.T) {
	got := string(Graded{Verdict: Unjudged(MissingReward, "none"), Name: "j"}.AppendVerdictJSON(nil))
	want := `{"reward":null,"judge_status":"missing_reward","judge_name":"j","reason":"none","markers":{},"failure_class":null,"judge_meta":{}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLineageReplacesTheOldOne(t *testing.T) {
	r := row(t, `{"id":"a7","lineage":{"source":"old"}}`)
	g := Graded{Row: r, Verdict: Pass("p"), Name: "j", Lineage: &Lineage{Source: "grade", Judge: "j", Parent: Parent(r, 3)}}
	var got struct{ Lineage map[string]string }
	if err := json.Unmarshal(g.AppendJSON(nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.Lineage["source"] != "grade" || got.Lineage["parent"] != "a7" || len(got.Lineage) != 3 {
		t.Errorf("lineage %v", got.Lineage)
	}
	for line, want := range map[string]string{`{"scenario_id":"s","id":"i"}`: "s", `{}`: "row_3"} {
		if got := Parent(row(t, line), 3); got != want {
			t.Errorf("Parent(%s) = %q, want %q", line, got, want)
		}
	}
	if got := Parent(nil, 0); got != "row_0" {
		t.Errorf("Parent of no row = %q", got)
	}
}

func TestMetadataIsAlwaysWritable(t *testing.T) {
	v := Pass("").With("nan", math.NaN()).With("raw", jsontext.Value(`{"a":1}`)).With("list", []any{1, nil, true, []any{math.Inf(1)}}).
		With("struct", struct {
			A int `json:"a"`
		}{1}).With("func", func() {}).With("map", map[string]any{"b": 1.5, "a": "x"})
	out := Graded{Verdict: v}.AppendVerdictJSON(nil)
	if !jsontext.Value(out).IsValid() {
		t.Errorf("not JSON: %s", out)
	}
	again := Graded{Verdict: v}.AppendVerdictJSON(nil)
	if string(out[:60]) != string(again[:60]) {
		t.Errorf("written twice it differs: %s, %s", out, again)
	}
}

func TestSpecErrorNamesItsPath(t *testing.T) {
	for _, tt := range []struct {
		err  *SpecError
		want string
	}{
		{&SpecError{Path: "of[1]", Msg: "m"}, "of[1]: m"},
		{&SpecError{Msg: "m"}, "m"},
		{&SpecError{Path: "p", Err: ErrInvalidResult}, "p: not a verdict"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
