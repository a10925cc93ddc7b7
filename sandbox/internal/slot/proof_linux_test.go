package slot

import (
	"testing"
	"time"
)

func TestProof(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name                    string
		limit, own, taken, most time.Duration
		want                    bool
		missing                 time.Duration
	}{
		{"a single task waited for what was taken", 5 * s, 5*s + 1, 2 * s, 2 * s, true, 0},
		{"tasks waited for less than was taken", 5 * s, 5*s + 1, 2 * s, s, true, 0},
		{"a little more may have been taken", 5 * s, 5 * s, 2 * s, 2*s + s/2, false, s / 2},
		{"it went on for that long", 5 * s, 5*s + s/2 + 1, 2 * s, 2*s + s/2, true, 0},
		{"fifty threads waited", 5 * s, 5 * s, 2 * s, 40 * s, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, missing := proof(c.limit, c.own, c.taken, c.most)
			if got != c.want || missing != c.missing {
				t.Errorf("%v, %v missing; want %v, %v", got, missing, c.want, c.missing)
			}
		})
	}
}
