package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// source is an image that was opened, with manifest and configuration checked. Layers are checked while they are read.
type source struct {
	digest, id string
	env        []string
	layers     []layer // lowest first
}

// layer is one layer and the hash that its configuration gives to its content.
type layer struct {
	open   func() (io.ReadCloser, error) // uncompressed
	diffID string
}

// open opens a layout, an archive of one, or an archive by docker save, which may be packed by gzip. scratch is a folder that may be
// made.
func open(from, scratch string) (*source, error) {
	st, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return openLayout(from)
	}
	archive := func() (io.ReadCloser, error) { return openArchive(from) }
	docker, err := checkArchive(archive)
	if err != nil {
		return nil, err
	}
	if !docker {
		if err := extract(archive, scratch); err != nil {
			return nil, err
		}
		return openLayout(scratch)
	}
	return openDocker(archive)
}

// openDocker opens what docker save wrote.
func openDocker(archive tarball.Opener) (*source, error) {
	manifest, err := tarball.LoadManifest(archive)
	if err != nil {
		return nil, err
	}
	if len(manifest) != 1 {
		return nil, fmt.Errorf("%d images in one archive: save each to one of its own", len(manifest))
	}
	img, err := tarball.Image(archive, nil)
	if err != nil {
		return nil, err
	}
	raw, err := img.RawConfigFile()
	if err != nil {
		return nil, err
	}
	id := sum(raw)
	if named := strings.TrimSuffix(strings.TrimPrefix(path.Base(manifest[0].Config), "sha256:"), ".json"); "sha256:"+named != id {
		return nil, fmt.Errorf("the configuration is %s, and its name says %.80q", id, named)
	}
	s := &source{digest: id, id: id}
	return s, s.read(img)
}

// openLayout opens an OCI layout with one image for this platform.
func openLayout(dir string) (*source, error) {
	if err := plainFiles(dir); err != nil {
		return nil, err
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, err
	}
	found, err := choose(index, 0)
	if err != nil {
		return nil, err
	}
	img, err := found.in.Image(found.digest)
	if err != nil {
		return nil, err
	}
	manifest, err := img.RawManifest()
	if err != nil {
		return nil, err
	}
	if got := sum(manifest); got != found.digest.String() {
		return nil, fmt.Errorf("the manifest is %s, and its name says %s", got, found.digest)
	}
	parsed, err := img.Manifest()
	if err != nil {
		return nil, err
	}
	config := parsed.Config.Digest
	raw, err := img.RawConfigFile()
	if err != nil {
		return nil, err
	}
	if got := sum(raw); got != config.String() {
		return nil, fmt.Errorf("the configuration is %s, and its name says %s", got, config)
	}
	s := &source{digest: found.digest.String(), id: config.String()}
	return s, s.read(img)
}

// candidate is an image of an index.
type candidate struct {
	in     v1.ImageIndex
	digest v1.Hash
}

// choose finds the one image of this platform in an index and those below it.
func choose(index v1.ImageIndex, depth int) (found candidate, err error) {
	if depth > 4 {
		return found, errors.New("indexes within indexes within indexes")
	}
	list, err := index.IndexManifest()
	if err != nil {
		return found, err
	}
	var all []candidate
	for _, d := range list.Manifests {
		switch {
		case d.MediaType.IsIndex():
			inner, err := index.ImageIndex(d.Digest)
			if err != nil {
				return found, err
			}
			raw, err := inner.RawManifest()
			if err != nil {
				return found, err
			}
			if got := sum(raw); got != d.Digest.String() {
				return found, fmt.Errorf("an index is %s, and its name says %s", got, d.Digest)
			}
			c, err := choose(inner, depth+1)
			if err != nil {
				return found, err
			}
			all = append(all, c)
		case d.MediaType.IsImage() && (d.Platform == nil || d.Platform.OS == "linux" && d.Platform.Architecture == runtime.GOARCH):
			all = append(all, candidate{index, d.Digest})
		}
	}
	if len(all) != 1 {
		return found, fmt.Errorf("%d images for linux/%s: there must be one", len(all), runtime.GOARCH)
	}
	return all[0], nil
}

// read takes layers and configuration of an image whose hashes have been checked.
func (s *source) read(img v1.Image) error {
	config, err := img.ConfigFile()
	if err != nil {
		return err
	}
	layers, err := img.Layers()
	if err != nil {
		return err
	}
	if len(layers) != len(config.RootFS.DiffIDs) {
		return fmt.Errorf("%d layers, and the configuration knows %d", len(layers), len(config.RootFS.DiffIDs))
	}
	for i, l := range layers {
		s.layers = append(s.layers, layer{l.Uncompressed, config.RootFS.DiffIDs[i].String()})
	}
	s.env = config.Config.Env
	return nil
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(h[:])
}

// plainFiles refuses a layout in which something is a link or a device: what is read is what lies there.
func plainFiles(dir string) error {
	return filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && !d.Type().IsRegular() {
			return fmt.Errorf("%s is a %s: a layout is made of plain files", at, kindOf(d.Type()))
		}
		return nil
	})
}

func kindOf(m fs.FileMode) string {
	if m&fs.ModeSymlink != 0 {
		return "link"
	}
	return "special file"
}

// openArchive opens a tar archive, through gzip where it is packed.
func openArchive(file string) (io.ReadCloser, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(f)
	if magic, _ := in.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) { // a file of one byte is no archive either way
		return readCloser{in, f}, nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, err
	}
	return readCloser{unpacked, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// checkArchive refuses entries that are no plain files, and tells whether docker save wrote it: such an archive has a manifest.json.
func checkArchive(archive tarball.Opener) (docker bool, err error) {
	in, err := archive()
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }() // opened for reading
	seen := map[string]bool{}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err == io.EOF {
			return docker, nil
		}
		if err != nil {
			return false, fmt.Errorf("read archive: %w", err)
		}
		name := path.Clean(h.Name)
		switch {
		case h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case h.Typeflag != tar.TypeReg:
			return false, fmt.Errorf("%q in the archive is a link or a special file: an image is made of plain ones (an old docker save writes links for layers that two images share; save it as an OCI layout)", h.Name)
		case seen[name]:
			return false, fmt.Errorf("%q is twice in the archive", h.Name)
		}
		seen[name] = true
		docker = docker || name == "manifest.json"
	}
}

// extract writes an archive that was checked to a new folder.
func extract(archive tarball.Opener, dir string) error {
	in, err := archive()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // all files in it are closed
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := root.MkdirAll(path.Dir(path.Clean(h.Name)), 0o700); err != nil {
			return err
		}
		f, err := root.OpenFile(path.Clean(h.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}
