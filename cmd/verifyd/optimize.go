package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/optimize"
	"github.com/verifyd/verifyd/rollout"
)

type optimizeFlags struct {
	options  optimize.Options
	band     string
	endorsed []string
	out      string
	json     bool
}

func newOptimize(a *app) *cobra.Command {
	f := optimizeFlags{options: optimize.DefaultOptions()}
	c := &cobra.Command{
		Use:   "optimize ROWS... -o KEPT",
		Short: "Keep the rows that carry gradient, and say why each other one was dropped",
		Long: `Select from graded rows what a training step learns from. For reinforcement learning (--mode rl): no reply that leaks
its reference, no junk, no duplicates, no rollout cut at its cap, no group whose rollouts all passed or all failed, and groups
whose pass rate lies in --band; whole groups, until --target rows. For supervised training (--mode sft): the best reply
of each prompt.

Kept rows are stamped with calibration, how often their task passed. Each dropped row has exactly one reason in the report.`,
		Example: `  verifyd optimize graded.jsonl -o kept.jsonl
  verifyd optimize graded.jsonl -o kept.jsonl --band 0.3,0.7 --truncated penalize --json
  verifyd optimize graded.jsonl -o best.jsonl --mode sft`,
		Args: wants(1, -1, "ROWS, a file of graded rows; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.optimize(c.Context(), args, &f) },
	}
	o, flags := &f.options, c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` for the rows that are kept; - is standard output")
	flags.StringVar(&o.Mode, "mode", o.Mode, "rl, or sft")
	flags.IntVar(&o.Target, "target", o.Target, "rows to keep; whole groups are taken")
	flags.StringVar(&f.band, "band", "0.2,0.8", "`LO,HI`: pass rates of groups to keep, inclusive; off for all")
	flags.BoolVar(&o.EnforceBand, "enforce-band", o.EnforceBand, "drop groups outside the band; else they come last")
	flags.StringVar(&o.Truncated, "truncated", o.Truncated, "rollouts cut at their cap: drop, keep, or penalize (reward 0)")
	flags.StringVar(&o.Order, "order", o.Order, "spread over pass rates, or middle: nearest to one half first")
	flags.StringVar(&o.Select, "select", o.Select, "sft: top_per_prompt, random_per_prompt, or top")
	flags.Float64Var(&o.MinReward, "min-reward", o.MinReward, "sft: least reward")
	flags.StringSliceVar(&f.endorsed, "endorsed", nil, "`FEATURE` that the reward may pay for (see hack-scan); may be repeated")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

// optimizeReport is what optimize says of a run.
type optimizeReport struct {
	optimize.Report
	HackScan *evaluate.HackReport `json:"hack_scan,omitempty"` // of the kept rows; rl only
	Path     string               `json:"path,omitempty"`
}

func (a *app) optimize(ctx context.Context, names []string, f *optimizeFlags) error {
	band, err := readBand(f.band)
	if err != nil {
		return err
	}
	f.options.Band = band
	names, done, err := a.rereadable(ctx, names)
	if err != nil {
		return err
	}
	defer done()
	var x optimize.Index
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { x.Add(r); return nil }); err != nil {
		return err
	}
	s, err := x.Select(f.options)
	if err != nil {
		return usage("%w", err)
	}
	rep := optimizeReport{Report: s.Report, Path: f.out}
	kept, err := a.spool(ctx, names, &s)
	if err != nil {
		return err
	}
	defer kept.remove()
	if err := a.writeKept(kept, f, names, &rep); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(&rep)
	}
	return a.optimizeText(&rep, f.out)
}

// readBand reads --band; nil is off.
func readBand(text string) (*[2]float64, error) {
	if text == "off" {
		return nil, nil
	}
	lo, hi, ok := strings.Cut(text, ",")
	var band [2]float64
	var err1, err2 error
	band[0], err1 = strconv.ParseFloat(strings.TrimSpace(lo), 64)
	band[1], err2 = strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err1 != nil || err2 != nil {
		return nil, usage("--band: want two numbers such as 0.2,0.8, or off; got %q", text)
	}
	return &band, nil
}

// spooled are the kept rows in a temporary file, to be read in the order of the selection.
type spooled struct {
	file  *os.File
	order []int // numbers of rows
	at    map[int][2]int64
}

func (s *spooled) remove() {
	_ = errors.Join(s.file.Close(), os.Remove(s.file.Name())) // a temporary file that is gone is as good
}

// spool reads the rows again and puts those that are kept aside, in the order of the file.
func (a *app) spool(ctx context.Context, names []string, s *optimize.Selection) (*spooled, error) {
	file, err := os.CreateTemp("", "verifyd-*.jsonl")
	if err != nil {
		return nil, &exitError{exitEngine, err}
	}
	k := &spooled{file: file, order: s.Rows, at: make(map[int][2]int64, len(s.Rows))}
	wanted := make(map[int]bool, len(s.Rows))
	for _, i := range s.Rows {
		wanted[i] = true
	}
	w, n, end, line := bufio.NewWriterSize(file, 1<<20), -1, int64(0), []byte(nil)
	_, err = a.eachRow(ctx, names, func(r *rollout.Row) error {
		if n++; !wanted[n] {
			return nil
		}
		line = s.AppendRow(line[:0], n, r)
		k.at[n] = [2]int64{end, int64(len(line))}
		end += int64(len(line))
		_, err := w.Write(line)
		return err
	})
	if err = errors.Join(err, w.Flush()); err != nil {
		k.remove()
		return nil, err
	}
	return k, nil
}

// each calls do with the rows in the order of the selection. The row is used again.
func (s *spooled) each(do func(line []byte, r *rollout.Row) error) error {
	var line []byte
	var r rollout.Row
	for _, i := range s.order {
		at := s.at[i]
		line = slices.Grow(line[:0], int(at[1]))[:at[1]]
		if _, err := s.file.ReadAt(line, at[0]); err != nil {
			return &exitError{exitEngine, fmt.Errorf("temporary file: %w", err)}
		}
		if err := rollout.ParseInto(&r, line); err != nil {
			return &exitError{exitEngine, fmt.Errorf("temporary file: %w", err)}
		}
		if err := do(line, &r); err != nil {
			return err
		}
	}
	return nil
}

// writeKept writes the rows and scans what their reward pays for.
func (a *app) writeKept(kept *spooled, f *optimizeFlags, names []string, rep *optimizeReport) error {
	scan := evaluate.NewHackScan(evaluate.HackOptions{Endorsed: f.endorsed})
	scans := f.options.Mode != "sft"
	if scans {
		if err := kept.each(func(_ []byte, r *rollout.Row) error { scan.Look(r); return nil }); err != nil {
			return err
		}
	}
	w, err := a.createRows(f.out, names)
	if err != nil {
		return err
	}
	err = kept.each(func(line []byte, r *rollout.Row) error {
		if scans {
			scan.Add(r)
		}
		return w.write(line)
	})
	if err := w.close(err); err != nil {
		return err
	}
	if scans {
		r := scan.Report()
		rep.HackScan = &r
	}
	return nil
}

func (a *app) optimizeText(r *optimizeReport, out string) error {
	p := report.New(a.note(out), colour(a.out))
	groups := ""
	if r.Mode == "rl" {
		groups = fmt.Sprintf(" in %s", report.Plural(int64(r.Groups), "group", "groups"))
	}
	p.Line(fmt.Sprintf("%s of %s kept%s", report.Count(int64(r.Selected)), report.Plural(int64(r.N), "row", "rows"), groups))
	table := report.Table{Head: []string{"dropped", "rows"}, Right: []bool{false, true}}
	for _, why := range slices.Sorted(maps.Keys(r.Dropped)) {
		table.Rows = append(table.Rows, []string{why, report.Count(int64(r.Dropped[why]))})
	}
	if len(table.Rows) > 0 {
		p.Table(table)
	}
	if r.Warning != "" {
		p.Line(p.Yellow(r.Warning))
	}
	if r.HackScan != nil && r.HackScan.Regime == evaluate.RewardHack {
		for _, w := range r.HackScan.Warnings {
			p.Line(p.Yellow(w))
		}
	}
	return p.Err()
}
