// Package rootfs builds the root that a native job sees, inside a mount namespace of its own.
//
// Theory. The new root is a small tmpfs that holds nothing but mount points, links and four short text files. The host stays
// reachable below /oldroot while binds are made, and is then detached, so no name in the job's view leads back to it:
//
//	tmpfs on /tmp ── pivot_root(/tmp, /tmp/oldroot) ── bind /oldroot/usr … ── umount /oldroot ── remount / read-only
//
// The order matters: a runtime that the caller keeps below /tmp is still there as /oldroot/tmp, since the tmpfs left
// that place when it became the root. A job's writable folders are one more tmpfs a job (see Box): one size and one count
// of inodes for all of them together. Sources: mount_namespaces(7), pivot_root(2), proc(5), tmpfs(5).
package rootfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Bind is a host path shown read-only in the job; symbolic links in Host have been resolved.
type Bind struct{ Host, Job string }

// Root says how a root is built.
type Root struct {
	Binds    []Bind
	WorkDir  string
	Hostname string
	JobID    int    // user and group of the job as it sees itself
	Extra    string // folder for further read-only files; empty for none

	// Whole shows all that lies at the top of the place where Build is called, but for Hidden, /dev, /proc and folders that are made
	// anew: the root of an image instead of the host's system folders.
	Whole  bool
	Hidden []string // names at the top
}

const oldroot = "/oldroot"

// SystemFolders are shown when the host has them, as folders or as the links that they are.
var SystemFolders = []string{"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"}

// SystemFiles of /etc are needed to load libraries, and for programs that Debian reaches through alternatives.
var SystemFiles = []string{"etc/ld.so.cache", "etc/ld.so.conf", "etc/ld.so.conf.d", "etc/alternatives"}

var deviceNodes = []string{"null", "zero", "full", "random", "urandom"}

// devices are the nodes of a job's /dev.
func devices() []string {
	var all []string
	for _, d := range deviceNodes {
		all = append(all, "/dev/"+d)
	}
	return all
}

// Build makes the root, with files below Extra whose data follow each other, and moves the caller into it. It must run in a mount namespace that nobody else uses. hasProc is
// false where the kernel refuses a fresh /proc (in a container that masks parts of it); the root then has none.
func Build(r Root, files []File, data io.Reader) (hasProc bool, err error) {
	if err := enter(); err != nil {
		return false, err
	}
	for _, step := range []func() error{func() error { return show(r) }, makeDev, func() error { return makeEtc(r) }, func() error { return showBinds(r) }, func() error { return putExtra(r, files, data) }} {
		if err := step(); err != nil {
			return false, err
		}
	}
	hasProc = mountProc() == nil
	if err := unix.Unmount(oldroot, unix.MNT_DETACH); err != nil {
		return false, fmt.Errorf("detach the host's root: %w", err)
	}
	if err := os.Remove(oldroot); err != nil {
		return false, err
	}
	for _, d := range []string{r.WorkDir, "/tmp", "/dev/shm", "/var"} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return false, err
		}
	}
	if err := os.Symlink("/tmp", "/var/tmp"); err != nil && !r.Whole { // an image has its own, which is read-only
		return false, err
	}
	if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return false, fmt.Errorf("make the root read-only: %w", err)
	}
	if err := unix.Sethostname([]byte(r.Hostname)); err != nil {
		return false, fmt.Errorf("set host name: %w", err)
	}
	return hasProc, nil
}

func enter() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("root", "/tmp", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=16m,nr_inodes=4k,mode=755"); err != nil {
		return fmt.Errorf("mount new root: %w", err)
	}
	if err := os.Mkdir("/tmp"+oldroot, 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot("/tmp", "/tmp"+oldroot); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	return os.Chdir("/")
}

func show(r Root) error {
	if r.Whole {
		return showWhole(r)
	}
	return showSystem()
}

