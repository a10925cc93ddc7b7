package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// hostRoot is what containers without an image of their own are made of: an image that holds nothing but folders to mount on and the
// links at the top of the host's tree, and the host's own programs mounted there read-only. So jobs see the same as those of a backend
// without containers, and no image has to be had from anywhere.
type hostRoot struct {
	image  string // id
	mounts []mount.Mount
}

func (d *Docker) makeHostRoot() (*hostRoot, error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	root := &hostRoot{}
	for _, name := range rootfs.SystemFolders {
		st, err := os.Lstat("/" + name)
		switch {
		case err != nil: // not on this machine
		case st.Mode()&fs.ModeSymlink != 0:
			err = addLink(w, name)
		default:
			root.mounts = append(root.mounts, bindMount("/"+name, "/"+name))
			err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755})
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, name := range rootfs.SystemFiles {
		if st, err := os.Lstat("/" + name); err == nil && st.Mode()&fs.ModeSymlink == 0 {
			root.mounts = append(root.mounts, bindMount("/"+name, "/"+name))
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	var err error
	root.image, err = d.importImage(&archive)
	return root, err
}

func addLink(w *tar.Writer, name string) error {
	target, err := os.Readlink("/" + name)
	if err != nil {
		return err
	}
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777})
}

// importImage makes an image without a name, and gives its id.
func (d *Docker) importImage(archive io.Reader) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callDeadline)
	defer cancel()
	answer, err := d.api.ImageImport(ctx, client.ImageImportSource{Source: archive, SourceName: "-"}, "", client.ImageImportOptions{
		Changes: []string{"LABEL " + labelEngine + "=" + d.owner + " " + labelRole + "=root"},
	})
	if err != nil {
		return "", fmt.Errorf("make the empty image: %w", err)
	}
	defer func() { _ = answer.Close() }() // read to its end
	for in := json.NewDecoder(answer); ; {
		var line struct{ Status, Error string }
		if err := in.Decode(&line); err != nil || line.Error != "" {
			return "", fmt.Errorf("make the empty image: %s: %w", line.Error, err)
		}
		if strings.HasPrefix(line.Status, "sha256:") {
			return line.Status, nil
		}
	}
}

// planFor says what a container for a job is made of, and what its slot makes of that.
func (d *Docker) planFor(spec sandbox.Spec, image string, s size) (plan, *rootfs.Root, error) {
	p := plan{image: image, memory: s.memory, pids: s.pids}
	root := &rootfs.Root{WorkDir: sandbox.WorkDir, Hostname: "sandbox", JobID: slot.JobID, Whole: image != "", Hidden: []string{binDir[1:], socketDir[1:]}}
	env, err := d.environment(image)
	if err != nil {
		return p, root, err
	}
	p.env = env
	if image == "" {
		p.image, p.mounts = d.root.image, append(p.mounts, d.root.mounts...)
	}
	p.mounts = append(p.mounts, bindMount(d.self.path, binDir+"/sandbox-stage:"+stageName))
	for _, b := range spec.Root.Binds {
		host, err := filepath.EvalSymlinks(b.Host)
		if err != nil {
			return p, root, fmt.Errorf("bind %s: %w", b.Host, err)
		}
		if err := d.keepsSocket(host); err != nil {
			return p, root, err
		}
		job := filepath.Clean(b.Job)
		p.mounts = append(p.mounts, bindMount(host, job))
		root.Binds = append(root.Binds, rootfs.Bind{Host: job, Job: job})
	}
	if spec.Server != nil {
		root.Extra = sandbox.ServerDir
	}
	return p, root, nil
}

// keepsSocket refuses a bind through which a socket of a Docker engine could be reached, this one's or that of the usual place: a
// read-only mount does not keep anybody from connecting.
func (d *Docker) keepsSocket(host string) error {
	for _, socket := range []string{d.socket, strings.TrimPrefix(defaultHost, "unix://")} {
		real, err := filepath.EvalSymlinks(socket)
		if err != nil {
			continue // not there
		}
		if host == "/" || real == host || strings.HasPrefix(real, host+"/") {
			return fmt.Errorf("bind %s: it holds the Docker engine's socket: %w", host, sandbox.ErrUnsupported)
		}
	}
	if st, err := os.Stat(host); err == nil && st.Mode()&fs.ModeSocket != 0 {
		return fmt.Errorf("bind %s: it is a socket: %w", host, sandbox.ErrUnsupported)
	}
	return nil
}
