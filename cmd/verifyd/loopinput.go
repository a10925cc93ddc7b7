package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

// What the steps between grading and training share: they read graded rows once, in order, and print a report.

// eachRow calls do with each row of the files in order. The row is used again for the next one. A line that is no row is left out
// and counted; all such lines are named by one warning at the end.
func (a *app) eachRow(ctx context.Context, names []string, do func(*rollout.Row) error) (broken int, err error) {
	in, err := a.openInputs(ctx, names)
	if err != nil {
		return 0, err
	}
	defer in.close()
	var first string
	var row rollout.Row
	var line []byte
	for {
		if ctx.Err() != nil {
			return broken, &exitError{exitInterrupted, errInterrupted}
		}
		line, err = in.AppendNext(line[:0])
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = rollout.ParseInto(&row, line)
		}
		if syntax := (*rollout.SyntaxError)(nil); errors.As(err, &syntax) {
			syntax.Line = in.Line()
			if broken++; broken == 1 {
				first = fmt.Sprintf("%s: %v", shown(in.name()), syntax)
			}
			continue
		}
		if err == nil {
			err = do(&row)
		}
		if err != nil {
			return broken, err
		}
	}
	if broken > 0 {
		fmt.Fprintf(a.err, "verifyd: %s left out; the first: %s\n", report.Plural(int64(broken), "line that is no row was", "lines that are no rows were"), first)
	}
	return broken, nil
}

// printJSON writes a report on standard output as JSON, indented, members of maps in order.
func (a *app) printJSON(v any) error {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return &exitError{exitEngine, fmt.Errorf("report: %w", err)}
	}
	_, err = a.out.Write(append(b, '\n'))
	return err
}
