package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Known holes of the machine: what stands open beside the sandboxes' own walls, so that one mistake in those would be enough. The
// sandboxes do not lean on any of it; who runs strangers' programs still wants them shut.

// findHoles looks below root, "/" but in tests; runc gives the text of runc --version, empty where there is none.
func findHoles(root string, runc func() string) []finding {
	holes := []finding{runcHole(runc()), dockerHole(root)}
	for _, s := range sysctls {
		if f, there := s.look(root); there {
			holes = append(holes, f)
		}
	}
	return holes
}

// askRunc runs runc --version where it is installed.
func askRunc() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "runc", "--version").Output()
	if err != nil {
		return "" // not there, or not usable: then no container is started by it
	}
	return string(out)
}

var runcVersion = regexp.MustCompile(`runc version (\d+)\.(\d+)\.(\d+)(-\S+)?`)

// runcHole: versions in which a container that races with its own mounts could write to the host's /proc (CVE-2025-31133,
// CVE-2025-52565, CVE-2025-52881; mended in 1.2.8, 1.3.3 and 1.4.0-rc.3).
func runcHole(text string) finding {
	f := finding{Name: "runc", OK: true, Detail: "not installed"}
	m := runcVersion.FindStringSubmatch(text)
	if m == nil {
		if text != "" {
			f.Detail = "of an unknown version"
		}
		return f
	}
	f.Detail = strings.TrimPrefix(m[0], "runc version ")
	var v [3]int
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1]) // digits
	}
	candidate := m[4] == "-rc.1" || m[4] == "-rc.2" || m[4] == "-rc1" || m[4] == "-rc2"
	switch {
	case v[0] > 1 || v[0] == 1 && v[1] > 4:
	case v[0] == 1 && v[1] == 4:
		f.OK = v[2] > 0 || !candidate
	case v[0] == 1 && v[1] == 3:
		f.OK = v[2] >= 3
	default:
		f.OK = v[0] == 1 && v[1] == 2 && v[2] >= 8
	}
	if !f.OK {
		f.Detail += ": a container can escape by racing with its mounts"
		f.Fix = "update runc to 1.2.8, 1.3.3 or later"
	}
	return f
}

// dockerHole: Docker's API without TLS on TCP port 2375 gives root on the host to whoever reaches it.
func dockerHole(root string) finding {
	f := finding{Name: "docker on tcp 2375", OK: true, Detail: "nobody listens"}
	for _, name := range []string{"proc/net/tcp", "proc/net/tcp6"} {
		text, _ := os.ReadFile(filepath.Join(root, name)) // not there without IPv6, or outside of Linux
		if listens(text, 2375) {
			f.OK, f.Detail = false, "somebody listens: Docker's API without TLS is root on this machine for whoever reaches it"
			f.Fix = "remove -H tcp://…:2375 from dockerd's options; use the socket, or TLS on 2376"
		}
	}
	return f
}

// listens reads /proc/net/tcp: the local address is the second field, the state the fourth, and 0A is LISTEN (proc_pid_net(5)).
func listens(text []byte, port int) bool {
	for line := range bytes.Lines(text) {
		f := strings.Fields(string(line))
		if len(f) > 3 && f[3] == "0A" && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
			return true
		}
	}
	return false
}

// sysctl is a setting of the kernel that is unsafe below a value, or above it.
type sysctl struct {
	name   string
	least  int // the smallest safe value
	most   int // the largest
	why    string
	advice int // the value to set
}

var sysctls = []sysctl{
	{"kernel.unprivileged_bpf_disabled", 1, 2, "ordinary users may load BPF programs into the kernel", 2},
	{"kernel.randomize_va_space", 2, 2, "addresses of programs can be guessed", 2},
	{"kernel.kptr_restrict", 1, 2, "ordinary users may read addresses of the kernel", 1},
	{"kernel.dmesg_restrict", 1, 1, "ordinary users may read the kernel's log, with addresses", 1},
	{"kernel.perf_event_paranoid", 2, 4, "ordinary users may watch the kernel by perf", 2},
	{"kernel.yama.ptrace_scope", 1, 3, "a user's processes may trace each other", 1},
	{"fs.protected_symlinks", 1, 1, "links in /tmp may be planted for other users", 1},
	{"fs.protected_hardlinks", 1, 1, "links in /tmp may be planted for other users", 1},
	{"fs.protected_fifos", 1, 2, "pipes in /tmp may be planted for other users", 1},
	{"fs.protected_regular", 1, 2, "files in /tmp may be planted for other users", 1},
	{"fs.suid_dumpable", 0, 0, "programs with raised rights leave core dumps", 0},
	{"vm.unprivileged_userfaultfd", 0, 0, "ordinary users may hold up the kernel's copying of memory", 0},
	{"vm.mmap_min_addr", 4096, 1 << 30, "a null pointer of the kernel may be given a meaning", 65536},
}

// look gives a finding; there is none where the kernel does not have the setting.
func (s sysctl) look(root string) (f finding, there bool) {
	text, err := os.ReadFile(filepath.Join(root, "proc/sys", strings.ReplaceAll(s.name, ".", "/")))
	value, convErr := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || convErr != nil {
		return f, false
	}
	f = finding{Name: s.name, OK: value >= s.least && value <= s.most, Detail: strconv.Itoa(value)}
	if !f.OK {
		f.Detail += ": " + s.why
		f.Fix = fmt.Sprintf("sysctl %s=%d", s.name, s.advice)
	}
	return f, true
}
