// Package rlimit translates a job's limits to the kernel's resource limits, the walls that hold everywhere and for each
// process alone.
package rlimit

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
)

// Limit is one resource limit.
type Limit struct {
	Name      string
	Resource  int
	Soft, Max uint64
}

// Of gives the limits of one process of a job. Processor time is given a second more than the job's own limit, since
// the tree's clock decides and this one only stops what the watcher could not. tree adds the limits that stand in where no
// cgroup counts them: processes of the job's user, and private memory of each process. The latter counts the stack of
// each thread at its full size, so it can only stop what is far over the limit.
func Of(l sandbox.Limits, tree bool) []Limit {
	cpu := uint64((l.CPU+time.Second-1)/time.Second) + 1
	all := []Limit{
		{"core", unix.RLIMIT_CORE, 1, 1}, // too small for a file, and the value at which no handler is started (core(5))
		{"cpu", unix.RLIMIT_CPU, cpu, cpu + 1},
		{"file size", unix.RLIMIT_FSIZE, uint64(l.File), uint64(l.File)},
		{"open files", unix.RLIMIT_NOFILE, uint64(l.OpenFiles), uint64(l.OpenFiles)},
		{"stack", unix.RLIMIT_STACK, uint64(l.Stack), uint64(l.Stack)},
		{"locked memory", unix.RLIMIT_MEMLOCK, 8 << 20, 8 << 20},
		{"message queues", unix.RLIMIT_MSGQUEUE, 1 << 20, 1 << 20},
		{"pending signals", unix.RLIMIT_SIGPENDING, 1024, 1024},
		{"real-time priority", unix.RLIMIT_RTPRIO, 0, 0},
		{"nice", unix.RLIMIT_NICE, 0, 0},
	}
	if tree {
		data := uint64(l.Memory) + uint64(l.Stack)*uint64(l.Processes)
		all = append(all,
			Limit{"processes", unix.RLIMIT_NPROC, uint64(l.Processes), uint64(l.Processes)},
			Limit{"data", unix.RLIMIT_DATA, data, data})
	}
	return all
}

// Clamp lowers each limit to what this process may hand down: without CAP_SYS_RESOURCE a hard limit can only fall.
// Asking for more than the hard limit is then no fault, since the lower one is stricter.
func Clamp(all []Limit) ([]Limit, error) {
	out := make([]Limit, len(all))
	for i, l := range all {
		var have unix.Rlimit
		if err := unix.Getrlimit(l.Resource, &have); err != nil {
			return nil, err
		}
		l.Max = min(l.Max, have.Max)
		l.Soft = min(l.Soft, l.Max)
		out[i] = l
	}
	return out, nil
}
