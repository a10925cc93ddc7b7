package image

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Bounds of an unpacked image. Real ones are a tenth of that; an archive made to fill a disk has to be told from them somewhere.
const (
	maxBytes   = 32 << 30
	maxEntries = 2_000_000
)

// Whiteouts (layer.md): ".wh.NAME" removes NAME, ".wh..wh..opq" all that lower layers had in its folder.
const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

// unpacking is a tree that is being made.
type unpacking struct {
	root           *os.Root
	bytes, entries int64
	made           map[string]bool // by the layer that is being unpacked
}

// unpack makes a tree of layers, and gives its size. Each layer's hash is checked; what a layer with a wrong one did is the caller's
// to throw away.
func unpack(ctx context.Context, layers []layer, tree string) (int64, error) {
	if err := os.Mkdir(tree, 0o755); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return 0, err
	}
	defer func() { _ = root.Close() }() // all files in it are closed
	u := &unpacking{root: root}
	for i, l := range layers {
		if err := u.layer(ctx, l); err != nil {
			return 0, fmt.Errorf("layer %d: %w", i+1, err)
		}
	}
	return u.bytes, nil
}

func (u *unpacking) layer(ctx context.Context, l layer) error {
	in, err := l.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading
	hash := sha256.New()
	whole := io.TeeReader(in, hash)
	u.made = map[string]bool{}
	for r := tar.NewReader(whole); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if u.entries++; u.entries > maxEntries {
			return fmt.Errorf("more than %d files", maxEntries)
		}
		if err := u.entry(h, r); err != nil {
			return fmt.Errorf("%q: %w", h.Name, err)
		}
	}
	if _, err := io.Copy(io.Discard, whole); err != nil { // what stands behind the archive belongs to the hash
		return err
	}
	if got := "sha256:" + hex.EncodeToString(hash.Sum(nil)); got != l.diffID {
		return fmt.Errorf("its content is %s, and the configuration says %s", got, l.diffID)
	}
	return nil
}

func (u *unpacking) entry(h *tar.Header, data io.Reader) error {
	name, err := inside(h.Name)
	if err != nil || name == "." {
		return err
	}
	if err := u.noLinkAbove(name); err != nil {
		return err
	}
	if base := path.Base(name); strings.HasPrefix(base, whiteout) {
		return u.remove(path.Dir(name), base)
	}
	if err := u.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	u.made[name] = true
	if h.Typeflag != tar.TypeDir {
		if err := u.root.RemoveAll(name); err != nil { // a lower layer's
			return err
		}
	}
	mode := fs.FileMode(h.Mode) & 0o777 // never setuid
	switch h.Typeflag {
	case tar.TypeDir:
		return u.folder(name, mode)
	case tar.TypeReg:
		return u.file(name, mode, h, data)
	case tar.TypeSymlink:
		return u.root.Symlink(h.Linkname, name) // whatever it says, it is followed in a container only
	case tar.TypeLink:
		target, err := inside(h.Linkname)
		if err == nil {
			err = u.noLinkAbove(target)
		}
		if err != nil {
			return fmt.Errorf("link to %q: %w", h.Linkname, err)
		}
		return u.root.Link(target, name)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeXGlobalHeader:
		return nil // a container has devices of its own
	}
	return fmt.Errorf("an entry of the unknown kind %q", h.Typeflag)
}

// inside refuses names that leave the tree.
func inside(name string) (string, error) {
	clean := path.Clean(strings.TrimSuffix(name, "/"))
	if path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsRune(name, 0) {
		return "", errors.New("it leaves the image")
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", errors.New("it leaves the image, or would by way of a link")
		}
	}
	return clean, nil
}

// noLinkAbove refuses a path that leads through a link.
func (u *unpacking) noLinkAbove(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		st, err := u.root.Lstat(dir)
		if err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("it is put through the link %s", dir)
		}
		if err == nil && !st.IsDir() {
			return fmt.Errorf("%s is no folder", dir)
		}
	}
	return nil
}

// remove carries out a whiteout.
func (u *unpacking) remove(dir, base string) error {
	if base != opaque {
		name := strings.TrimPrefix(base, whiteout)
		if name == "" || name == "." || name == ".." {
			return errors.New("it removes no name")
		}
		return u.root.RemoveAll(path.Join(dir, name))
	}
	f, err := u.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(-1)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, n := range names {
		if at := path.Join(dir, n); !u.made[at] { // made by this layer, it stays
			if err := u.root.RemoveAll(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// folder makes a folder, or sets the mode of one. Its owner can always look into it: the store's owner has to remove it some day.
func (u *unpacking) folder(name string, mode fs.FileMode) error {
	if st, err := u.root.Lstat(name); err == nil && !st.IsDir() {
		if err := u.root.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := u.root.MkdirAll(name, 0o755); err != nil {
		return err
	}
	return u.root.Chmod(name, mode|0o700)
}

// file writes a plain file. Its time is kept: compiled Python modules are only valid with that of their source.
func (u *unpacking) file(name string, mode fs.FileMode, h *tar.Header, data io.Reader) error {
	if u.bytes += h.Size; u.bytes > maxBytes {
		return fmt.Errorf("the image is larger than %d bytes", int64(maxBytes))
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return u.root.Chtimes(name, h.ModTime, h.ModTime)
}
