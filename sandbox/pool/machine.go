package pool

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Shares of the machine. What is left is for the engine, the slots and everybody else on the machine; chosen by feel.
const (
	jobsPerCPU     = 4 // more than processors, since a job also waits: for mounts, for its disk, for its other half
	memoryShare    = 0.8
	processesShare = 0.5
)

// Machine is a budget for this machine as it is now: of the memory that is available, within what the engine's own cgroup
// allows, and of the tasks that can be made. What cannot be read (outside of Linux) is no bound. The smallest budget
// holds two jobs of default limits, a program and its tester: a machine that is smaller has to do.
func Machine() Budget {
	return machine("/")
}

func machine(root string) Budget {
	b := Budget{Jobs: jobsPerCPU * runtime.NumCPU()}
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(root, name)) // absent where it does not apply
		return strings.TrimSpace(string(text))
	}
	def := sandbox.DefaultLimits()
	memory := least(available(read("proc/meminfo")), number(read("sys/fs/cgroup/memory.max")), number(read("sys/fs/cgroup/memory/memory.limit_in_bytes")))
	if memory < math.MaxInt64 {
		b.Memory = max(sandbox.Size(float64(memory)*memoryShare), 2*def.Memory)
	}
	tasks := least(number(read("proc/sys/kernel/threads-max")), number(read("proc/sys/kernel/pid_max")), number(read("sys/fs/cgroup/pids.max")), number(read("sys/fs/cgroup/pids/pids.max")))
	if tasks < math.MaxInt64 {
		b.Processes = max(int(float64(tasks)*processesShare), 2*def.Processes)
	}
	return b
}

func least(all ...int64) int64 {
	n := int64(math.MaxInt64)
	for _, x := range all {
		n = min(n, x)
	}
	return n
}

// number is the largest there is where the text is none: "max", or a file that is not there.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// available reads the line "MemAvailable: N kB" of proc_meminfo(5).
func available(meminfo string) int64 {
	for line := range bytes.Lines([]byte(meminfo)) {
		if rest, ok := bytes.CutPrefix(line, []byte("MemAvailable:")); ok {
			if kib := number(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB")); kib < math.MaxInt64>>10 {
				return kib << 10
			}
		}
	}
	return math.MaxInt64
}
