package mathcheck

import "testing"

func TestRatiosWithZeros(t *testing.T) {
	for _, tt := range []struct {
		gold, pred string
		want       bool
	}{
		{"0:1:2", "0:1:3", false}, {"0:1:2", "0:2:4", true}, {"0:10", "0:0", false}, {"0:0", "0:10", false},
		{"0:10", "0:3", true}, {"1:0:2", "2:0:4", true}, {"1:0:2", "0:0:0", false}, {"a:b", "2a:2b", true}, {"2:3", "3:2", false},
		{"0:0", "0:0", true},
	} {
		if got := Equal(tt.gold, tt.pred); got.Equal != tt.want {
			t.Errorf("%s and %s: %+v, want %v", tt.gold, tt.pred, got, tt.want)
		}
	}
}
