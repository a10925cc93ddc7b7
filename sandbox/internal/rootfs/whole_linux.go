package rootfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// showWhole shows the top of an image: folders and files by a bind, links as the links that they are. What lies there and is
// neither, a device or a pipe, is left out.
func showWhole(r Root) error {
	entries, err := os.ReadDir(oldroot)
	if err != nil {
		return rootless(err)
	}
	hidden := slices.Concat(r.Hidden, []string{"dev", "proc", "sys", "tmp", "run", strings.Trim(oldroot, "/")}, tops(r.WorkDir, r.Extra))
	for _, e := range entries {
		host, job := filepath.Join(oldroot, e.Name()), "/"+e.Name()
		switch {
		case slices.Contains(hidden, e.Name()):
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(host)
			if err == nil {
				err = os.Symlink(target, job)
			}
			if err != nil {
				return rootless(err)
			}
		case e.IsDir() || e.Type().IsRegular():
			if err := bind(host, job, 0); err != nil {
				return err
			}
		}
	}
	return coverHostFiles()
}

// tops are the first parts of absolute paths.
func tops(paths ...string) (names []string) {
	for _, p := range paths {
		name, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
		names = append(names, name)
	}
	return names
}

// coverHostFiles hides what container engines mount into an image's /etc from the host.
func coverHostFiles() error {
	const empty = "/.empty"
	if err := os.WriteFile(empty, nil, 0o444); err != nil {
		return err
	}
	for _, name := range []string{"/etc/resolv.conf", "/etc/hostname", "/etc/hosts"} {
		st, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !st.Mode().IsRegular() {
			continue
		}
		if err != nil {
			return err
		}
		if err := unix.Mount(empty, name, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("cover %s: %w", name, err)
		}
	}
	return nil
}
