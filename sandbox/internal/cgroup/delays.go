//go:build unix

package cgroup

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// mostTasks is up to how many tasks Delays asks for; each costs about 0.01 ms.
const mostTasks = 64

// Delays sums up what the job's living tasks have spent running and waiting for a processor (proc_pid_schedstat, Linux 2.6.23; needs
// CONFIG_SCHED_INFO). False where that is not known, or the tasks are many.
func (g *Group) Delays() (run, waited time.Duration, ok bool) {
	g.mu.Lock()
	dir := g.v2
	g.mu.Unlock()
	if dir == "" {
		return 0, 0, false
	}
	tasks := fields(dir + "/cgroup.threads")
	if len(tasks) == 0 || len(tasks) > mostTasks {
		return 0, 0, false
	}
	for _, id := range tasks {
		text, err := os.ReadFile("/proc/" + id + "/schedstat")
		if err != nil {
			continue // it has ended, and counts among those that have
		}
		r, w, known := schedstat(text)
		if !known {
			return 0, 0, false
		}
		run, waited = run+r, waited+w
	}
	return run, waited, true
}

// schedstat reads "RUNNING WAITING SLICES", in nanoseconds. A kernel that does not count says zeros for whoever has run.
func schedstat(text []byte) (run, waited time.Duration, ok bool) {
	f := bytes.Fields(text)
	if len(f) != 3 {
		return 0, 0, false
	}
	r, err1 := strconv.ParseInt(string(f[0]), 10, 64)
	w, err2 := strconv.ParseInt(string(f[1]), 10, 64)
	return time.Duration(r), time.Duration(w), err1 == nil && err2 == nil && r > 0
}
