package runtimes

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// most is what the artefacts may add to the binary in all.
const most = 8 << 20

func TestArtefactsUnpackToWhatTheManifestSays(t *testing.T) {
	total := 0
	for _, a := range []Artefact{Python(), PythonLib(), QuickJS()} {
		data, err := a.Unpack()
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if len(data) != a.Size {
			t.Errorf("%s has %d bytes, the manifest says %d", a.Name, len(data), a.Size)
		}
		if strings.HasSuffix(a.Name, ".wasm") && !bytes.HasPrefix(data, []byte("\x00asm\x01\x00\x00\x00")) {
			t.Errorf("%s is no module", a.Name)
		}
		total += a.PackedSize()
	}
	t.Logf("%.1f MB in all", float64(total)/1e6)
	if total > most {
		t.Errorf("%d bytes in all, more than %d", total, most)
	}
}

func TestADamagedArtefactIsNotUnpacked(t *testing.T) {
	a := QuickJS()
	a.packed = bytes.Clone(a.packed)
	a.packed[len(a.packed)/2] ^= 1
	if _, err := a.Unpack(); err == nil {
		t.Error("a damaged artefact was unpacked")
	}
	b := QuickJS()
	b.SHA256 = strings.Repeat("0", 64)
	if _, err := b.Unpack(); err == nil {
		t.Error("an artefact with another sum was unpacked")
	}
}

func TestTheLibraryCanBeMapped(t *testing.T) {
	data, err := PythonLib().Unpack()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
		if f.Method != zip.Store {
			t.Fatalf("%s is compressed", f.Name)
		}
	}
	for name := range names {
		if !strings.HasSuffix(name, ".py") {
			continue
		}
		folder, file := name[:strings.LastIndex(name, "/")+1], name[strings.LastIndex(name, "/")+1:]
		if code := folder + "__pycache__/" + strings.TrimSuffix(file, ".py") + ".cpython-311.pyc"; !names[code] {
			t.Errorf("%s has no byte code", name)
		}
	}
	for _, name := range []string{"json/__init__.py", "asyncio/wasi_events.py", "unittest/mock.py"} {
		if !names["python3.11/"+name] {
			t.Errorf("%s is missing", name)
		}
	}
}
