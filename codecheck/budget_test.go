package codecheck_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

// A program that stays just below its limit in each of very many runs has a timeout of its own, long before the deadline of
// whoever waits: never no verdict.
func TestManySlowRunsAreATimeout(t *testing.T) {
	inputs := make([]string, 200)
	suite, err := json.Marshal(map[string]any{"format": "stdin_stdout", "inputs": inputs, "outputs": inputs})
	if err != nil {
		t.Fatal(err)
	}
	r := runner(t)
	for _, tt := range []struct{ name, program string }{
		{"asleep", "import time\ntime.sleep(0.15)"},
		{"computing", "import time\nwhile time.process_time() < 0.15: pass"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			rep, err := r.Check(ctx, codecheck.Task{Answer: tt.program, Tests: parse(t, string(suite)), Limits: sandbox.Limits{Wall: 500 * time.Millisecond}})
			if errors.Is(err, sandbox.ErrMachine) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if rep.Status != codecheck.Timeout || rep.Reward != 0 || !strings.Contains(rep.Reason, "in all its runs") {
				t.Errorf("got %s, reward %v (%s), %d passed", rep.Status, rep.Reward, rep.Reason, rep.Tests.Passed)
			}
		})
	}
}
