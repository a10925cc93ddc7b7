package oci

import "runtime"

// Config says how a Sandbox is made. The zero value is the strict one, with the first runtime that is found.
type Config struct {
	// Runtime is the name or path of the program: runc, crun, runsc, or one that takes the same arguments. Empty means the first of
	// these three on PATH.
	Runtime string

	// Image names the image of jobs that name none (Root.Image). Empty: they see the host's system folders, read-only.
	Image string

	// Images is the folder of unpacked images, as `verifyd image` fills it. Empty: no images.
	Images string

	// State is the folder below which bundles and the runtime's own records are kept. Empty: /run/verifyd for root, else a
	// folder below XDG_RUNTIME_DIR or the temporary folder.
	State string

	// AllowWeak lets New succeed where limits of the tree's memory and processes are missing. Each Result says so in
	// Degraded.
	AllowWeak bool

	// MaxIdle is how many containers, warm or prepared, are kept for the next job. 0 means four a processor, at least eight.
	MaxIdle int

	// UIDBase is the first of 2048 host user ids, two a container, where the engine is root; nothing else on the host should use
	// them. 0 picks ids above those of the namespace backend.
	UIDBase int
}

func (c Config) withDefaults() Config {
	if c.MaxIdle == 0 {
		c.MaxIdle = max(8, 4*runtime.NumCPU())
	}
	return c
}
