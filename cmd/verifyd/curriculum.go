package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

func newCurriculum(a *app) *cobra.Command {
	th := evaluate.DefaultThresholds()
	var asJSON bool
	c := &cobra.Command{
		Use:   "curriculum ROWS...",
		Short: "Sort tasks by what the policy can learn from them",
		Long: `Sort the tasks of graded rows by pass rate: retired (above --solved), not ready (below --floor), thin (fewer than
--min-rollouts labels), and trainable ones from easy to hard in three tiers.`,
		Example: `  verifyd curriculum graded.jsonl
  verifyd curriculum graded.jsonl --json | jq -r '.schedule[]'`,
		Args: wants(1, -1, "ROWS, a file of graded rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.curriculum(c.Context(), args, th, asJSON) },
	}
	thresholdFlags(c, &th)
	c.Flags().Float64Var(&th.Floor, "floor", th.Floor, "a task with a lower pass rate is not ready")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func thresholdFlags(c *cobra.Command, th *evaluate.Thresholds) {
	c.Flags().Float64Var(&th.Solved, "solved", th.Solved, "a task with a higher pass rate is solved")
	c.Flags().IntVar(&th.MinRollouts, "min-rollouts", th.MinRollouts, "labels that a task needs to be sorted")
}

func (a *app) curriculum(ctx context.Context, names []string, th evaluate.Thresholds, asJSON bool) error {
	var t evaluate.Tally
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { t.Add(r); return nil }); err != nil {
		return err
	}
	r := t.Curriculum(th)
	if asJSON {
		return a.printJSON(&r)
	}
	p := report.New(a.out, colour(a.out))
	table := report.Table{Head: []string{"", "tasks", "first"}}
	for _, group := range []struct {
		name  string
		tasks []evaluate.TaskRate
	}{{"trainable", r.Trainable}, {"retired", r.Retired}, {"not ready", r.NotReady}, {"thin", r.Thin}} {
		var first []string
		for _, task := range group.tasks[:min(3, len(group.tasks))] {
			first = append(first, fmt.Sprintf("%s (%.2f of %d)", report.Short(task.ID, 30), task.PassRate, task.N))
		}
		table.Rows = append(table.Rows, []string{group.name, fmt.Sprint(len(group.tasks)), strings.Join(first, ", ")})
	}
	p.Table(table)
	return p.Err()
}

func newRetire(a *app) *cobra.Command {
	th := evaluate.DefaultThresholds()
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "retire ROWS... -o KEPT",
		Short: "Leave out the rows of tasks that the policy has solved",
		Long: `Write the rows of ROWS without those of solved tasks, unchanged and in their order. A task is solved where more than
--solved of its graded rollouts pass; tasks with fewer than --min-rollouts labels stay.`,
		Example: `  verifyd retire graded.jsonl -o next.jsonl`,
		Args:    wants(1, -1, "ROWS, a file of graded rows; - is standard input"),
		RunE:    func(c *cobra.Command, args []string) error { return a.retire(c.Context(), args, out, th, asJSON) },
	}
	thresholdFlags(c, &th)
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` for the rows that stay; - is standard output")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

// retireReport says what retire did.
type retireReport struct {
	Rows    int `json:"n"`
	Kept    int `json:"n_kept"`
	Retired int `json:"n_tasks_retired"`
	Tasks   int `json:"n_tasks"`
}

func (a *app) retire(ctx context.Context, names []string, out string, th evaluate.Thresholds, asJSON bool) error {
	names, done, err := a.rereadable(ctx, names)
	if err != nil {
		return err
	}
	defer done()
	var t evaluate.Tally
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { t.Add(r); return nil }); err != nil {
		return err
	}
	solved := t.Solved(th)
	rep := retireReport{Retired: len(solved), Tasks: t.Tasks()}
	w, err := a.createRows(out, names)
	if err != nil {
		return err
	}
	_, err = a.eachRow(ctx, names, func(r *rollout.Row) error {
		rep.Rows++
		if solved[r.Group] {
			return nil
		}
		rep.Kept++
		return w.write(r.Raw())
	})
	if err := w.close(err); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(&rep)
	}
	_, err = fmt.Fprintf(a.note(out), "%d of %d tasks are solved; %d of %d rows stay\n", rep.Retired, rep.Tasks, rep.Kept, rep.Rows)
	return err
}
