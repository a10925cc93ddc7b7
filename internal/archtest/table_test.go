package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mapRow is one row of the code map in ARCHITECTURE.md.
type mapRow struct {
	names     []string // rooms it speaks of; a part in <angle brackets> stands for any name
	mayImport string
}

// checkRooms is what the table calls "the check rooms".
var checkRooms = []string{"mathcheck", "regexcheck", "jsoncheck", "exprcheck", "instructcheck", "textsim", "codecheck"}

func readMap(t *testing.T) []mapRow {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root(), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "\n## Code map\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no heading Code map")
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	var rows []mapRow
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "/`") {
			continue
		}
		name := strings.TrimSuffix(strings.Trim(strings.TrimSpace(cells[1]), "`"), "/")
		rows = append(rows, mapRow{names: expandBraces(name), mayImport: strings.ReplaceAll(cells[3], "`", "")})
	}
	if len(rows) < 20 {
		t.Fatalf("read %d rows of the code map; has its form changed?", len(rows))
	}
	return rows
}

// expandBraces writes internal/{config,metrics} as internal/config and internal/metrics.
func expandBraces(name string) []string {
	before, rest, ok := strings.Cut(name, "{")
	if !ok {
		return []string{name}
	}
	inside, after, _ := strings.Cut(rest, "}")
	var names []string
	for part := range strings.SplitSeq(inside, ",") {
		names = append(names, before+strings.TrimSpace(part)+after)
	}
	return names
}

// rowOf finds the row of a room, or -1: by its name, else by a row with a part in angle brackets.
func rowOf(rows []mapRow, room string) int {
	if i := slices.IndexFunc(rows, func(r mapRow) bool { return slices.Contains(r.names, room) }); i >= 0 {
		return i
	}
	folder := room[:strings.LastIndex(room, "/")+1]
	return slices.IndexFunc(rows, func(r mapRow) bool {
		return folder != "" && slices.ContainsFunc(r.names, func(n string) bool { return strings.HasPrefix(n, folder+"<") })
	})
}

func (r mapRow) permits(room string) bool {
	if strings.Contains(r.mayImport, "everything") || strings.Contains(r.mayImport, "any room") {
		return true
	}
	if strings.Contains(r.mayImport, "the check rooms") && slices.Contains(checkRooms, room) {
		return true
	}
	return slices.ContainsFunc(strings.Split(r.mayImport, ","), func(part string) bool {
		name, _, _ := strings.Cut(part, "(") // a remark may follow in brackets
		return strings.TrimSpace(name) == room
	})
}

// TestRoomsStandOnTheMap keeps ARCHITECTURE.md whole: each room has a row there.
func TestRoomsStandOnTheMap(t *testing.T) {
	rows := readMap(t)
	missing := map[string]bool{}
	for _, p := range allPackages(t) {
		if p.room() != "." && rowOf(rows, p.room()) < 0 {
			missing[p.room()] = true
		}
	}
	for room := range missing {
		t.Errorf("ARCHITECTURE.md: the code map has no row for %s", room)
	}
}

// TestLayersMatchTheMap holds layers.txt to the table: a room imports only rooms that stand above it, and of those only
// the ones named in its row.
func TestLayersMatchTheMap(t *testing.T) {
	rows := readMap(t)
	for _, l := range readLayers(t) {
		if l.shared || l.tests || isModule(l.from) {
			continue
		}
		from, to := rowOf(rows, l.from), rowOf(rows, l.to)
		switch {
		case l.from == "*":
			if to >= 0 && !strings.Contains(rows[to].mayImport, "everything") {
				t.Errorf("layers.txt:%d: * < %s, but its row in ARCHITECTURE.md says %q", l.line, l.to, strings.TrimSpace(rows[to].mayImport))
			}
		case from < 0 || to < 0: // TestRoomsStandOnTheMap says so
		case from >= to:
			t.Errorf("layers.txt:%d: %s < %s, but in ARCHITECTURE.md %s does not stand above %s", l.line, l.from, l.to, l.from, l.to)
		case !rows[to].permits(l.from):
			t.Errorf("layers.txt:%d: %s < %s, but the row of %s in ARCHITECTURE.md says %q", l.line, l.from, l.to, l.to, strings.TrimSpace(rows[to].mayImport))
		}
	}
}
