package regexcheck

import (
	"fmt"
	"testing"
)

// TestResidue holds what CPython 3.11 answers where a faultless engine would not.
func TestResidue(t *testing.T) {
	for _, c := range []struct{ name, pattern, flags, text, want string }{
		{"an open group has an end left by a failed tail", `((a)(?(1)\w|x)*?)\Z`, "", "abbb", "[0 4] [0 4] [0 1]"},
		{"without a lazy repeat it has none", `((a)(?(1)b|x))\Z`, "", "ab", "none"},
		{"a round that failed leaves its start", `(?:(bc)|)*+`, "", "bcbcb", "[0 4] [4 4]"},
		{"and the groups of its other branches", `(?:(b)d|(bc)|)*+`, "", "bcbcb", "[0 4] [4 5] [4 4]"},
		{"a repeat around it puts all back", `(?:(?:(bc)|){2,}+)+`, "", "bcbcb", "[0 4] [2 4]"},
		{"a last round that fails is put back", `(?:(bc))*+`, "", "bcbcb", "[0 4] [2 4]"},
		{"a branch within a repeat puts its own back", `(?:((\n|\nc{,2}){1,3}(?(1)AA|b\n)|($)|\n)){1,3}+`, "M", "aaA1\n", "[4 4] [4 4] [-1 -1] [4 4]"},
		{"a group left empty ends a repeat of it", `(?:(a)|\1{2,}b){1,3}+`, "", "aa", "[0 2] [1 2]"},
		{"a search reads the first class by the outer flags", `(?a:\W)x`, "", "éx", "none"},
		{"a class that the outer flags do not know", `(?u:\w)x`, "A", "éx", "none"},
		{"behind an anchor it does not", `\b(?u:\w)x`, "A", "éx", "none"},
		{"nor where it can match nothing", `(?a:\W)*x`, "", "éx", "[0 2]"},
	} {
		m, err := mustCompile(t, c.pattern, c.flags).Search(c.text)
		got := ""
		for _, g := range m.Groups {
			got += fmt.Sprintf(" [%d %d]", g.Start, g.End)
		}
		if !m.Found {
			got = " none"
		}
		if err != nil || got[1:] != c.want {
			t.Errorf("%s: %q in %q: %s, %v, want %s", c.name, c.pattern, c.text, got, err, c.want)
		}
	}
}
