package oci

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// saved writes an image of one layer as docker save does.
func saved(t *testing.T, layer []byte) string {
	t.Helper()
	sum := func(data []byte) string {
		h := sha256.Sum256(data)
		return hex.EncodeToString(h[:])
	}
	config := []byte(`{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":["sha256:` + sum(layer) + `"]}}`)
	manifest, err := json.Marshal([]map[string]any{{"Config": sum(config) + ".json", "Layers": []string{"layer.tar"}}})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "image.tar")
	text := archive(t, map[string]*tar.Header{}, map[string][]byte{sum(config) + ".json": config, "layer.tar": layer, "manifest.json": manifest})
	if err := os.WriteFile(at, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

// archive packs files, and entries that are none.
func archive(t *testing.T, others map[string]*tar.Header, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, h := range others {
		h.Name, h.Mode = name, 0o755
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cLook prints the names in the folders that it is given.
const cLook = `
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
int main(int n, char **v) {
	for (int i = 1; i < n; i++) {
		DIR *d = opendir(v[i]);
		char name[300];
		snprintf(name, sizeof name, "%s/new", v[i]);
		int open_ = open(name, O_CREAT | O_WRONLY, 0600);
		printf("%s%s:", v[i], open_ >= 0 ? " written" : "");
		if (open_ >= 0) remove(name);
		for (struct dirent *e; d && (e = readdir(d));) if (e->d_name[0] != '.') printf(" %s", e->d_name);
		puts("");
	}
	return 0;
}
`

func TestAJobSeesItsImageAndNothingOfTheHost(t *testing.T) {
	look := sandboxtest.Compile(t, cLook)
	store := Store{Dir: filepath.Join(stateDir(t), "images")}
	layer := archive(t, map[string]*tar.Header{
		"opt":  {Typeflag: tar.TypeSymlink, Linkname: store.Dir}, // leads out of the skeleton where somebody follows it on the host
		"work": {Typeflag: tar.TypeSymlink, Linkname: "/etc"},
		"tmp":  {Typeflag: tar.TypeReg},
	}, map[string][]byte{"bin/look": look, "etc/only": []byte("x")})
	i, err := store.Add(t.Context(), "test/look:1", saved(t, layer), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, runtime := range []string{"runc", "runsc"} {
		t.Run(runtime, func(t *testing.T) {
			o := openWith(t, Config{Runtime: runtime, Images: store.Dir, Image: "test/look:1"})
			for _, name := range []string{"", "test/look:1@" + i.Digest} {
				r, err := o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/look", "/etc", "/bin", "/work", "/usr", "/opt", "/tmp"}, Root: sandbox.Root{Image: name}})
				want := "/etc: only\n/bin: look\n/work written:\n/usr:\n/opt:\n/tmp written:\n"
				if err != nil || string(r.Stdout.Data) != want {
					t.Errorf("%q: %q, %v; stderr %q", name, r.Stdout.Data, err, r.Stderr.Data)
				}
			}
			if _, err := o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/look"}, Root: sandbox.Root{Binds: []sandbox.Bind{{Host: "/usr", Job: "/opt/x"}}}}); err == nil {
				t.Error("a bind through a link of the image was taken")
			}
		})
	}
	if left, _ := filepath.Glob(store.Dir + "/x"); len(left) > 0 { // the pattern is well-formed
		t.Error("something was made through a link of the image")
	}
}

func TestImagesThatAreNotAllowedAreRefused(t *testing.T) {
	store := Store{Dir: filepath.Join(stateDir(t), "images")}
	first, err := store.Add(t.Context(), "test/x:1", saved(t, archive(t, nil, map[string][]byte{"a": []byte("1")})), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Add(t.Context(), "test/x:1", saved(t, archive(t, nil, map[string][]byte{"a": []byte("2")})), true); err != nil {
		t.Fatal(err)
	}
	o := openWith(t, Config{Runtime: "runc", Images: store.Dir})
	for _, name := range []string{"-v /:/h", "--privileged", "/etc", "../trees", "test/none", "test/x:1@" + first.Digest, first.Digest, "test/x:1 ", strings.Repeat("a", 5000)} {
		_, err := o.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}, Root: sandbox.Root{Image: name}})
		if !errors.Is(err, sandbox.ErrUnsupported) {
			t.Errorf("%.80q: %v, want ErrUnsupported", name, err)
		}
	}
}
