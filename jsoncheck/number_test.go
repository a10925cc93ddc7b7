package jsoncheck

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestAddExponent compares the sum by digits with math/big, around the length where an int64 no longer does.
func TestAddExponent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	exps := []string{"0", "-0", "000", "99999999999999999", "-99999999999999999", "100000000000000000", "-100000000000000000", "1" + strings.Repeat("0", 40)}
	for n := range 60 {
		exps = append(exps, strings.Repeat("9", n+1), "-"+strings.Repeat("9", n+1), "1"+strings.Repeat("0", n), "-1"+strings.Repeat("0", n))
		digits := make([]byte, 1+r.IntN(40))
		for i := range digits {
			digits[i] = "0123456789"[r.IntN(10)]
		}
		exps = append(exps, string(digits), "-"+string(digits))
	}
	for _, exp := range exps {
		for _, n := range []int{0, 1, -1, 9, -10, 123456789, -123456789, 1 << 40, -(1 << 40)} {
			want, _ := new(big.Int).SetString(exp, 10)
			want.Add(want, big.NewInt(int64(n)))
			if got := addExponent(exp, n); got != want.String() {
				t.Errorf("%s + %d: got %s, want %s", exp, n, got, want)
			}
		}
	}
}

// TestLongExponentIsCheap: an exponent of a million digits is the candidate's choice, and costs what reading it costs.
func TestLongExponentIsCheap(t *testing.T) {
	literal := "1e" + strings.Repeat("9", 1<<20)
	start := time.Now()
	if equalNumbers(literal, "10"+literal[1:]) {
		t.Error("two different numbers are equal")
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("took %v", took)
	}
}
