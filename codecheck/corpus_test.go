package codecheck_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

var shared struct {
	once   sync.Once
	runner *codecheck.Runner
	err    error
}

// runner is one runner on the namespace backend for all tests; they are skipped where this machine has no walls.
func runner(t testing.TB) *codecheck.Runner {
	t.Helper()
	shared.once.Do(func() {
		box, err := namespace.New(namespace.Config{})
		if err != nil {
			shared.err = err
			return
		}
		shared.runner, shared.err = codecheck.New(box, codecheck.Config{})
	})
	if shared.err != nil {
		t.Skipf("no namespace sandbox here: %v", shared.err)
	}
	if _, err := shared.runner.Toolchain("python"); err != nil {
		t.Skip(err)
	}
	return shared.runner
}

// check runs a task; what the machine was too slow for is asked again.
func check(t testing.TB, task codecheck.Task) codecheck.Report {
	t.Helper()
	return checkBy(t, runner(t), task)
}

func checkBy(t testing.TB, r *codecheck.Runner, task codecheck.Task) codecheck.Report {
	t.Helper()
	var rep codecheck.Report
	var err error
	for range 3 {
		rep, err = r.Check(t.Context(), task)
		if !errors.Is(err, sandbox.ErrMachine) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func parse(t testing.TB, tests string) codecheck.Tests {
	t.Helper()
	parsed, err := codecheck.ParseTests(json.RawMessage(tests))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

type corpusRow struct {
	ID         string                          `json:"id"`
	Prompt     string                          `json:"prompt"`
	Answer     string                          `json:"final_text"`
	Privileged struct{ Tests json.RawMessage } `json:"privileged"`
	Expected   struct{ Reward float64 }        `json:"expected"`
}

func corpus(t testing.TB, name string) []corpusRow {
	t.Helper()
	data, err := os.ReadFile("../testdata/corpus/code/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []corpusRow
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r corpusRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func TestCorpus(t *testing.T) {
	for _, file := range []string{"split.jsonl", "python-rows.jsonl"} {
		for _, row := range corpus(t, file) {
			t.Run(file+"/"+row.ID, func(t *testing.T) {
				t.Parallel()
				tests := parse(t, string(row.Privileged.Tests))
				rep := check(t, codecheck.Task{Answer: row.Answer, Prompt: row.Prompt, Tests: tests})
				if !rep.Status.Judged() || rep.Reward != row.Expected.Reward {
					t.Errorf("reward %v (%s, %s, %s), want %v", rep.Reward, rep.Status, rep.Reason, rep.Integrity, row.Expected.Reward)
				}
				if (rep.Reward == 1) != (rep.Status == codecheck.Passed) {
					t.Errorf("reward %v with status %s", rep.Reward, rep.Status)
				}
			})
		}
	}
}

// What honest programs of the corpus show in split holds in one interpreter too: the levels are told apart by what can be
// forged, not by what they understand.
func TestLevelsAgreeOnHonestPrograms(t *testing.T) {
	for _, level := range []codecheck.Integrity{codecheck.InProcess, codecheck.Lineup} {
		for _, row := range corpus(t, "split.jsonl") {
			if strings.HasPrefix(row.ID, "forge-") || row.ID == "shadowing-helpers" || row.ID == "endless-generator" {
				continue
			}
			t.Run(string(level)+"/"+row.ID, func(t *testing.T) {
				t.Parallel()
				rep := check(t, codecheck.Task{Answer: row.Answer, Tests: parse(t, string(row.Privileged.Tests)), Integrity: level})
				if !rep.Status.Judged() || rep.Reward != row.Expected.Reward {
					t.Errorf("reward %v (%s, %s, %s), want %v", rep.Reward, rep.Status, rep.Reason, rep.Integrity, row.Expected.Reward)
				}
			})
		}
	}
}
