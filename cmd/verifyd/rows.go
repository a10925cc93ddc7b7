package main

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/dataset"
	"github.com/verifyd/verifyd/rollout"
)

type rowsFlags struct {
	options dataset.TrainingOptions
	tools   string
	out     string
	json    bool
}

func newRows(a *app) *cobra.Command {
	var f rowsFlags
	c := &cobra.Command{
		Use:   "rows ROWS... -o TRAIN",
		Short: "Turn rollouts into training rows: messages, a loss mask, the group's rewards",
		Long: `Write each rollout as messages in the shape of chat endpoints, with a loss mask a message, its reward and, where tasks
have several rollouts, the columns of group-relative methods (group_id, k, n0, n1, reward_mean, reward_std). Thinking is left out.

Privileged values, markers and answer keys are never written; the hidden state of a simulated world only with --hidden-state.`,
		Example: `  verifyd rows kept.jsonl -o train.jsonl
  verifyd rows kept.jsonl -o turns.jsonl --unroll --tools tools.json`,
		Args: wants(1, -1, "ROWS, a file of rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.rows(c.Context(), args, &f) },
	}
	o, flags := &f.options, c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` for the training rows; - is standard output")
	flags.StringVar(&o.SystemPrompt, "system-prompt", "", "`TEXT` put first where a rollout has no system turn")
	flags.StringVar(&f.tools, "tools", "", "`FILE` with the tools' declarations, copied into each row")
	flags.StringVar(&o.MaskMode, "mask-mode", "assistant", "loss on each assistant turn, or final: on the last one")
	flags.BoolVar(&o.Unroll, "unroll", false, "a row for each assistant turn")
	flags.IntVar(&o.MaxToolChars, "max-tool-output-chars", 0, "cut tool answers behind that many characters (default: never)")
	flags.BoolVar(&o.HiddenState, "hidden-state", false, "carry world_state and faults")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

// rowsReport says what rows wrote.
type rowsReport struct {
	Rows    int `json:"n"`
	Written int `json:"n_written"`
}

func (a *app) rows(ctx context.Context, names []string, f *rowsFlags) error {
	if err := f.options.CheckMask(); err != nil {
		return usage("%w", err)
	}
	if err := f.readTools(ctx, a); err != nil {
		return err
	}
	names, done, err := a.rereadable(ctx, names)
	if err != nil {
		return err
	}
	defer done()
	var groups dataset.Groups
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { groups.Add(r); return nil }); err != nil {
		return err
	}
	w, err := a.createRows(f.out, names)
	if err != nil {
		return err
	}
	var rep rowsReport
	_, err = a.eachRow(ctx, names, func(r *rollout.Row) error {
		rep.Rows++
		lines, err := dataset.TrainingRows(r, &groups, f.options)
		for _, line := range lines {
			rep.Written++
			if err == nil {
				err = w.write(line)
			}
		}
		return err
	})
	if err := w.close(err); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(&rep)
	}
	_, err = fmt.Fprintf(a.note(f.out), "%d training rows of %d rollouts\n", rep.Written, rep.Rows)
	return err
}

func (f *rowsFlags) readTools(ctx context.Context, a *app) error {
	if f.tools == "" {
		return nil
	}
	b, err := a.readFile(ctx, f.tools)
	if err != nil {
		return usage("--tools: %w", err)
	}
	f.options.Tools = jsontext.Value(b)
	if !f.options.Tools.IsValid() || f.options.Tools.Kind() != '[' {
		return usage("--tools %s: want a JSON list of tools", f.tools)
	}
	return f.options.Tools.Compact()
}
