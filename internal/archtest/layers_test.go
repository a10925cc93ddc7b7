package archtest

import (
	"bufio"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// permission is one line of layers.txt.
type permission struct {
	from, to string // to may import from
	tests    bool   // only its tests may
	shared   bool   // from is a module that several rooms may import
	reason   string
	line     int
}

// A line is `from < to  # reason`, `from < to (tests)  # reason`, or `shared from  # reason`; `*` as from is any room.
var (
	allowLine  = regexp.MustCompile(`^(\S+) < (\S+)( \(tests\))?\s+# (\S.*)$`)
	sharedLine = regexp.MustCompile(`^shared (\S+)\s+# (\S.*)$`)
)

func readLayers(t *testing.T) []permission {
	t.Helper()
	f, err := os.Open("layers.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []permission
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		n++
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if m := allowLine.FindStringSubmatch(text); m != nil {
			list = append(list, permission{from: m[1], to: m[2], tests: m[3] != "", reason: m[4], line: n})
		} else if m := sharedLine.FindStringSubmatch(text); m != nil {
			list = append(list, permission{from: m[1], shared: true, reason: m[2], line: n})
		} else {
			t.Errorf("layers.txt:%d: want `a < b  # reason` or `shared a  # reason`, got %q", n, text)
		}
	}
	return list
}

func isModule(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.Contains(first, ".")
}

// TestImportsFollowLayers is the policy: every import of another room or of a third-party module has a line.
func TestImportsFollowLayers(t *testing.T) {
	layers, modules := readLayers(t), thirdParty(t)
	may := func(from, to string, inTest bool) bool {
		return slices.ContainsFunc(layers, func(p permission) bool {
			return (p.from == from || p.from == "*" && !isModule(from)) && p.to == to && (inTest || !p.tests)
		})
	}
	told := map[[2]string]bool{} // each missing line once
	first := func(from, to string) bool {
		key := [2]string{from, to}
		defer func() { told[key] = true }()
		return !told[key]
	}
	for _, p := range allPackages(t) {
		for target, where := range p.uses {
			if from := owner(modules, target); from != "" && from != p.room() && !may(from, p.room(), false) && first(from, p.room()) {
				t.Errorf("%s: %s imports %s; if it should, add to internal/archtest/layers.txt: %s < %s  # reason", p.at(where[0]), p.room(), target, from, p.room())
			}
		}
		for target, where := range p.tests {
			if from := owner(modules, target); isModule(from) && !may(from, p.room(), true) && first(from, p.room()) {
				t.Errorf("%s: the tests of %s import %s; if they should, add to internal/archtest/layers.txt: %s < %s (tests)  # reason", p.at(where[0]), p.room(), target, from, p.room())
			}
		}
	}
}

// TestLayersAreUsed finds lines that permit what nobody does, and names that are no longer there: a policy about things
// that do not exist protects nothing.
func TestLayersAreUsed(t *testing.T) {
	layers, modules := readLayers(t), thirdParty(t)
	used, rooms := map[[2]string]bool{}, map[string]bool{}
	usedInTests := map[[2]string]bool{}
	for _, p := range allPackages(t) {
		rooms[p.room()] = true
		for target := range p.uses {
			used[[2]string{owner(modules, target), p.room()}] = true
		}
		for target := range p.tests {
			usedInTests[[2]string{owner(modules, target), p.room()}] = true
		}
	}
	seen := map[string]int{}
	for _, l := range layers {
		key := l.from + " < " + l.to
		if at, twice := seen[key]; twice {
			t.Errorf("layers.txt:%d: %s stands in line %d already", l.line, key, at)
		}
		seen[key] = l.line
		switch {
		case isModule(l.from) && !slices.Contains(modules, l.from):
			t.Errorf("layers.txt:%d: go.mod requires no %s", l.line, l.from)
		case !isModule(l.from) && l.from != "*" && !rooms[l.from]:
			t.Errorf("layers.txt:%d: there is no room %s", l.line, l.from)
		case l.shared:
		case !rooms[l.to]:
			t.Errorf("layers.txt:%d: there is no room %s", l.line, l.to)
		case l.from == "*":
		case !l.tests && !used[[2]string{l.from, l.to}]:
			t.Errorf("layers.txt:%d: %s does not import %s: remove the line", l.line, l.to, l.from)
		case l.tests && !usedInTests[[2]string{l.from, l.to}]:
			t.Errorf("layers.txt:%d: no test of %s imports %s: remove the line", l.line, l.to, l.from)
		}
	}
}

// TestOneRoomPerModule keeps a third-party module behind one room, so that it can be replaced there.
func TestOneRoomPerModule(t *testing.T) {
	rooms, shared := map[string][]string{}, map[string]int{}
	layers := readLayers(t)
	for _, l := range layers {
		switch {
		case l.shared:
			shared[l.from] = l.line
		case isModule(l.from) && !l.tests:
			// sandbox/… is one place for this rule: x/sys is what its parts are made of.
			top, _, _ := strings.Cut(l.to, "/")
			if top != "sandbox" {
				top = l.to
			}
			if !slices.Contains(rooms[l.from], top) {
				rooms[l.from] = append(rooms[l.from], top)
			}
		}
	}
	for m, list := range rooms {
		if _, ok := shared[m]; !ok && len(list) > 1 {
			t.Errorf("layers.txt: %s is imported by %s; one room holds it and the others ask that room, or a line `shared %s  # reason` says why not", m, strings.Join(list, ", "), m)
		}
	}
	for m, line := range shared {
		if len(rooms[m]) < 2 {
			t.Errorf("layers.txt:%d: %s is shared by %d rooms: remove the line", line, m, len(rooms[m]))
		}
	}
}

// TestBackendsKeepApart is the one ban that the permissions do not show: a backend never imports another.
func TestBackendsKeepApart(t *testing.T) {
	notBackends := []string{"sandbox", "sandbox/internal", "sandbox/pool", "sandbox/sandboxtest"}
	for _, l := range readLayers(t) {
		isBackend := func(room string) bool {
			return strings.HasPrefix(room, "sandbox/") && !slices.Contains(notBackends, room)
		}
		if isBackend(l.from) && isBackend(l.to) {
			t.Errorf("layers.txt:%d: backends never import each other: %s < %s", l.line, l.from, l.to)
		}
		if isBackend(l.from) && l.to != "cmd/verifyd" && !strings.HasPrefix(l.to, "sandbox/") {
			t.Errorf("layers.txt:%d: only cmd/verifyd names backends: %s < %s", l.line, l.from, l.to)
		}
	}
}
