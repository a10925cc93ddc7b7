package codecheck_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

// A profile is a language of its own, with its packages and what its servers have loaded ahead.
func TestRuntimes(t *testing.T) {
	chain, err := runner(t).Toolchain("python")
	if err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(root, "small", "site")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, "ours.py"), []byte("answer = 42\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rt := codecheck.Runtime{Name: "small", Language: "python", Exe: chain.Exe, Version: chain.Version, Preload: []string{"ours"}}
	if rt.Tree, err = codecheck.TreeHash(site); err != nil {
		t.Fatal(err)
	}
	if err := rt.Write(filepath.Dir(site)); err != nil {
		t.Fatal(err)
	}
	list, err := codecheck.Runtimes(root)
	if err != nil || len(list) != 1 || list[0].Tree != rt.Tree {
		t.Fatalf("got %+v, %v", list, err)
	}
	table, err := codecheck.WithRuntimes(codecheck.Languages(), list)
	if err != nil {
		t.Fatal(err)
	}
	box, err := namespace.New(namespace.Config{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	r, err := codecheck.New(box, codecheck.Config{Languages: table})
	if err != nil {
		t.Fatal(err)
	}
	const ahead = "import sys\nahead = 'ours' in sys.modules\ndef f():\n    import ours\n    return [ours.answer, ahead]\n"
	tests := []struct {
		name, language, tests string
		cold                  bool
		want                  codecheck.Status
	}{
		{"its packages, loaded ahead", "python@small", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [[42, true]]}`, false, codecheck.Passed},
		{"in an interpreter of its own", "python@small", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [[42, false]]}`, true, codecheck.Passed},
		{"in the tests, too", "python@small", `"import ours\nassert f()[0] == ours.answer"`, false, codecheck.Passed},
		{"not without the profile", "python", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [[42, true]]}`, false, codecheck.RuntimeError},
		{"nor in its tests", "python", `"import ours\nassert f()[0] == ours.answer"`, false, codecheck.MissingDependency},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rep, err := r.Check(t.Context(), codecheck.Task{Language: tt.language, Answer: "```python\n" + ahead + "```", Tests: parse(t, tt.tests), Cold: tt.cold})
			if err != nil || rep.Status != tt.want {
				t.Errorf("got %s (%s), %v; want %s", rep.Status, rep.Reason, err, tt.want)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(site, "ours.py"), []byte("answer = 43\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if tree, err := codecheck.TreeHash(site); err != nil || tree == rt.Tree {
		t.Errorf("a changed package has the same hash: %v", err)
	}
	rt.Language = "c"
	if _, err := codecheck.WithRuntimes(codecheck.Languages(), []codecheck.Runtime{rt}); err == nil {
		t.Error("a profile of another language is taken")
	}
}
