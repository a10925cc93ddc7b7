package verifiers

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// special lets the spec of `checker` decide about one case of a program: the output is judged as the answer of a row whose prompt
// is the input and whose reference is the expected output. It is right where the reward is 1. What is no text is given as the JSON
// of it.
func (c *codeExec) special(ctx context.Context, about codecheck.SpecialCase) (bool, error) {
	row := rollout.Row{Prompt: textOf(about.Input), FinalText: textOf(about.Output)}
	if string(about.Expected) != "null" {
		row.Privileged.Reference = jsontext.Value(about.Expected)
	}
	v := judge.Call(ctx, c.checker, &row, 0)
	if v.Reward == nil {
		return false, fmt.Errorf("checker: %s: %s", v.Status, v.Reason)
	}
	return *v.Reward >= 1, nil
}

func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
