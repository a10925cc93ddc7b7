package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/moby/moby/client"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

func TestImageNames(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for _, name := range []string{digest, "debian@" + digest, "docker.io/library/python@" + digest, "registry.example:5000/a/b-c__d.e@" + digest} {
		if err := checkImageName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"", "debian", "debian:stable", "debian:stable@" + digest, "-v /:/h", "--privileged", "-v@" + digest, "debian@sha256:00", "debian@sha512:" + strings.Repeat("0a", 64),
		digest + " ", " " + digest, digest + "\n", "a b@" + digest, "Debian@" + digest, "../x@" + digest, "/etc@" + digest, "a//b@" + digest, "a/@" + digest, "@" + digest,
		"debian@" + strings.ToUpper(digest), "debian\x00@" + digest, strings.Repeat("a/", 400) + "a@" + digest, "$(id)@" + digest,
	} {
		if err := checkImageName(name); !errors.Is(err, sandbox.ErrUnsupported) {
			t.Errorf("%.60q is taken: %v", name, err)
		}
	}
}

// tree is an image's content: names that end in a slash are folders, values that begin with "->" are links.
func tree(t *testing.T, files map[string]string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, data := range files {
		h := &tar.Header{Name: name, Mode: 0o755, Typeflag: tar.TypeReg, Size: int64(len(data))}
		target, isLink := strings.CutPrefix(data, "->")
		switch {
		case isLink:
			h.Typeflag, h.Linkname, h.Size, data = tar.TypeSymlink, target, 0, ""
		case strings.HasSuffix(name, "/"):
			h.Typeflag, h.Size, data = tar.TypeDir, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// load makes an image, and gives its id. name is a tag; it may be empty.
func load(t *testing.T, d *Docker, name string, files map[string]string, changes ...string) string {
	t.Helper()
	answer, err := d.api.ImageImport(t.Context(), client.ImageImportSource{Source: tree(t, files), SourceName: "-"}, name, client.ImageImportOptions{Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), `"status":"sha256:`)
	if !found {
		t.Fatalf("no id in %s", text)
	}
	id := "sha256:" + rest[:64]
	t.Cleanup(func() { _ = removeImage(context.Background(), d.api, id) }) // with its engine at the latest
	return id
}

const helloSource = `#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
int main(int n, char **a) {
	for (int i = 1; i < n; i++) printf("%s %s\n", a[i], access(a[i], F_OK) ? "no" : "yes");
	int f = open("/opt/new", O_WRONLY | O_CREAT, 0644);
	printf("root %s, uid %d\n", f < 0 ? "read-only" : "writable", getuid());
}`

func TestImages(t *testing.T) {
	d := open(t, Config{})
	if d.self.dynamic {
		t.Skip("this test binary needs a C library: run with CGO_ENABLED=0")
	}
	program := string(sandboxtest.Compile(t, helloSource))
	files := map[string]string{"opt/": "", "opt/hello": program, "etc/": "", "etc/passwd": "x\n", "tool": "->opt/hello", "home/secret/": ""}
	good := load(t, d, "verifyd-test:good", files)
	d.config.Images = []string{good}
	job := func(image string, args ...string) (sandbox.Result, error) {
		return d.Run(t.Context(), sandbox.Spec{Args: append([]string{"/tool"}, args...), Root: sandbox.Root{Image: image}})
	}
	r, err := job(good, "/etc/passwd", "/usr", "/verifyd", "/verifyd-socket", "/home/secret", "/proc/self")
	const want = "/etc/passwd yes\n/usr no\n/verifyd no\n/verifyd-socket no\n/home/secret yes\n/proc/self yes\nroot read-only, uid 1000\n"
	if err != nil || string(r.Stdout.Data) != want {
		t.Errorf("%q, stdout %q, stderr %q, %v", r.Status, r.Stdout.Data, r.Stderr.Data, err)
	}

	t.Run("poisoned configuration", func(t *testing.T) {
		poisoned := load(t, d, "", files, "ENV LD_PRELOAD=/opt/evil.so PATH=/opt GODEBUG=madvdontneed=1", "ENTRYPOINT /opt/hello", "USER 0", "WORKDIR /opt/x",
			"HEALTHCHECK --interval=1s CMD /opt/hello", "LABEL "+labelEngine+"=somebody")
		d.config.Images = append(d.config.Images, poisoned)
		if r, err := job(poisoned); err != nil || string(r.Stdout.Data) != "root read-only, uid 1000\n" {
			t.Errorf("%q, stdout %q, %v", r.Status, r.Stdout.Data, err)
		}
	})
	for name, image := range map[string]string{
		"volumes":                load(t, d, "", files, "VOLUME /opt/data"),
		"not there":              "sha256:" + strings.Repeat("0", 64),
		"a name without digest":  "verifyd-test:good",
		"an option":              "-v /:/h",
		"somebody else's digest": "debian@" + good,
	} {
		t.Run("refused: "+name, func(t *testing.T) {
			d.config.Images = append(d.config.Images, image)
			if _, err := job(image); !errors.Is(err, sandbox.ErrUnsupported) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("refused: not allowed", func(t *testing.T) {
		if _, err := job(load(t, d, "", map[string]string{"opt/": "", "tool": program, "x": "y"})); !errors.Is(err, sandbox.ErrUnsupported) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a tag that was moved changes nothing", func(t *testing.T) {
		load(t, d, "verifyd-test:good", map[string]string{"tool": "no program"})
		if r, err := job(good); err != nil || r.Status != sandbox.OK {
			t.Errorf("%q, %v", r.Status, err)
		}
	})
	t.Run("links out of the image lead nowhere", func(t *testing.T) {
		linked := load(t, d, "", map[string]string{"opt/": "", "opt/hello": program, "tool": "->opt/hello", "oldroot": "->/verifyd", "up": "->../../../..", "etc": "->/proc/1/root/etc", "lib": "->/sys"})
		d.config.Images = append(d.config.Images, linked)
		r, err := job(linked, "/oldroot", "/up/verifyd", "/etc/passwd", "/lib/fs")
		if want := "/oldroot no\n/up/verifyd no\n/etc/passwd no\n/lib/fs no\nroot read-only, uid 1000\n"; err == nil && string(r.Stdout.Data) != want {
			t.Errorf("%q, stdout %q, stderr %q", r.Status, r.Stdout.Data, r.Stderr.Data)
		}
	})
}
