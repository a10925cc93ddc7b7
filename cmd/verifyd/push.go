package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/dataset"
	"github.com/verifyd/verifyd/evaluate"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/rollout"
)

type pushFlags struct {
	options  dataset.GateOptions
	gate     bool
	strict   bool
	dryRun   bool
	to       string
	band     string
	model    string
	endorsed []string
	json     bool
}

func newPush(a *app) *cobra.Command {
	var f pushFlags
	c := &cobra.Command{
		Use:   "push ROWS [NAME]",
		Short: "Publish graded rows behind a gate that refuses what teaches nothing or leaks",
		Long: `Publish rows under NAME (default: the file's stem), without privileged members, stamped with how often each task
passed. A version is named by its content; it is there wholly or not at all, with a manifest that names the version before.

--gate refuses, with exit status 1: privileged_leak (a reply quotes its reference), ungraded_rl_rows, no_mixed_groups (no group
carries gradient), with --strict-hacks reward_hack, with --trust require untrusted_judge. Rows are meant for RL where a
task has several rollouts, or by --mode rl.`,
		Example: `  verifyd push kept.jsonl --gate --dry-run
  verifyd push kept.jsonl math-1 --gate --to file:///data/sets`,
		Args: wants(1, 2, "ROWS, a file of graded rows, and perhaps a NAME"),
		RunE: func(c *cobra.Command, args []string) error { return a.push(c.Context(), args, &f) },
	}
	o, flags := &f.options, c.Flags()
	flags.BoolVar(&f.gate, "gate", false, "refuse rows that teach nothing or leak")
	flags.BoolVar(&f.strict, "strict", true, "with --gate: refuse; else only report")
	flags.BoolVar(&f.dryRun, "dry-run", false, "publish nothing")
	flags.StringVar(&f.to, "to", "", "`URL` of a folder: file:///… (default: verifyd/datasets below the user's data folder)")
	flags.StringVar(&o.Mode, "mode", "", "rl: the rows are meant for group-relative training")
	flags.StringVar(&f.band, "band", "", "`LO,HI`: pass rates of groups that teach (default 0.2,0.8)")
	flags.BoolVar(&o.StrictHacks, "strict-hacks", false, "refuse a reward that pays for what is not endorsed")
	flags.StringSliceVar(&f.endorsed, "endorsed", nil, "`FEATURE` that the reward may pay for (see hack-scan); may be repeated")
	flags.StringVar(&o.Trust, "trust", "warn", "rewards of a model that was never measured: warn, require, or off")
	flags.StringVar(&f.model, "model", "", "`NAME` of the policy, for the manifest")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
	return c
}

// pushReport is what push says of a run.
type pushReport struct {
	dataset.GateReport
	Model   string `json:"model,omitempty"`
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
}

func (a *app) push(ctx context.Context, args []string, f *pushFlags) error {
	name, dir, err := f.target(args)
	if err != nil {
		return err
	}
	if f.band != "" {
		if f.options.Band, err = readBand(f.band); err != nil {
			return err
		}
	}
	names, done, err := a.rereadable(ctx, args[:1])
	if err != nil {
		return err
	}
	defer done()
	g := dataset.NewGate(f.options)
	if _, err := a.eachRow(ctx, names, func(r *rollout.Row) error { g.Add(r); return nil }); err != nil {
		return err
	}
	scan, err := a.scan(ctx, names, evaluate.HackOptions{Endorsed: f.endorsed})
	if err != nil {
		return err
	}
	rep := pushReport{GateReport: g.Report(scan.Regime), Model: f.model}
	refused := f.gate && f.strict && !rep.OK
	if !refused && !f.dryRun {
		if err := a.publish(ctx, names, g, &rep, dir, name, args[0]); err != nil {
			return err
		}
	}
	if err := a.pushed(&rep, f); err != nil {
		return err
	}
	if refused {
		return &exitError{exitGate, fmt.Errorf("%s: %s", rep.Refused, rep.Fix)}
	}
	return nil
}

// unkept are characters that a name made of a file's stem does not keep.
var unkept = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// target is the name and the folder.
func (f *pushFlags) target(args []string) (name, dir string, err error) {
	if f.options.Trust != "warn" && f.options.Trust != "require" && f.options.Trust != "off" {
		return "", "", usage("--trust must be warn, require or off, got %q", f.options.Trust)
	}
	name = strings.Trim(unkept.ReplaceAllString(strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])), "-"), "-.")
	if args[0] == "-" {
		name = "rows"
	}
	if len(args) > 1 {
		name = args[1]
	}
	if err := dataset.CheckName(name); err != nil {
		return "", "", usage("%w", err)
	}
	if f.to == "" {
		dir, err = dataFolder()
		return name, dir, err
	}
	u, err := url.Parse(f.to)
	if err != nil || u.Scheme != "file" || u.Host != "" || u.Path == "" {
		return "", "", usage("--to %s: want file:///FOLDER", f.to)
	}
	return name, u.Path, nil
}

// dataFolder is where published rows go unless --to says otherwise.
func dataFolder() (string, error) {
	base := os.Getenv("XDG_DATA_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", usage("no home folder is known; name a folder by --to file:///FOLDER (%w)", err)
		}
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "verifyd", "datasets"), nil
}

func (a *app) publish(ctx context.Context, names []string, g *dataset.Gate, rep *pushReport, dir, name, source string) error {
	p, err := dataset.Publish(dir, name)
	if err != nil {
		return &exitError{exitEngine, err}
	}
	var line []byte
	_, err = a.eachRow(ctx, names, func(r *rollout.Row) error {
		line = g.AppendPublished(line[:0], r)
		return p.Write(line)
	})
	if err != nil {
		return errors.Join(err, p.Abort())
	}
	m, err := p.Commit(dataset.Manifest{Name: name, Gate: rep.GateReport, Sources: []string{filepath.Base(source)}})
	if err != nil {
		return &exitError{exitEngine, err}
	}
	rep.Name, rep.Version, rep.Path = name, m.Version, p.Path(m.Version)
	return nil
}

func (a *app) pushed(rep *pushReport, f *pushFlags) error {
	if f.json {
		return a.printJSON(rep)
	}
	p := report.New(a.out, colour(a.out))
	s := rep.Signal
	p.Line(fmt.Sprintf("%s of %s: %d mixed, %d in the band", report.Plural(int64(rep.Rows), "row", "rows"), report.Plural(int64(s.Groups), "graded task", "graded tasks"), s.Mixed, s.InBand))
	for _, w := range rep.Warnings {
		p.Line(p.Yellow(w))
	}
	switch {
	case rep.Path != "":
		p.Line("published " + rep.Path)
	case !rep.OK:
		p.Line(p.Red("refused: " + rep.Refused))
	default:
		p.Line("nothing was published (--dry-run)")
	}
	return p.Err()
}
