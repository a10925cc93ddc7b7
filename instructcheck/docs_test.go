package instructcheck

import (
	"os"
	"strings"
	"testing"
)

// TestDocsNameEveryKind: the page for users has a row for each kind, and none for others.
func TestDocsNameEveryKind(t *testing.T) {
	page, err := os.ReadFile("../docs/INSTRUCTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `") && strings.Contains(line, ":") {
			rows++
		}
	}
	for _, id := range IDs() {
		if !strings.Contains(string(page), "\n| `"+id+"` |") {
			t.Errorf("docs/INSTRUCTIONS.md has no row for %s", id)
		}
	}
	if rows != len(IDs()) {
		t.Errorf("%d rows for %d kinds", rows, len(IDs()))
	}
}
