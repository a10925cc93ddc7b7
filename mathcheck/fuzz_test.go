package mathcheck

import (
	"strings"
	"testing"
)

var fuzzSeeds = []string{
	`\frac{1}{2}`, `1 1/2`, `(1,2)`, `[0,1)`, `x>5`, `\{1,2\}`, `\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `3:2`, `12:30 PM`, `28\%`,
	`\$1,234.50`, `5\text{ km/h}`, `1010_2`, `\sqrt{2+\sqrt{3}}`, `\sin 30^\circ`, `e^{i\pi}`, `x^2+2x+1`, `y=2x+3`, `\pm 3`, `0.1\overline{6}`,
	`9^{9^{9}}`, `\sum_{k=1}^{n} k`, `\int_0^1 x\,dx`, `(-\infty,2)\cup(3,\infty)`, `The answer is \boxed{42}.`, `答案：300`, `<think>1`, `#### 5`,
	`x_1+x_2`, `|x-3|`, `\lfloor 3.7\rfloor`, `A, B`, `no solution`, `July 4, 1776`, `\left(`, `{{{{`, `\text{a \text{b`, `1,2,\ldots,n`,
}

// FuzzEqual holds for any pair: no panic, an equal verdict is proven or numeric, a verdict is repeatable, and the
// identical text is equal unless there is none.
func FuzzEqual(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add(s, fuzzSeeds[(i*7+3)%len(fuzzSeeds)])
	}
	f.Fuzz(func(t *testing.T, gold, pred string) {
		v := Equal(gold, pred)
		if v.Equal && v.Status != Proven && v.Status != Numeric {
			t.Fatalf("equal with status %s", v.Status)
		}
		if w := Equal(gold, pred); w != v {
			t.Fatalf("%+v, then %+v", v, w)
		}
		if strings.TrimSpace(gold) != "" && !Equal(gold, gold).Equal {
			t.Fatalf("%q is not equal to itself: %+v", gold, Equal(gold, gold))
		}
	})
}

// FuzzSymmetry holds for bare answers of one kind: the order of the arguments does not matter. Unsolved statements are
// left out, as an answer must be solved where the reference is.
func FuzzSymmetry(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add(s, fuzzSeeds[(i*5+1)%len(fuzzSeeds)])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		checkSymmetry(t, a, b)
	})
}

func checkSymmetry(t *testing.T, a, b string) {
	t.Helper()
	opt := Options{Bare: true}
	g, err := Compile(a, opt)
	if err != nil {
		return
	}
	h, err := Compile(b, opt)
	if err != nil || g.Kind() != h.Kind() || g.Kind() == "" || g.Kind() == "equation" || g.Kind() == "inequality" {
		return
	}
	for _, x := range []*Gold{g, h} {
		if x.alts[0].span != x.alts[0].raw || len(x.alts[0].list) > 0 {
			return // something was extracted from the reference
		}
	}
	v, w := g.Check(b), h.Check(a)
	if v.Equal != w.Equal {
		t.Fatalf("%q and %q (%s): %+v one way, %+v the other", a, b, g.Kind(), v, w)
	}
}

func TestCorpusIsSymmetric(t *testing.T) {
	for _, p := range corpus(t) {
		if len(p.Pred) < 200 && len(p.Gold) < 200 {
			checkSymmetry(t, p.Gold, p.Pred)
		}
	}
}
