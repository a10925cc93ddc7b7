package codecheck_test

import (
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

var load = flag.Int("load", 0, "judge the corpus three times, then beside `N` endless spinners a processor")

// The corpus is judged alike each time, and beside a load of several times the machine's processors; there only errors that say
// that the machine was too busy may stand in place of verdicts. It takes minutes and runs where -load is given (make stable).
func TestVerdictsAreStable(t *testing.T) {
	if *load == 0 {
		t.Skip("give -load=4, or make stable")
	}
	first, _ := judgeCorpus(t)
	for range 2 {
		again, busy := judgeCorpus(t)
		compareVerdicts(t, "idle", first, again, busy)
	}
	for range *load * runtime.NumCPU() {
		spin := exec.CommandContext(t.Context(), "/bin/sh", "-c", "while :; do :; done")
		if err := spin.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = spin.Wait() }) // it was killed with the test's context
	}
	loaded, busy := judgeCorpus(t)
	compareVerdicts(t, "under load", first, loaded, busy)
	t.Logf("%d verdicts, under load %d errors that say that the machine was busy", len(first), len(busy))
}

// compareVerdicts wants the same texts; what was too busy is left out, but not on an idle machine.
func compareVerdicts(t *testing.T, when string, want, got map[string]string, busy []string) {
	t.Helper()
	if when == "idle" && len(busy) > 0 {
		t.Errorf("%s: %d without a verdict: %v", when, len(busy), busy[0])
	}
	for id, w := range want {
		if g := got[id]; g != w && !slices.Contains(busy, id) {
			t.Errorf("%s: %s: got %s, want %s", when, id, g, w)
		}
	}
}

// judgeCorpus judges all rows, some at once, and gives what became of each without the measured part; busy are those that the
// machine gave no time for.
func judgeCorpus(t *testing.T) (verdicts map[string]string, busy []string) {
	t.Helper()
	r := runner(t)
	var mu sync.Mutex
	var all sync.WaitGroup
	verdicts = map[string]string{}
	places := make(chan struct{}, runtime.NumCPU())
	for _, file := range []string{"split.jsonl", "python-rows.jsonl", "stubs.jsonl"} {
		for _, row := range corpus(t, file) {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				rep, err := r.Check(t.Context(), codecheck.Task{Answer: row.Answer, Prompt: row.Prompt, Tests: parse(t, string(row.Privileged.Tests)), Score: codecheck.ScoreFraction})
				mu.Lock()
				defer mu.Unlock()
				id := file + "/" + row.ID
				if errors.Is(err, sandbox.ErrMachine) {
					busy = append(busy, id)
					return
				}
				verdicts[id] = strings.TrimSpace(fmt.Sprintln(rep.Status, rep.Reward, rep.Integrity, rep.Reason, rep.Tests, rep.Extracted, err))
			})
		}
	}
	all.Wait()
	return verdicts, busy
}
