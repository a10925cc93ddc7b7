package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits are those of one group. A zero field sets nothing.
type Limits struct {
	Memory int64 // bytes, swap included
	Pids   int
	Weight int // of CPU, 1 to 10000, 100 is normal (cpu.weight; scaled to cpu.shares on v1)
}

// Group is one job's group in every hierarchy that it needs. It is safe for concurrent use; after Remove counters read 0.
type Group struct {
	v2    string
	dirs  map[string]string // role (v2, memory, pids, cpu, cpuacct) to folder
	order []string
	v2Has map[string]bool

	mu    sync.Mutex          // guards files
	files map[string]*os.File // counters that are read again and again
}

// New makes a group. On an error nothing is left of it.
func (l *Layout) New(name string, lim Limits) (*Group, error) {
	g := &Group{dirs: map[string]string{}, v2Has: map[string]bool{}, files: map[string]*os.File{}}
	if err := g.make(l, name, lim); err != nil {
		_ = g.Remove(time.Now().Add(time.Second)) // it was never used, and the first error says more
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	return g, nil
}

func (g *Group) make(l *Layout, name string, lim Limits) error {
	if l.V2 != "" {
		if err := g.mkdir("v2", filepath.Join(l.V2, name)); err != nil {
			return err
		}
		g.v2 = g.dirs["v2"]
		for _, c := range l.V2Has {
			g.v2Has[c] = true
		}
	}
	for _, c := range v1Wanted {
		skip := g.v2Has[c] || c == "cpuacct" && g.v2 != "" || l.V1[c] == ""
		if skip {
			continue
		}
		if err := g.mkdir(c, filepath.Join(l.V1[c], name)); err != nil {
			return err
		}
	}
	return g.limit(lim)
}

func (g *Group) mkdir(role, dir string) error {
	for other, d := range g.dirs { // co-mounted controllers share a folder: cpu,cpuacct
		if sameFolder(d, dir) {
			g.dirs[role] = g.dirs[other]
			return nil
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	g.dirs[role] = dir
	g.order = append(g.order, dir)
	return nil
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func (g *Group) limit(lim Limits) error {
	if lim.Memory > 0 {
		if err := g.limitMemory(strconv.FormatInt(lim.Memory, 10)); err != nil {
			return err
		}
	}
	if lim.Pids > 0 {
		if dir, ok := g.at("pids"); ok {
			if err := write(dir, "pids.max", strconv.Itoa(lim.Pids)); err != nil {
				return err
			}
		}
	}
	if lim.Weight > 0 {
		if g.v2Has["cpu"] {
			return write(g.v2, "cpu.weight", strconv.Itoa(lim.Weight))
		}
		if dir, ok := g.dirs["cpu"]; ok {
			return write(dir, "cpu.shares", strconv.Itoa(max(2, lim.Weight*1024/100)))
		}
	}
	return nil
}

// limitMemory also closes swap: pages that go to a disk would let a job be large and slow instead of ending. memory.oom.group
// ends the whole tree at once. The swap files are missing where swap accounting is off; without swap they do nothing.
func (g *Group) limitMemory(bytes string) error {
	if g.v2Has["memory"] {
		if err := write(g.v2, "memory.max", bytes); err != nil {
			return err
		}
		if err := write(g.v2, "memory.swap.max", "0"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return write(g.v2, "memory.oom.group", "1")
	}
	dir, ok := g.dirs["memory"]
	if !ok {
		return nil
	}
	if err := write(dir, "memory.limit_in_bytes", bytes); err != nil {
		return err
	}
	if err := write(dir, "memory.memsw.limit_in_bytes", bytes); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// at gives the folder that holds a controller's files.
func (g *Group) at(controller string) (string, bool) {
	if g.v2Has[controller] {
		return g.v2, true
	}
	dir, ok := g.dirs[controller]
	return dir, ok
}

func write(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// Joins opens the files that a process writes "0" to in order to become a member, one a hierarchy. The caller closes them.
func (g *Group) Joins() ([]*os.File, error) {
	var all []*os.File
	for _, dir := range g.order {
		f, err := os.OpenFile(filepath.Join(dir, "cgroup.procs"), os.O_WRONLY, 0)
		if err != nil {
			for _, f := range all {
				_ = f.Close() // nothing was written
			}
			return nil, fmt.Errorf("cgroup: %w", err)
		}
		all = append(all, f)
	}
	return all, nil
}

// Kill sends SIGKILL to the whole tree at once where v2 can (Linux 5.14), and tells whether it did.
func (g *Group) Kill() bool {
	return g.v2 != "" && write(g.v2, "cgroup.kill", "1") == nil
}

// Remove takes the group away, trying again until the deadline while the kernel still counts exiting members.
func (g *Group) Remove(deadline time.Time) error {
	g.mu.Lock()
	for _, f := range g.files {
		_ = f.Close() // opened for reading
	}
	g.files = nil
	g.mu.Unlock()
	var errs []error
	for i := len(g.order) - 1; i >= 0; i-- {
		errs = append(errs, remove(g.order[i], deadline))
	}
	return errors.Join(errs...)
}

func remove(dir string, deadline time.Time) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := os.Remove(dir)
		if err == nil || errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("cgroup: remove: %w", err)
		}
		time.Sleep(wait)
	}
}

// Empty tells whether no process is left in the group.
func (g *Group) Empty() bool {
	for _, dir := range g.order {
		if text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs")); err == nil && len(strings.TrimSpace(string(text))) > 0 {
			return false
		}
	}
	return true
}
