package rootfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Box is the set of writable folders of one job: its working folder, /tmp and /dev/shm, on one tmpfs.
type Box struct {
	WorkDir string
	Size    int64 // bytes for all of it
	Inodes  int
	Owner   int  // user and group of the job, as the mounting process sees them
	Alone   bool // the mounting process and the job are the same user: files are kept from the job by mounts
	mounted []string
}

// Mount makes the box. On an error nothing of it is left.
func (b *Box) Mount() (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Unmount())
		}
	}()
	opts := fmt.Sprintf("size=%d,nr_inodes=%d,mode=700", roundPage(b.Size), b.Inodes+4) // its root and three folders
	if err := b.mount("job", b.WorkDir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, opts); err != nil {
		return err
	}
	for _, d := range []struct {
		name, at string
		mode     os.FileMode
	}{{"tmp", "/tmp", 0o777 | os.ModeSticky}, {"shm", "/dev/shm", 0o777 | os.ModeSticky}, {"work", b.WorkDir, 0o755}} {
		dir := path.Join(b.WorkDir, d.name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := os.Chown(dir, b.Owner, b.Owner); err != nil {
			return err
		}
		if err := os.Chmod(dir, d.mode); err != nil {
			return err
		}
		if err := b.mount(dir, d.at, "", unix.MS_BIND, ""); err != nil {
			return err
		}
	}
	return nil
}

func roundPage(n int64) int64 { return (n + 4095) &^ 4095 }

func (b *Box) mount(source, at, kind string, flags uintptr, opts string) error {
	if err := unix.Mount(source, at, kind, flags, opts); err != nil {
		return fmt.Errorf("mount %s: %w", at, err)
	}
	b.mounted = append(b.mounted, at)
	return nil
}

// Unmount takes the box away. It fails where something still uses it, which means that a process of the job is left.
func (b *Box) Unmount() error {
	for len(b.mounted) > 0 {
		last := b.mounted[len(b.mounted)-1]
		if err := unix.Unmount(last, 0); err != nil {
			return fmt.Errorf("unmount %s: %w", last, err)
		}
		b.mounted = b.mounted[:len(b.mounted)-1]
	}
	return nil
}

// File is a file to put into the box. Name is relative to the working folder and has been checked.
type File struct {
	Name           string
	Size           int64
	Exec, ReadOnly bool
}

// Put writes files, whose data follow each other in data. A folder that leads to a read-only file belongs to somebody
// else and is sticky: the job can add to it, and cannot rename or remove what it does not own. Where the job is the same user
// as the mounting process, the same is done by mounting each such file and folder on itself: a mount point cannot
// be renamed or removed.
func (b *Box) Put(files []File, data io.Reader) error {
	guarded := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Name); f.ReadOnly; dir = path.Dir(dir) {
			guarded[dir] = true
			if dir == "." {
				break
			}
		}
	}
	for _, f := range files {
		if err := b.folders(path.Dir(f.Name)); err != nil {
			return err
		}
		if err := b.put(f, io.LimitReader(data, f.Size)); err != nil {
			return err
		}
	}
	return b.guard(files, guarded)
}

func (b *Box) at(name string) string { return filepath.Join(b.WorkDir, name) }

func (b *Box) folders(dir string) error {
	if dir == "." {
		return nil
	}
	if err := b.folders(path.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(b.at(dir), 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	return os.Chown(b.at(dir), b.Owner, b.Owner)
}

func (b *Box) put(f File, data io.Reader) error {
	file, err := os.OpenFile(b.at(f.Name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, data)
	mode := os.FileMode(0o644)
	if f.ReadOnly {
		mode = 0o444
	}
	if f.Exec {
		mode |= 0o111
	}
	err = errors.Join(err, file.Chmod(mode))
	if !f.ReadOnly {
		err = errors.Join(err, file.Chown(b.Owner, b.Owner))
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if n != f.Size {
		return fmt.Errorf("file %s: %d of %d bytes arrived", f.Name, n, f.Size)
	}
	return nil
}

func (b *Box) guard(files []File, guarded map[string]bool) error {
	if len(guarded) == 0 {
		return nil
	}
	dirs := make([]string, 0, len(guarded))
	for d := range guarded {
		dirs = append(dirs, d)
	}
	slices.SortFunc(dirs, func(x, y string) int { return strings.Count(x, "/") - strings.Count(y, "/") })
	if b.Alone {
		return b.guardByMounts(files, dirs)
	}
	for _, d := range dirs {
		if err := os.Chown(b.at(d), 0, 0); err != nil {
			return err
		}
		if err := os.Chmod(b.at(d), 0o777|os.ModeSticky); err != nil {
			return err
		}
	}
	return nil
}

func (b *Box) guardByMounts(files []File, dirs []string) error {
	for _, d := range dirs {
		if d == "." {
			continue // a mount point already
		}
		if err := b.mount(b.at(d), b.at(d), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return err
		}
	}
	for _, f := range files {
		if !f.ReadOnly {
			continue
		}
		if err := b.mount(b.at(f.Name), b.at(f.Name), "", unix.MS_BIND, ""); err != nil {
			return err
		}
		const flags = unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV
		if err := unix.Mount("", b.at(f.Name), "", flags, ""); err != nil {
			return fmt.Errorf("make %s read-only: %w", f.Name, err)
		}
	}
	return nil
}

// Full tells whether the box ran out of space or of inodes, or holds a file of at least maxFile bytes: signs that a write
// was refused. It looks at no more than a few thousand names.
func (b *Box) Full(maxFile int64) bool {
	var st unix.Statfs_t
	if err := unix.Statfs(b.WorkDir, &st); err == nil && (st.Bavail == 0 || st.Ffree == 0) {
		return true
	}
	left, found := 5000, false
	for _, dir := range []string{b.WorkDir, "/tmp", "/dev/shm"} {
		_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // a name that cannot be read is no sign
			if left--; left < 0 {
				return fs.SkipAll
			}
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil && d.Type().IsRegular() && info.Size() >= maxFile {
				found = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// Collected is one file that was brought back.
type Collected struct {
	Name string
	Size int64
	Exec bool
}

// Collect copies plain files to out, one after the other, while no process of the job lives. Links, pipes, folders, what lies
// outside of the working folder and what does not fit into the remaining bytes are left out.
func (b *Box) Collect(names []string, remaining int64, out io.Writer) ([]Collected, error) {
	root, err := os.OpenRoot(b.WorkDir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // opened for reading
	var all []Collected
	for _, name := range names {
		c, err := collect(root, name, remaining, out)
		if err != nil {
			return nil, err
		}
		if c != nil {
			all = append(all, *c)
			remaining -= c.Size
		}
	}
	return all, nil
}

func collect(root *os.Root, name string, remaining int64, out io.Writer) (*Collected, error) {
	if st, err := root.Lstat(name); err != nil || !st.Mode().IsRegular() {
		return nil, nil // missing or not plain: left out, as the contract says
	}
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil // unreadable names of the job's making
	}
	defer func() { _ = f.Close() }() // opened for reading
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() > remaining {
		return nil, nil
	}
	n, err := io.CopyN(out, f, st.Size())
	if err != nil {
		return nil, fmt.Errorf("collect %s: %w", name, err)
	}
	return &Collected{Name: name, Size: n, Exec: st.Mode()&0o100 != 0}, nil
}
