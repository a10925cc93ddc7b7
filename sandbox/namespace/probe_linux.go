package namespace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/landlock"
)

// Probe looks at everything the backend uses and tries it, by starting one slot and one job. It never fails: what does not work
// is a finding.
func Probe() []Finding {
	all := []Finding{probeUser(), probeKernel()}
	n, err := New(Config{AllowWeak: true})
	if err != nil {
		return append(all, refusedWalls(err))
	}
	defer func() { _ = n.Close() }() // its slots end in any case
	all = append(all, Finding{Name: "walls", OK: true, Needed: true, Detail: strings.Join(n.host.Caps.Walls, " ")})
	all = append(all, n.probeRun(), n.probeProc(), probeLandlock())
	all = append(all, n.probeGroups()...)
	return append(all, probeResource(), probeCore())
}

func probeUser() Finding {
	f := Finding{Name: "user", OK: true, Detail: fmt.Sprintf("uid %d", os.Geteuid())}
	if os.Geteuid() != 0 {
		f.Detail += ": jobs run as this user in a namespace of their own"
	}
	return f
}

func probeKernel() Finding {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return Finding{Name: "kernel", Detail: err.Error(), Needed: true, Fix: "use Linux 5.7 or later"}
	}
	release := unix.ByteSliceToString(u.Release[:])
	var major, minor int
	_, _ = fmt.Sscanf(release, "%d.%d", &major, &minor) // zero is too old, and says so
	f := Finding{Name: "kernel", Needed: true, OK: major > 5 || major == 5 && minor >= 7, Detail: "Linux " + release}
	if !f.OK {
		f.Fix = "use Linux 5.7 or later (clone3 into a cgroup, new mount calls); 5.14 and later also kill a tree at once"
	}
	return f
}

// refusedWalls explains the step that the machine refused.
func refusedWalls(err error) Finding {
	f := Finding{Name: "walls", Needed: true, Detail: err.Error()}
	inContainer := exists("/.dockerenv") || exists("/run/.containerenv")
	switch {
	case inContainer:
		f.Fix = "this container may not make namespaces: start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (and apparmor=unconfined), or with --privileged"
	case readInt("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		f.Fix = "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or give this program an AppArmor profile with userns, or start as root"
	case readInt("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		f.Fix = "sysctl kernel.unprivileged_userns_clone=1, or start as root"
	case readInt("/proc/sys/user/max_user_namespaces") == "0":
		f.Fix = "sysctl user.max_user_namespaces=10000, or start as root"
	case errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), "not permitted"):
		f.Fix = "start as root, or allow namespaces for ordinary users"
	default:
		f.Fix = "the text before names the step that failed"
	}
	return f
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// readInt reads a sysctl as text; empty where there is none.
func readInt(path string) string {
	text, _ := os.ReadFile(path) // absent on most kernels
	return strings.TrimSpace(string(text))
}

func (n *Namespace) probeRun() Finding {
	r, err := n.run(context.Background(), sandbox.Spec{Args: []string{"/bin/sh", "-c", "exit 7"}})
	f := Finding{Name: "a job", Needed: true, OK: err == nil && r.ExitCode == 7, Detail: "started, ended and was cleaned away"}
	if !f.OK {
		f.Detail = fmt.Sprintf("status %q, exit code %d, error %v", r.Status, r.ExitCode, err)
		f.Fix = "a shell at /bin/sh must run: see the detail"
	}
	return f
}

func (n *Namespace) probeProc() Finding {
	for _, m := range n.host.Caps.Missing {
		if m == "user" {
			return Finding{
				Name: "fresh /proc", Detail: "refused: jobs have no /proc and no user namespace of their own",
				Fix: "in a container: --security-opt systempaths=unconfined",
			}
		}
	}
	return Finding{Name: "fresh /proc", OK: true, Detail: "a job sees its own processes only"}
}

func probeLandlock() Finding {
	abi := landlock.ABI()
	if abi == 0 {
		return Finding{Name: "landlock", Detail: "not in this kernel, or off", Fix: "optional: boot with lsm=landlock,… (Linux 5.13 and later)"}
	}
	return Finding{Name: "landlock", OK: true, Detail: fmt.Sprintf("ABI %d", abi)}
}

func (n *Namespace) probeGroups() []Finding {
	notes := strings.Join(n.host.Layout.Notes, "; ")
	all := []Finding{{Name: "cgroups", OK: n.host.Layout.Mode() != "none", Detail: n.host.Layout.Mode()}}
	if !all[0].OK {
		all[0].Detail = "none can be made: " + notes
		all[0].Fix = "start as root, or in a delegated group: systemd-run --user --scope -p Delegate=yes verifyd …"
	}
	for _, c := range []struct {
		name, controller string
		ok               bool
	}{{"memory limit", "memory", n.host.Caps.Memory}, {"process limit", "pids", n.host.Caps.Processes}} {
		version, _ := n.host.Layout.Has(c.controller)
		f := Finding{Name: c.name, OK: c.ok, Needed: true, Detail: "of the whole tree, by cgroup " + version}
		if !c.ok {
			f.Detail, f.Fix = "no controller "+c.controller+" for this process. "+notes, all[0].Fix
			if f.Fix == "" {
				f.Fix = "enable the controller at boot (cgroup_enable=" + c.controller + ") or delegate it"
			}
		}
		all = append(all, f)
	}
	f := Finding{Name: "own time", OK: n.host.Caps.OwnTime, Detail: "by cpu.pressure of each job's group"}
	if !f.OK {
		f.Detail = "no cpu.pressure with a line full: the wall clock counts, results say degraded: own_time"
		f.Fix = "mount cgroup2 where groups can be made; Linux 5.13 and later with psi=1"
	}
	return append(all, f)
}

// probeResource: without CAP_SYS_RESOURCE hard limits can only fall, and oom_score_adj cannot; nothing here needs that.
func probeResource() Finding {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	f := Finding{Name: "CAP_SYS_RESOURCE", Detail: "held"}
	if err := unix.Capget(&header, &data[0]); err == nil {
		f.OK = data[0].Effective&(1<<unix.CAP_SYS_RESOURCE) != 0
	}
	if !f.OK {
		f.Detail = "not held: a job's hard limits cannot be above the engine's own"
		f.Fix = "optional: only needed where the engine's own limits are low (ulimit -H)"
	}
	return f
}

// probeCore: a pattern that begins with | starts a program of the host for a crash. Jobs are kept from it by a core limit of
// one byte, the value at which the kernel does not start it (core(5)).
func probeCore() Finding {
	pattern := readInt("/proc/sys/kernel/core_pattern")
	f := Finding{Name: "core dumps", OK: !strings.HasPrefix(pattern, "|"), Detail: "core_pattern " + pattern}
	if !f.OK {
		f.Fix = "optional: sysctl kernel.core_pattern=core keeps the host's crash handler out of reach altogether"
	}
	return f
}
