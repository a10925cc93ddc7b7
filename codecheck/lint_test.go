package codecheck_test

import (
	"errors"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

func TestLint(t *testing.T) {
	r := runner(t)
	tests := []struct {
		name, reference, tests string
		limits                 sandbox.Limits
		want                   []string // kinds of findings
	}{
		{"a sound task", add, `"assert add(1, 2) == 3"`, sandbox.Limits{}, nil},
		{"a method of a class", "class S:\n    def f(self, x): return x + 1", `{"format": "fn_call", "class": "S", "fn_name": "f", "inputs": [[1]], "outputs": [2]}`, sandbox.Limits{}, nil},
		{"a program", "print(input())", `{"format": "stdin_stdout", "inputs": ["a"], "outputs": ["a"]}`, sandbox.Limits{}, nil},
		{"a suite", "class Stack(list):\n    def top(self): return self[-1]", `"import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        s = Stack()\n        s.append(1)\n        self.assertEqual(s.top(), 1)"`, sandbox.Limits{}, nil},
		{"nothing is what the tests want", "def f(x): pass", `"assert f(1) is None"`, sandbox.Limits{}, []string{codecheck.StubPasses}},
		{"no output is what they want", "input()", `{"format": "stdin_stdout", "inputs": ["a"], "outputs": [""]}`, sandbox.Limits{}, []string{codecheck.StubPasses}},
		{"a wrong reference", "def add(a, b): return 0", `"assert add(1, 2) == 3"`, sandbox.Limits{}, []string{codecheck.ReferenceFails}},
		{"no reference", "", `"assert add(1, 2) == 3"`, sandbox.Limits{}, []string{codecheck.NoReference}},
		{"no reference, and no tests that a program could pass", "", `"assert add(1, 2) ="`, sandbox.Limits{}, []string{codecheck.NoReference, string(codecheck.BrokenTests)}},
		{"broken tests", add, `"assert add(1, 2) ="`, sandbox.Limits{}, []string{string(codecheck.BrokenTests)}},
		{"a missing package", add, `"import no_such_package\nassert add(1, 2) == 3"`, sandbox.Limits{}, []string{string(codecheck.MissingDependency)}},
		{"hardly enough time", "import time\ndef add(a, b):\n    time.sleep(0.7)\n    return a + b", `"assert add(1, 2) == 3"`, sandbox.Limits{Wall: 1200 * time.Millisecond}, []string{codecheck.TightLimits}},
		{"another result in another interpreter", "import sys\ndef f(): return 'vd_server' in sys.modules", `{"format": "fn_call", "fn_name": "f", "inputs": [[]], "outputs": [true]}`, sandbox.Limits{}, []string{codecheck.Unstable}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s codecheck.Soundness
			var err error
			for range 3 {
				if s, err = r.Lint(t.Context(), codecheck.Task{Answer: tt.reference, Tests: parse(t, tt.tests), Limits: tt.limits}); !errors.Is(err, sandbox.ErrMachine) {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, f := range s.Findings {
				got[f.Kind] = true
			}
			for _, kind := range tt.want {
				if !got[kind] {
					t.Errorf("no finding %s", kind)
				}
				delete(got, kind)
			}
			if len(got) > 0 {
				t.Errorf("found %v, want %v", s.Findings, tt.want)
			}
			if len(tt.want) == 0 && (!s.Stable || s.Reference.Status != codecheck.Passed || s.Stub.Reward != 0) {
				t.Errorf("stable %v, reference %s, stub %s", s.Stable, s.Reference.Status, s.Stub.Status)
			}
		})
	}
}
