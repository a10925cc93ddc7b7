//go:build unix

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Limits are those of one job. A zero field sets nothing.
type Limits struct {
	Memory int64 // bytes, swap included
	Pids   int   // tasks alive at once
	Weight int   // of CPU, 1 to 10000, 100 is normal (cpu.weight; scaled to cpu.shares on v1)
}

// Group is where the jobs of one slot are counted and limited, one job after the other.
//
// Moving a running process between groups makes the kernel wait for a grace period, milliseconds on a busy machine, so no
// job is ever moved: it is born where it belongs. On v2 that is a fresh group for each job (clone3 with CLONE_INTO_CGROUP, Linux
// 5.7), or one until the first kill where v2 has no controllers to give: such a group holds nothing that a job could leave to the
// next one. v1 knows no such thing, but there a single thread can be a member: the thread of the slot that starts jobs joins
// the slot's v1 groups once, and what it forks is born there. Memory is charged by the process that owns it, so nothing of
// the slot itself is counted for its jobs, apart from that one thread in pids. The counters of v1 groups go on from job to
// job, as those of a lasting v2 group do; Begin takes their readings as zero.
//
// Group is safe for concurrent use; between End and Begin counters read 0.
type Group struct {
	layout *Layout
	v1     map[string]string // controller to folder
	order  []string          // the folders of v1, each once
	set    Limits            // what the v1 groups are set to

	mu    sync.Mutex // guards the fields below
	v2    string     // folder of the current job
	kept  string     // the same folder between jobs, where one serves all
	spent bool       // nobody can be born in it any more
	birth *os.File   // v2, opened
	files map[string]*os.File
	base  counters
}

// cacheKept is how much cached file data of earlier jobs may stay in a v1 group: the libraries of an interpreter.
const cacheKept = 16 << 20

// counters are readings at the beginning of a job.
type counters struct {
	cpu     time.Duration
	stalled time.Duration
	memory  int64
	kills   int64
	refused int64
}

// New makes the groups of a slot. On an error nothing is left of them.
func (l *Layout) New(name string) (*Group, error) {
	g := &Group{layout: l, v1: map[string]string{}, files: map[string]*os.File{}}
	for _, c := range v1Wanted {
		if l.V1[c] == "" || l.v2Has(c) || c == "cpuacct" && l.V2 != "" {
			continue
		}
		if err := g.mkdir(c, filepath.Join(l.V1[c], name)); err != nil {
			_ = g.Remove(time.Now()) // unused
			return nil, fmt.Errorf("cgroup: %w", err)
		}
	}
	return g, nil
}

func (g *Group) mkdir(role, dir string) error {
	for _, d := range g.order { // co-mounted controllers share a folder: cpu,cpuacct
		if sameFolder(d, dir) {
			g.v1[role] = d
			return nil
		}
	}
	if err := g.layout.mkdir(dir); err != nil {
		return err
	}
	g.v1[role] = dir
	g.order = append(g.order, dir)
	return nil
}

