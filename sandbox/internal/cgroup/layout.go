//go:build unix

// Package cgroup limits, measures and kills a tree of processes.
//
// Theory. Linux has two interfaces: v1, one hierarchy a controller, and v2, one for all. A machine may have either or
// both ("hybrid": controllers stay on v1, and the v2 tree is empty). Limits need a controller; the rest of v2 does not: an empty v2
// group still counts processor time (cpu.stat), reports pressure (cpu.pressure) and kills its tree at once (cgroup.kill).
// So each job gets a v2 group wherever v2 is mounted, and a v1 group for each limit that v2 cannot enforce:
//
//	memory.max      v2, else v1 memory         pids.max     v2, else v1 pids
//	cpu.weight      v2, else v1 cpu            usage        v2 cpu.stat, else v1 cpuacct
//	kill, pressure  v2 only
//
// Groups lie below the caller's own group, so limits that somebody set for the whole engine hold for its jobs too. v2 forbids
// processes beside subgroups with controllers; where the own group is to hand out controllers its processes are first moved
// into a leaf of their own. No job ever gets a CPU quota: throttling counts as pressure and would be taken for the machine's
// doing. Sources: kernel Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.
package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Layout is where this process can make groups. A path is the parent folder of new groups; an empty or missing one
// means that there is none. Tests build one over a plain folder.
type Layout struct {
	V2     string            // parent on the v2 tree
	V2Has  []string          // controllers that children of V2 get
	V1     map[string]string // controller to parent
	Notes  []string          // why something is missing, a sentence each
	top    string            // root of the v2 tree, as far as it can be seen
	roots  []string          // mount points of all hierarchies in use
	leaves []string          // leaf groups that own processes were moved to
	user   int               // who forks into groups of v2; 0 is the engine itself
	own    map[string]string // tree (cpu for v1, v2) to the group of a container, whose weight is that of its job
	made   func(dir string)  // in tests: fills a new group with the files that the kernel would
}

// v1Wanted are the controllers of v1 that jobs use.
var v1Wanted = []string{"memory", "pids", "cpu", "cpuacct"}

// Detect finds the writable groups of this process from the text of /proc/self/mountinfo and /proc/self/cgroup.
func Detect(mountinfo, selfCgroup string) *Layout {
	l := find(mountinfo, selfCgroup)
	l.probe()
	return l
}

// find is Detect without a look at what can be made there.
func find(mountinfo, selfCgroup string) *Layout {
	l := &Layout{V1: map[string]string{}}
	own := ownGroups(selfCgroup)
	for line := range strings.Lines(mountinfo) {
		m, ok := parseMount(line)
		if !ok {
			continue
		}
		switch m.kind {
		case "cgroup2":
			if l.V2 == "" {
				l.V2, l.top = m.locate(own[""]), m.point
				l.roots = append(l.roots, m.point)
			}
		case "cgroup":
			for _, c := range v1Wanted {
				if slices.Contains(m.options, c) && l.V1[c] == "" {
					l.V1[c] = m.locate(own[c])
					l.roots = append(l.roots, m.point)
				}
			}
		}
	}
	return l
}

// DetectSelf is Detect on this process.
func DetectSelf() (*Layout, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	return Detect(string(mounts), string(groups)), nil
}

type mount struct {
	root, point, kind string
	options           []string
}

// parseMount reads "36 35 98:0 ROOT POINT opts [fields] - TYPE SOURCE SUPEROPTS" (proc_pid_mountinfo(5)).
func parseMount(line string) (mount, bool) {
	left, right, ok := strings.Cut(strings.TrimSpace(line), " - ")
	a, b := strings.Fields(left), strings.Fields(right)
	if !ok || len(a) < 5 || len(b) < 3 {
		return mount{}, false
	}
	return mount{root: unescape(a[3]), point: unescape(a[4]), kind: b[0], options: strings.Split(b[2], ",")}, true
}

// unescape undoes the octal escapes of mountinfo for space, tab, newline and backslash.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// locate gives the folder of a group, as /proc/self/cgroup names it, below this mount. Within a container the mount may
// show only a part of the tree (root), or the name may lie outside of it: then the mount point itself is all there is.
func (m mount) locate(group string) string {
	rel, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !ok || strings.Contains(group, "..") {
		return m.point
	}
	dir := filepath.Join(m.point, rel)
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return m.point
	}
	return dir
}

