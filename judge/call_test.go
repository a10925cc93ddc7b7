package judge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/rollout"
)

func row(t *testing.T, line string) *rollout.Row {
	t.Helper()
	r, err := rollout.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func returning(v Verdict, err error) Func {
	return func(context.Context, *rollout.Row) (Verdict, error) { return v, err }
}

func TestCallTurnsEveryFaultOfAJudgeIntoAStatus(t *testing.T) {
	nan := math.NaN()
	two := 2.0
	for _, tt := range []struct {
		name string
		j    Judge
		want Status
		meta string // value of judge_meta.error
	}{
		{"a verdict", returning(Pass("fine"), nil), OK, ""},
		{"an error", returning(Verdict{}, errors.New("disk gone")), Error, "disk gone"},
		{"a wrapped missing reference", returning(Verdict{}, fmt.Errorf("leaf: %w", MissingReference("nothing"))), MissingReward, ""},
		{"a wrapped invalid result", returning(Verdict{}, fmt.Errorf("leaf: %w", ErrInvalidResult)), InvalidResult, ""},
		{"its own deadline", returning(Verdict{}, context.DeadlineExceeded), Timeout, ""},
		{"cancelled", returning(Verdict{}, context.Canceled), Error, "canceled"},
		{"a spec fault", returning(Verdict{}, &SpecError{Path: "of[0]", Msg: "no"}), Error, "invalid_spec"},
		{"a panic", Func(func(context.Context, *rollout.Row) (Verdict, error) { panic("boom") }), Error, "panic: boom"},
		{"a reward without ok", returning(Verdict{Reward: &two, Status: Error}, nil), InvalidResult, ""},
		{"ok without a reward", returning(Verdict{Status: OK}, nil), InvalidResult, ""},
		{"no status", returning(Verdict{}, nil), InvalidResult, ""},
		{"NaN", returning(Verdict{Reward: &nan, Status: OK}, nil), InvalidResult, ""},
		{"out of range", returning(Verdict{Reward: &two, Status: OK}, nil), InvalidResult, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Call(t.Context(), tt.j, row(t, `{}`), 0)
			if got.Status != tt.want || (got.Reward != nil) != (tt.want == OK) || got.Reason == "" {
				t.Errorf("got %+v, want status %s", got, tt.want)
			}
			if tt.meta != "" && got.Meta["error"] != tt.meta {
				t.Errorf("judge_meta.error = %v, want %q", got.Meta["error"], tt.meta)
			}
		})
	}
}

func TestCallReturnsOnTimeEvenIfTheJudgeNeverDoes(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	stuck := Func(func(context.Context, *rollout.Row) (Verdict, error) { <-release; return Pass("late"), nil })
	start := time.Now()
	got := Call(t.Context(), stuck, row(t, `{}`), 20*time.Millisecond)
	if got.Status != Timeout || got.Reward != nil {
		t.Errorf("got %+v, want timeout", got)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("returned after %v", took)
	}
}

func TestCallOfACancelledContextIsNoTimeout(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := Call(ctx, Func(func(context.Context, *rollout.Row) (Verdict, error) { <-release; return Pass(""), nil }), row(t, `{}`), 0)
	if got.Status != Error || got.Meta["error"] != "canceled" {
		t.Errorf("got %+v", got)
	}
}

type prompt struct{ Func }

func (prompt) Prompt() bool { return true }

func TestPromptJudgesRunWithoutAGoroutine(t *testing.T) {
	j := prompt{func(ctx context.Context, _ *rollout.Row) (Verdict, error) {
		<-ctx.Done()
		return Verdict{}, ctx.Err()
	}}
	if got := Call(t.Context(), j, row(t, `{}`), time.Millisecond); got.Status != Timeout {
		t.Errorf("got %+v, want timeout", got)
	}
}

func TestReasonsNeverShowAPrivilegedGold(t *testing.T) {
	for _, tt := range []struct{ name, line, reason, want string }{
		{"a text", `{"privileged":{"reference":"Paris"}}`, "got Paris, want 'Paris'", "got <reference>, want '<reference>'"},
		{"inside a longer token from four characters on", `{"privileged":{"reference":"Paris"}}`, "Parisian", "<reference>ian"},
		{"a short one as a whole token only", `{"privileged":{"reference":"1"}}`, "1 of 21 tests, 17", "<reference> of 21 tests, 17"},
		{"a bool in both spellings", `{"privileged":{"reference":true}}`, "want True, got true", "want <reference>, got <reference>"},
		{"a number", `{"privileged":{"reference":3.25}}`, "3.25 is it", "<reference> is it"},
		{"each of a list", `{"privileged":{"reference":["a1b2","zz"]}}`, "a1b2 or zz or zzz", "<reference> or <reference> or zzz"},
		{"each line", `{"privileged":{"reference":"first\nsecond"}}`, "no second here", "no <reference> here"},
		{"an open answer may be shown", `{"answer":"Paris"}`, "want Paris", "want Paris"},
		{"punctuation alone", `{"privileged":{"reference":"-"}}`, "a - b", "a <reference> b"},
		{"an empty gold", `{"privileged":{"reference":""}}`, "x", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(row(t, tt.line), tt.reason); got != tt.want {
				t.Errorf("Redact = %q, want %q", got, tt.want)
			}
		})
	}
	v := Call(t.Context(), returning(Verdict{}, errors.New("cannot read Paris")), row(t, `{"privileged":{"reference":"Paris"}}`), 0)
	if strings.Contains(v.Reason, "Paris") {
		t.Errorf("an error's text shows the gold: %q", v.Reason)
	}
}

func TestGraver(t *testing.T) {
	order := []Status{OK, MissingReward, InvalidResult, Timeout, Error}
	for i, a := range order {
		for j, b := range order {
			if got, want := Graver(a, b), order[max(i, j)]; got != want {
				t.Errorf("Graver(%s, %s) = %s, want %s", a, b, got, want)
			}
		}
	}
}

func TestScoredRefusesWhatIsNoReward(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Scored(NaN) did not panic")
		}
	}()
	Scored(math.NaN(), "", "")
}
