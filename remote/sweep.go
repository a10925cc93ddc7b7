//go:build unix

package remote

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// sweepRounds bounds the hunt for processes that fork faster than they are found.
const sweepRounds = 50

// sweep kills every process that has the mark in its environment: those that left the process group. It reads /proc, so
// where there is none (not Linux) only the group is killed. A process that wrote over its own environment is not found.
func sweep(mark string) {
	for range sweepRounds {
		found := false
		files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is good
		for _, name := range files {
			env, err := os.ReadFile(name)
			if err != nil || !bytes.Contains(env, []byte(mark)) {
				continue
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && pid != os.Getpid() {
				found = true
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if !found {
			return
		}
	}
}
