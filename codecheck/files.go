package codecheck

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/verifyd/verifyd/sandbox"
)

func (w wireTests) fillFiles(t *Tests) error {
	if len(t.Files) == 0 {
		return fmt.Errorf("tests: %w: files is empty", ErrNoTests)
	}
	if !cleanName(t.SolutionFile) {
		return broken("solution_file: want a clean relative path")
	}
	for name := range t.Files {
		if !cleanName(name) {
			return broken("files: want clean relative paths")
		}
	}
	return nil
}

// testFilesSuite judges test_files tests: the tests' files stand beside the program's, are built with it and run. A pass is read from the report of a
// framework that is known, with its decoys; of other tests from their mark, as in program_append.
func (j *judgement) testFilesSuite(ctx context.Context) error {
	t := j.task.Tests
	f, files, ok := j.lang.framework(t)
	if !ok {
		return j.ownRunner(ctx)
	}
	j.rep.Integrity = Lineup
	d, texts := newDecoys(), cloneFiles(t.Files)
	syn := j.lang.Appended.syntax()
	placed := false
	for _, file := range files {
		var ok bool
		if texts[file], ok = f.insert(texts[file], syn, d); ok {
			placed = true
			break
		}
	}
	if !placed {
		j.decide(BrokenTests, "the tests have no place to start from")
		return nil
	}
	p, dir, ok := j.frameworkProject(f, texts, path.Dir(files[0]))
	if !ok {
		return nil
	}
	spec, err := j.make(ctx, p)
	if err != nil || spec == nil {
		return err
	}
	spec.Dir = dir
	res, err := j.r.box.Run(ctx, *spec)
	if err != nil {
		return err
	}
	j.usage(res)
	names, skips := f.expected(t, files, syn)
	j.judgeReport(res, f, names, skips, d)
	return nil
}

func cloneFiles(m map[string]string) map[string]string {
	c := make(map[string]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// sourceFiles are the tests' files and the program's, which stands over a file of the same name.
func (j *judgement) sourceFiles(texts map[string]string) []sandbox.File {
	t := j.task.Tests
	files := []sandbox.File{{Name: t.SolutionFile, Data: []byte(strings.Join(append(j.before(), j.source()), "\n"))}}
	for _, name := range sortedKeys(texts) {
		if name != t.SolutionFile {
			files = append(files, sandbox.File{Name: name, Data: []byte(texts[name]), ReadOnly: true})
		}
	}
	return files
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// frameworkProject lays out the tests of a framework, and gives the folder that they are run in.
func (j *judgement) frameworkProject(f Framework, texts map[string]string, folder string) (p project, dir string, ok bool) {
	t := j.task.Tests
	if len(t.Run) == 0 {
		t.Run = f.Default
	}
	p.files = j.sourceFiles(texts)
	if len(t.Run) == 0 {
		j.decide(BrokenTests, "the tests have no run command")
		return p, "", false
	}
	replaced := len(f.Command) > 0 && len(t.Run) >= len(f.Command) && slices.Equal(t.Run[:len(f.Command)], f.Command)
	if replaced && len(f.Compile) > 0 && len(t.Build) == 0 {
		fill := func(line []string) []string {
			line = j.command(line, "", "")
			for i := range line {
				line[i] = strings.ReplaceAll(line[i], "{dir}", "./"+folder)
			}
			return line
		}
		p.compile, p.run, p.product = fill(f.Compile), fill(f.Run), path.Base(binPath)
		p.keep = j.dataFiles(texts)
		return p, path.Join(sandbox.WorkDir, folder), true
	}
	if p.compile, p.run, ok = j.commands(t); !ok {
		return p, "", false
	}
	if replaced || len(f.Command) == 0 {
		p.run = append(p.run, f.Add...)
	}
	if len(p.compile) > 0 {
		p.keep = j.dataFiles(texts)
	}
	return p, "", true
}

// dataFiles are the tests' files that hold no source: what a compiled test may read.
func (j *judgement) dataFiles(texts map[string]string) []sandbox.File {
	var files []sandbox.File
	for _, name := range sortedKeys(texts) {
		if !j.lang.isSource(name) && name != j.task.Tests.SolutionFile {
			files = append(files, sandbox.File{Name: name, Data: []byte(texts[name]), ReadOnly: true})
		}
	}
	return files
}

// ownRunner judges tests that bring a main function of their own.
func (j *judgement) ownRunner(ctx context.Context) error {
	t := j.task.Tests
	main := ""
	for _, name := range sortedKeys(t.Files) {
		if name == t.SolutionFile || !j.lang.isSource(name) {
			continue
		}
		if _, ok := j.lang.Appended.mark(t.Files[name], "x"); ok && (main == "" || j.lang.Appended.Entry == nil && slices.Contains(t.Run, name)) {
			main = name
		}
	}
	if main == "" {
		j.decide(BrokenTests, "the tests have no function to start from, and are of no framework that is known")
		return nil
	}
	return j.sealed(ctx, t.Files[main], func(tests, head string) (project, bool) {
		texts := cloneFiles(t.Files)
		texts[main] = j.lang.Appended.imported(tests, head)
		build, run, ok := j.commands(t)
		p := project{files: j.sourceFiles(texts), compile: build, run: run}
		if len(run) == 0 && ok {
			j.decide(BrokenTests, "the tests have no run command")
			return p, false
		}
		if len(build) > 0 {
			p.keep = j.dataFiles(texts)
		}
		return p, ok
	})
}
