//go:build linux

package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fake builds a tree of plain files that looks like the kernel's, and the texts that lead to it.
type fake struct {
	root string
	t    *testing.T
}

func newFake(t *testing.T) fake { return fake{t.TempDir(), t} }

func (f fake) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		f.t.Fatal(err)
	}
}

func (f fake) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(f.root, name)) // missing reads as empty
	return string(text)
}

// files are what a new group of each kind holds.
var files = map[string]string{
	"cgroup.procs": "", "cgroup.kill": "", "tasks": "",
	"memory.max": "max", "memory.swap.max": "max", "memory.oom.group": "0", "memory.peak": "4096\n",
	"memory.events": "low 0\nhigh 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 0\n",
	"pids.max":      "max", "pids.events": "max 3\n", "cpu.weight": "100",
	"cpu.stat":              "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n",
	"cpu.pressure":          "some avg10=1.37 avg60=1.00 avg300=0.70 total=4170511\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=250\n",
	"memory.limit_in_bytes": "", "memory.memsw.limit_in_bytes": "", "memory.max_usage_in_bytes": "9000\n", "memory.usage_in_bytes": "1000\n",
	"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n", "cpu.shares": "1024", "cpuacct.usage": "2000000\n",
}

func (l *Layout) fill() {
	l.made = func(dir string) {
		for name, text := range files {
			_ = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
}

func (f fake) mounts(lines ...string) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "ROOT", f.root)
}

const (
	v2Mount     = "30 20 0:27 / ROOT/v2 rw,relatime - cgroup2 cgroup2 rw"
	memoryMount = "31 20 0:28 / ROOT/memory rw,relatime - cgroup cgroup rw,memory"
	pidsMount   = "32 20 0:29 / ROOT/pids rw,relatime - cgroup cgroup rw,pids"
	cpuMount    = "33 20 0:30 / ROOT/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct"
	otherMount  = "34 20 0:31 / ROOT/x rw - tmpfs tmpfs rw,size=1k"
)

