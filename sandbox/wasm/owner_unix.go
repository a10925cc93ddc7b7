//go:build unix

package wasm

import (
	"fmt"
	"os"
	"syscall"
)

// ownFolder refuses a folder that others can write: what is kept there is run.
func ownFolder(dir string) error {
	st, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || !st.IsDir() || int(sys.Uid) != os.Geteuid() || st.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("cache folder %s: it has to belong to this user, and be writable by nobody else", dir)
	}
	return nil
}
