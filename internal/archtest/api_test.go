package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAPI compares the exported names of every public room with the record in testdata/api. The record is read from the
// syntax alone, one line a name, so that a change of the public API is a line of a diff and nothing else.
func TestAPI(t *testing.T) {
	recorded := map[string]bool{}
	for _, p := range allPackages(t) {
		if !public(p) {
			continue
		}
		name := filepath.Join(root(), "testdata", "api", strings.ReplaceAll(p.dir, "/", "_")+".txt")
		recorded[filepath.Base(name)] = true
		got := p.api()
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if diff := lineDiff(string(want), got); diff != "" {
			t.Errorf("the public API of %s changed (make api writes it down):\n%s", p.dir, diff)
		}
	}
	old, err := filepath.Glob(filepath.Join(root(), "testdata", "api", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if recorded[filepath.Base(name)] {
			continue
		}
		if !*update {
			t.Errorf("%s records a room that is not there", name)
		} else if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// public says whether programs outside this module can import a package.
func public(p *goPackage) bool {
	parts := strings.Split(p.dir, "/")
	return p.dir != "." && parts[0] != "cmd" && !slices.Contains(parts, "internal") && len(p.files) > 0
}

// lineDiff lists the lines that only one of two sorted texts has.
func lineDiff(want, got string) string {
	var diff strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for _, line := range w {
		if !slices.Contains(g, line) {
			fmt.Fprintf(&diff, "\t- %s\n", line)
		}
	}
	for _, line := range g {
		if !slices.Contains(w, line) {
			fmt.Fprintf(&diff, "\t+ %s\n", line)
		}
	}
	return diff.String()
}

// api is the package's exported names, sorted, one a line.
func (p *goPackage) api() string {
	var lines []string
	for _, file := range p.files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				lines = append(lines, p.funcLine(d)...)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						lines = append(lines, p.valueLines(d.Tok, s)...)
					case *ast.TypeSpec:
						lines = append(lines, p.typeLines(s)...)
					}
				}
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

func (p *goPackage) funcLine(d *ast.FuncDecl) []string {
	if !d.Name.IsExported() {
		return nil
	}
	if d.Recv == nil {
		return []string{"func " + d.Name.Name + p.generics(d.Type.TypeParams) + p.signature(d.Type)}
	}
	receiver := p.text(d.Recv.List[0].Type)
	if !ast.IsExported(strings.TrimLeft(receiver, "*")) {
		return nil
	}
	return []string{"method (" + receiver + ") " + d.Name.Name + p.signature(d.Type)}
}

func (p *goPackage) valueLines(tok token.Token, s *ast.ValueSpec) []string {
	var lines []string
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := tok.String() + " " + name.Name
		if s.Type != nil {
			line += " " + p.text(s.Type)
		}
		if tok == token.CONST && i < len(s.Values) {
			line += " = " + p.text(s.Values[i])
		}
		lines = append(lines, line)
	}
	return lines
}

func (p *goPackage) typeLines(s *ast.TypeSpec) []string {
	if !s.Name.IsExported() {
		return nil
	}
	head := "type " + s.Name.Name + p.generics(s.TypeParams)
	if s.Assign.IsValid() {
		head += " ="
	}
	switch of := s.Type.(type) {
	case *ast.StructType:
		lines := []string{head + " struct"}
		for _, f := range of.Fields.List {
			tag := ""
			if f.Tag != nil {
				tag = " " + f.Tag.Value
			}
			for _, name := range f.Names {
				if name.IsExported() {
					lines = append(lines, "field "+s.Name.Name+"."+name.Name+" "+p.text(f.Type)+tag)
				}
			}
			if len(f.Names) == 0 {
				lines = append(lines, "field "+s.Name.Name+" embeds "+p.text(f.Type)+tag)
			}
		}
		return lines
	case *ast.InterfaceType:
		lines := []string{head + " interface"}
		for _, m := range of.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 {
				lines = append(lines, "method "+s.Name.Name+"."+m.Names[0].Name+p.signature(f))
			} else {
				lines = append(lines, "method "+s.Name.Name+" embeds "+p.text(m.Type))
			}
		}
		return lines
	}
	return []string{head + " " + p.text(s.Type)}
}

// signature writes parameters and results by their types: a parameter's name can change without breaking a caller.
func (p *goPackage) signature(f *ast.FuncType) string {
	list := func(fields *ast.FieldList) string {
		var types []string
		for _, field := range fields.List {
			for range max(1, len(field.Names)) {
				types = append(types, p.text(field.Type))
			}
		}
		return strings.Join(types, ", ")
	}
	text := "(" + list(f.Params) + ")"
	if f.Results == nil {
		return text
	}
	results := list(f.Results)
	if strings.Contains(results, ",") {
		return text + " (" + results + ")"
	}
	return text + " " + results
}

func (p *goPackage) generics(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var parts []string
	for _, f := range list.List {
		for _, name := range f.Names {
			parts = append(parts, name.Name+" "+p.text(f.Type))
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// text prints a piece of syntax on one line.
func (p *goPackage) text(node ast.Node) string {
	var b bytes.Buffer
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), node); err != nil {
		return fmt.Sprintf("(%v)", err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