func TestPureV2(t *testing.T) {
	f := newFake(t)
	f.write("v2/engine/cgroup.controllers", "cpuset cpu io memory pids\n")
	f.write("v2/engine/cgroup.subtree_control", "")
	l := Detect(f.mounts(otherMount, v2Mount), "0::/engine\n")
	if l.Mode() != "v2" || l.V2 != f.root+"/v2/engine" {
		t.Fatalf("mode %q, %+v", l.Mode(), l)
	}
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := g.Begin("job", Limits{Memory: 1 << 20, Pids: 7, Weight: 50})
	if err != nil || dir == nil {
		t.Fatal(dir, err)
	}
	for name, want := range map[string]string{"memory.max": "1048576", "memory.swap.max": "0ax", "memory.oom.group": "1", "pids.max": "7ax", "cpu.weight": "500"} {
		if got := f.read("v2/engine/job/" + name); got != want { // plain files keep what was not overwritten
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if threads, err := g.Threads(); len(threads) != 0 || err != nil {
		t.Errorf("threads %v, %v: nothing is on v1", threads, err)
	}
	checkCounters(t, g, 4096)
	f.write("v2/engine/job/memory.events", "oom 9\noom_kill 3\n")
	if got := g.OOMKills(); got != 2 {
		t.Errorf("kills since the beginning: %d, want 2", got)
	}
	if !g.Kill() || f.read("v2/engine/job/cgroup.kill") != "1" {
		t.Error("not killed")
	}
}

func TestPureV1(t *testing.T) {
	f := newFake(t)
	for _, d := range []string{"memory/box", "pids/box", "cpu,cpuacct/box"} {
		f.write(d+"/tasks", "")
	}
	l := Detect(f.mounts(memoryMount, pidsMount, cpuMount), "9:cpu,cpuacct:/box\n8:pids:/box\n4:memory:/box\n")
	if l.Mode() != "v1" {
		t.Fatalf("mode %q, %+v", l.Mode(), l)
	}
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	threads, err := g.Threads()
	if err != nil || len(threads) != 3 { // cpu and cpuacct share a folder
		t.Fatalf("threads %v, %v", threads, err)
	}
	for _, th := range threads {
		_ = th.Close()
	}
	dir, err := g.Begin("job", Limits{Memory: 1 << 20, Pids: 7, Weight: 100})
	if err != nil || dir != nil {
		t.Fatal(dir, err)
	}
	for name, want := range map[string]string{
		"memory/box/slot/memory.limit_in_bytes": "1048576", "memory/box/slot/memory.memsw.limit_in_bytes": "1048576",
		"pids/box/slot/pids.max": "8ax", "cpu,cpuacct/box/slot/cpu.shares": "1024",
	} {
		if got := f.read(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if cpu, ok := g.CPU(); cpu != 0 || !ok {
		t.Errorf("cpu %v, %v: the count before the job is not the job's", cpu, ok)
	}
	f.write("cpu,cpuacct/box/slot/cpuacct.usage", "5000000\n")
	f.write("memory/box/slot/memory.max_usage_in_bytes", "3000\n")
	if cpu, _ := g.CPU(); cpu != 3*time.Millisecond {
		t.Errorf("cpu %v, want 3ms", cpu)
	}
	if got := g.PeakMemory(); got != 2000 {
		t.Errorf("peak %d, want 2000: what was there before is taken off", got)
	}
	if _, ok := g.Stalled(); ok {
		t.Error("v1 has no pressure")
	}
	if g.Kill() {
		t.Error("v1 cannot kill a tree")
	}
}

func TestHybrid(t *testing.T) {
	f := newFake(t)
	f.write("v2/cgroup.controllers", "\n")
	f.write("memory/tasks", "")
	f.write("pids/tasks", "")
	l := Detect(f.mounts(memoryMount, v2Mount, pidsMount), "8:pids:/\n4:memory:/\n0::/\n")
	if l.Mode() != "hybrid" {
		t.Fatalf("mode %q", l.Mode())
	}
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := g.Begin("job", Limits{Memory: 1 << 20, Pids: 7})
	if err != nil || dir == nil {
		t.Fatal(dir, err)
	}
	if got := f.read("v2/job/memory.max"); got != "max" {
		t.Errorf("v2 memory.max %q: that controller is on v1", got)
	}
	if cpu, ok := g.CPU(); !ok || cpu != 0 {
		t.Errorf("cpu %v, %v", cpu, ok)
	}
	const pressure = "some avg10=1.37 avg60=1.00 avg300=0.70 total=4170511\nfull avg10=0.00 avg60=0.00 avg300=0.00 total="
	f.write("v2/job/cpu.pressure", pressure+"900\n")
	if full, ok := g.Stalled(); !ok || full != 650*time.Microsecond {
		t.Errorf("stalled %v, %v, want 650µs: the count before the job is not the job's", full, ok)
	}
	f.write("v2/job/cpu.stat", "usage_usec 5000\n")
	f.write("v2/job/cgroup.events", "populated 1\nfrozen 0\n")
	if err := g.End(time.Now()); err == nil {
		t.Error("a group with members was taken for empty")
	}
	f.write("v2/job/cgroup.events", "populated 0\nfrozen 0\n")
	if _, err := g.Begin("next", Limits{Memory: 1 << 20, Pids: 7}); err != nil {
		t.Fatal(err)
	}
	cpu, _ := g.CPU()
	if full, _ := g.Stalled(); cpu != 0 || full != 0 || g.v2 != g.kept {
		t.Errorf("cpu %v, stalled %v in %s: the next job shares the group, not the time", cpu, full, g.v2)
	}
	if err := g.End(time.Now()); err != nil {
		t.Error(err)
	}
}

// checkCounters reads everything once; all events of the fake were there before the job.
func checkCounters(t *testing.T, g *Group, peak int64) {
	t.Helper()
	if full, ok := g.Stalled(); !ok || full != 0 {
		t.Errorf("stalled %v, %v", full, ok)
	}
	if got := g.OOMKills(); got != 0 {
		t.Errorf("kills %d", got)
	}
	if got := g.ForksRefused(); got != 0 {
		t.Errorf("refused forks %d", got)
	}
	if got := g.PeakMemory(); got != peak {
		t.Errorf("peak %d, want %d", got, peak)
	}
}

func TestOwnGroupIsFoundThroughTheMount(t *testing.T) {
	f := newFake(t)
	f.write("v2/a/b/x", "")
	for _, c := range []struct{ name, root, group, want string }{
		{"the mount shows the whole tree", "/", "/a/b", "v2/a/b"},
		{"a container's mount shows its own part", "/docker/1", "/docker/1/a/b", "v2/a/b"},
		{"a name outside of the mount", "/docker/1", "/docker/2", "v2"},
		{"a name above a cgroup namespace", "/", "/../../x", "v2"},
		{"a name that is not there", "/", "/gone", "v2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mount{root: c.root, point: f.root + "/v2", kind: "cgroup2"}
			if got := m.locate(c.group); got != filepath.Join(f.root, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestMountLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want mount
		ok   bool
	}{
		{`30 20 0:27 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,nsdelegate`, mount{"/", "/sys/fs/cgroup", "cgroup2", []string{"rw", "nsdelegate"}}, true},
		{`30 20 0:27 /a\040b /x\134y rw - cgroup cgroup rw,memory`, mount{"/a b", `/x\y`, "cgroup", []string{"rw", "memory"}}, true},
		{`30 20 0:27 / /x rw`, mount{}, false},
		{``, mount{}, false},
	} {
		got, ok := parseMount(c.line)
		if ok != c.ok || got.root != c.want.root || got.point != c.want.point || got.kind != c.want.kind || !slices.Equal(got.options, c.want.options) {
			t.Errorf("%q: %+v, %v", c.line, got, ok)
		}
	}
}

func TestAbandonedGroups(t *testing.T) {
	owner, err := Owner()
	if err != nil {
		t.Fatal(err)
	}
	ns := strings.Split(owner, "-")[1]
	dir := t.TempDir()
	for name, want := range map[string]bool{
		owner + "-job1":                            false, // this process
		"verifyd-" + ns + "-999999999-5-job1":      true,  // no such process
		"verifyd-" + ns + "-1-999999999999999-job": true,  // a pid that came again
		"verifyd-1-999999999-5-job1":               false, // another pid namespace, and young
		"verifyd-engine":                           false,
		"other":                                    false,
	} {
		if got := abandoned(name, dir); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestLimitsOfV1AreWrittenInTheOrderThatTheKernelWants(t *testing.T) {
	f := newFake(t)
	f.write("memory/tasks", "")
	l := Detect(f.mounts(memoryMount), "4:memory:/\n")
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	for _, memory := range []int64{4 << 20, 9 << 20, 1 << 20} {
		if _, err := g.Begin("job", Limits{Memory: memory}); err != nil {
			t.Fatal(err)
		}
		if g.set.Memory != memory {
			t.Errorf("limit %d, want %d", g.set.Memory, memory)
		}
	}
}

func TestAGroupThatIsSharedWithOthersIsLeftAlone(t *testing.T) {
	for _, c := range []struct{ name, procs, topHandsOut, want string }{
		{"a login's group: the top of the tree is used", "1\n2\n", "cpu io memory pids", "v2"},
		{"an own group is used", "", "cpu io memory pids", "v2/engine"},
		{"a top that hands out nothing is of no use", "1\n2\n", "", "v2/engine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.write("v2/engine/cgroup.controllers", "cpu memory pids\n")
			f.write("v2/engine/cgroup.subtree_control", "")
			f.write("v2/engine/cgroup.procs", c.procs)
			f.write("v2/cgroup.subtree_control", c.topHandsOut)
			l := Detect(f.mounts(v2Mount), "0::/engine\n")
			if l.V2 != filepath.Join(f.root, c.want) || len(l.V2Has) != 3 {
				t.Errorf("%s with %v, want %s", l.V2, l.V2Has, c.want)
			}
		})
	}
}

func TestSweepFindsGroupsWhereverTheirEngineRan(t *testing.T) {
	owner, err := Owner()
	if err != nil {
		t.Fatal(err)
	}
	gone := "verifyd-" + strings.Split(owner, "-")[1] + "-999999999-5-job1"
	f := newFake(t)
	f.write("pids/engine/x", "")
	for _, d := range []string{"pids/login/session/" + gone, "pids/engine/" + gone, "pids/engine/" + owner + "-job1"} {
		if err := os.MkdirAll(filepath.Join(f.root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := Detect(f.mounts(pidsMount), "8:pids:/engine\n")
	if got := l.Sweep(); got != 2 {
		t.Errorf("%d groups removed, want 2", got)
	}
	if _, err := os.Stat(filepath.Join(f.root, "pids/engine", owner+"-job1")); err != nil {
		t.Errorf("a living engine's group: %v", err)
	}
}

func TestWeightOfARunningJob(t *testing.T) {
	for _, c := range []struct {
		name, mounts, own, file, want string
	}{
		{"v2", v2Mount, "0::/\n", "v2/job/cpu.weight", "1600"},
		{"v1", cpuMount, "9:cpu,cpuacct:/\n", "cpu,cpuacct/slot/cpu.shares", "16384"},
		{"hybrid, the tree of v2 where systemd mounts it", strings.Replace(v2Mount, "ROOT/v2", "ROOT/unified", 1) + "\n" + cpuMount, "9:cpu,cpuacct:/\n0::/\n", "cpu,cpuacct/slot/cpu.shares", "16384"},
		{"no controller", strings.Replace(v2Mount, "ROOT/v2", "ROOT/unified", 1), "0::/\n", "unified/job/cpu.weight", "100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.write("v2/cgroup.controllers", "cpu memory pids\n")
			f.write("v2/cgroup.subtree_control", "")
			f.write("unified/cgroup.controllers", "\n")
			f.write("cpu,cpuacct/tasks", "")
			l := Detect(f.mounts(strings.Split(c.mounts, "\n")...), c.own)
			l.fill()
			g, err := l.New("slot")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Begin("job", Limits{Weight: 100}); err != nil {
				t.Fatal(err)
			}
			if err := g.Weigh(1600); err != nil {
				t.Fatal(err)
			}
			if got := f.read(c.file); got != c.want {
				t.Errorf("%s: %q, want %q", c.file, got, c.want)
			}
			if _, err := g.Begin("next", Limits{Weight: 100}); err != nil || g.set.Weight == 1600 {
				t.Errorf("the next job has weight %d, %v", g.set.Weight, err)
			}
		})
	}
}
