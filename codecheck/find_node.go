package codecheck

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findNode takes the first Node.js of version 18 or later. What stands on the path may be a shim of a version manager, so
// the interpreter itself is asked where it is.
func findNode(names []string) (Toolchain, error) {
	for _, exe := range candidates(names) {
		out, err := exec.Command(exe, "-p", "process.execPath + ' ' + process.versions.node").Output()
		real, version, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
		if major := 0; err != nil || !ok || !scan(version, "%d.", &major) || major < 18 {
			continue
		}
		if real, err = filepath.EvalSymlinks(real); err != nil {
			continue
		}
		tools := map[string][]string{"node": {real}, "nodejs": {real}}
		return Toolchain{Exe: real, Version: version, Tools: tools, Binds: binds(real, "/usr/share/nodejs")}, nil
	}
	return Toolchain{}, fmt.Errorf("javascript: %w: no Node.js 18 or newer on the path (Debian: apt-get install nodejs)", ErrNoToolchain)
}

func scan(text, format string, into ...any) bool {
	n, _ := fmt.Sscanf(text, format, into...)
	return n == len(into)
}

// Where the compiler's library is on systems that have it: beside the tsc on the path, in npm's global folder, in Debian's
// package, or where scripts/test-deps and a user without rights put it.
func typescriptFolders(node string) []string {
	var found []string
	if tsc, err := exec.LookPath("tsc"); err == nil {
		if real, err := filepath.EvalSymlinks(tsc); err == nil {
			found = append(found, filepath.Join(filepath.Dir(real), "..", "lib"))
		}
	}
	home := filepath.Join(filepath.Dir(node), "..", "lib", "node_modules", "typescript", "lib")
	found = append(found, home, "/usr/local/lib/node_modules/typescript/lib", "/usr/lib/node_modules/typescript/lib", "/usr/share/nodejs/typescript/lib")
	if own, err := cacheFolder("node"); err == nil {
		found = append(found, filepath.Join(own, "node_modules", "typescript", "lib"))
	}
	return found
}

// findTypeScript takes Node.js and the library of the TypeScript compiler. Commands of tests get a compiler that translates without
// checking types (harness/typescript/transpile.js), loaded from a snapshot of its memory where Node.js can do that: it starts
// in a quarter of the time. The real one is there under the name tsc-strict.
func findTypeScript(names []string) (Toolchain, error) {
	t, err := findNode(names)
	if err != nil {
		return t, fmt.Errorf("typescript: %w", err)
	}
	for _, dir := range typescriptFolders(t.Exe) {
		lib := filepath.Join(filepath.Clean(dir), "typescript.js")
		if !isFile(lib) {
			continue
		}
		version, err := exec.Command(t.Exe, "-p", "require(process.argv[1]).version", lib).Output()
		if err != nil {
			continue
		}
		t.Version = strings.TrimSpace(string(version)) + " on Node.js " + t.Version
		own, err := typescriptSnapshot(t, lib)
		if err != nil {
			return t, err
		}
		blob, plain := filepath.Join(own, "tsc.blob"), filepath.Join(own, "tsc.js")
		t.Tools["tsc"] = []string{t.Exe, plain}
		if isFile(blob) {
			t.Tools["tsc"] = []string{t.Exe, "--snapshot-blob", blob, "tsc"}
		}
		t.Tools["tsc-strict"] = []string{t.Exe, filepath.Join(filepath.Dir(lib), "tsc.js")}
		t.Binds = append(t.Binds, binds(filepath.Dir(filepath.Dir(lib)), own)...)
		return t, nil
	}
	return t, fmt.Errorf("typescript: %w: Node.js is here, its TypeScript compiler is not (npm install --global typescript@5.6, or scripts/test-deps)", ErrNoToolchain)
}

// typescriptSnapshot makes the translator for this compiler and this Node.js, once, and gives its folder.
func typescriptSnapshot(t Toolchain, lib string) (string, error) {
	entry, err := harnessFiles.ReadFile("harness/typescript/transpile.js")
	if err != nil {
		return "", err
	}
	return prepared("typescript", []string{t.Version, lib, string(entry)}, func(dir string) error {
		text, err := os.ReadFile(lib)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, "tsc.js")
		if err := os.WriteFile(file, append(text, entry...), 0o644); err != nil {
			return err
		}
		cmd := exec.Command(t.Exe, "--snapshot-blob", filepath.Join(dir, "tsc.blob"), "--build-snapshot", file)
		if err := cmd.Run(); err != nil { // an older Node.js: the plain file does, at four times the cost
			_ = os.Remove(filepath.Join(dir, "tsc.blob"))
		}
		return nil
	})
}
