package textsim

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 5e-5 {
		t.Errorf("%s: %.5f, want %.5f", name, got, want)
	}
}

func TestEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		fold bool
		want float64
	}{
		{"kitten", "sitting", true, 4. / 7},
		{"Kitten", "kitten", true, 1},
		{"Kitten", "kitten", false, 5. / 6},
		{"cafe\u0301", "café", true, 1},
		{"STRASSE", "straße", true, 1},
		{" a \n b ", "a b", true, 1},
		{"日本語", "日本人", true, 2. / 3},
		{"😀😀", "😀", true, 0.5},
		{"abc", "", true, 0},
		{"", "", true, 1},
		{"abc", "xyz", true, 0},
		{"a\xffb", "a\ufffdb", true, 1},
		{strings.Repeat("a", 200) + "b" + strings.Repeat("c", 200), strings.Repeat("a", 200) + strings.Repeat("c", 200), true, 400. / 401},
	} {
		got, err := Edit(c.a, c.b, c.fold)
		if err != nil {
			t.Error(err)
		}
		near(t, c.a+" / "+c.b, got, c.want)
	}
}

// The values are those of the definitions, worked out by hand.
func TestRouge(t *testing.T) {
	const a, b = "the cat sat on the mat", "the cat is on the mat"
	for _, c := range []struct {
		name, got, want string
		one, two, l     float64
	}{
		{"one word differs", a, b, 5. / 6, 3. / 5, 5. / 6},
		{"reversed", "mat the on sat cat the", a, 1, 0, 0.5},
		{"short", "the cat", a, 0.5, 2. / 6, 0.5},
		{"clipped", "the the the", "the cat", 0.4, 0, 0.4},
		{"no pair", "cat", "cat", 1, 0, 1},
		{"no word", "...", "cat", 0, 0, 0},
		{"joiners part", "don't go", "don t go", 1, 1, 1},
		{"no stemming", "police kill the gunman", "police killed the gunman", 0.75, 1. / 3, 0.75},
		{"ideographs", "你好世界", "你好朋友", 0.5, 1. / 3, 0.5},
		{"folded", "ÉTÉ Straße", "été STRASSE", 1, 1, 1},
	} {
		near(t, c.name+" 1", RougeN(c.got, c.want, 1), c.one)
		near(t, c.name+" 2", RougeN(c.got, c.want, 2), c.two)
		l, err := RougeL(c.got, c.want)
		if err != nil {
			t.Error(err)
		}
		near(t, c.name+" L", l, c.l)
	}
}

func TestBLEU(t *testing.T) {
	for _, c := range []struct {
		name, got, want string
		smooth          Smoothing
		score           float64
	}{
		{"no group of four in common", "the cat sat on the mat", "the cat is on the mat", NoSmoothing, 0},
		{"smoothed", "the cat sat on the mat", "the cat is on the mat", AddOne, 0.48549},
		{"equal", "a b c d e", "a b c d e", NoSmoothing, 1},
		{"shorter", "a b c d", "a b c d e", NoSmoothing, math.Exp(1 - 5./4)},
		{"longer", "a b c d e", "a b c d", NoSmoothing, math.Pow(4./5*3./4*2./3*1./2, 0.25)},
		{"too short", "the cat", "the cat", NoSmoothing, 0},
		{"too short, smoothed", "the cat", "the cat", AddOne, 1},
		{"nothing in common, smoothed", "a b", "c d", AddOne, 0},
		{"no word", "...", "a", AddOne, 0},
		{"clipped", "a a a a", "a a b b", AddOne, math.Pow(2./4*2./4*1./3*1./2, 0.25)},
	} {
		near(t, c.name, BLEU(c.got, c.want, c.smooth), c.score)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"don't stop": "don|t|stop", "a_b-c": "a|b|c", "日本go": "日|本|go", "3.5": "3|5", "हिन्दी है": "हिन्दी|है", "コーヒー": "コ|ー|ヒ|ー", "": "", "か\u3099": "が",
	} {
		if got := strings.Join(Words(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestLimit: texts over the bound are refused, and what both ends share costs nothing.
func TestLimit(t *testing.T) {
	a, b := strings.Repeat("ab", 200_000), strings.Repeat("cd", 200_000)
	if _, err := Edit(a, b, true); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
	if _, err := RougeL(strings.Repeat("a b ", 200_000), strings.Repeat("c d ", 200_000)); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
	if got, err := Edit(a, a+"x", true); err != nil || got < 0.99 {
		t.Error(got, err)
	}
}

// plainDistance and plainSubsequence are the tables of the textbook.
func plainDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			last, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, last+cost)
		}
	}
	return row[len(b)]
}

func plainSubsequence(a, b []int) int {
	row := make([]int, len(b)+1)
	for i := range a {
		last := 0
		for j := range b {
			best := max(row[j+1], row[j])
			if a[i] == b[j] {
				best = last + 1
			}
			last, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

// TestTwins compares the bit vectors with the plain tables, over lengths on both sides of the width of a machine word.
func TestTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		letters := 1 + random.IntN(5)
		list := func() []int {
			l := make([]int, random.IntN(200))
			for i := range l {
				l[i] = random.IntN(letters)
			}
			return l
		}
		a, b := list(), list()
		runes := func(l []int) []rune {
			r := make([]rune, len(l))
			for i, v := range l {
				r[i] = 'a' + rune(v)
			}
			return r
		}
		if got, err := distance(runes(a), runes(b)); err != nil || got != plainDistance(runes(a), runes(b)) {
			t.Fatalf("distance of %v and %v: %d, want %d", a, b, got, plainDistance(runes(a), runes(b)))
		}
		if got, err := subsequence(a, b); err != nil || got != plainSubsequence(a, b) {
			t.Fatalf("subsequence of %v and %v: %d, want %d", a, b, got, plainSubsequence(a, b))
		}
	}
}

// FuzzScores: scores from 0 to 1, a text is like itself, edit and ROUGE are symmetric, the twins agree.
func FuzzScores(f *testing.F) {
	for _, s := range [][2]string{{"kitten", "sitting"}, {"the cat", "the mat"}, {"日本語", "日本"}, {"", "a"}, {"\xff", "İ"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 2000 || len(b) > 2000 {
			t.Skip("the twins are quadratic")
		}
		edit, _ := Edit(a, b, true)
		back, _ := Edit(b, a, true)
		long, _ := RougeL(a, b)
		longBack, _ := RougeL(b, a)
		if edit != back || long != longBack || RougeN(a, b, 2) != RougeN(b, a, 2) {
			t.Fatal("not symmetric")
		}
		for _, score := range []float64{edit, long, RougeN(a, b, 1), RougeN(a, b, 2), BLEU(a, b, NoSmoothing), BLEU(a, b, AddOne)} {
			if !(score >= 0 && score <= 1) {
				t.Fatalf("score %v", score)
			}
		}
		if same, _ := Edit(a, a, false); same != 1 {
			t.Fatalf("like itself: %v", same)
		}
		x, y := []rune(prepared(a, true)), []rune(prepared(b, true))
		if got, _ := distance(x, y); got != plainDistance(x, y) {
			t.Fatalf("distance %d, want %d", got, plainDistance(x, y))
		}
		p, q := numbered(Words(a), Words(b))
		if got, _ := subsequence(p, q); got != plainSubsequence(slices.Clone(p), q) {
			t.Fatalf("subsequence %d", got)
		}
	})
}
