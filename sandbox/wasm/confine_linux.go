package wasm

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox/internal/landlock"
	"github.com/verifyd/verifyd/sandbox/internal/seccomp"
)

// enter is the first stage: this thread gives up what a worker does not need, and becomes the worker. Landlock is a thread's, and a Go
// program has several by now, so the worker starts from a thread that has it. What is left to open are the folders of the
// program itself and of compiled code, for reading, until the filter of system calls closes these, too.
func enter() error {
	runtime.LockOSThread()
	args := append([]string{os.Args[0] + workerSuffix}, os.Args[1:]...)
	if err := lowerLimits(); err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	if folders := os.Args[1:]; len(folders) > 0 && landlock.ABI() > 0 {
		readable := append(folders, filepath.Dir(exe))
		for _, dir := range []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64"} { // a binary that is linked to libraries needs them to start
			if _, err := os.Stat(dir); err == nil {
				readable = append(readable, dir)
			}
		}
		ruleset, err := landlock.New(landlock.ABI(), readable, nil, nil)
		if err == nil {
			err = landlock.Restrict(ruleset)
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("become the worker: %w", syscall.Exec(self(), args, os.Environ()))
}

// confine closes the rest, once all is loaded: no file can be written, and no system call made but those of computing. It tells
// which walls are missing.
func confine() (missing []string) {
	noFiles()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // others of this user cannot look in
	if landlock.ABI() == 0 {
		missing = append(missing, "landlock")
	}
	filter, err := seccomp.Compute(runtime.GOARCH)
	if err == nil {
		err = seccomp.Apply(filter)
	}
	if err != nil {
		missing = append(missing, "seccomp")
	}
	return missing
}

func self() string {
	const link = "/proc/self/exe" // also where the file was replaced
	if _, err := os.Stat(link); err == nil {
		return link
	}
	exe, err := os.Executable()
	if err != nil {
		return strings.TrimSuffix(os.Args[0], " (deleted)")
	}
	return exe
}
