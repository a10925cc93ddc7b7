// Package runtimes holds the interpreters that the WebAssembly backend runs, compressed. README.md states what their modules
// export, and how they are made.
package runtimes

import (
	"crypto/sha256"
	_ "embed" // the artefacts
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed manifest.json
var manifest []byte

//go:embed python-3.11.wasm.zst
var python []byte

//go:embed python-3.11-lib.zip.zst
var pythonLib []byte

//go:embed quickjs.wasm.zst
var quickjs []byte

// An Artefact is one embedded file: an interpreter's module, or what belongs to it. Safe for concurrent use.
type Artefact struct {
	Name    string `json:"name"`    // "python-3.11.wasm": the name of the unpacked file
	Version string `json:"version"` // of the interpreter inside, "3.11.2"
	SHA256  string `json:"sha256"`  // of the unpacked file, in hexadecimal digits
	Size    int    `json:"size"`    // of the unpacked file, in bytes

	packed []byte
}

// Python is the module of CPython.
func Python() Artefact { return artefacts()[0] }

// PythonLib is CPython's standard library: a zip of stored entries, to be shown to the module as the folder /lib.
func PythonLib() Artefact { return artefacts()[1] }

// QuickJS is the module of QuickJS-NG.
func QuickJS() Artefact { return artefacts()[2] }

// artefacts pairs the manifest's entries with the embedded files; a manifest that does not fit them is a broken build.
var artefacts = sync.OnceValue(func() []Artefact {
	var all []Artefact
	if err := json.Unmarshal(manifest, &all); err != nil {
		panic("sandbox/wasm/runtimes: manifest.json: " + err.Error())
	}
	files := [][]byte{python, pythonLib, quickjs}
	if len(all) != len(files) {
		panic("sandbox/wasm/runtimes: manifest.json does not list the embedded files")
	}
	for i := range all {
		all[i].packed = files[i]
	}
	return all
})

// PackedSize is what the artefact adds to the binary, in bytes.
func (a Artefact) PackedSize() int { return len(a.packed) }

// Unpack returns the file itself, checked against its sum. Every call unpacks anew: the caller owns the bytes.
func (a Artefact) Unpack() ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(a.Size)+1))
	if err != nil {
		return nil, fmt.Errorf("sandbox/wasm/runtimes: unpack %s: %w", a.Name, err)
	}
	defer d.Close()
	data, err := d.DecodeAll(a.packed, make([]byte, 0, a.Size))
	if err != nil {
		return nil, fmt.Errorf("sandbox/wasm/runtimes: unpack %s: %w", a.Name, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != a.SHA256 {
		return nil, fmt.Errorf("sandbox/wasm/runtimes: unpack %s: its sha256 is not the manifest's", a.Name)
	}
	return data, nil
}
