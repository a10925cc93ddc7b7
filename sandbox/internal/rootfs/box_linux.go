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
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Box is the set of writable folders of one job: its working folder, /tmp and /dev/shm, on one tmpfs.
//
// The tmpfs is first made without a place: a mount that only its descriptor names. The slot makes that its current directory,
// puts files in, and reads what is left there afterwards, always by relative names. The job's first process attaches it in a
// mount namespace of its own, so the slot never mounts or unmounts anything: the kernel does that once, when the
// namespace ends with the last process of the job. Unmounting one by one would wait for a grace period of the kernel
// each time. Needs Linux 5.2 (fsmount(2), move_mount(2)).
type Box struct {
	WorkDir string
	Size    int64 // bytes for all of it
	Inodes  int
	Owner   int  // user and group of the job, as the slot sees them
	Alone   bool // slot and job are the same user: files are kept from the job by mounts
	fd      int
	guards  []Mount
}

// Mount is a mount to be made by the job's first process; its arguments are those of mount(2).
type Mount struct {
	Source, At string
	Flags      uintptr
}

// Make makes the box and enters it. On an error nothing of it is left.
func (b *Box) Make() (err error) {
	if b.fd, err = newTmpfs(roundPage(b.Size), b.Inodes+4); err != nil { // its root and three folders
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Drop())
		}
	}()
	if err := unix.Fchdir(b.fd); err != nil {
		return fmt.Errorf("enter box: %w", err)
	}
	for _, d := range []struct {
		name string
		mode os.FileMode
	}{{"tmp", 0o777 | os.ModeSticky}, {"shm", 0o777 | os.ModeSticky}, {"work", 0o755}} {
		if err := errors.Join(os.Mkdir(d.name, 0o700), os.Chown(d.name, b.Owner, b.Owner), os.Chmod(d.name, d.mode)); err != nil {
			return err
		}
	}
	return nil
}

func newTmpfs(size int64, inodes int) (int, error) {
	fs, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("fsopen: %w", err)
	}
	defer func() { _ = unix.Close(fs) }() // the mount holds what it needs
	for _, kv := range [][2]string{{"source", "job"}, {"size", strconv.FormatInt(size, 10)}, {"nr_inodes", strconv.Itoa(inodes)}, {"mode", "700"}} {
		if err := unix.FsconfigSetString(fs, kv[0], kv[1]); err != nil {
			return -1, fmt.Errorf("fsconfig %s=%s: %w", kv[0], kv[1], err)
		}
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return -1, fmt.Errorf("fsconfig create: %w", err)
	}
	fd, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	if err != nil {
		return -1, fmt.Errorf("fsmount: %w", err)
	}
	return fd, nil
}

func roundPage(n int64) int64 { return (n + 4095) &^ 4095 }

// FD is the descriptor that the job's first process moves to the working folder, before it makes Mounts.
func (b *Box) FD() int { return b.fd }

// Mounts are made after that, in this order. The last but the guards hides the box's own root below the working folder.
func (b *Box) Mounts() []Mount {
	at := func(name string) string { return path.Join(b.WorkDir, name) }
	return append([]Mount{
		{at("tmp"), "/tmp", unix.MS_BIND}, {at("shm"), "/dev/shm", unix.MS_BIND}, {at("work"), b.WorkDir, unix.MS_BIND},
	}, b.guards...)
}

// Guarded tells whether Mounts are more than those of every box.
func (b *Box) Guarded() bool { return len(b.guards) > 0 }

// Folders are the writable folders, relative to the slot's current directory.
func (b *Box) Folders() []string { return []string{"work", "tmp", "shm"} }

// Drop leaves the box. With no process of the job alive nothing of it is left.
func (b *Box) Drop() error {
	err := os.Chdir("/")
	return errors.Join(err, unix.Close(b.fd))
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

// at is where the slot finds a file of the working folder.
func (b *Box) at(name string) string { return path.Join("work", name) }

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

// put makes one file, by plain system calls: an os.File would be entered into the runtime's poller.
func (b *Box) put(f File, data io.Reader) error {
	fd, err := unix.Open(b.at(f.Name), unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return fmt.Errorf("file %s: %w", f.Name, err)
	}
	n, err := io.Copy(writer(fd), data)
	mode := uint32(0o644)
	if f.ReadOnly {
		mode = 0o444
	}
	if f.Exec {
		mode |= 0o111
	}
	err = errors.Join(err, unix.Fchmod(fd, mode))
	if !f.ReadOnly {
		err = errors.Join(err, unix.Fchown(fd, b.Owner, b.Owner))
	}
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return fmt.Errorf("file %s: %w", f.Name, err)
	}
	if n != f.Size {
		return fmt.Errorf("file %s: %d of %d bytes arrived", f.Name, n, f.Size)
	}
	return nil
}

// writer is a descriptor that is written to the end of what it is given.
type writer int

func (w writer) Write(p []byte) (n int, err error) {
	for n < len(p) {
		m, err := unix.Write(int(w), p[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
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
		if d != "." { // that one is a mount point already
			at := path.Join(b.WorkDir, d)
			b.guards = append(b.guards, Mount{at, at, unix.MS_BIND | unix.MS_REC})
		}
	}
	for _, f := range files {
		if f.ReadOnly {
			at := path.Join(b.WorkDir, f.Name)
			const readOnly = unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV
			b.guards = append(b.guards, Mount{at, at, unix.MS_BIND}, Mount{"", at, readOnly})
		}
	}
	return nil
}

// Full tells whether the box ran out of space or of inodes, or holds a file of at least maxFile bytes: signs that a write
// was refused. It looks at no more than a few thousand names.
func (b *Box) Full(maxFile int64) bool {
	var st unix.Statfs_t
	if err := unix.Statfs("work", &st); err == nil && (st.Bavail == 0 || st.Ffree == 0) {
		return true
	}
	left, found := 5000, false
	for _, dir := range b.Folders() {
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
	root, err := os.OpenRoot("work")
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
	// No process of the job is alive, so what is looked at stays as it is. Not every kernel keeps to O_NOFOLLOW (gVisor does not
	// together with O_DIRECTORY), so links among the folders are looked for, too.
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if st, err := root.Lstat(dir); err != nil || !st.IsDir() {
			return nil, nil // as a file that is missing
		}
	}
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
