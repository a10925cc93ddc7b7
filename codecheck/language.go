package codecheck

import (
	"path"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Language is a value in a table: all that the engine knows of a programming language. Adding one adds a value (and, for
// test forms that need it, a folder of harness), never a branch. docs/LANGUAGES.md describes each field.
type Language struct {
	Name    string   // on the wire
	Aliases []string // other names of it
	Tags    []string // tags of fences, in lower case, besides Name and Aliases
	File    string   // what the source is saved as
	Sources []string // further endings of source files; those and File's are not shown to programs that were compiled

	// Compile, Strict and Run are command lines. {src} is the source's path, {bin} the compiled program's, {exe} the tool that
	// was found on the host, {packages} its folder of packages, {unit} what Names says is run, {heap} three quarters of the memory limit in MiB. A first word
	// that Toolchain.Tools knows stands for its command. An empty Compile means that the source is run as it is. Strict is
	// Compile where tests ask that everything the compiler complains of counts. Case is Run for one of many test cases, where
	// starting faster is worth a longer traceback; empty: Run.
	Compile, Strict, Run, Case []string
	Product                    string // what Compile makes, a file name; empty: {bin} where Compile names it, else all files that are new
	// Names gives the file that a source must be saved in, and the unit in it ({unit}) that is run. nil: File, and its stem.
	Names   func(source string) (file, unit string)
	Tool    []string     // names under which the compiler or interpreter is looked for
	Find    Finder       // how it is found; nil means the system's own folders
	Env     []string     // added to the job's environment
	Factors LimitFactors // how limits stretch for this language
	Harness string       // folder of harness/ that serves asserts, functions and suites; empty: none
	Preload []string     // modules that warm servers of the harness load ahead
	Warm    []string     // Case where a warm server of the harness runs the program; empty: none does
	Image   string       // a container image that has the toolchain, for backends with images
	Module  string       // name of the WebAssembly module that runs it; empty: none

	Appended   Appended    // how tests are put behind a program
	Frameworks []Framework // of tests by files, whose reports are understood
	Hello      string      // a program for the self-test: it reads a whole number and prints "ok" and the next one; empty: none is made
}

// LimitFactors stretch limits for runtimes that need more to do the same. A zero field means 1.
type LimitFactors struct{ CompileWall, CompileMemory float64 }

// Toolchain is a compiler or interpreter that was found on this host, with what a job needs of the host to use it.
type Toolchain struct {
	Exe      string
	Version  string
	Packages string              // folders of installed packages, with : between them; empty: none
	Tools    map[string][]string // commands that tests may name, each with what is run for it
	Env      []string            // added to the job's environment, before the language's own
	Binds    []sandbox.Bind
}

// Finder looks for a toolchain; its error says what is missing and how to get it.
type Finder func(names []string) (Toolchain, error)

// FindLanguage looks a name or alias up in a table, in any case. The empty name is python.
func FindLanguage(table []Language, name string) (Language, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		name = "python"
	}
	i := slices.IndexFunc(table, func(l Language) bool { return l.Name == name || slices.Contains(l.Aliases, name) })
	if i < 0 {
		return Language{}, false
	}
	return table[i], true
}

// names are the file that a source is saved in and what is run of it.
func (l Language) names(source string) (file, unit string) {
	if l.Names != nil {
		return l.Names(source)
	}
	return l.File, strings.TrimSuffix(l.File, path.Ext(l.File))
}

// hasTag reports whether a fence's tag, in lower case, names the language.
func (l Language) hasTag(tag string) bool {
	return tag != "" && (tag == l.Name || slices.Contains(l.Aliases, tag) || slices.Contains(l.Tags, tag))
}

// otherTags are tags of fences in languages and formats that the table does not have; they only tell a tag from code.
var otherTags = strings.Fields(`javascript js jsx typescript ts tsx go golang rust rs java kotlin swift ruby rb php perl lua r julia scala
	haskell ocaml csharp cs sql html css xml json json5 yaml toml ini text txt plaintext output console pycon diff latex tex markdown md makefile dockerfile powershell bat asm`)

func knownTag(tag string) bool {
	return slices.Contains(otherTags, tag) || slices.ContainsFunc(Languages(), func(l Language) bool { return l.hasTag(tag) })
}
