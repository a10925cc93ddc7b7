package namespace

import (
	"runtime"
)

// Config says how a Sandbox is made. The zero value is the strict one: it refuses where a wall or a limit is missing.
type Config struct {
	// AllowWeak lets New succeed where limits of the tree's memory and processes are missing (no cgroup). Each Result
	// says so in Degraded. Namespaces and the filter are never done without.
	AllowWeak bool

	// MaxIdle is how many prepared slots are kept for the next job. 0 means four a processor, at least eight.
	MaxIdle int

	// UIDBase is the first of 4096 host user ids that are given to slots when the engine is root. 0 picks ids at the top of
	// what the engine's own user namespace holds; nothing else on the host should use them.
	UIDBase int
}

func (c Config) withDefaults() Config {
	if c.MaxIdle == 0 {
		c.MaxIdle = max(8, 4*runtime.NumCPU())
	}
	return c
}
