//go:build !linux

package wasm

import (
	"fmt"
	"io"
	"os"
	"runtime"
)

// hold gives a copy of a file that no name leads to, where the system lets an open file lose its name; else the file itself.
func hold(path string) (*os.File, error) {
	in, err := os.Open(path)
	if err != nil || runtime.GOOS == "windows" {
		return in, err
	}
	defer func() { _ = in.Close() }() // read only
	f, err := os.CreateTemp("", "verifyd-image-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close() // of no use
		return nil, err
	}
	if _, err := io.Copy(f, in); err != nil {
		_ = f.Close() // of no use
		return nil, fmt.Errorf("copy %s: %w", path, err)
	}
	return f, nil
}
