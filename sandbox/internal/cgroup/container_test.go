//go:build linux

package cgroup

import (
	"os"
	"syscall"
	"testing"
)

// lentTo is the user that a fake container's slot has: one who may be given files only where the test is root.
func lentTo() int {
	if os.Geteuid() != 0 {
		return os.Geteuid()
	}
	return 12345
}

func TestGroupsOfAContainerLieBelowItsOwn(t *testing.T) {
	f := newFake(t)
	for _, d := range []string{"memory", "pids", "cpu,cpuacct"} {
		f.write(d+"/docker/c1/tasks", "")
	}
	f.write("cpu,cpuacct/docker/c1/cpu.shares", "")
	f.write("v2/docker/c1/cgroup.procs", "4711\n")
	f.write("v2/docker/c1/cgroup.controllers", "")
	l, err := inContainer(f.mounts(memoryMount, pidsMount, cpuMount, v2Mount), "9:cpu,cpuacct:/docker/c1\n8:pids:/docker/c1\n4:memory:/docker/c1\n0::/docker/c1\n", lentTo())
	if err != nil {
		t.Fatal(err)
	}
	if l.Mode() != "hybrid" || l.V2 != f.root+"/v2/docker/c1" || l.V1["memory"] != f.root+"/memory/docker/c1" {
		t.Fatalf("mode %q, %+v", l.Mode(), l)
	}
	l.fill()
	g, err := l.New("slot")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err := g.Begin("job", Limits{Memory: 1 << 20, Pids: 7, Weight: 1000}); err != nil || dir == nil {
		t.Fatal(dir, err)
	}
	if got := f.read("cpu,cpuacct/docker/c1/cpu.shares"); got != "10240" {
		t.Errorf("the container weighs %q, want its job's 10240", got)
	}
	for _, name := range []string{"v2/docker/c1/cgroup.procs", "v2/docker/c1/job/cgroup.procs"} {
		st, err := os.Stat(f.root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := int(st.Sys().(*syscall.Stat_t).Uid); got != lentTo() {
			t.Errorf("%s belongs to %d, want the slot's user %d", name, got, lentTo())
		}
	}
}

func TestPureV2HandsOutTheControllersOfAContainer(t *testing.T) {
	f := newFake(t)
	f.write("v2/cgroup.subtree_control", "cpu memory pids\n")
	f.write("v2/docker/c1/cgroup.procs", "4711\n")
	f.write("v2/docker/c1/cgroup.controllers", "cpu memory pids\n")
	f.write("v2/docker/c1/cgroup.subtree_control", "")
	l, err := inContainer(f.mounts(v2Mount), "0::/docker/c1\n", lentTo())
	if err != nil {
		t.Fatal(err)
	}
	if l.Mode() != "v2" || l.V2 != f.root+"/v2/docker/c1" || len(l.V2Has) != 3 {
		t.Errorf("mode %q, %+v", l.Mode(), l)
	}
}

func TestAContainerWithoutAGroupOfItsOwnGetsNone(t *testing.T) {
	f := newFake(t)
	f.write("v2/cgroup.procs", "1\n")
	l, err := inContainer(f.mounts(v2Mount), "0::/\n", lentTo())
	if err != nil || l.V2 != "" || l.Mode() != "none" {
		t.Errorf("mode %q, %+v, %v", l.Mode(), l, err)
	}
}

func TestOwnerState(t *testing.T) {
	own, err := Owner()
	if err != nil {
		t.Fatal(err)
	}
	ns, _, err := identity(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		ended, known bool
	}{
		{own, false, true},
		{own + "-x", false, true},
		{"verifyd-" + ns + "-1-7", true, true}, // process 1 with another start time
		{"verifyd-1-1-7", false, false},
		{"verifyd-" + ns, false, false},
		{"somebody", false, false},
	} {
		if ended, known := OwnerState(c.name); ended != c.ended || known != c.known {
			t.Errorf("%s: ended %v, known %v", c.name, ended, known)
		}
	}
}
