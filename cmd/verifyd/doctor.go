package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/pool"
)

func newDoctor(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what works on this machine, what is missing, and the fix",
		Long: `Open each sandbox backend, look for each language's interpreter or compiler, try it with a program that is known to be right and
with wrong ones, and tell what works here, what is missing
and how to get it. Known holes of the machine beside the sandboxes are named: an old runc, Docker on TCP, unsafe sysctls. Exit status 0 also where something is missing: native verifiers work everywhere.`,
		Example: `  verifyd doctor
  verifyd doctor --json`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			d := a.diagnose()
			if asJSON {
				return writeJSON(a.out, d)
			}
			return d.writeText(report.New(a.out, colour(a.out)))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

// diagnosis is what doctor found.
type diagnosis struct {
	Version   string            `json:"version"`
	Platform  string            `json:"platform"`
	OK        bool              `json:"ok"` // programs can be run behind a boundary, in Python at least
	Default   string            `json:"default_backend"`
	Backends  []backendFinding  `json:"backends"`
	Admission admission         `json:"admission"`
	Holes     []finding         `json:"holes"` // of the machine, beside the sandboxes' own walls
	Languages []languageFinding `json:"languages"`
	Verifiers []string          `json:"verifiers"`
}

// admission is what all programs that run at once may use together; what does not fit waits. 0 is no bound.
type admission struct {
	Jobs      int          `json:"jobs"`
	Memory    sandbox.Size `json:"memory"` // bytes
	Processes int          `json:"processes"`
}

type backendFinding struct {
	Name      string   `json:"name"`
	OK        bool     `json:"ok"`
	Boundary  bool     `json:"boundary"` // holds hostile programs; false is for trusted code
	Isolation string   `json:"isolation,omitzero"`
	Walls     []string `json:"walls,omitzero"`
	Limits    []string `json:"limits,omitzero"`
	Missing   []string `json:"missing,omitzero"`
	Problem   string   `json:"problem,omitzero"`
	Fix       string   `json:"fix,omitzero"`
	Weak      []string `json:"without_by_allow_weak,omitzero"` // what would be missing with --allow-weak, where that works

	Findings []finding `json:"findings,omitzero"`
}

type languageFinding struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Tool    string `json:"tool,omitzero"`
	Version string `json:"version,omitzero"`
	Problem string `json:"problem,omitzero"`
}

func (a *app) diagnose() *diagnosis {
	d := &diagnosis{
		Version: version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Backends: []backendFinding{}, Languages: []languageFinding{},
		Admission: admission(pool.Machine()), Holes: findHoles("/", askRunc), Verifiers: a.registry().Kinds(),
	}
	var runner *codecheck.Runner
	for _, b := range backends {
		if b.detail {
			continue
		}
		f := backendFinding{Name: b.name, Boundary: !b.trusted}
		opened, err := a.boxes.get(b.name)
		if err != nil {
			f.fail(b, err)
		} else {
			f.take(opened.sandbox.Caps())
			runner = cmp.Or(runner, opened.runner)
			if d.Default == "" && f.Boundary && !b.byName {
				d.Default = f.Name
			}
		}
		if b.probe != nil {
			f.Findings = b.probe()
		}
		d.Backends = append(d.Backends, f)
	}
	for _, l := range codecheck.Languages() {
		d.Languages = append(d.Languages, findLanguage(runner, l))
	}
	d.OK = d.Default != "" && len(d.Languages) > 0 && d.Languages[0].OK
	return d
}

// fail tells what is missing, and tries what --allow-weak would get.
func (f *backendFinding) fail(b backend, err error) {
	if none := (*noBackendError)(nil); errors.As(err, &none) {
		err = none.cause
	}
	f.Problem, f.Fix = flat(err), fixOf(err)
	weak, err := b.open(true)
	if err != nil {
		return
	}
	f.Weak = append(f.Weak, weak.Caps().Missing...)
	_ = weak.Close() // what is left is swept at the next start
}

func (f *backendFinding) take(c sandbox.Caps) {
	f.OK, f.Isolation, f.Walls, f.Missing = true, c.Isolation, c.Walls, c.Missing
	for _, l := range []struct {
		name string
		ok   bool
	}{{"memory", c.Memory}, {"processes", c.Processes}, {"cpu", c.CPU}, {"disk", c.Disk}, {"inodes", c.Inodes}, {"own_time", c.OwnTime}} {
		if l.ok {
			f.Limits = append(f.Limits, l.name)
		} else if f.Boundary {
			f.Missing = append(f.Missing, l.name)
		}
	}
}

// findLanguage looks for a toolchain and tries it with programs that are known to be right and wrong. Without a sandbox it is looked
// for all the same: one may come.
func findLanguage(runner *codecheck.Runner, l codecheck.Language) languageFinding {
	f := languageFinding{Name: l.Name}
	tried := runner != nil
	if !tried {
		var err error
		if runner, err = codecheck.New(noSandbox{}, codecheck.Config{}); err != nil {
			f.Problem = flat(err)
			return f
		}
	}
	tool, err := runner.Toolchain(l.Name)
	if err != nil {
		f.Problem = flat(err)
		return f
	}
	f.Tool, f.Version = tool.Exe, tool.Version
	if tried {
		ctx, cancel := context.WithTimeout(context.Background(), selfTestTime)
		defer cancel()
		if err := runner.SelfTest(ctx, l.Name); err != nil {
			f.Problem = flat(err)
			return f
		}
	}
	f.OK = true
	return f
}

// selfTestTime is far more than the three programs of a self-test take, on a busy machine, too.
const selfTestTime = 2 * time.Minute

