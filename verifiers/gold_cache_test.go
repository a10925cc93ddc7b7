package verifiers

import (
	"strconv"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/mathcheck"
)

func TestGoldCacheAnswersAsCompiling(t *testing.T) {
	var c goldCache
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 3 * maxCachedGolds {
				n := strconv.Itoa(i % 700)
				g, err := c.compile([]string{n, n + "/2"}, mathcheck.Options{})
				if err != nil || !g.Check(n).Equal || !g.Check(n+"/2").Equal || g.Check(n+"1").Equal {
					t.Errorf("reference %s: %v", n, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if len(c.golds) > maxCachedGolds || c.length > maxCachedGoldBytes {
		t.Errorf("%d references of %d bytes are kept", len(c.golds), c.length)
	}
	if _, err := c.compile([]string{" "}, mathcheck.Options{}); err == nil {
		t.Error("an empty reference compiles")
	}
}

func BenchmarkMathEqualGroups(b *testing.B) {
	golds := []string{`\frac{3}{4}`, "42", `x^2+1`, `(-\infty,3)`}
	var c goldCache
	for i := 0; b.Loop(); i++ {
		g, _ := c.compile(golds[i/16%4:i/16%4+1], mathcheck.Options{})
		g.Check(`So the answer is $\boxed{42}$.`)
	}
}

func BenchmarkMathEqualUncached(b *testing.B) {
	golds := []string{`\frac{3}{4}`, "42", `x^2+1`, `(-\infty,3)`}
	for i := 0; b.Loop(); i++ {
		g, _ := mathcheck.Compile(golds[i/16%4], mathcheck.Options{})
		g.Check(`So the answer is $\boxed{42}$.`)
	}
}
