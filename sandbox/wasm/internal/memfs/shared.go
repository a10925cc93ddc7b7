package memfs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Shared is a tree that any number of jobs see and none can change.
type Shared struct{ root *node }

// FromZip shows an archive of stored (not compressed) entries. Files are parts of data, which must stay as it is.
func FromZip(data []byte) (*Shared, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("memfs: read archive: %w", err)
	}
	const firstIno = 1 << 40 // above those of any job
	t, ino := &Shared{}, uint64(firstIno)
	folder := func() *node {
		ino++
		return &node{ino: ino, children: map[string]*node{}, readOnly: true, pinned: true, shared: true}
	}
	t.root = folder()
	for _, entry := range r.File {
		if entry.Method != zip.Store {
			return nil, fmt.Errorf("memfs: %s is compressed", entry.Name)
		}
		start, err := entry.DataOffset()
		if err != nil {
			return nil, fmt.Errorf("memfs: read archive: %w", err)
		}
		at := t.root
		name := clean(entry.Name)
		for _, part := range parts(path.Dir(name)) {
			if at.children[part] == nil {
				at.children[part] = folder()
			}
			at = at.children[part]
		}
		if strings.HasSuffix(entry.Name, "/") {
			at.children[path.Base(name)] = folder()
			continue
		}
		end := start + int64(entry.UncompressedSize64)
		ino++
		at.children[path.Base(name)] = &node{
			ino: ino, data: data[start:end:end], readOnly: true, pinned: true, shared: true, mtime: entry.Modified.UnixNano(),
		}
	}
	return t, nil
}

// Nothing is an empty tree.
func Nothing() *Shared {
	return &Shared{root: &node{ino: 1 << 40, children: map[string]*node{}, readOnly: true, pinned: true, shared: true}}
}
