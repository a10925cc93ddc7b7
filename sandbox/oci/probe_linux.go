package oci

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Probe looks for the runtimes and tries each that is there by starting a container. It never fails: what does not work is a finding.
func Probe(c Config) []Finding {
	c.AllowWeak = true
	names := []string{c.Runtime}
	if c.Runtime == "" {
		names = nil
		for _, k := range kinds {
			names = append(names, k.name)
		}
	}
	var all []Finding
	works := 0
	for _, name := range names {
		f := probeRuntime(c, name)
		all = append(all, f)
		if f.OK {
			works++
		}
	}
	for i := range all {
		all[i].Needed = works == 0 // one of them is enough
	}
	return append(all, probeImages(c))
}

func probeRuntime(c Config, name string) Finding {
	f := Finding{Name: name, Fix: "install the package " + name}
	if name == "runsc" {
		f.Fix = "install gVisor (gvisor.dev/docs/user_guide/install), or build it by scripts/runsc"
	}
	if _, err := exec.LookPath(name); err != nil {
		f.Detail = "not on PATH"
		return f
	}
	c.Runtime = name
	o, err := New(c)
	if err != nil {
		f.Detail, f.Fix = flat(err.Error()), "see the detail: it holds the runtime's own words"
		if known := (*refusal)(nil); errors.As(err, &known) {
			f.Detail, f.Fix = flat(known.error.Error()), known.fix
		}
		return f
	}
	defer func() { _ = o.Close() }() // what is left is swept by the next New
	f.OK, f.Detail = true, o.tool.version+": "+strings.Join(o.host.Caps.Walls, " ")
	if missing := o.host.Caps.Missing; len(missing) > 0 {
		f.Detail += "; not held: " + strings.Join(missing, ", ")
	}
	return f
}

func probeImages(c Config) Finding {
	f := Finding{Name: "images", OK: true, Detail: "no folder"}
	if c.Images == "" {
		return f
	}
	all, err := Store{Dir: c.Images}.List()
	f.Detail = fmt.Sprintf("%d in %s", len(all), c.Images)
	if err != nil {
		f.OK, f.Detail, f.Fix = false, err.Error(), "mend or remove the index; images can be added again"
	}
	return f
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

var _ sandbox.Reserver = (*OCI)(nil)
