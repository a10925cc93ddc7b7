package codecheck

import (
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

// Language is a value in a table: all that the engine knows of a programming language. Adding one adds a value (and, for
// test forms that need it, a folder of harness), never a branch.
type Language struct {
	Name    string   // on the wire
	Aliases []string // other names of it
	Tags    []string // tags of fences, in lower case, besides Name and Aliases
	File    string   // what the source is saved as

	// Compile and Run are command lines. {src} is the source's path, {bin} the compiled program's, {exe} the tool that
	// was found on the host, {packages} its folder of packages. An empty Compile means that the source is run as it is.
	// Case is Run for one of many test cases, where starting faster is worth a longer traceback; empty: Run.
	Compile, Run, Case []string
	Tool               []string     // names under which the compiler or interpreter is looked for
	Find               Finder       // how it is found; nil means the system's own folders
	Env                []string     // added to the job's environment
	Factors            LimitFactors // how limits stretch for this language
	Harness            string       // folder of harness/ that serves asserts, functions and suites; empty: none
	Warm               []string     // Case where a warm server of the harness runs the program; empty: none does
}

// LimitFactors stretch limits for runtimes that need more to do the same. A zero field means 1.
type LimitFactors struct{ CompileWall, CompileMemory float64 }

// Toolchain is a compiler or interpreter that was found on this host, with what a job needs of the host to use it.
type Toolchain struct {
	Exe      string
	Version  string
	Packages string // folder of installed packages; empty: none
	Binds    []sandbox.Bind
}

// Finder looks for a toolchain; its error says what is missing and how to get it.
type Finder func(names []string) (Toolchain, error)

// Languages is the table of built-in languages.
func Languages() []Language {
	return []Language{
		{
			Name: "python", Aliases: []string{"python3", "py", "py3"}, Tags: []string{"python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "ipython", "ipython3", "python2"},
			File: "solution.py", Run: []string{"{exe}", "-I", "-B", "-X", "utf8", "{src}"},
			Case: []string{"{exe}", "-I", "-S", "-B", "-X", "utf8", "-c", pythonSite + pythonScript, "{packages}", "{src}"},
			Tool: []string{"python3.11", "python3"}, Find: findPython, Env: []string{"PYTHONDONTWRITEBYTECODE=1"}, Harness: "python",
			Warm: []string{"vd_script", "{src}"},
		},
		{
			Name: "c", Tags: []string{"h"}, File: "main.c", Tool: []string{"gcc", "cc", "clang"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu17", "-O2", "-o", "{bin}", "{src}", "-lm", "-pthread"}, Run: []string{"{bin}"},
		},
		{
			Name: "cpp", Aliases: []string{"c++", "cxx"}, Tags: []string{"cc", "hpp"}, File: "main.cpp", Tool: []string{"g++", "c++", "clang++"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu++20", "-O2", "-o", "{bin}", "{src}", "-pthread"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 2},
		},
		{
			Name: "bash", Aliases: []string{"sh", "shell"}, Tags: []string{"zsh", "shellscript"}, File: "main.sh",
			Run: []string{"{exe}", "{src}"}, Tool: []string{"bash"}, Find: findCompiler,
		},
	}
}

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
