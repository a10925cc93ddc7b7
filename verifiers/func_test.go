package verifiers

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func TestFuncIsAKindOfItsOwn(t *testing.T) {
	registry := NewRegistry(Config{})
	registry.Add("mine", Func(func(_ context.Context, candidate string, reference jsontext.Value, _ *rollout.Row) (any, error) {
		switch candidate {
		case "error":
			return nil, errors.New("broken")
		case "panic":
			panic("broken")
		case "text":
			return "1", nil
		case "none":
			return nil, judge.ErrMissingReward
		}
		return []any{candidate == rollout.ScalarText(reference), "compared"}, nil
	}))
	v, err := registry.Build(jsontext.Value(`{"kind": "all", "of": [{"kind": "mine", "name": "m", "field": "want"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for candidate, want := range map[string]judge.Status{
		"yes": judge.OK, "error": judge.Error, "panic": judge.Error, "text": judge.InvalidResult, "none": judge.MissingReward,
	} {
		row, err := rollout.Parse([]byte(`{"final_text": "` + candidate + `", "want": "yes"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := judge.Call(t.Context(), v, row, 0); got.Status != want || want == judge.OK && *got.Reward != 1 {
			t.Errorf("%s: %+v, want %s", candidate, got, want)
		}
	}
}
