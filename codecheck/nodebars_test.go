package codecheck_test

import (
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

// TestWarmNodeBar measures a stdin case and a split suite of JavaScript, warm beside cold: at most half of the processor time.
func TestWarmNodeBar(t *testing.T) {
	if !*bars {
		t.Skip("make bench-langs measures it")
	}
	node(t)
	usage := sandboxtest.Account(t)
	list := func(s string, n int) string { return "[" + strings.TrimSuffix(strings.Repeat(s+",", n), ",") + "]" }
	stdin := parse(t, `{"format": "stdin_stdout", "inputs": `+list(`"41"`, 10)+`, "outputs": `+list(`"ok 42"`, 10)+`}`)
	const script = "console.log('ok ' + (Number(require('fs').readFileSync(0, 'utf8')) + 1))"
	cost := func(task codecheck.Task) float64 {
		start := usage()
		if rep := check(t, task); rep.Status != codecheck.Passed {
			t.Fatalf("%s: %s", rep.Status, rep.Reason)
		}
		return usage() - start
	}
	for name, task := range map[string]codecheck.Task{
		"10 cases": {Answer: script, Tests: stdin},
		"split":    {Answer: "function add(a, b) { return a + b }", Tests: asserts(t, jsAssert+"assert.strictEqual(add(1, 2), 3)")},
	} {
		task.Language = "javascript"
		cold := task
		cold.Cold = true
		check(t, task)
		var w, c []float64
		for range 8 {
			w, c = append(w, cost(task)), append(c, cost(cold))
		}
		t.Logf("%s: warm %.1f ms, cold %.1f ms", name, least(w), least(c))
		if least(w) > least(c)/2 {
			t.Errorf("%s: warm jobs cost %.1f ms of processor time, cold ones %.1f: want at most half", name, least(w), least(c))
		}
	}
}
