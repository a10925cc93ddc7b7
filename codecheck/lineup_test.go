package codecheck_test

import (
	"encoding/json"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

func TestLineup(t *testing.T) {
	const asserts = "assert f(3) == 18\nassert f(4) == [1, 'a', {'k': None}]\nassert not f(5)\nassert f(6) is True"
	const suite = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(3), 18)\n        self.assertAlmostEqual(f(7), 0.3)\n        self.assertTrue(f(6))\n    def test_b(self):\n        self.assertIsNone(f(8))\n"
	const right = "def f(x): return {3: 18, 4: [1, 'a', {'k': None}], 5: '', 6: True, 7: 0.1 + 0.2}.get(x)\n"
	const anything = "class Any:\n    def __eq__(self, o): return True\n    def __sub__(self, o): return 0\n    __rsub__ = __sub__\n"
	tests := []struct {
		name, tests, answer string
		want                []codecheck.Status
	}{
		{"a right program", asserts, right, []codecheck.Status{codecheck.Passed}},
		{"in a suite", suite, right, []codecheck.Status{codecheck.Passed}},
		{"a wrong one", asserts, "def f(x): return x", []codecheck.Status{codecheck.WrongAnswer}},
		{"what equals everything picks too many", asserts, anything + "def f(x): return Any()", []codecheck.Status{codecheck.Tampering}},
		{"also in a suite", suite, anything + "def f(x): return Any()", []codecheck.Status{codecheck.Tampering}},
		{"no expected value stands in the callers' code", asserts, "import sys\ndef f(x):\n    g = sys._getframe(1)\n    while g:\n        for c in g.f_code.co_consts:\n            if type(c) is int and c > 9: return c\n        g = g.f_back\n", []codecheck.Status{codecheck.WrongAnswer}},
		{"assertions that are switched off were not asked", suite, "import unittest\ndef f(x):\n    for n in dir(unittest.TestCase):\n        if n.startswith('assert'): setattr(unittest.TestCase, n, lambda *a, **k: None)\n", []codecheck.Status{codecheck.WrongAnswer, codecheck.Tampering}},
		{"questions that are replaced were not asked", asserts, "def f(x):\n    globals()['_vd_same'] = globals()['_vd_truth'] = lambda *a: True\n", []codecheck.Status{codecheck.WrongAnswer, codecheck.Tampering}},
		{"skipping is no pass", suite, "import unittest\ndef f(x): raise unittest.SkipTest('x')", []codecheck.Status{codecheck.EarlyExit}},
		{"nor is leaving", asserts, "import os\ndef f(x): os._exit(0)", []codecheck.Status{codecheck.EarlyExit}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(tt.tests)
			if err != nil {
				t.Fatal(err)
			}
			rep := check(t, codecheck.Task{Answer: tt.answer, Tests: parse(t, string(text)), Integrity: codecheck.Lineup})
			if rep.Integrity != codecheck.Lineup || (rep.Reward == 1) != (rep.Status == codecheck.Passed) {
				t.Errorf("reward %v, %s", rep.Reward, rep.Integrity)
			}
			for _, want := range tt.want {
				if rep.Status == want {
					return
				}
			}
			t.Errorf("got %s (%s), want %v", rep.Status, rep.Reason, tt.want)
		})
	}
}
