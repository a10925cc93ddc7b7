//go:build unix

package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// InContainer finds the groups of a container by its first process, as the engine sees it, and makes them ready for a slot whose
// processes are the given user: jobs' groups lie below the container's own, so that what is set there holds for them, too.
// On v2 whoever forks into a group must be allowed to write its list of members and that of the group above both
// (kernel/cgroup/cgroup.c, cgroup_css_set_fork), so the user is given these lists, and nothing else of the groups.
//
// A weight counts among neighbours, and a container's neighbours are all other containers: a job's weight is set on its container,
// too. Notes tell what is missing where groups cannot be made.
func InContainer(pid, uid int) (*Layout, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	groups, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cgroup")
	if err != nil {
		return nil, fmt.Errorf("cgroup: groups of a container: %w", err)
	}
	return inContainer(string(mounts), string(groups), uid)
}

func inContainer(mountinfo, groups string, uid int) (*Layout, error) {
	l := find(mountinfo, groups)
	l.user, l.own = uid, map[string]string{"cpu": l.V1["cpu"], "v2": l.V2}
	own := l.V2
	if own == l.top { // the container has no group of its own there, and others live in this one
		l.V2, own, l.own["v2"] = "", "", ""
	}
	l.top = l.V2 // nothing above the container is for its jobs
	l.probe()
	if l.V2 == "" {
		return l, nil
	}
	if err := l.lend(own); err != nil {
		l.Notes = append(l.Notes, fmt.Sprintf("v2: %v", err))
		l.V2, l.V2Has = "", nil
	}
	return l, nil
}

// lend lets the user of the slot fork into a v2 group.
func (l *Layout) lend(dir string) error {
	if l.user == 0 || l.user == os.Geteuid() {
		return nil
	}
	return os.Chown(filepath.Join(dir, "cgroup.procs"), l.user, -1)
}

// OwnForCPU is this process's group on the v1 tree that shares out processors, as a container runtime takes it for a parent. Empty
// where that tree is not of v1.
func OwnForCPU() (string, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", fmt.Errorf("cgroup: %w", err)
	}
	return ownGroups(string(groups))["cpu"], nil
}
