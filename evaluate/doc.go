// Package evaluate measures policies by their graded rollouts: pass@k and pass^k with intervals, the report before and after
// training, the scan for what a reward really pays, and which tasks are worth another round.
//
// A task is what shares rollout.Row.GroupKey. Rows are read once and not kept: a Tally holds counts a task. A number that the
// rows cannot carry is absent (a nil pointer, null in JSON) with a note that says why; it is never 0.
package evaluate
