//go:build unix

package cgroup

import "fmt"

// Restart begins a job in the group of the last Begin with everything that is in it already: for jobs that cannot be told from what
// serves them, such as those in a kernel of their own, which the host sees as one process. What is in use now is not the job's: its
// memory limit comes on top of that, and counters read as from here.
func (g *Group) Restart(lim Limits) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if lim.Memory > 0 {
		lim.Memory += g.usedMemory()
	}
	if err := g.limitV1(lim); err != nil {
		return fmt.Errorf("cgroup: %w", err)
	}
	if g.v2 != "" {
		if err := g.limitV2(lim); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
	}
	memory := g.usedMemory()
	if dir, ok := g.v1["memory"]; ok {
		_ = write(dir, "memory.max_usage_in_bytes", "0") // only the peak in Usage suffers
	}
	g.base = counters{}
	cpu, _ := g.cpu()
	stalled, _ := g.stalled()
	g.base = counters{cpu: cpu, stalled: stalled, memory: memory, kills: g.kills(), refused: g.refused()}
	return nil
}

// usedMemory is what is charged to the group now, the cached files of its members included.
func (g *Group) usedMemory() int64 {
	dir, file := g.v1["memory"], "memory.usage_in_bytes"
	if g.layout.v2Has("memory") {
		dir, file = g.v2, "memory.current"
	}
	n, _ := number(g.counter(dir, file))
	return n
}
