//go:build linux || darwin

package wasm

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// dataLimit is the private memory of a worker: the largest job that there can be (4 GiB), and the worker itself.
const dataLimit = 6 << 30

// lowerLimits lowers what the kernel lets a worker use, whatever becomes of it.
func lowerLimits() error {
	for _, l := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"core", unix.RLIMIT_CORE, 1}, // too small for a file, and the value at which no handler is started (core(5))
		{"open files", unix.RLIMIT_NOFILE, 256},
		{"data", unix.RLIMIT_DATA, dataLimit},
	} {
		var have unix.Rlimit
		if err := unix.Getrlimit(l.resource, &have); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
		have.Max = min(have.Max, l.value)
		have.Cur = have.Max
		if err := unix.Setrlimit(l.resource, &have); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
	}
	return nil
}

// noFiles lets no file be written any more.
func noFiles() {
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}) // lowering is allowed to everybody
}
