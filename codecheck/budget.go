package codecheck

import (
	"context"
	"fmt"
	"time"
)

// A limit of own time bounds one run, and a suite of many inputs has many. A program that stays just below the limit in each
// of them would last until whoever waits for the verdict gives up, and that is no verdict: a program could buy it. So all runs
// of one Check share a budget, and what uses it up is the program's timeout, reward 0.
//
//	budget = what is left until the context's deadline / 5    where there is one: at 30 minutes, 6
//	       = 6 minutes, or the limit of one run if longer     where there is none
//
// A fifth, since own time may pass four times slower than the clock on a machine at its promised load, and starting jobs takes
// some. Six minutes hold the longest honest suites that are known: hundreds of inputs at a second each.
const (
	budgetShare   = 5
	defaultBudget = 6 * time.Minute
)

// budget is the own time that all runs of a Check may use together.
func budget(ctx context.Context, wall time.Duration) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(time.Until(end)/budgetShare, time.Millisecond)
	}
	return max(defaultBudget, wall)
}

// withinBudget gives the wall limit of the next run; false where nothing is left, which is then the verdict.
func (j *judgement) withinBudget() (time.Duration, bool) {
	if j.left > 0 {
		return min(j.limits.Wall, j.left), true
	}
	j.decide(Timeout, j.budgetReason())
	return 0, false
}

func (j *judgement) budgetReason() string {
	return fmt.Sprintf("timed out after %s in all its runs", j.budget.Round(time.Millisecond))
}
