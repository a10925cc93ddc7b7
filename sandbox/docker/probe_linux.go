package docker

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Probe looks at what the backend needs and tries it, by making one container. It never fails: what does not work is a finding.
func Probe(c Config) []Finding {
	c.AllowWeak = true
	engine := Finding{Name: "docker engine", Needed: true, Fix: "start dockerd, and be root or in its group; DOCKER_HOST=unix:///path names another socket"}
	api, socket, err := openEngine(c.Host)
	if err != nil {
		engine.Detail, engine.Fix = err.Error(), "name a socket file: DOCKER_HOST=unix:///var/run/docker.sock"
		return []Finding{engine}
	}
	said, err := ask(context.Background(), api)
	version := api.ClientVersion()
	_ = api.Close() // it was only asked
	if err != nil {
		engine.Detail = err.Error()
		return []Finding{engine}
	}
	engine = Finding{Name: engine.Name, Needed: true, OK: true, Detail: fmt.Sprintf("Docker %s at %s, protocol %s", said.version, socket, version)}
	d, err := New(c)
	if err != nil {
		return []Finding{engine, refused(err)}
	}
	defer func() { _ = d.Close() }() // what is left is swept by the next New
	all := []Finding{engine, {Name: "container", OK: true, Needed: true, Detail: strings.Join(d.caps.Walls, " ")}, d.probeImages()}
	for _, f := range []Finding{
		{Name: "memory", Needed: true, Fix: "run as root: the engine makes groups for jobs below a container's"},
		{Name: "processes", Needed: true, Fix: "run as root: the engine makes groups for jobs below a container's"},
		{Name: "own_time", Fix: "mount cgroup v2 (Linux 5.13 or later, booted without psi=0)"},
		{Name: "container_seccomp", Needed: true, Fix: "run a Docker engine with system-call filters"},
	} {
		if slices.Contains(d.caps.Missing, f.Name) {
			f.Detail = strings.Join(d.notes, "; ")
			all = append(all, f)
		}
	}
	if !d.caps.Warm {
		all = append(all, Finding{Name: "warm interpreters", Detail: "a job is its server's own user here", Fix: "Linux 6.12 or later with Landlock and cgroup v2 keeps jobs from their server"})
	}
	return all
}

// refused explains the step that the machine refused.
func refused(err error) Finding {
	f := Finding{Name: "container", Needed: true, Detail: err.Error(), Fix: "see the detail: it names the step"}
	text := f.Detail
	switch {
	case strings.Contains(text, "start slot"), strings.Contains(text, "operation not permitted"), strings.Contains(text, "permission denied"):
		f.Fix = "let containers make user namespaces: sysctl user.max_user_namespaces above 0, kernel.apparmor_restrict_unprivileged_userns=0 where there is one"
	case strings.Contains(text, "executable file not found"), strings.Contains(text, "no such file"):
		f.Fix = "the Docker engine must see this machine's files under the same names: no engine in a virtual machine, no private /tmp"
	case strings.Contains(text, "does not connect"):
		f.Fix = "use a runtime that shares the host's kernel (runc, crun)"
	}
	return f
}

func (d *Docker) probeImages() Finding {
	f := Finding{Name: "images", OK: !d.self.dynamic, Detail: fmt.Sprintf("%d allowed", len(d.config.Images))}
	if !f.OK {
		f.Detail, f.Fix = "this binary needs the host's C library", "build with CGO_ENABLED=0"
	}
	return f
}
