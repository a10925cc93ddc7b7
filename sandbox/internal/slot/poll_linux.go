package slot

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Where no cgroup counts a job's tree, its slot looks at the processes themselves. That is weaker, and said so in Degraded: what
// happens between two looks is not seen, and time of processes that came and went is known only once they were reaped.

const pollWindow = 50 * time.Millisecond

// poll ends the job when its tree is over a limit, until stop is closed.
type poll struct {
	memory int64         // bytes
	cpu    time.Duration // of the tree
	base   int64         // processor time of children before the job, in nanoseconds

	overMemory, overCPU bool // valid once done is closed
	stop, done          chan struct{}
}

func startPoll(spec *jobSpec, before unix.Rusage) *poll {
	p := &poll{memory: spec.TreeMemory, cpu: time.Duration(spec.TreeCPU), base: before.Utime.Nano() + before.Stime.Nano(), stop: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *poll) run() {
	defer close(p.done)
	tick := time.NewTicker(pollWindow)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		memory, cpu := p.look()
		p.overMemory = p.overMemory || memory > p.memory
		p.overCPU = p.overCPU || cpu > p.cpu
		if p.overMemory || p.overCPU {
			_ = unix.Kill(-1, unix.SIGKILL) // ESRCH: gone by itself
		}
	}
}

// finish stops looking and tells what was seen.
func (p *poll) finish() (overMemory, overCPU bool) {
	close(p.stop)
	<-p.done
	return p.overMemory, p.overCPU
}

// look sums up the living processes and adds the time of the reaped ones. Resident pages are counted once a process;
// where that sum is over the limit the shares of shared pages decide.
func (p *poll) look() (memory int64, cpu time.Duration) {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
	ended := childUsage()
	cpu = time.Duration(ended.Utime.Nano() + ended.Stime.Nano() - p.base)
	for _, dir := range dirs {
		if dir == "/proc/1" {
			continue
		}
		memory += resident(dir)
		cpu += used(dir)
	}
	if memory <= p.memory {
		return memory, cpu
	}
	memory = 0
	for _, dir := range dirs {
		if dir != "/proc/1" {
			memory += share(dir)
		}
	}
	return memory, cpu
}

func resident(dir string) int64 {
	text, _ := os.ReadFile(dir + "/statm") // it may have ended
	if f := bytes.Fields(text); len(f) > 1 {
		pages, _ := strconv.ParseInt(string(f[1]), 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}

// share is the proportional set size (Linux 4.14).
func share(dir string) int64 {
	text, _ := os.ReadFile(dir + "/smaps_rollup") // it may have ended
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("Pss:")); ok {
			kib, _ := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// used is user and system time from fields 14 and 15 of proc_pid_stat(5), in ticks of 10 ms on every Linux that Go runs on.
func used(dir string) time.Duration {
	text, _ := os.ReadFile(dir + "/stat") // it may have ended
	f := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(string(f[11]), 10, 64)
	system, _ := strconv.ParseInt(string(f[12]), 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}
