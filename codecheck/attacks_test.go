package codecheck_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// attackRow is a line of testdata/corpus/attacks; see its README.
type attackRow struct {
	ID, Group, Role, Language, Mode, Code string
	Tests                                 json.RawMessage
	Limits                                struct {
		Wall      float64 `json:"wall_s"`
		CPU       float64 `json:"cpu_s"`
		Memory    int     `json:"mem_mb"`
		Processes int     `json:"pids"`
		Output    int     `json:"output_kb"`
	}
}

// suite is the row's tests in the form that rows carry.
func (a attackRow) suite(t *testing.T) codecheck.Tests {
	t.Helper()
	var cases struct {
		Name  string `json:"fn_name"`
		Cases []struct {
			Args, Expected json.RawMessage
			Stdin, Stdout  string
		}
	}
	m := map[string]any{"limits": map[string]any{
		"wall": a.Limits.Wall, "cpu": a.Limits.CPU, "memory": fmt.Sprintf("%dMiB", a.Limits.Memory),
		"processes": a.Limits.Processes, "output": fmt.Sprintf("%dKiB", a.Limits.Output),
	}}
	inputs, outputs := []any{}, []any{}
	switch a.Mode {
	case "asserts":
		m["format"], m["code"] = "asserts", a.Tests
	case "function", "stdin_stdout":
		if err := json.Unmarshal(a.Tests, &cases); err != nil {
			t.Fatal(err)
		}
		m["format"] = "stdin_stdout"
		for _, c := range cases.Cases {
			if a.Mode == "function" {
				inputs, outputs = append(inputs, c.Args), append(outputs, c.Expected)
				m["format"], m["fn_name"] = "fn_call", cases.Name
			} else {
				inputs, outputs = append(inputs, c.Stdin), append(outputs, c.Stdout)
			}
		}
		m["inputs"], m["outputs"] = inputs, outputs
	default:
		m["format"], m["files"] = a.Mode, map[string]any{"test_solution.py": a.Tests}
		m["test_file"], m["solution_file"] = "test_solution.py", "solution.py"
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

func attacks(t *testing.T) (list []attackRow) {
	t.Helper()
	data, err := os.ReadFile("../testdata/corpus/attacks/reward.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a attackRow
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// No attack is paid at any level that can judge its tests, and every honest sibling passes.
func TestAttacksAreNotPaid(t *testing.T) {
	r := runner(t)
	for _, a := range attacks(t) {
		if _, err := r.Toolchain(a.Language); err != nil {
			continue // a language that is not here
		}
		levels := []codecheck.Integrity{codecheck.Auto}
		if slices.Contains([]string{"asserts", "unittest", "pytest"}, a.Mode) {
			levels = []codecheck.Integrity{codecheck.Auto, codecheck.Split}
			if a.Language == "python" {
				levels = append(levels, codecheck.Lineup)
			}
		}
		for _, level := range levels {
			t.Run(a.ID+"/"+string(level), func(t *testing.T) {
				t.Parallel()
				rep := check(t, codecheck.Task{Language: a.Language, Answer: a.Code, Tests: a.suite(t), Integrity: level})
				want := 0.0
				if a.Role == "benign" {
					want = 1
				}
				if !rep.Status.Judged() || rep.Reward != want || rep.Integrity == codecheck.InProcess {
					t.Errorf("reward %v, want %v: %s, %s (%s)", rep.Reward, want, rep.Status, rep.Integrity, rep.Reason)
				}
			})
		}
	}
}
