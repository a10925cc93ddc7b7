package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/internal/yamljson"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
	"github.com/verifyd/verifyd/verifiers"
)

func newSpec(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "spec schema | check FILE... | explain FILE",
		Short: "Print the schema of specs, check specs, say them in words",
		Long: `Specs say what a good answer is: {"kind": KIND, …}, in JSON or YAML. This command prints the JSON Schema that editors
complete and check them by, finds their faults before a run does, and says in words what they ask for. No row is read and no
program run.`,
		Example: `  verifyd spec check judge.yaml
  verifyd spec explain judge.yaml
  verifyd spec schema > spec.schema.json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("spec has no command %.40q; there are %s", args[0], strings.Join(names(c), ", "))
			}
			return errors.New("spec wants one of its commands: " + strings.Join(names(c), ", "))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, sub := range []*cobra.Command{newSpecSchema(a), newSpecCheck(a), newSpecExplain(a)} {
		sub.RunE = faults(sub.RunE)
		c.AddCommand(sub)
	}
	return c
}

func newSpecSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of specs",
		Long: `Print the JSON Schema (draft 7) of the specs of this version, with what each argument does. An editor that knows it completes
keys, shows their meaning and marks faults; for YAML files, a first line such as
  # yaml-language-server: $schema=spec.schema.json`,
		Example: `  verifyd spec schema > spec.schema.json`,
		Args:    wants(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(verifiers.SpecSchema())
			return err
		},
	}
}

func newSpecCheck(a *app) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Find all faults of specs",
		Long: `Find the faults of each spec, all of them, each with its place, as FILE: PLACE: FAULT. Exit status 1 where there are any. A
sandbox is not needed for it: whether programs can be run here is what verifyd doctor tells.`,
		Example: `  verifyd spec check judge.yaml specs/*.json
  verifyd spec check - < judge.yaml
  verifyd spec check --json judge.yaml`,
		Args: wants(1, -1, "FILE, a spec in JSON or YAML; - is standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.specCheck(c.Context(), args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, `answer a line {"file", "ok", "kind", "faults": [{"path", "message"}]} for each file`)
	return c
}

func newSpecExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "explain FILE",
		Short:   "Say in words what a spec asks for",
		Long:    `Draw the tree of a spec: when each check passes, what its arguments do, and what holds by default.`,
		Example: `  verifyd spec explain judge.yaml`,
		Args:    wants(1, 1, "FILE, a spec in JSON or YAML; - is standard input"),
		RunE:    func(c *cobra.Command, args []string) error { return a.specExplain(c.Context(), args[0]) },
	}
}

// specRegistry builds specs without opening a sandbox: of a backend only the name is looked at.
func specRegistry() *verifiers.Registry {
	return verifiers.NewRegistry(verifiers.Config{Model: new(model.Pool).Client, Code: func(name string) (verifiers.CodeRunner, error) {
		if name != "" && !slices.Contains(backendNames(), name) {
			return nil, fmt.Errorf("unknown backend %.40q; known are %s", name, strings.Join(backendNames(), ", "))
		}
		return nil, nil
	}})
}

// specFile reads a file with a spec. A text that is neither JSON nor YAML is a fault of the spec.
func (a *app) specFile(ctx context.Context, name string) (jsontext.Value, []*judge.SpecError, error) {
	text, err := a.readFile(ctx, name)
	if err != nil {
		return nil, nil, usage("spec: %w", err)
	}
	spec, err := yamljson.ToJSON(text)
	if err != nil {
		return nil, []*judge.SpecError{{Msg: err.Error()}}, nil
	}
	return spec, specRegistry().Faults(spec), nil
}

// specReport is what --json tells of a file.
type specReport struct {
	File   string      `json:"file"`
	OK     bool        `json:"ok"`
	Kind   string      `json:"kind,omitzero"`
	Faults []specFault `json:"faults"`
}

