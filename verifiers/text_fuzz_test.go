package verifiers

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var fuzzSeeds = []string{
	"", "The answer is (C).", "答案：ABD", `\boxed{-\frac{1}{2}}`, "1 1/2 × 10^3", "10^10^8 1e999999999", "2024-05-01 12:30 1.2.3",
	"A, B and C are wrong, so D", "<think>A</think>B<think>", "\\boxed{\\boxed{5", "−½ ٤٢ ２½ 2⁻³ \\sqrt[3]{8} x_{1}", "1{,}234,\\!567",
	"#### 5\nA: 7\nanswer (in km): 9", "Option A: x\nOption B: y\nOption C: z", "B'dir I’m N/A U.S. C++ f(A)", "정답은 C입니다.", "\xff\xe7\xad A",
	"the answer is x = 3, y = 4; result = 2^{10}", "(-2)^3 (1/2)^{-2}", "- 5 -$5 $-5 –5",
}

// FuzzNumber: a number that is found stands in the text with at least one digit in it, and its value is within the bound.
func FuzzNumber(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lit, in, ok := readNumber(visible(s))
		if !ok {
			return
		}
		if lit.start < 0 || lit.start >= lit.end || lit.end > len(in) {
			t.Fatalf("%q: literal at %d:%d", s, lit.start, lit.end)
		}
		text := in[lit.start:lit.end]
		if !strings.ContainsFunc(text, func(r rune) bool { above, _ := vulgar(r); return isDigit(r) || above != "" }) {
			t.Errorf("%q: number %q without a digit", s, text)
		}
		v, err := lit.value.rat()
		if err == nil && (v.Num().BitLen() > 8*maxBits || v.Denom().BitLen() > 8*maxBits) {
			t.Errorf("%q: a number of %d bits", s, v.Num().BitLen())
		}
	})
}

// FuzzChoice: a letter that is read is one of the options and stands in the text.
func FuzzChoice(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed, byte(4))
	}
	f.Fuzz(func(t *testing.T, s string, count byte) {
		last := 'A' + count%26
		answer := visible(s)
		got := choiceReader{last}.read(answer)
		if got.several && got.letter != 0 {
			t.Errorf("%q: several options and the letter %c", s, got.letter)
		}
		if got.letter == 0 {
			return
		}
		letter := rune(got.letter)
		if got.letter < 'A' || got.letter > last || !strings.ContainsAny(answer, string([]rune{letter, letter | 0x20, letter - 'A' + 'Ａ', letter - 'A' + 'ａ'})) {
			t.Errorf("%q: the letter %c", s, got.letter)
		}
	})
}

// FuzzFold: a folded text has no white space but single blanks inside, and stopping early decides as folding all does.
func FuzzFold(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed, seed+".")
	}
	f.Add("-$5", "1,234,567.5")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return // a row is valid UTF-8, or it is none
		}
		fold := folder{lower: true, punct: true}
		x, y := string(fold.append(nil, a)), string(fold.append(nil, b))
		if strings.Contains(x, "  ") || strings.TrimSpace(x) != x {
			t.Errorf("%q folds to %q", a, x)
		}
		if early := string(fold.appendUpTo(nil, b, len(x))) == x; early != (x == y) {
			t.Errorf("%q and %q: stopped early %v, folded %v", a, b, early, x == y)
		}
		if !utf8.ValidString(x) {
			t.Errorf("%q folds to broken %q", a, x)
		}
	})
}

// FuzzExtraction: what is visible of an answer is made of its text, and a box's content stands in it.
func FuzzExtraction(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		seen := visible(s)
		for line := range strings.SplitSeq(seen, "\n") {
			if !strings.Contains(s, line) {
				t.Fatalf("%q: visible is %q", s, seen)
			}
		}
		if _, _, closing := thinkTag(seen, 0); closing {
			t.Errorf("%q: a closing tag is left in %q", s, seen)
		}
		if box, ok := lastBox(s); ok && !strings.Contains(s, box) {
			t.Errorf("%q: box %q", s, box)
		}
		if line := lastLine(s); !strings.HasSuffix(s, line) {
			t.Errorf("%q: last line %q", s, line)
		}
	})
}
