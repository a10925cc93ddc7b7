package archtest

import (
	"strings"
	"testing"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/verifiers"
)

// TestPagesNameEveryKind: a kind that can be written in a spec stands in the contract and in the table of the README.
func TestPagesNameEveryKind(t *testing.T) {
	kinds := verifiers.NewRegistry(verifiers.Config{}).Kinds()
	for _, page := range []string{"README.md", "docs/WIRE.md"} {
		text := string(readTracked(t, page))
		for _, kind := range kinds {
			if !strings.Contains(text, "`"+kind+"`") {
				t.Errorf("%s does not name the kind `%s`", page, kind)
			}
		}
	}
}

// TestPagesNameEveryStatus: the statuses are few, and a reader of results meets them all.
func TestPagesNameEveryStatus(t *testing.T) {
	for _, page := range []string{"README.md", "docs/WIRE.md"} {
		text := string(readTracked(t, page))
		for _, status := range []judge.Status{judge.OK, judge.MissingReward, judge.InvalidResult, judge.Timeout, judge.Error} {
			if !strings.Contains(text, "`"+string(status)+"`") {
				t.Errorf("%s does not name the status `%s`", page, status)
			}
		}
	}
}

// TestReadmeIsTried: the files of the README's first steps are those of the script that runs them.
func TestReadmeIsTried(t *testing.T) {
	page := string(readTracked(t, "README.md"))
	script := string(readTracked(t, "testdata/script/readme.txtar"))
	_, files, ok := strings.Cut(script, "\n-- rows.jsonl --\n")
	if !ok {
		t.Fatal("testdata/script/readme.txtar has no rows.jsonl")
	}
	files, _, _ = strings.Cut(files, "-- hello.py --")
	for line := range strings.Lines(files) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "-- ") && !strings.Contains(page, line) {
			t.Errorf("README.md does not have the line that its script tries: %s", line)
		}
	}
}
