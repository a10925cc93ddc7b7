package mathcheck

import (
	"math/big"
	"testing"
)

func TestFieldPrimesAreWhatTheyClaim(t *testing.T) {
	for _, f := range fieldPrimes {
		if !new(big.Int).SetUint64(f.p).ProbablyPrime(30) {
			t.Errorf("%d is no prime", f.p)
		}
		if mulMod(f.i, f.i, f.p) != f.p-1 {
			t.Errorf("%d is no square root of -1 modulo %d", f.i, f.p)
		}
	}
}

// TestFieldAgreesWithExactArithmetic compares the fast path with rationals on expressions without letters.
func TestFieldAgreesWithExactArithmetic(t *testing.T) {
	for _, s := range []string{"1/2+1/3", "(2/3)^5-1", "-7", `3\frac{1}{7}`, "2^{-10}", "0.125", `12.5\%`, "(1+2)(3-4)/5"} {
		n, err := parse(s, false)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := (&exact{b: &budget{left: 1000}}).eval(n)
		if !ok {
			t.Fatalf("%s is not rational", s)
		}
		for _, p := range fieldPrimes {
			f := &field{prime: p, b: &budget{left: 1000}}
			got, ok := f.eval(n)
			want, _ := f.rat(r)
			if !ok || got != want {
				t.Errorf("%s mod %d: got %d (%v), want %d", s, p.p, got, ok, want)
			}
		}
	}
}