func (l *Layout) mkdir(dir string) error {
	err := os.Mkdir(dir, 0o755)
	if err == nil && l.made != nil {
		l.made(dir)
	}
	return err
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Threads opens the files that the slot's starting thread writes "0" to in order to join the v1 groups. The caller closes them.
func (g *Group) Threads() ([]*os.File, error) {
	var all []*os.File
	for _, dir := range g.order {
		f, err := os.OpenFile(filepath.Join(dir, "tasks"), os.O_WRONLY, 0)
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

// Begin makes the groups ready for a job. The file, where there is one, is the v2 group that the job is to be born in; it stays the
// Group's, and is good until End. On an error End has to be called all the same. name is that of a fresh v2 group.
func (g *Group) Begin(name string, lim Limits) (*os.File, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.begin(name, lim); err != nil {
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	return g.birth, nil
}

func (g *Group) begin(name string, lim Limits) error {
	if err := g.limitV1(lim); err != nil {
		return err
	}
	memory := g.resetMemory(lim)
	if err := g.enterV2(name, lim); err != nil {
		return err
	}
	g.base = counters{}
	cpu, _ := g.cpu()
	stalled, _ := g.stalled()
	g.base = counters{cpu: cpu, stalled: stalled, memory: memory, kills: g.kills(), refused: g.refused()}
	return nil
}

// resetMemory starts the peak of a v1 group anew, and gives what the slot's earlier jobs left in it.
func (g *Group) resetMemory(lim Limits) int64 {
	dir, ok := g.v1["memory"]
	if !ok {
		return 0
	}
	left, _ := number(g.counter(dir, "memory.usage_in_bytes"))
	if left > max(lim.Memory/8, cacheKept) { // else this job would pay for dropping what another one read
		_ = write(dir, "memory.force_empty", "0") // what cannot be dropped is reclaimed under the limit
		left, _ = number(g.counter(dir, "memory.usage_in_bytes"))
	}
	_ = write(dir, "memory.max_usage_in_bytes", "0") // only the peak in Usage suffers
	return left
}

func (g *Group) enterV2(name string, lim Limits) (err error) {
	if g.layout.V2 == "" {
		return nil
	}
	if g.kept != "" {
		g.v2 = g.kept
		return nil
	}
	dir := filepath.Join(g.layout.V2, name)
	if err := g.layout.mkdir(dir); err != nil {
		return err
	}
	if err := g.layout.lend(dir); err != nil {
		return errors.Join(err, os.Remove(dir))
	}
	g.v2, g.spent = dir, false
	if len(g.layout.V2Has) == 0 {
		g.kept = dir
	}
	if err := g.limitV2(lim); err != nil {
		return err
	}
	g.birth, err = os.Open(dir)
	return err
}

// End waits until the job's v2 group is empty, and takes it away where it was the job's alone, trying again until the deadline
// while the kernel still counts exiting members. An error means that the slot should not go on.
func (g *Group) End(deadline time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	dir := g.v2
	g.v2 = ""
	switch {
	case dir == "":
		return nil
	case dir == g.kept && !g.spent:
		return g.awaitEmpty(dir, deadline)
	}
	g.kept, g.spent = "", false
	return g.drop(dir, deadline)
}

// awaitEmpty waits for a group's last member to be gone.
func (g *Group) awaitEmpty(dir string, deadline time.Time) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		populated, ok := keyed(g.counter(dir, "cgroup.events"), "populated")
		if ok && populated == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("cgroup: %s has members after its job", filepath.Base(dir))
		}
		time.Sleep(wait)
	}
}

// drop removes a v2 group and closes its files.
func (g *Group) drop(dir string, deadline time.Time) error {
	for path, f := range g.files {
		if filepath.Dir(path) == dir {
			_ = f.Close() // opened for reading
			delete(g.files, path)
		}
	}
	if g.birth != nil {
		_ = g.birth.Close() // a folder
		g.birth = nil
	}
	return remove(dir, deadline)
}

// limitV1 writes what has changed. Swap is closed: pages that go to a disk would let a job be large and slow instead of ending. The
// pair of memory limits must be ordered at any moment, so a raise starts with the upper one.
func (g *Group) limitV1(lim Limits) error {
	if dir, ok := g.v1["memory"]; ok && lim.Memory > 0 && lim.Memory != g.set.Memory {
		value := strconv.FormatInt(lim.Memory, 10)
		first, second := "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"
		if lim.Memory > g.set.Memory && g.set.Memory > 0 {
			first, second = second, first
		}
		for _, file := range []string{first, second} {
			if err := write(dir, file, value); err != nil && !errors.Is(err, os.ErrNotExist) { // no swap accounting
				return err
			}
		}
		g.set.Memory = lim.Memory
	}
	if dir, ok := g.v1["pids"]; ok && lim.Pids > 0 && lim.Pids != g.set.Pids {
		if err := write(dir, "pids.max", strconv.Itoa(lim.Pids+1)); err != nil { // and the slot's thread
			return err
		}
		g.set.Pids = lim.Pids
	}
	return g.weighV1(lim.Weight)
}

func (g *Group) weighV1(weight int) error {
	dir, ok := g.v1["cpu"]
	if !ok || weight <= 0 || weight == g.set.Weight {
		return nil
	}
	if err := weigh("cpu.shares", max(2, weight*1024/100), dir, g.layout.own["cpu"]); err != nil {
		return err
	}
	g.set.Weight = weight
	return nil
}

// weigh sets the weight of groups, of those that are there.
func weigh(file string, weight int, dirs ...string) error {
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if err := write(dir, file, strconv.Itoa(weight)); err != nil {
			return err
		}
	}
	return nil
}

// Weigh changes the job's Limits.Weight while it runs; the next Begin sets its own. Where no controller shares out processors it does
// nothing.
func (g *Group) Weigh(weight int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.weighV1(weight)
	if g.v2 != "" && g.layout.v2Has("cpu") {
		err = weigh("cpu.weight", weight, g.v2, g.layout.own["v2"])
	}
	if err != nil {
		return fmt.Errorf("cgroup: %w", err)
	}
	return nil
}

// limitV2 sets up the fresh group. memory.oom.group ends the whole tree at once.
func (g *Group) limitV2(lim Limits) error {
	type file struct {
		name, value string
		optional    bool
	}
	var files []file
	if g.layout.v2Has("memory") && lim.Memory > 0 {
		files = append(files, file{"memory.max", strconv.FormatInt(lim.Memory, 10), false},
			file{"memory.swap.max", "0", true}, // missing without swap accounting
			file{"memory.oom.group", "1", false})
	}
	if g.layout.v2Has("pids") && lim.Pids > 0 {
		files = append(files, file{"pids.max", strconv.Itoa(lim.Pids), false})
	}
	if g.layout.v2Has("cpu") && lim.Weight > 0 {
		if err := weigh("cpu.weight", lim.Weight, g.v2, g.layout.own["v2"]); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := write(g.v2, f.name, f.value); err != nil && !(f.optional && errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// write writes a file of a group. An os.File would be entered into the runtime's poller, at twice the cost.
func write(dir, file, value string) error {
	path := filepath.Join(dir, file)
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	_, err = unix.Write(fd, []byte(value))
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// Kill sends SIGKILL to the job's whole tree at once where v2 can (Linux 5.14), and tells whether it did.
func (g *Group) Kill() bool {
	g.mu.Lock()
	dir := g.v2
	g.spent = true
	g.mu.Unlock()
	return dir != "" && write(dir, "cgroup.kill", "1") == nil
}

// Spend says that somebody else killed the job by its v2 group. Linux 6.18 ends whoever is born in such a group by
// clone3 afterwards: it compares the group's count of kills with that of the parent's group (kernel/cgroup/cgroup.c,
// cgroup_css_set_fork). So a group is used until its first kill.
func (g *Group) Spend() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent = true
}

// Remove takes all groups away, after the slot has ended.
func (g *Group) Remove(deadline time.Time) error {
	err := g.End(deadline)
	g.mu.Lock()
	defer g.mu.Unlock()
	errs := []error{err}
	if g.kept != "" {
		errs = append(errs, g.drop(g.kept, deadline))
		g.kept = ""
	}
	for _, f := range g.files {
		_ = f.Close() // opened for reading
	}
	g.files = nil
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