// ownGroups reads lines "ID:controllers:/path"; the v2 line has no controllers.
func ownGroups(text string) map[string]string {
	own := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for _, c := range strings.Split(f[1], ",") {
			own[c] = f[2]
		}
	}
	return own
}

// probe drops parents where no group can be made, and hands out the v2 controllers.
func (l *Layout) probe() {
	for c, dir := range l.V1 {
		if err := tryMkdir(dir); err != nil {
			l.Notes = append(l.Notes, fmt.Sprintf("v1 %s: %v", c, err))
			delete(l.V1, c)
		}
	}
	slices.Sort(l.Notes)
	if l.V2 == "" {
		return
	}
	if err := tryMkdir(l.V2); err != nil {
		l.Notes = append(l.Notes, fmt.Sprintf("v2: %v", err))
		l.V2 = ""
		return
	}
	l.delegate()
}

func tryMkdir(parent string) error {
	dir, err := os.MkdirTemp(parent, "probe-")
	if err != nil {
		return fmt.Errorf("no group can be made: %w", err)
	}
	return os.Remove(dir)
}

var v2Wanted = []string{"memory", "pids", "cpu"}

// delegate enables memory, pids and cpu for the children of V2, moving own processes to a leaf where the kernel asks for it. The
// group of a login or a shell holds processes of others, which stay where they are: an engine that is root then makes its
// groups at the top of the tree, where the controllers are usually handed out already.
func (l *Layout) delegate() {
	offered := fields(filepath.Join(l.V2, "cgroup.controllers"))
	control := filepath.Join(l.V2, "cgroup.subtree_control")
	if l.V2 != l.top && l.shared() && !containsAll(fields(control), v2Wanted) && containsAll(fields(filepath.Join(l.top, "cgroup.subtree_control")), v2Wanted) && tryMkdir(l.top) == nil {
		l.V2 = l.top
		l.V2Has = slices.Clone(v2Wanted)
		return
	}
	for _, c := range v2Wanted {
		if !slices.Contains(offered, c) {
			continue
		}
		if slices.Contains(fields(control), c) {
			l.V2Has = append(l.V2Has, c)
			continue
		}
		err := os.WriteFile(control, []byte("+"+c), 0)
		if err != nil && len(l.leaves) == 0 && l.moveAside() == nil {
			err = os.WriteFile(control, []byte("+"+c), 0)
		}
		if err != nil {
			l.Notes = append(l.Notes, fmt.Sprintf("v2 %s: cannot be handed to jobs: %v (give the engine a delegated group that holds nothing else, in systemd: Delegate=yes)", c, err))
			continue
		}
		l.V2Has = append(l.V2Has, c)
	}
}

// shared tells whether others live in the group of V2.
func (l *Layout) shared() bool {
	for _, pid := range fields(filepath.Join(l.V2, "cgroup.procs")) {
		if pid != strconv.Itoa(os.Getpid()) {
			return true
		}
	}
	return false
}

func containsAll(all, wanted []string) bool {
	for _, w := range wanted {
		if !slices.Contains(all, w) {
			return false
		}
	}
	return true
}

// moveAside moves every process of V2 into a leaf below it.
func (l *Layout) moveAside() error {
	leaf := filepath.Join(l.V2, "verifyd-engine")
	if err := os.Mkdir(leaf, 0o755); err != nil && !os.IsExist(err) {
		return err
	}
	l.leaves = append(l.leaves, leaf)
	for _, pid := range fields(filepath.Join(l.V2, "cgroup.procs")) {
		if err := os.WriteFile(filepath.Join(leaf, "cgroup.procs"), []byte(pid), 0); err != nil {
			return err
		}
	}
	return nil
}

func fields(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// Has tells whether a controller (memory, pids, cpu) can be used, and by which interface.
func (l *Layout) Has(controller string) (version string, ok bool) {
	if slices.Contains(l.V2Has, controller) {
		return "v2", true
	}
	if l.V1[controller] != "" {
		return "v1", true
	}
	return "", false
}

// Mode names the arrangement as a verdict shows it: v2, hybrid, v1 or none.
func (l *Layout) Mode() string {
	v1 := l.V1["memory"] != "" || l.V1["pids"] != ""
	_, memory := l.Has("memory")
	switch {
	case v1 && l.V2 != "":
		return "hybrid"
	case v1:
		return "v1"
	case l.V2 != "" && memory:
		return "v2"
	}
	return "none"
}

func (l *Layout) v2Has(controller string) bool { return slices.Contains(l.V2Has, controller) }
