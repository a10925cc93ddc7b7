package slot

import "testing"

func TestUserIDsAreChosenFromWhatIsMapped(t *testing.T) {
	ids := UserIDs{First: 1_900_000_000, Count: 4096, Above: 2}
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"the whole range", "         0          0 4294967295\n", ids.First},
		{"a container with 65536 ids", "0 100000 65536\n", 65536 - 4096 - 2},
		{"two ranges, the larger one counts", "0 1000 1\n1 100000 65536\n", 65537 - 4096 - 2},
		{"too few", "0 1000 1\n", ids.First},
		{"nothing readable", "", ids.First},
	} {
		if got := ids.from(c.text); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
