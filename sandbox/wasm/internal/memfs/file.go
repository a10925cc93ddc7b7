package memfs

import (
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// file is an open file or folder.
type file struct {
	sys.UnimplementedFile
	fs                   *FS
	node                 *node
	read, write, appends bool
	at                   int64
	names                []string // of a folder being read; nil before
	closed               bool
}

func (f *file) Dev() (uint64, sys.Errno)       { return 1, 0 }
func (f *file) Ino() (wsys.Inode, sys.Errno)   { return f.node.ino, 0 }
func (f *file) IsDir() (bool, sys.Errno)       { return f.node.isDir(), 0 }
func (f *file) IsAppend() bool                 { return f.appends }
func (f *file) SetAppend(on bool) sys.Errno    { f.appends = on; return 0 }
func (f *file) Stat() (wsys.Stat_t, sys.Errno) { return f.fs.stat(f.node), 0 }

func (f *file) Read(buf []byte) (int, sys.Errno) {
	n, errno := f.Pread(buf, f.at)
	f.at += int64(n)
	return n, errno
}

func (f *file) Pread(buf []byte, off int64) (int, sys.Errno) {
	switch {
	case f.node.isDir():
		return 0, sys.EISDIR
	case !f.read:
		return 0, sys.EBADF
	case off < 0:
		return 0, sys.EINVAL
	case off >= int64(len(f.node.data)):
		return 0, 0
	}
	return copy(buf, f.node.data[off:]), 0
}

func (f *file) Write(buf []byte) (int, sys.Errno) {
	if f.appends {
		f.at = int64(len(f.node.data))
	}
	n, errno := f.Pwrite(buf, f.at)
	f.at += int64(n)
	return n, errno
}

func (f *file) Pwrite(buf []byte, off int64) (int, sys.Errno) {
	switch {
	case f.node.isDir() || !f.write:
		return 0, sys.EBADF
	case off < 0:
		return 0, sys.EINVAL
	case len(buf) == 0:
		return 0, 0
	}
	if errno := f.grow(off + int64(len(buf))); errno != 0 {
		return 0, errno
	}
	f.node.mtime = f.fs.now()
	return copy(f.node.data[off:], buf), 0
}

// grow makes a file at least n bytes long.
func (f *file) grow(n int64) sys.Errno {
	more := n - int64(len(f.node.data))
	if more <= 0 {
		return 0
	}
	if n > f.fs.quota.File {
		f.fs.Refused = true
		return sys.EIO
	}
	if !f.fs.charge(more) {
		return sys.EIO
	}
	if n <= int64(cap(f.node.data)) {
		old := len(f.node.data)
		f.node.data = f.node.data[:n]
		clear(f.node.data[old:])
		return 0
	}
	room := min(n+n/4, max(n, f.fs.quota.File))
	data := make([]byte, n, room)
	copy(data, f.node.data)
	f.node.data = data
	return 0
}

// position is a number that vet does not take for that of io.Seeker, whose Seek this is not.
type position = int64

func (f *file) Seek(offset position, whence int) (int64, sys.Errno) {
	if f.node.isDir() {
		if offset != 0 || whence != io.SeekStart {
			return 0, sys.EINVAL
		}
		f.names = nil
		return 0, 0
	}
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += int64(len(f.node.data))
	}
	if offset < 0 {
		return 0, sys.EINVAL
	}
	f.at = offset
	return offset, 0
}

// Readdir gives the next names of a folder, in the order of the alphabet: the same in each run.
func (f *file) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	if !f.node.isDir() {
		return nil, sys.ENOTDIR
	}
	if f.names == nil {
		f.names = slices.Sorted(maps.Keys(f.node.children))
	}
	if n < 0 || n > len(f.names) {
		n = len(f.names)
	}
	var list []sys.Dirent
	for _, name := range f.names[:n] {
		child := f.node.children[name]
		if child == nil {
			continue // removed since
		}
		list = append(list, sys.Dirent{Ino: child.ino, Name: name, Type: f.fs.stat(child).Mode & fs.ModeType})
	}
	f.names = f.names[n:]
	return list, 0
}

func (f *file) Truncate(size int64) sys.Errno {
	switch {
	case f.node.isDir() || !f.write:
		return sys.EBADF
	case size < 0:
		return sys.EINVAL
	case size > int64(len(f.node.data)):
		return f.grow(size)
	}
	f.fs.charge(size - int64(len(f.node.data)))
	f.node.data = f.node.data[:size]
	f.node.mtime = f.fs.now()
	return 0
}

func (f *file) Utimens(_, mtim int64) sys.Errno { return f.fs.touch(f.node, mtim) }

func (f *file) Close() sys.Errno {
	if f.closed {
		return sys.EBADF
	}
	f.closed = true
	f.fs.open--
	if !f.node.shared {
		f.node.opens--
		f.fs.release(f.node)
	}
	return 0
}

// device is an open device.
type device struct {
	sys.File
	fs   *FS
	node *node
}

func (d *device) Stat() (wsys.Stat_t, sys.Errno) { return d.fs.stat(d.node), 0 }
func (d *device) Ino() (wsys.Inode, sys.Errno)   { return d.node.ino, 0 }
func (d *device) IsDir() (bool, sys.Errno)       { return false, 0 }

func (d *device) Close() sys.Errno {
	d.fs.open--
	return d.File.Close()
}