// noSandbox stands where there is none, to look for languages.
type noSandbox struct{ sandbox.Sandbox }

func (noSandbox) Caps() sandbox.Caps { return sandbox.Caps{} }

// flat is an error on one line.
func flat(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// fixOf is the one line that helps where walls are missing.
func fixOf(err error) string {
	switch {
	case runtime.GOOS != "linux":
		return "run verifyd on Linux, or in a Linux container with the rights below"
	case errors.Is(err, sandbox.ErrNoWalls):
		return "run as root, or as a user with user namespaces and a delegated cgroup (in Docker: --privileged)"
	}
	return "see the problem"
}

func (d *diagnosis) writeText(p *report.Printer) error {
	p.Line(p.Bold("verifyd "+d.Version) + "  " + d.Platform)
	p.Line("")
	p.Line(p.Bold("Sandboxes"))
	for _, b := range d.Backends {
		b.write(p, b.Name == d.Default)
	}
	writeWrapped(p, "          "+pad("at once"), d.Admission.String())
	p.Line("")
	d.writeHoles(p)
	p.Line("")
	p.Line(p.Bold("Languages"))
	for _, l := range d.Languages {
		if l.OK {
			p.Line("  " + p.Green("ok      ") + pad(l.Name) + strings.TrimSpace(l.Version+"  "+p.Dim(l.Tool)))
		} else {
			writeWrapped(p, "  "+p.Yellow("missing ")+pad(l.Name), l.Problem)
		}
	}
	p.Line("")
	p.Line(p.Bold("Verifiers"))
	writeWrapped(p, "  ", strings.Join(d.Verifiers, ", "))
	return p.Err()
}

// writeHoles lists what stands open, each with its fix.
func (d *diagnosis) writeHoles(p *report.Printer) {
	p.Line(p.Bold("Known holes of this machine"))
	open := 0
	for _, h := range d.Holes {
		if h.OK {
			continue
		}
		open++
		writeWrapped(p, "  "+p.Yellow("open    ")+h.Name+"  ", h.Detail)
		writeWrapped(p, "            ", p.Dim("fix: ")+h.Fix)
	}
	p.Line("  " + p.Green("shut    ") + fmt.Sprintf("%d of the %d that were looked for", len(d.Holes)-open, len(d.Holes)))
}

func (a admission) String() string {
	text := fmt.Sprintf("%d programs", a.Jobs)
	if a.Memory > 0 {
		text += fmt.Sprintf(", %.1f GiB of memory limits", float64(a.Memory)/float64(sandbox.GiB))
	}
	if a.Processes > 0 {
		text += fmt.Sprintf(", %d processes", a.Processes)
	}
	return text + "; what does not fit waits"
}

// writeWrapped writes text behind a label, in lines of one width.
func writeWrapped(p *report.Printer, label, text string) {
	indent := report.Width(label)
	for i, line := range report.Wrap(text, lineWidth-indent) {
		if i > 0 {
			label = strings.Repeat(" ", indent)
		}
		p.Line(label + line)
	}
}

// lineWidth is read with ease, and fits most terminals.
const lineWidth = 110

func (b *backendFinding) write(p *report.Printer, isDefault bool) {
	if !b.OK {
		if b.allWell() { // nothing that was probed explains it
			writeWrapped(p, "  "+p.Red("missing ")+pad(b.Name), b.Problem)
		} else {
			p.Line("  " + p.Red("missing ") + pad(b.Name) + "walls or limits are missing:")
		}
		if !b.writeFindings(p) {
			writeWrapped(p, "          "+pad(""), p.Dim("fix: ")+b.Fix)
		}
		if len(b.Weak) > 0 {
			writeWrapped(p, "          "+pad(""), p.Dim("or: ")+"--allow-weak works here, without "+strings.Join(b.Weak, ", ")+"; each verdict says so")
		}
		return
	}
	note := ""
	switch {
	case isDefault:
		note = " (used unless told otherwise)"
	case !b.Boundary:
		note = " (no boundary: for trusted code, by name only)"
	}
	p.Line("  " + p.Green("ok      ") + pad(b.Name) + b.Isolation + p.Dim(note))
	for _, item := range []struct {
		name  string
		words []string
	}{{"walls", b.Walls}, {"limits", b.Limits}, {"missing", b.Missing}} {
		if len(item.words) > 0 {
			writeWrapped(p, "          "+pad(""), p.Dim(item.name+": ")+strings.Join(item.words, ", "))
		}
	}
	b.writeFindings(p)
}

// detailWidth keeps what was seen to a line or so; all of it stands in --json.
const detailWidth = 100

func (b *backendFinding) allWell() bool {
	return !slices.ContainsFunc(b.Findings, func(f finding) bool { return f.Needed && !f.OK })
}

// writeFindings lists what is not there, each with its fix, and says whether any fix was named.
func (b *backendFinding) writeFindings(p *report.Printer) bool {
	fixed := false
	for _, f := range b.Findings {
		if f.OK {
			continue
		}
		mark := p.Dim("lacks ")
		if f.Needed {
			mark = p.Yellow("needs ")
		}
		writeWrapped(p, "          "+pad(""), mark+f.Name+": "+report.Short(f.Detail, detailWidth))
		if f.Fix != "" {
			writeWrapped(p, "          "+pad("")+"  ", p.Dim("fix: ")+f.Fix)
			fixed = fixed || f.Needed
		}
	}
	return fixed
}

// nameWidth is the column of names in doctor's table.
const nameWidth = 11

func pad(name string) string { return name + strings.Repeat(" ", max(nameWidth-len(name), 1)) }
