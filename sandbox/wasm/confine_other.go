//go:build !linux

package wasm

import "os"

// enter becomes the worker: this system has no walls that are known here, but the limits of a process.
func enter() error {
	if err := lowerLimits(); err != nil {
		return err
	}
	return work()
}

func confine() (missing []string) {
	noFiles()
	return []string{"landlock", "seccomp"}
}

func self() string {
	exe, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return exe
}
