//go:build unix

package cgroup

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// counter reads a small file of a group through a descriptor that stays open: a fifth of the cost of opening it anew. The
// caller holds g.mu.
func (g *Group) counter(dir, file string) []byte {
	if dir == "" || g.files == nil {
		return nil
	}
	path := filepath.Join(dir, file)
	f := g.files[path]
	if f == nil {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil
		}
		g.files[path] = f
	}
	buf := make([]byte, 1024)
	n, _ := f.ReadAt(buf, 0) // io.EOF is the usual end; whatever else leaves n at 0
	return buf[:n]
}

// keyed finds "key value" on a line of its own.
func keyed(text []byte, key string) (int64, bool) {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(key+" "))
		if !ok {
			continue
		}
		return number(rest)
	}
	return 0, false
}

func number(text []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// CPU is the processor time of all the job's processes so far, the ended ones too. False where nothing counts it.
func (g *Group) CPU() (time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	cpu, ok := g.cpu()
	return max(0, cpu-g.base.cpu), ok
}

func (g *Group) cpu() (time.Duration, bool) {
	if usec, ok := keyed(g.counter(g.v2, "cpu.stat"), "usage_usec"); ok {
		return time.Duration(usec) * time.Microsecond, true
	}
	ns, ok := number(g.counter(g.v1["cpuacct"], "cpuacct.usage"))
	return time.Duration(ns), ok
}

// Stalled is the time in which every task of the job that wanted to run waited for a processor: total of the line "full" of
// cpu.pressure (Linux 5.13; Documentation/accounting/psi.rst). False where the kernel has none.
func (g *Group) Stalled() (time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	stalled, ok := g.stalled()
	return max(0, stalled-g.base.stalled), ok
}

func (g *Group) stalled() (time.Duration, bool) {
	for line := range bytes.Lines(g.counter(g.v2, "cpu.pressure")) {
		if !bytes.HasPrefix(line, []byte("full ")) {
			continue
		}
		_, total, ok := bytes.Cut(line, []byte("total="))
		usec, isNumber := number(total)
		return time.Duration(usec) * time.Microsecond, ok && isNumber
	}
	return 0, false
}

// OOMKills counts processes of the job that were killed for its memory limit.
func (g *Group) OOMKills() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.kills() - g.base.kills
}

func (g *Group) kills() int64 {
	dir, file := g.v1["memory"], "memory.oom_control"
	if g.layout.v2Has("memory") {
		dir, file = g.v2, "memory.events"
	}
	n, _ := keyed(g.counter(dir, file), "oom_kill")
	return n
}

// PeakMemory is the job's largest use so far, 0 where it is not counted (v2 before Linux 5.19). On v1 what the slot's earlier jobs
// left as cached files is taken off.
func (g *Group) PeakMemory() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.layout.v2Has("memory") {
		n, _ := number(g.counter(g.v2, "memory.peak"))
		return n
	}
	n, _ := number(g.counter(g.v1["memory"], "memory.max_usage_in_bytes"))
	return max(0, n-g.base.memory)
}

// ForksRefused counts forks that the process limit stopped.
func (g *Group) ForksRefused() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused() - g.base.refused
}

func (g *Group) refused() int64 {
	dir := g.v1["pids"]
	if g.layout.v2Has("pids") {
		dir = g.v2
	}
	n, _ := keyed(g.counter(dir, "pids.events"), "max")
	return n
}