func showSystem() error {
	for _, name := range SystemFolders {
		host := filepath.Join(oldroot, name)
		st, err := os.Lstat(host)
		if err != nil {
			continue
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			if err := bind(host, "/"+name, 0); err != nil {
				return err
			}
			continue
		}
		target, err := os.Readlink(host)
		if err != nil {
			return err
		}
		if err := os.Symlink(target, "/"+name); err != nil {
			return err
		}
	}
	for _, name := range SystemFiles {
		if st, err := os.Lstat(filepath.Join(oldroot, name)); err != nil || st.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		if err := bind(filepath.Join(oldroot, name), "/"+name, 0); err != nil {
			return err
		}
	}
	return nil
}

func showBinds(r Root) error {
	for _, b := range r.Binds {
		if err := bind(filepath.Join(oldroot, b.Host), b.Job, 0); err != nil {
			return err
		}
	}
	return nil
}

// bind shows host at job, read-only, with everything mounted below it. device leaves nodes usable.
func bind(host, job string, device int) error {
	st, err := os.Stat(host)
	if err != nil {
		return fmt.Errorf("bind at %s: %w", job, rootless(err))
	}
	if err := mountPoint(job, st.IsDir()); err != nil {
		return fmt.Errorf("bind at %s: %w", job, err)
	}
	if err := unix.Mount(host, job, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind at %s: %w", job, err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	flags := uintptr(unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID)
	if device == 0 {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
		flags |= unix.MS_NODEV
	}
	err = unix.MountSetattr(unix.AT_FDCWD, job, unix.AT_RECURSIVE, &attr)
	if errors.Is(err, unix.ENOSYS) { // before Linux 5.12: the top mount only
		err = unix.Mount("", job, "", flags, "")
	}
	if err != nil {
		return fmt.Errorf("make %s read-only: %w", job, err)
	}
	return nil
}

// rootless takes the staging prefix out of an error's path, so that the message names what the caller named.
func rootless(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: strings.TrimPrefix(p.Path, oldroot), Err: p.Err}
	}
	return err
}

func mountPoint(path string, dir bool) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if dir {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

func makeDev() error {
	if err := os.Mkdir("/dev", 0o755); err != nil {
		return err
	}
	for _, d := range devices() {
		if err := bind(oldroot+d, d, 1); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"} {
		if err := os.Symlink("/proc/self/"+target, "/dev/"+name); err != nil {
			return err
		}
	}
	return nil
}

func putExtra(r Root, files []File, data io.Reader) error {
	for _, f := range files {
		at := filepath.Join(r.Extra, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		text, err := io.ReadAll(io.LimitReader(data, f.Size))
		if err != nil {
			return err
		}
		if err := os.WriteFile(at, text, 0o444); err != nil {
			return err
		}
	}
	return nil
}

// Etc are the files of /etc that are not the host's own, by name.
func (r Root) Etc() map[string]string {
	return map[string]string{
		"passwd":        fmt.Sprintf("root:x:0:0::/:/bin/sh\njob:x:%d:%d::%s:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n", r.JobID, r.JobID, r.WorkDir),
		"group":         fmt.Sprintf("root:x:0:\njob:x:%d:\nnogroup:x:65534:\n", r.JobID),
		"hosts":         "127.0.0.1 localhost\n::1 localhost\n",
		"nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
	}
}

func makeEtc(r Root) error {
	if _, err := os.Stat("/etc"); err == nil && r.Whole {
		return nil // the image's own
	}
	for name, text := range r.Etc() {
		if err := os.MkdirAll("/etc", 0o755); err != nil {
			return err
		}
		if err := os.WriteFile("/etc/"+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// mountProc tries the narrowest view first: only processes, and of those only the job's own (Linux 5.8).
func mountProc() error {
	if err := os.MkdirAll("/proc", 0o555); err != nil {
		return err
	}
	err := unix.Mount("proc", "/proc", "proc", procFlags, "hidepid=invisible,subset=pid")
	if err != nil {
		err = unix.Mount("proc", "/proc", "proc", procFlags, "hidepid=2")
	}
	return err
}

const procFlags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC // of /proc

// LockProc makes /proc read-only, once nothing has to be written there any more.
func LockProc(hasProc bool) error {
	if !hasProc {
		return nil
	}
	return unix.Mount("", "/proc", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|procFlags, "")
}