type specFault struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (a *app) specCheck(ctx context.Context, names []string, asJSON bool) error {
	sound := true
	for _, name := range names {
		spec, found, err := a.specFile(ctx, name)
		if err != nil {
			return err
		}
		r := specReport{File: name, OK: len(found) == 0, Faults: []specFault{}}
		for _, f := range found {
			r.Faults = append(r.Faults, specFault{f.Path, f.Msg})
		}
		what := ""
		if r.OK {
			o, err := specRegistry().Outline(spec)
			if err != nil {
				return err
			}
			r.Kind, what = o.Kind, specSize(&o)
		}
		sound = sound && r.OK
		if err := a.tellSpec(&r, what, asJSON); err != nil {
			return err
		}
	}
	if !sound {
		return &exitError{exitGate, errSilent}
	}
	return nil
}

func (a *app) tellSpec(r *specReport, what string, asJSON bool) error {
	if asJSON {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = a.out.Write(append(line, '\n'))
		return err
	}
	p := report.New(a.out, colour(a.out))
	if r.OK {
		p.Line(r.File + ": " + p.Green("ok") + ", " + what)
	}
	for _, f := range r.Faults {
		place := ""
		if f.Path != "" {
			place = p.Bold(f.Path) + ": "
		}
		p.Line(r.File + ": " + place + f.Message)
	}
	return p.Err()
}

// specSize says how large a spec is.
func specSize(o *verifiers.Outline) string {
	count := checks(o)
	if count == 1 {
		return o.Kind
	}
	return fmt.Sprintf("%s of %s", o.Kind, report.Plural(int64(count-1), "check", "checks"))
}

func checks(o *verifiers.Outline) int {
	n := 1
	for i := range o.Parts {
		n += checks(&o.Parts[i])
	}
	return n
}

func (a *app) specExplain(ctx context.Context, name string) error {
	spec, found, err := a.specFile(ctx, name)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		r := specReport{File: name}
		for _, f := range found {
			r.Faults = append(r.Faults, specFault{f.Path, f.Msg})
		}
		if err := a.tellSpec(&r, "", false); err != nil {
			return err
		}
		return &exitError{exitGate, errSilent}
	}
	o, err := specRegistry().Outline(spec)
	if err != nil {
		return err
	}
	p := report.New(a.out, colour(a.out))
	drawSpec(p, &o, screenWidth(a.out), "", "")
	return p.Err()
}

// drawSpec writes a check and those inside it. first stands before its own line, rest before all others.
func drawSpec(p *report.Printer, o *verifiers.Outline, width int, first, rest string) {
	label := p.Bold(o.Kind)
	if o.Name != "" {
		label = p.Bold(o.Name) + p.Dim(" ("+o.Kind+")")
	}
	if o.Weight != nil {
		label += p.Dim(fmt.Sprintf(" weight %g", *o.Weight))
	}
	under := rest + "    "
	if len(o.Parts) > 0 {
		under = rest + "│   "
	}
	p.Wrapped(first+label+"  ", under, o.Passes, width)
	for _, s := range o.Given {
		value := report.Short(string(s.Value), valueWidth)
		p.Wrapped(under+s.Key+" "+value+"  ", under+"  ", p.Dim(s.Doc), width)
	}
	var defaults []string
	for _, s := range o.Default {
		defaults = append(defaults, s.Key+" "+string(s.Value))
	}
	if defaults != nil {
		p.Wrapped(under+p.Dim("by default  "), under+"  ", p.Dim(strings.Join(defaults, ", ")), width)
	}
	for i := range o.Parts {
		if i == len(o.Parts)-1 {
			drawSpec(p, &o.Parts[i], width, rest+"└─ ", rest+"   ")
		} else {
			drawSpec(p, &o.Parts[i], width, rest+"├─ ", rest+"│  ")
		}
	}
}

// valueWidth bounds what is shown of an argument: a schema may be long.
const valueWidth = 60
