package oci

import (
	"fmt"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// findCaps tells what is enforced, from what the first container found.
func (o *OCI) findCaps(first *box) {
	layout := o.host.Layout
	c := sandbox.Caps{
		Backend: "oci", Isolation: o.tool.isolation, Native: true, Images: o.config.Images != "", Talk: true, Disk: true, Inodes: true,
		Walls: []string{o.tool.name, "user", "mount", "pid", "net", "ipc", "uts", "seccomp", "no_new_privs"},
	}
	if o.tool.ownKernel {
		c.Walls = []string{o.tool.name, "kernel", "mount", "pid", "net", "ipc", "uts", "seccomp", "no_new_privs"}
	}
	if first.Landlock > 0 {
		c.Walls = append(c.Walls, fmt.Sprintf("landlock-%d", first.Landlock))
	}
	if mode := layout.Mode(); mode != "none" {
		c.Walls = append(c.Walls, "cgroup-"+mode)
	}
	_, c.Memory = layout.Has("memory")
	_, c.Processes = layout.Has("pids")
	c.Processes = c.Processes && !o.tool.ownKernel // gVisor counts processes for nobody; the host's are bounded around it
	c.CPU, c.OwnTime, o.kills = first.Enforced()
	for _, l := range []struct {
		name string
		held bool
	}{{"memory", c.Memory}, {"processes", c.Processes}, {"cpu", c.CPU}, {"own_time", c.OwnTime}} {
		if !l.held {
			c.Missing = append(c.Missing, l.name)
		}
	}
	c.Warm = o.kills && c.CPU && (!o.rootless || first.Landlock >= 6)
	o.host.Caps = c
}

// refusal is the error where limits are missing that nothing else stands in for.
func (o *OCI) refusal() error {
	var why []string
	for _, m := range o.host.Caps.Missing {
		byName := o.tool.ownKernel && o.config.Runtime != "" // who names the runtime takes what it cannot count
		if m == "memory" || m == "processes" && !byName {
			why = append(why, m)
		}
	}
	if len(why) == 0 {
		return nil
	}
	return fmt.Errorf("%w: no cgroup limits the job's %s (%s). Start as root, or in a delegated group (systemd-run --user --scope -p Delegate=yes), or allow weak walls",
		sandbox.ErrNoWalls, strings.Join(why, " and "), strings.Join(o.host.Layout.Notes, "; "))
}
