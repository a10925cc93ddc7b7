package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func TestNames(t *testing.T) {
	digest := "sha256:" + strings.Repeat("ab", 32)
	for _, c := range []struct{ name, want string }{
		{"python", "python:latest"},
		{"python:3.11-slim", "python:3.11-slim"},
		{"verifyd/python@" + digest, "verifyd/python@" + digest},
		{"verifyd/python:v1@" + digest, "verifyd/python:v1@" + digest},
		{digest, digest},
		{"a__b/c--d/e.f", "a__b/c--d/e.f:latest"},
		{"", ""}, {"-v", ""}, {"-v /:/h", ""}, {"--privileged", ""}, {"/etc", ""}, {"../x", ""}, {"a/../b", ""}, {"a//b", ""}, {"a b", ""}, {"A", ""},
		{"a\n", ""}, {"a:", ""}, {"a:-v", ""}, {"a:b:c", ""}, {"a@b", ""}, {"a@sha256:12", ""}, {"a@" + digest + "x", ""}, {"a\x00", ""},
		{"localhost:5000/a", ""}, {strings.Repeat("a", 300), ""}, {"ä", ""}, {"sha256:12", "sha256:12"},
	} {
		n, err := ParseName(c.name)
		if got := n.String(); err != nil && c.want != "" || err == nil && got != c.want {
			t.Errorf("%q: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// file is an entry of a layer in a test.
type file struct {
	name, text, link string
	kind             byte
	mode             int64
}

var stamp = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

func pack(t *testing.T, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Typeflag: f.kind, Linkname: f.link, Size: int64(len(f.text)), Mode: f.mode, ModTime: stamp}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, f.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func imageOf(t *testing.T, layers ...[]file) v1.Image {
	t.Helper()
	img := v1.Image(empty.Image)
	for _, files := range layers {
		data := pack(t, files...)
		l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
		if err != nil {
			t.Fatal(err)
		}
		if img, err = mutate.AppendLayers(img, l); err != nil {
			t.Fatal(err)
		}
	}
	return img
}

func asLayout(t *testing.T, img v1.Image) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "layout")
	p, err := layout.Write(dir, empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.AppendImage(img); err != nil {
		t.Fatal(err)
	}
	return dir
}

func asDocker(t *testing.T, img v1.Image) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "image.tar")
	tag, err := name.NewTag("example.org/x:y")
	if err != nil {
		t.Fatal(err)
	}
	if err := tarball.WriteToFile(file, tag, img); err != nil {
		t.Fatal(err)
	}
	return file
}

// asArchive packs a folder into a tar archive, gzipped.
func asArchive(t *testing.T, dir string) string {
	t.Helper()
	var files []file
	err := filepath.WalkDir(dir, func(at string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(at)
		rel, _ := filepath.Rel(dir, at) // both are absolute
		files = append(files, file{name: rel, text: string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(pack(t, files...)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "layout.tar.gz")
	if err := os.WriteFile(at, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

func TestAnImageIsUnpackedFromEachForm(t *testing.T) {
	img := imageOf(t,
		[]file{{name: "etc/", kind: tar.TypeDir, mode: 0o755}, {name: "etc/a", text: "one"}, {name: "etc/b", text: "two"}, {name: "old/x", text: "x"}, {name: "opq/x", text: "x"}, {name: "bin/su", text: "s", mode: 0o4755}},
		[]file{{name: "./etc/a", text: "three"}, {name: "etc/.wh.b"}, {name: ".wh.old"}, {name: "opq/.wh..wh..opq"}, {name: "opq/y", text: "y"}, {name: "l", kind: tar.TypeSymlink, link: "/etc/passwd"}, {name: "h", kind: tar.TypeLink, link: "etc/a"}, {name: "dev/null", kind: tar.TypeChar}},
	)
	dir := asLayout(t, img)
	for name, from := range map[string]string{"layout": dir, "docker save": asDocker(t, img), "layout in an archive": asArchive(t, dir)} {
		t.Run(name, func(t *testing.T) {
			s := Store{Dir: t.TempDir()}
			i, err := s.Add(t.Context(), "test/x:1", from, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, as := range []string{"test/x:1", "test/x@" + i.Digest, i.Digest, i.ID, "test/x:1@" + i.Digest} {
				if _, err := s.Tree(as); err != nil {
					t.Error(err)
				}
			}
			tree, err := s.Tree("test/x:1")
			if err != nil {
				t.Fatal(err)
			}
			for at, want := range map[string]string{"etc/a": "three", "h": "three", "opq/y": "y", "bin/su": "s"} {
				if got, err := os.ReadFile(filepath.Join(tree, at)); string(got) != want {
					t.Errorf("%s: %q, %v", at, got, err)
				}
			}
			for _, gone := range []string{"etc/b", "old", "opq/x", "dev/null", "etc/.wh.b"} {
				if _, err := os.Lstat(filepath.Join(tree, gone)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s: %v", gone, err)
				}
			}
			if st, err := os.Stat(filepath.Join(tree, "bin/su")); err != nil || st.Mode() != 0o755 || !st.ModTime().Equal(stamp) {
				t.Errorf("bin/su: %v %v, %v", st.Mode(), st.ModTime(), err)
			}
			if link, err := os.Readlink(filepath.Join(tree, "l")); link != "/etc/passwd" {
				t.Errorf("l: %q, %v", link, err)
			}
		})
	}
}

func TestPoisonedLayersAreRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, layers := range map[string][][]file{
		"a name above the image":           {{{name: "../evil", text: "x"}}},
		"a name above it further on":       {{{name: "a/../../evil", text: "x"}}},
		"an absolute name":                 {{{name: outside + "/evil", text: "x"}}},
		"a file through an absolute link":  {{{name: "l", kind: tar.TypeSymlink, link: outside}, {name: "l/evil", text: "x"}}},
		"through a link of a lower layer":  {{{name: "l", kind: tar.TypeSymlink, link: outside}}, {{name: "l/evil", text: "x"}}},
		"through a relative link":          {{{name: "l", kind: tar.TypeSymlink, link: "../../../.."}}, {{name: "l/evil", text: "x"}}},
		"through a link within":            {{{name: "d/", kind: tar.TypeDir}, {name: "l", kind: tar.TypeSymlink, link: "d"}}, {{name: "l/evil", text: "x"}}},
		"a whiteout through a link":        {{{name: "l", kind: tar.TypeSymlink, link: outside}}, {{name: "l/.wh.evil"}}},
		"a whiteout of the folder above":   {{{name: "d/a", text: "x"}}, {{name: "d/.wh..."}}},
		"a folder through a link":          {{{name: "l", kind: tar.TypeSymlink, link: outside}}, {{name: "l/d/", kind: tar.TypeDir}}},
		"a hard link out of the image":     {{{name: "h", kind: tar.TypeLink, link: "../../../../etc/passwd"}}},
		"a hard link to an absolute name":  {{{name: "h", kind: tar.TypeLink, link: "/etc/passwd"}}},
		"a hard link through a link":       {{{name: "l", kind: tar.TypeSymlink, link: "/etc"}, {name: "h", kind: tar.TypeLink, link: "l/passwd"}}},
		"a hard link to what is not there": {{{name: "h", kind: tar.TypeLink, link: "none"}}},
		"a file below a file":              {{{name: "f", text: "x"}, {name: "f/g", text: "x"}}},
		"an entry of an unknown kind":      {{{name: "f", kind: 'Z'}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Store{Dir: t.TempDir()}
			if _, err := s.Add(t.Context(), "x", asLayout(t, imageOf(t, layers...)), false); err == nil {
				t.Error("it was taken")
			}
			wantNothing(t, s, outside)
		})
	}
}

// wantNothing checks that a refused image left neither a tree nor anything outside.
func wantNothing(t *testing.T, s Store, outside string) {
	t.Helper()
	for _, dir := range []string{outside, filepath.Join(s.Dir, "trees")} {
		if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 { // the pattern is well-formed
			t.Errorf("left: %q", left)
		}
	}
	if drafts, _ := filepath.Glob(s.Dir + "/draft-*"); len(drafts) > 0 {
		t.Errorf("left: %q", drafts)
	}
	if all, err := s.List(); len(all) > 0 || err != nil {
		t.Errorf("listed: %v, %v", all, err)
	}
}

func TestChangedFormsAreRefused(t *testing.T) {
	img := imageOf(t, []file{{name: "a", text: strings.Repeat("text ", 1000)}})
	blobs := func(dir string) []string {
		all, _ := filepath.Glob(dir + "/blobs/sha256/*") // well-formed
		return all
	}
	for name, poison := range map[string]func(t *testing.T, dir string){
		"a changed blob": func(t *testing.T, dir string) {
			for _, b := range blobs(dir) {
				text, err := os.ReadFile(b)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
					var packed bytes.Buffer
					z := gzip.NewWriter(&packed)
					_, _ = z.Write(pack(t, file{name: "a", text: "evil"}))
					_ = z.Close()
					text = packed.Bytes()
				}
				if err := os.WriteFile(b, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		},
		"a changed configuration": func(t *testing.T, dir string) {
			for _, b := range blobs(dir) {
				text, err := os.ReadFile(b)
				if err == nil && bytes.Contains(text, []byte("diff_ids")) {
					err = os.WriteFile(b, bytes.Replace(text, []byte(`"architecture"`), []byte(`"architecturf"`), 1), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		},
		"a layer that is a link": func(t *testing.T, dir string) {
			b := blobs(dir)[0]
			at := filepath.Join(t.TempDir(), "blob")
			if err := errors.Join(os.Rename(b, at), os.Symlink(at, b)); err != nil {
				t.Fatal(err)
			}
		},
		"a missing blob": func(t *testing.T, dir string) {
			if err := os.Remove(blobs(dir)[0]); err != nil {
				t.Fatal(err)
			}
		},
		"no index": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "index.json")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := asLayout(t, img)
			poison(t, dir)
			s := Store{Dir: t.TempDir()}
			if _, err := s.Add(t.Context(), "x", dir, false); err == nil {
				t.Error("it was taken")
			}
			wantNothing(t, s, t.TempDir())
		})
	}
}

func TestArchivesWithLinksAreRefused(t *testing.T) {
	for name, files := range map[string][]file{
		"a layer that is a link":          {{name: "manifest.json", text: `[{"Config":"c.json","Layers":["l/layer.tar"]}]`}, {name: "c.json", text: "{}"}, {name: "l/layer.tar", kind: tar.TypeSymlink, link: "/etc/passwd"}},
		"a layer that is a hard link":     {{name: "manifest.json", text: "[]"}, {name: "l/layer.tar", kind: tar.TypeLink, link: "/etc/passwd"}},
		"a name twice":                    {{name: "manifest.json", text: "[]"}, {name: "./manifest.json", text: "[]"}},
		"a configuration of another name": {{name: "manifest.json", text: `[{"Config":"` + strings.Repeat("0", 64) + `.json","Layers":[]}]`}, {name: strings.Repeat("0", 64) + ".json", text: `{"rootfs":{"type":"layers","diff_ids":[]}}`}},
		"a layout that leaves its place":  {{name: "oci-layout", text: `{}`}, {name: "../evil", text: "x"}},
		"no image at all":                 {{name: "a", text: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "x.tar")
			if err := os.WriteFile(at, pack(t, files...), 0o600); err != nil {
				t.Fatal(err)
			}
			s := Store{Dir: t.TempDir()}
			if _, err := s.Add(t.Context(), "x", at, false); err == nil {
				t.Error("it was taken")
			}
			wantNothing(t, s, t.TempDir())
		})
	}
}

func TestAMovedTagIsRefused(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	one := asLayout(t, imageOf(t, []file{{name: "a", text: "one"}}))
	two := asLayout(t, imageOf(t, []file{{name: "a", text: "two"}}))
	first, err := s.Add(t.Context(), "x:v1", one, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), "x:v1", one, false); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if _, err := s.Add(t.Context(), "x:v1", two, false); !errors.Is(err, ErrMoved) {
		t.Errorf("another under the same name: %v, want ErrMoved", err)
	}
	if _, err := s.Add(t.Context(), "x:v2@"+first.Digest, two, false); !errors.Is(err, ErrMoved) {
		t.Errorf("another than was named: %v, want ErrMoved", err)
	}
	second, err := s.Add(t.Context(), "x:v1", two, true)
	if err != nil || second.Digest == first.Digest {
		t.Fatalf("moved on purpose: %v, %v", second, err)
	}
	if _, err := s.Tree("x:v1@" + first.Digest); !errors.Is(err, ErrMoved) {
		t.Errorf("the digest of before: %v, want ErrMoved", err)
	}
	if _, err := s.Tree("y"); !errors.Is(err, ErrNone) {
		t.Errorf("an image that is not there: %v, want ErrNone", err)
	}
}
