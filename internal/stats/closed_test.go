package stats

import (
	"math"
	"testing"
)

// Values by SciPy 1.15 (binomtest, norm, t, spearmanr, pearsonr) and statsmodels 0.14 (mcnemar, multipletests, proportions_ztest).
func TestClosedFormsAgreeWithSciPy(t *testing.T) {
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
			t.Errorf("%s: %.15g, want %.15g", name, got, want)
		}
	}
	for _, c := range []struct {
		passed, n int64
		lo, hi    float64
	}{
		{81, 263, 0.25273674558504267, 0.36762192260134746},
		{0, 20, 0, 0.16843347098308548},
		{10, 10, 0.6915028921812371, 1},
		{1, 29, 0.0008726468835971072, 0.17764429548841465},
	} {
		lo, hi := ClopperPearson(c.passed, c.n, 0.05)
		near("Clopper-Pearson, low", lo, c.lo)
		near("Clopper-Pearson, high", hi, c.hi)
	}
	near("McNemar 5, 15", McNemar(5, 15), 0.04138946533203125)
	near("McNemar 0, 6", McNemar(0, 6), 0.03125)
	near("McNemar 7, 7", McNemar(7, 7), 1)
	near("McNemar 100, 140", McNemar(100, 140), 0.01166409231767769)
	near("normal", Normal(.975), 1.959963984540054)
	near("Student", Student(.975, 4), 2.7764451051977934)
	near("two proportions", TwoProportions(40, 100, 55, 110), 0.14591766224414718)
	x, y := []float64{1, 2, 2, 4, 5}, []float64{5, 3, 3, 1, 2}
	near("Spearman", Spearman(x, y), -0.8947368421052632)
	near("Pearson", Pearson(x, y), -0.8411251883587736)
	for i, want := range []float64{.025, .05, .05, .025, .2} {
		near("Benjamini-Hochberg", BenjaminiHochberg([]float64{.01, .04, .03, .005, .2})[i], want)
	}
}

func TestPassRates(t *testing.T) {
	for _, c := range []struct {
		passed, n, k int
		at, hat      float64
		ok           bool
	}{
		{3, 4, 4, 1, 0, true},
		{2, 4, 2, 1 - 1./6, 1. / 6, true},
		{1, 200, 1, 0.005, 0.005, true}, // a right one of many is not all
		{0, 1, 10, 0, 0, false},         // fewer rollouts than k give no estimate
		{0, 5, 0, 0, 0, false},
		{5, 5, 5, 1, 1, true},
		{500, 1000, 600, 1, 0, true},
	} {
		at, ok := PassAt(c.passed, c.n, c.k)
		hat, _ := PassHat(c.passed, c.n, c.k)
		if math.Abs(at-c.at) > 1e-12 || math.Abs(hat-c.hat) > 1e-12 || ok != c.ok {
			t.Errorf("%d of %d, k=%d: pass@k %v, pass^k %v, %v; want %v, %v, %v", c.passed, c.n, c.k, at, hat, ok, c.at, c.hat, c.ok)
		}
	}
}

func TestKappa(t *testing.T) {
	for _, c := range []struct {
		name           string
		yy, yn, ny, nn int64
		want           float64
	}{
		{"Cohen's textbook case", 20, 5, 10, 15, 0.4},
		{"one class, agreed", 7, 0, 0, 0, 1},
		{"nothing but disagreement", 0, 3, 3, 0, -1},
	} {
		if got := Kappa(c.yy, c.yn, c.ny, c.nn); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Kappa(0, 0, 0, 0); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestRoganGladen(t *testing.T) {
	if got, ok := RoganGladen(0.5, 0.1, 0.1); math.Abs(got-0.5) > 1e-12 || !ok {
		t.Errorf("%v %v", got, ok)
	}
	if got, ok := RoganGladen(0.05, 0.1, 0.1); got != 0 || !ok {
		t.Errorf("below the false-pass rate: %v %v", got, ok)
	}
	if _, ok := RoganGladen(0.5, 0.6, 0.4); ok {
		t.Error("a judge like a coin corrects nothing")
	}
}
