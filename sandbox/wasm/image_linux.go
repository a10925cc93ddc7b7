package wasm

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// hold gives a copy of a file that no name leads to and nobody can change: memory, sealed. Workers share its pages.
func hold(path string) (*os.File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // read only
	fd, err := unix.MemfdCreate("verifyd-image", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memory for %s: %w", path, err)
	}
	f := os.NewFile(uintptr(fd), "verifyd-image")
	if _, err := io.Copy(f, in); err != nil {
		_ = f.Close() // of no use
		return nil, fmt.Errorf("copy %s: %w", path, err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE|unix.F_SEAL_SEAL); err != nil {
		_ = f.Close() // of no use
		return nil, fmt.Errorf("seal %s: %w", path, err)
	}
	return f, nil
}
