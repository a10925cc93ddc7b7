// Package memfs is a job's file system: a tree in memory with quotas, and nothing of the host behind it.
//
// A runtime that shows a folder of the host to WebAssembly has to keep each path of the guest inside of it, against links that the
// guest makes: that has failed before (a relative symbolic link, made inside, read files outside). Here is no inside: a
// path is looked up in maps, there are no links of any kind, and ".." is refused. What a job keeps is counted as it writes, so it
// can fill no more of the worker's memory than its limits say.
//
// A tree belongs to one job and one goroutine; folders that are shared between jobs (Share) are never written.
package memfs

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
	wsys "github.com/tetratelabs/wazero/sys"
)

// Quota bounds what a job may keep and hold open. A file that is open counts until it is closed, also when its name is gone.
type Quota struct {
	Disk, File        int64 // bytes of all files, of one
	Inodes, OpenFiles int
}

// FS is a file system. Its zero value is not usable; see New.
type FS struct {
	sys.UnimplementedFS
	root    *node
	quota   Quota
	now     func() int64 // nanoseconds since 1970, for the times of files
	nextIno uint64

	used         int64
	inodes, open int

	// Refused is set where a quota refused to keep something. Too many open files are none of it: they are the program's own error.
	Refused bool
}

// node is a file, a folder or a device. Exactly one of children, device and data is used.
type node struct {
	ino      uint64
	children map[string]*node // a folder where not nil
	device   func() (sys.File, sys.Errno)
	data     []byte
	readOnly bool // cannot be changed; a folder: nothing can be made or removed in it
	pinned   bool // cannot be removed or renamed
	shared   bool // of a tree that several jobs see: not counted, never changed
	exec     bool
	mtime    int64
	opens    int
	unlinked bool
}

func (n *node) isDir() bool { return n.children != nil }

// New makes a tree with an empty root, in which the job itself can make nothing.
func New(q Quota, now func() int64) *FS {
	f := &FS{quota: q, now: now, nextIno: 1}
	f.root = f.folder()
	f.root.readOnly, f.root.pinned = true, true
	return f
}

func (f *FS) folder() *node {
	f.nextIno++
	return &node{ino: f.nextIno, children: map[string]*node{}, mtime: f.now()}
}

// Folder makes a folder and those above it, for the host: quotas do not count. The job can make files in it where writable.
func (f *FS) Folder(name string, writable bool) {
	n := f.hostFolder(name)
	n.readOnly, n.pinned = !writable, true
}

func (f *FS) hostFolder(name string) *node {
	at := f.root
	for _, part := range parts(name) {
		next := at.children[part]
		if next == nil {
			next = f.folder()
			next.readOnly = at.readOnly
			at.children[part] = next
		}
		at = next
	}
	return at
}

// Put makes a file, for the host: it counts for nobody's quota. A file that is read-only can be neither changed nor
// replaced, so the folders above it stay where they are.
func (f *FS) Put(name string, data []byte, readOnly, exec bool) {
	dir := f.hostFolder(path.Dir(name))
	f.nextIno++
	dir.children[path.Base(name)] = &node{ino: f.nextIno, data: slices.Clone(data), readOnly: readOnly, pinned: readOnly, exec: exec, mtime: f.now()}
	f.used += int64(len(data))
	f.quota.Disk += int64(len(data)) // a job that removes it has the room
	f.quota.Inodes++
	f.inodes++
	for at, rest := f.root, parts(name); readOnly && len(rest) > 1; rest = rest[1:] {
		at = at.children[rest[0]]
		at.pinned = true
	}
}

// Device makes a name whose opening gives what open gives.
func (f *FS) Device(name string, open func() (sys.File, sys.Errno)) {
	f.nextIno++
	f.hostFolder(path.Dir(name)).children[path.Base(name)] = &node{ino: f.nextIno, device: open, pinned: true, mtime: f.now()}
}

// Mount shows a shared tree under a name of the root.
func (f *FS) Mount(name string, t *Shared) { f.root.children[name] = t.root }

// Read gives the content of a plain file, for the host.
func (f *FS) Read(name string) (data []byte, exec, ok bool) {
	n, errno := f.find(name)
	if errno != 0 || n.isDir() || n.device != nil {
		return nil, false, false
	}
	return n.data, n.exec, true
}

// Used is how many bytes the job's files have now.
func (f *FS) Used() int64 { return f.used }

// parts are the names of a path; "." and empty ones are left out.
func parts(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "/"), func(p string) bool { return p == "" || p == "." })
}

func (f *FS) find(name string) (*node, sys.Errno) {
	if len(name) > maxPath {
		return nil, sys.ENAMETOOLONG
	}
	at := f.root
	for _, part := range parts(name) {
		if part == ".." {
			return nil, sys.EPERM
		}
		if !at.isDir() {
			return nil, sys.ENOTDIR
		}
		if at = at.children[part]; at == nil {
			return nil, sys.ENOENT
		}
	}
	if strings.HasSuffix(name, "/") && !at.isDir() {
		return nil, sys.ENOTDIR
	}
	return at, 0
}

// Bounds of names and paths, those of Linux (NAME_MAX, PATH_MAX): without the second one a deep tree makes each call dearer.
const (
	maxName = 255
	maxPath = 4095
)

// parent finds the folder that a name is in, and the name's last part.
func (f *FS) parent(name string) (*node, string, sys.Errno) {
	list := parts(name)
	if len(list) == 0 {
		return nil, "", sys.EPERM
	}
	base := list[len(list)-1]
	dir, errno := f.find(strings.Join(list[:len(list)-1], "/"))
	switch {
	case errno != 0:
		return nil, "", errno
	case base == "..":
		return nil, "", sys.EPERM
	case !dir.isDir():
		return nil, "", sys.ENOTDIR
	case len(base) > maxName:
		return nil, "", sys.ENAMETOOLONG
	}
	return dir, base, 0
}

// charge counts bytes that a file gets or gives back; false where the quota says no.
func (f *FS) charge(n int64) bool {
	if n > 0 && f.used+n > f.quota.Disk {
		f.Refused = true
		return false
	}
	f.used += n
	return true
}

func (f *FS) newInode() bool {
	if f.inodes >= f.quota.Inodes {
		f.Refused = true
		return false
	}
	f.inodes++
	return true
}

// drop takes a name away; the bytes go when nobody has the file open.
func (f *FS) drop(dir *node, base string) {
	n := dir.children[base]
	delete(dir.children, base)
	dir.mtime = f.now()
	f.inodes--
	n.unlinked = true
	f.release(n)
}

func (f *FS) release(n *node) {
	if n.unlinked && n.opens == 0 && !n.shared {
		f.used -= int64(len(n.data))
		n.data = nil
	}
}

func (f *FS) stat(n *node) wsys.Stat_t {
	mode := fs.FileMode(0o644)
	switch {
	case n.isDir():
		mode = fs.ModeDir | 0o755
	case n.device != nil:
		mode = fs.ModeDevice | fs.ModeCharDevice | 0o666
	case n.readOnly:
		mode = 0o444
	}
	if n.exec {
		mode |= 0o111
	}
	return wsys.Stat_t{Dev: 1, Ino: n.ino, Mode: mode, Nlink: 1, Size: int64(len(n.data)), Atim: n.mtime, Mtim: n.mtime, Ctim: n.mtime}
}
