package codecheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// A runtime profile is an interpreter with packages of its own, at fixed versions: the same for every verdict that names it. It
// is a folder that `verifyd runtime build` makes:
//
//	NAME/runtime.json      what it is (Runtime), written last
//	NAME/site/…            the installed packages, shown read-only to the jobs
//
// A Runner knows it as a language of its own, LANGUAGE@NAME, with its own fork servers, which have loaded what it preloads.

// Runtime describes a profile.
type Runtime struct {
	Name     string            `json:"name"`
	Language string            `json:"language"` // python
	Exe      string            `json:"exe"`      // the interpreter, resolved
	Version  string            `json:"version"`  // of the interpreter
	Lock     string            `json:"lock"`     // SHA-256 of the lock file
	Tree     string            `json:"tree"`     // SHA-256 over names and contents of the installed files; see TreeHash
	Packages []Package         `json:"packages"`
	Preload  []string          `json:"preload"`           // modules that the fork servers load ahead
	Refused  map[string]string `json:"refused,omitempty"` // modules that were not to be preloaded, and why

	Site string `json:"-"` // the folder of packages
}

// Package is an installed package.
type Package struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// RuntimeEnv keeps numeric libraries from starting a thread for each processor: servers that fork must have one, and jobs should
// not compute otherwise on another machine.
var RuntimeEnv = []string{"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1"}

// runtimeFile is the description in a profile's folder.
const runtimeFile = "runtime.json"

// runtimePath is where a job finds the packages: the profile's own folder may lie where jobs have one of their own, as below /tmp.
const runtimePath = "/runtime"

// RuntimeName is what a profile may be called.
var RuntimeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

// ReadRuntime reads the profile in a folder.
func ReadRuntime(dir string) (Runtime, error) {
	var rt Runtime
	text, err := os.ReadFile(filepath.Join(dir, runtimeFile))
	if err != nil {
		return rt, fmt.Errorf("codecheck: read runtime: %w", err)
	}
	if err := json.Unmarshal(text, &rt); err != nil {
		return rt, fmt.Errorf("codecheck: read runtime %s: %w", dir, err)
	}
	rt.Site = filepath.Join(dir, "site")
	if rt.Name != filepath.Base(dir) || !RuntimeName.MatchString(rt.Name) {
		return rt, fmt.Errorf("codecheck: runtime in %s calls itself %.40q", dir, rt.Name)
	}
	return rt, nil
}

// Write writes the description into the profile's folder.
func (rt Runtime) Write(dir string) error {
	text, err := json.MarshalIndent(rt, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, runtimeFile), append(text, '\n'), 0o644)
}

// Runtimes reads all profiles below a folder, by name. A folder that is not there has none.
func Runtimes(dir string) ([]Runtime, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("codecheck: runtimes: %w", err)
	}
	var list []Runtime
	for _, e := range entries {
		if !RuntimeName.MatchString(e.Name()) {
			continue // half-built ones begin with a dot
		}
		rt, err := ReadRuntime(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, rt)
	}
	return list, nil
}

// WithRuntimes adds each profile to a table as a language of its own: that of its language with its interpreter and packages.
func WithRuntimes(table []Language, list []Runtime) ([]Language, error) {
	table = slices.Clone(table)
	for _, rt := range list {
		base, ok := FindLanguage(table, rt.Language)
		if !ok || base.Harness != "python" {
			return nil, fmt.Errorf("codecheck: runtime %s is of language %.40q; want python", rt.Name, rt.Language)
		}
		l := base
		l.Name, l.Aliases, l.Preload = RuntimeLanguage(base.Name, rt.Name), nil, rt.Preload
		l.Tags = slices.Concat(base.Tags, base.Aliases, []string{base.Name})
		l.Env = slices.Concat(RuntimeEnv, base.Env)
		l.Find = func([]string) (Toolchain, error) { return rt.toolchain() }
		l.Image, l.Module = "", "" // containers and modules have other packages
		table = append(table, l)
	}
	return table, nil
}

// RuntimeLanguage is the name of a language under a profile.
func RuntimeLanguage(language, runtime string) string { return language + "@" + runtime }

func (rt Runtime) toolchain() (Toolchain, error) {
	t, _, err := tryPython(rt.Exe)
	if err != nil {
		return t, fmt.Errorf("runtime %s: %w: %w", rt.Name, ErrNoToolchain, err)
	}
	if t.Version != rt.Version {
		return t, fmt.Errorf("runtime %s: %w: built for Python %s, %s is %s now (build it anew)", rt.Name, ErrNoToolchain, rt.Version, rt.Exe, t.Version)
	}
	t.Packages = runtimePath + ":" + rt.Site // the latter where a backend shows the host as it is
	t.Binds = append(t.Binds, sandbox.Bind{Host: rt.Site, Job: runtimePath})
	return t, nil
}

// TreeHash is the SHA-256 over the files below a folder: for each in the order of its name, name and contents. Bytecode that an
// interpreter left is no part of it.
func TreeHash(dir string) (string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".pyc") {
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		rel, relErr := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = hex.EncodeToString(sum[:])
		return errors.Join(err, relErr)
	})
	if err != nil {
		return "", fmt.Errorf("codecheck: hash %s: %w", dir, err)
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, _ = fmt.Fprintf(h, "%s  %s\n", files[name], name) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
