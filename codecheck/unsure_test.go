package codecheck_test

import (
	"context"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

// doubting is a sandbox on a machine that seems too busy: what meets a time limit beside other jobs is unsure.
type doubting struct {
	*namespace.Namespace
	alone int // runs that wanted to be alone
}

func (d *doubting) Run(ctx context.Context, s sandbox.Spec) (sandbox.Result, error) {
	res, err := d.Namespace.Run(ctx, s)
	if s.Alone {
		d.alone++
	} else {
		res.Unsure = res.Status == sandbox.Timeout || res.Status == sandbox.CPULimit
	}
	return res, err
}

// A sleeper is a timeout at any load: its unsure limit is met once more, alone, and then it stands.
func TestUnsureLimitsAreTriedAlone(t *testing.T) {
	runner(t) // skips where there is no sandbox
	box, err := namespace.New(namespace.Config{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tests := range []string{
		`"assert add(1, 2) == 3"`,
		`{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2]], "outputs": [3]}`,
		`{"format": "stdin_stdout", "inputs": [""], "outputs": [""]}`,
	} {
		d := &doubting{Namespace: box}
		r, err := codecheck.New(d, codecheck.Config{})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Check(t.Context(), codecheck.Task{Answer: "import time\ntime.sleep(60)", Tests: parse(t, tests), Limits: sandbox.Limits{Wall: 300 * time.Millisecond}})
		if err != nil || rep.Status != codecheck.Timeout || rep.Reward != 0 || d.alone == 0 {
			t.Errorf("%s: got %s, %d runs alone, error %v", tests, rep.Status, d.alone, err)
		}
	}
}
