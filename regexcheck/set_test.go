package regexcheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"
)

// TestEveryCharacter compares sets with CPython over all code points, by digest; testdata/charsets.py made them.
func TestEveryCharacter(t *testing.T) {
	data, err := os.ReadFile("testdata/charsets.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Set, Flags, SHA256 string }
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		f, err := ParseFlags(r.Flags)
		if err != nil {
			t.Fatal(err)
		}
		var found []rune
		if r.Set == "every cased character" {
			found = everyCased(f)
		} else {
			found = membersOf(t, r.Set, f)
		}
		if sum := sha256.Sum256(runs(found)); hex.EncodeToString(sum[:]) != r.SHA256 {
			t.Errorf("%s %s: %d members, another number or others than Python finds", r.Set, r.Flags, len(found))
		}
	}
}

// runs writes the runs of found as "first-last,".
func runs(found []rune) []byte {
	var b []byte
	for i, c := range found {
		if i == 0 || c != found[i-1]+1 {
			b = append(strconv.AppendInt(b, int64(c), 10), '-')
		}
		if i == len(found)-1 || found[i+1] != c+1 {
			b = append(strconv.AppendInt(b, int64(c), 10), ',')
		}
	}
	return b
}

func membersOf(t *testing.T, set string, f Flags) []rune {
	t.Helper()
	p, err := Compile(set, f)
	if err != nil {
		t.Fatal(err)
	}
	in := p.prog.insts[1]
	var found []rune
	for r := rune(0); r <= utf8.MaxRune; r++ {
		ok := false
		switch in.op {
		case opSet:
			ok = in.set.has(r)
		case opRune:
			ok = in.r == r
		case opAny:
			ok = r != '\n'
		case opAll:
			ok = true
		default:
			t.Fatalf("%s begins with op %d", set, in.op)
		}
		if ok {
			found = append(found, r)
		}
	}
	return found
}

// everyCased returns, for each character with case, the characters with case that match it.
func everyCased(f Flags) []rune {
	tables := cases()
	var cased []rune
	for r := rune(0); r <= utf8.MaxRune; r++ {
		_, low := tables.lower[r]
		_, up := tables.upper[r]
		if low || up {
			cased = append(cased, r)
		}
	}
	var found []rune
	for _, c := range cased {
		set := literalSet(c, false, f.ascii())
		var members []rune
		for _, r := range append(unlower(lower(c, f.ascii()), f.ascii()), cased...) {
			if set.has(r) {
				members = append(members, r)
			}
		}
		slices.Sort(members)
		found = append(found, slices.Compact(members)...)
	}
	return found
}
