package stats

import (
	"slices"
	"testing"
)

// What CPython 3.11 prints for the same calls.
func TestRandomDrawsLikePython(t *testing.T) {
	r := NewRandom(0)
	if got := []uint32{r.Uint32(), r.Uint32(), r.Uint32()}; !slices.Equal(got, []uint32{3626764237, 1654615998, 3255389356}) {
		t.Errorf("getrandbits(32): %v", got)
	}
	r = NewRandom(0)
	if got := []float64{r.Float64(), r.Float64(), r.Float64()}; !slices.Equal(got, []float64{0.8444218515250481, 0.7579544029403025, 0.420571580830845}) {
		t.Errorf("random(): %v", got)
	}
	r = NewRandom(12345678901) // a seed of two words
	var digits []int
	for range 12 {
		digits = append(digits, r.Intn(10))
	}
	if !slices.Equal(digits, []int{9, 5, 6, 5, 8, 1, 2, 5, 5, 3, 5, 4}) {
		t.Errorf("randrange(10): %v", digits)
	}
	list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	NewRandom(0).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if !slices.Equal(list, []int{7, 8, 1, 5, 3, 4, 2, 0, 9, 6}) {
		t.Errorf("shuffle: %v", list)
	}
	if got := NewRandom(-7).Float64(); got != 0.32383276483316237 {
		t.Errorf("random() of seed -7: %v", got)
	}
}

func TestSampleDrawsLikePython(t *testing.T) {
	r := NewRandom(0)
	for _, c := range []struct {
		n, k int
		want []int
	}{
		{1000, 10, []int{864, 394, 776, 911, 430, 41, 265, 988, 523, 497}},
		{30, 8, []int{12, 25, 26, 9, 15, 11, 18, 6}},
		{200, 40, []int{129, 35, 72, 198, 193, 24, 158, 64, 136, 180}},
	} {
		if got := r.Sample(c.n, c.k); !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("sample(range(%d), %d): %v", c.n, c.k, got)
		}
	}
}

func TestBootstrapIsThatOfPython(t *testing.T) {
	lo, hi, ok := Bootstrap([]float64{0, .25, .5, .75, 1, .5, .5}, 0.05, 0)
	if lo != 0.2857142857142857 || hi != 0.7142857142857143 || !ok {
		t.Errorf("[%v, %v] %v", lo, hi, ok)
	}
	if _, _, ok := Bootstrap([]float64{0, 1}, 0.05, 0); ok {
		t.Error("an interval of two tasks")
	}
}
