package archtest

import (
	"bufio"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/verifyd/verifyd"

var update = flag.Bool("update", false, "write down the public API as it is")

// root is the folder of go.mod: the test runs in its own package's folder, two below.
var root = sync.OnceValue(func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
})

// goPackage is one folder with Go files in it.
type goPackage struct {
	dir   string                       // slash-separated, relative to root
	files map[string]*ast.File         // by name, tests left out
	uses  map[string][]token.Pos       // import path to where it is imported, tests left out
	tests map[string][]token.Pos       // the same of the test files
	fset  *token.FileSet               // of this package's positions
	texts map[string]*ast.CommentGroup // package comments by file
}

func (p *goPackage) room() string { return roomOf(p.dir) }

// at says where an import stands, as file:line relative to root.
func (p *goPackage) at(pos token.Pos) string {
	position := p.fset.Position(pos)
	return path.Join(p.dir, filepath.Base(position.Filename)) + ":" + strconv.Itoa(position.Line)
}

// roomOf is the room that a folder belongs to: the folder itself for what stands in the code map by its own name, else
// the room around it.
func roomOf(dir string) string {
	parts := strings.Split(dir, "/")
	keep := 1
	switch parts[0] {
	case "internal", "cmd", "sandbox":
		keep = 2
	}
	if strings.HasPrefix(dir, "internal/compat/") {
		keep = 3
	}
	return strings.Join(parts[:min(keep, len(parts))], "/")
}

// packages are all packages of the module, by folder.
var packages = sync.OnceValues(func() (map[string]*goPackage, error) {
	all := map[string]*goPackage{}
	err := filepath.WalkDir(root(), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root() && (base == "testdata" || base == "bin" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
			return nil
		}
		rel, err := filepath.Rel(root(), filepath.Dir(name))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		p := all[dir]
		if p == nil {
			p = &goPackage{dir: dir, files: map[string]*ast.File{}, uses: map[string][]token.Pos{}, tests: map[string][]token.Pos{}, fset: token.NewFileSet(), texts: map[string]*ast.CommentGroup{}}
			all[dir] = p
		}
		return p.add(name)
	})
	return all, err
})

func (p *goPackage) add(name string) error {
	file, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	into := p.uses
	if strings.HasSuffix(name, "_test.go") {
		into = p.tests
	} else {
		p.files[filepath.Base(name)] = file
		if file.Doc != nil {
			p.texts[filepath.Base(name)] = file.Doc
		}
	}
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		into[target] = append(into[target], spec.Pos())
	}
	return nil
}

func allPackages(t *testing.T) []*goPackage {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	var list []*goPackage
	for _, p := range all {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *goPackage) int { return strings.Compare(a.dir, b.dir) })
	return list
}

var requireLine = regexp.MustCompile(`^\s*(?:require\s+)?([a-zA-Z0-9][^\s]*\.[^\s]*/[^\s]*)\s+v[0-9]`)

// thirdParty are the modules that go.mod requires, longest path first.
func thirdParty(t *testing.T) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(root(), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var modules []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := requireLine.FindStringSubmatch(lines.Text()); m != nil {
			modules = append(modules, m[1])
		}
	}
	slices.SortFunc(modules, func(a, b string) int { return len(b) - len(a) })
	return modules
}

// owner says what an import path belongs to: a room of this module, a third-party module, or "" for the standard library.
func owner(modules []string, importPath string) string {
	if rest, ok := strings.CutPrefix(importPath, module+"/"); ok {
		return roomOf(rest)
	}
	for _, m := range modules {
		if importPath == m || strings.HasPrefix(importPath, m+"/") {
			return m
		}
	}
	if first, _, _ := strings.Cut(importPath, "/"); strings.Contains(first, ".") {
		return importPath // of no module in go.mod: the compiler will say so, and so do we
	}
	return ""
}
