package oci

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// root is what containers with equal roots share: a skeleton of mount points, and what is bound on it. Neither the host nor an
// image is ever written to, and the runtime finds every mount point made, so that it needs no right to make one.
type root struct {
	dir    string
	inside *os.Root // dir while it is made: no link of an image leads out of it
	mounts []specs.Mount
}

// ownFolders are of the container itself, whatever an image has there.
var ownFolders = []string{"proc", "dev", "sys", "tmp", strings.Trim(sandbox.WorkDir, "/"), strings.Trim(sandbox.ServerDir, "/"), strings.Trim(programFolder, "/")}

// rootOf gives the shared root of a Spec.
func (o *OCI) rootOf(r sandbox.Root) (*root, error) {
	key := rootKey(r)
	o.mu.Lock()
	defer o.mu.Unlock()
	if made := o.roots[key]; made != nil {
		return made, nil
	}
	dir := filepath.Join(o.state, fmt.Sprintf("root%d", len(o.roots)))
	made, err := o.makeRoot(dir, r)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir)) // nothing is mounted on it
	}
	o.roots[key] = made
	return made, nil
}

func (o *OCI) makeRoot(dir string, r sandbox.Root) (*root, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	inside, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = inside.Close() }() // all files in it are closed
	made := &root{dir: dir, inside: inside}
	for _, name := range append([]string{"var", strings.Trim(programFolder, "/") + "/lib"}, ownFolders...) {
		if err := inside.MkdirAll(name, 0o755); err != nil {
			return nil, err
		}
	}
	for _, m := range o.program.binds {
		if err := made.point(m.Destination, false); err != nil {
			return nil, err
		}
	}
	if r.Image == "" {
		err = made.showHost(o.tool.readOnly)
	} else {
		err = o.showImage(made, r.Image)
	}
	if err != nil {
		return nil, err
	}
	for _, b := range r.Binds {
		host, err := filepath.EvalSymlinks(b.Host)
		if err != nil {
			return nil, fmt.Errorf("bind %s: %w", b.Host, err)
		}
		if err := made.bind(host, path.Clean(b.Job), o.tool.readOnly); err != nil {
			return nil, fmt.Errorf("bind %s: %w", b.Job, err)
		}
	}
	return made, nil
}

// bind shows a folder or file of the host, and makes its mount point. Below a folder that is bound already the mount point
// must be there.
func (r *root) bind(host, at, readOnly string) error {
	st, err := os.Stat(host)
	if err != nil {
		return err
	}
	if under := r.under(at); under != "" {
		if have, err := os.Stat(under); err != nil || have.IsDir() != st.IsDir() {
			return fmt.Errorf("no mount point %s in what is mounted above it", at)
		}
	} else if err := r.point(at, st.IsDir()); err != nil {
		return err
	}
	options := []string{"rbind", readOnly, "nosuid", "nodev"}
	if !st.IsDir() {
		options = []string{"bind", "ro", "nosuid", "nodev"}
	}
	r.mounts = append(r.mounts, specs.Mount{Destination: at, Type: "bind", Source: host, Options: options})
	return nil
}

// under is the place on the host of a path that lies in a folder bound already; empty where it lies in none.
func (r *root) under(at string) string {
	for _, m := range slices.Backward(r.mounts) {
		if rest, ok := strings.CutPrefix(at, strings.TrimSuffix(m.Destination, "/")+"/"); ok {
			return filepath.Join(m.Source, rest)
		}
	}
	return ""
}

// point makes a mount point in the skeleton where it is not there.
func (r *root) point(at string, dir bool) error {
	name := strings.TrimPrefix(path.Clean(at), "/")
	if have, err := r.inside.Stat(name); err == nil {
		if have.IsDir() != dir {
			return fmt.Errorf("%s is there, and not of the same kind", at)
		}
		return nil
	}
	if dir {
		return r.inside.MkdirAll(name, 0o755)
	}
	if err := r.inside.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return r.inside.WriteFile(name, nil, 0o644)
}

// show puts one entry of a tree at the same name: a link as the link that it is.
func (r *root) show(tree, name, readOnly string) error {
	from := filepath.Join(tree, name)
	st, err := os.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case st.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return r.inside.Symlink(target, name)
	case st.IsDir() || st.Mode().IsRegular():
		return r.bind(from, "/"+name, readOnly)
	}
	return nil // devices, sockets and pipes are nobody's business
}

func (r *root) showHost(readOnly string) error {
	for _, name := range rootfs.SystemFolders {
		if err := r.show("/", name, readOnly); err != nil {
			return err
		}
	}
	job := rootfs.Root{WorkDir: sandbox.WorkDir, JobID: slot.JobID}
	for name, text := range job.Etc() {
		if err := r.inside.MkdirAll("etc", 0o755); err != nil {
			return err
		}
		if err := r.inside.WriteFile("etc/"+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, name := range rootfs.SystemFiles {
		if err := r.show("/", name, readOnly); err != nil {
			return err
		}
	}
	return r.inside.Symlink("/tmp", "var/tmp")
}

// showImage shows the top of an unpacked image, but for the folders that are the container's own.
func (o *OCI) showImage(r *root, name string) error {
	tree, err := o.images.Tree(name)
	if err != nil {
		return fmt.Errorf("%w: %w", err, sandbox.ErrUnsupported)
	}
	entries, err := os.ReadDir(tree)
	if err != nil {
		return err
	}
	if err := r.inside.Remove("var"); err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(ownFolders, e.Name()) {
			continue
		}
		if err := r.show(tree, e.Name(), o.tool.readOnly); err != nil {
			return err
		}
	}
	return nil
}
