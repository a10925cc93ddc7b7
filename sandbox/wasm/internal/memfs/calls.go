package memfs

import (
	"io/fs"
	"path"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// The calls of a guest. Links are none of them: what sys.UnimplementedFS answers (ENOSYS) is the answer.

// OpenFile implements sys.FS.
func (f *FS) OpenFile(name string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	write := flag&(sys.O_RDWR|sys.O_WRONLY) != 0
	n, errno := f.find(name)
	switch {
	case errno == sys.ENOENT && flag&sys.O_CREAT != 0:
		if n, errno = f.create(name); errno != 0 {
			return nil, errno
		}
	case errno != 0:
		return nil, errno
	case flag&sys.O_CREAT != 0 && flag&sys.O_EXCL != 0:
		return nil, sys.EEXIST
	case flag&sys.O_DIRECTORY != 0 && !n.isDir():
		return nil, sys.ENOTDIR
	case n.isDir() && write && flag&sys.O_DIRECTORY == 0:
		return nil, sys.EISDIR
	case n.readOnly && !n.isDir() && (write || flag&sys.O_TRUNC != 0):
		return nil, sys.EACCES
	}
	if f.open >= f.quota.OpenFiles {
		return nil, sys.EBADF // what stands for "too many" is not among the runtime's errors
	}
	if n.device != nil {
		file, errno := n.device()
		if errno == 0 {
			f.open++
			file = &device{File: file, fs: f, node: n}
		}
		return file, errno
	}
	if flag&sys.O_TRUNC != 0 && !n.isDir() {
		f.charge(-int64(len(n.data)))
		n.data, n.mtime = nil, f.now()
	}
	f.open++
	if !n.shared {
		n.opens++
	}
	return &file{fs: f, node: n, write: write, read: flag&sys.O_WRONLY == 0, appends: flag&sys.O_APPEND != 0}, 0
}

func (f *FS) create(name string) (*node, sys.Errno) {
	dir, base, errno := f.parent(name)
	switch {
	case errno != 0:
		return nil, errno
	case dir.readOnly || name[len(name)-1] == '/':
		return nil, sys.EACCES
	case !f.newInode():
		return nil, sys.EIO
	}
	f.nextIno++
	n := &node{ino: f.nextIno, mtime: f.now()}
	dir.children[base], dir.mtime = n, n.mtime
	return n, 0
}

// Stat implements sys.FS.
func (f *FS) Stat(name string) (wsys.Stat_t, sys.Errno) {
	n, errno := f.find(name)
	if errno != 0 {
		return wsys.Stat_t{}, errno
	}
	return f.stat(n), 0
}

// Lstat implements sys.FS.
func (f *FS) Lstat(name string) (wsys.Stat_t, sys.Errno) { return f.Stat(name) }

// Readlink implements sys.FS: nothing is a link.
func (f *FS) Readlink(name string) (string, sys.Errno) {
	if _, errno := f.find(name); errno != 0 {
		return "", errno
	}
	return "", sys.EINVAL
}

// Mkdir implements sys.FS.
func (f *FS) Mkdir(name string, _ fs.FileMode) sys.Errno {
	if _, errno := f.find(name); errno != sys.ENOENT {
		if errno == 0 {
			return sys.EEXIST
		}
		return errno
	}
	dir, base, errno := f.parent(name)
	switch {
	case errno != 0:
		return errno
	case dir.readOnly:
		return sys.EACCES
	case !f.newInode():
		return sys.EIO
	}
	dir.children[base], dir.mtime = f.folder(), f.now()
	return 0
}

// removable finds a name that the job may take away.
func (f *FS) removable(name string) (dir *node, base string, n *node, errno sys.Errno) {
	if n, errno = f.find(name); errno != 0 {
		return nil, "", nil, errno
	}
	if dir, base, errno = f.parent(name); errno != 0 {
		return nil, "", nil, errno
	}
	if dir.readOnly || n.pinned {
		return nil, "", nil, sys.EACCES
	}
	return dir, base, n, 0
}

// Unlink implements sys.FS.
func (f *FS) Unlink(name string) sys.Errno {
	dir, base, n, errno := f.removable(name)
	if errno != 0 {
		return errno
	}
	if n.isDir() {
		return sys.EISDIR
	}
	f.drop(dir, base)
	return 0
}

// Rmdir implements sys.FS.
func (f *FS) Rmdir(name string) sys.Errno {
	dir, base, n, errno := f.removable(name)
	switch {
	case errno != 0:
		return errno
	case !n.isDir():
		return sys.ENOTDIR
	case len(n.children) > 0:
		return sys.ENOTEMPTY
	}
	f.drop(dir, base)
	return 0
}

// Rename implements sys.FS.
func (f *FS) Rename(from, to string) sys.Errno {
	dir, base, n, errno := f.removable(from)
	if errno != 0 {
		return errno
	}
	newDir, newBase, errno := f.parent(to)
	switch {
	case errno != 0:
		return errno
	case newDir.readOnly:
		return sys.EACCES
	case n.isDir() && f.within(newDir, n):
		return sys.EINVAL
	}
	old := newDir.children[newBase]
	if old == n {
		return 0
	}
	if old != nil {
		switch {
		case old.pinned:
			return sys.EACCES
		case old.isDir() && !n.isDir():
			return sys.EISDIR
		case !old.isDir() && n.isDir():
			return sys.ENOTDIR
		case len(old.children) > 0:
			return sys.ENOTEMPTY
		}
		f.drop(newDir, newBase)
	}
	delete(dir.children, base)
	newDir.children[newBase] = n
	dir.mtime, newDir.mtime = f.now(), f.now()
	return 0
}

// within tells whether a folder is another one or below it.
func (f *FS) within(dir, above *node) bool {
	if dir == above {
		return true
	}
	for _, child := range above.children {
		if child.isDir() && f.within(dir, child) {
			return true
		}
	}
	return false
}

// Chmod implements sys.FS: there is one user, whose rights do not hang on modes.
func (f *FS) Chmod(name string, mode fs.FileMode) sys.Errno {
	n, errno := f.find(name)
	switch {
	case errno != 0:
		return errno
	case n.readOnly || n.shared:
		return sys.EPERM
	}
	n.exec = mode&0o100 != 0 && !n.isDir()
	return 0
}

// Utimens implements sys.FS.
func (f *FS) Utimens(name string, _, mtim int64) sys.Errno {
	n, errno := f.find(name)
	if errno == 0 {
		errno = f.touch(n, mtim)
	}
	return errno
}

func (f *FS) touch(n *node, mtim int64) sys.Errno {
	if n.readOnly || n.shared {
		return sys.EPERM
	}
	if mtim != sys.UTIME_OMIT {
		n.mtime = mtim
	}
	return 0
}

// clean is how a name is written in the table of a shared tree.
func clean(name string) string { return path.Clean("/" + name)[1:] }
