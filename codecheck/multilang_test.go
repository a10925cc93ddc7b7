package codecheck_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// multilangRow is a line of testdata/corpus/multilang; see its README.
type multilangRow struct {
	ID         string
	Prompt     string
	Answer     string `json:"final_text"`
	Privileged struct{ Tests map[string]any }
	Expected   struct {
		Reward float64
		Status codecheck.Status
	}
}

// multilangRows are the rows of a language with shared files put in.
func multilangRows(t testing.TB, language string) []multilangRow {
	t.Helper()
	var unity map[string]string
	text, err := os.ReadFile("../testdata/corpus/multilang/unity.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &unity); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../testdata/corpus/multilang/" + language + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // opened for reading
	var rows []multilangRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r multilangRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		files, _ := r.Privileged.Tests["files"].(map[string]any)
		for name, v := range files {
			if link, ok := v.(map[string]any); ok {
				files[name] = unity[strings.TrimPrefix(link["shared"].(string), "unity/")]
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func (r multilangRow) task(t testing.TB, language string) codecheck.Task {
	t.Helper()
	text, err := json.Marshal(r.Privileged.Tests)
	if err != nil {
		t.Fatal(err)
	}
	return codecheck.Task{Language: language, Answer: r.Answer, Prompt: r.Prompt, Tests: parse(t, string(text))}
}

// few are the rows of a language that the default suite runs: spread over the file, both verdicts among them.
func few(rows []multilangRow, n int) []multilangRow {
	var right, wrong, chosen []multilangRow
	for _, r := range rows {
		if r.Expected.Reward == 1 {
			right = append(right, r)
		} else {
			wrong = append(wrong, r)
		}
	}
	for i := 0; len(chosen) < n && i < n; i++ {
		for _, list := range [][]multilangRow{right, wrong} {
			if at := i * len(list) * 2 / n; at < len(list) && len(chosen) < n {
				chosen = append(chosen, list[at])
			}
		}
	}
	return chosen
}

// TestMultilang runs five rows a language, or all of them where VERIFYD_LANGS is set (make test-langs).
func TestMultilang(t *testing.T) {
	r := runner(t)
	for _, l := range codecheck.Languages() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.Toolchain(l.Name); err != nil {
				t.Skip(err)
			}
			rows := multilangRows(t, l.Name)
			if os.Getenv("VERIFYD_LANGS") == "" {
				rows = few(rows, 5)
			}
			for _, row := range rows {
				rep := check(t, row.task(t, l.Name))
				if rep.Reward != row.Expected.Reward || !rep.Status.Judged() {
					t.Errorf("%s: reward %v (%s: %s %s), want %v", row.ID, rep.Reward, rep.Status, rep.Reason, rep.Compiler, row.Expected.Reward)
				}
			}
		})
	}
}

// Each language that is here judges a right program and wrong ones rightly.
func TestSelfTest(t *testing.T) {
	r := runner(t)
	for _, l := range codecheck.Languages() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			err := r.SelfTest(t.Context(), l.Name)
			if errors.Is(err, codecheck.ErrNoToolchain) {
				t.Skip(err)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
