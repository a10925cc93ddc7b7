package verifiers

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/verifyd/verifyd/judge"
)

// TestDigitsOfEveryScript: Unicode keeps each script's ten digits in a row, which digitValue relies on.
func TestDigitsOfEveryScript(t *testing.T) {
	check := func(lo, hi, stride rune) {
		if stride != 1 || (hi-lo+1)%10 != 0 {
			t.Errorf("digits %U to %U are no rows of ten", lo, hi)
		}
		for r := lo; r <= hi; r++ {
			if want := byte((r - lo) % 10); digitValue(r) != want {
				t.Errorf("%U has the value %d, want %d", r, digitValue(r), want)
			}
			if r >= utf8.RuneSelf && !mayBegin(r) {
				t.Errorf("%U begins no number", r)
			}
		}
	}
	for _, row := range unicode.Nd.R16 {
		check(rune(row.Lo), rune(row.Hi), rune(row.Stride))
	}
	for _, row := range unicode.Nd.R32 {
		check(rune(row.Lo), rune(row.Hi), rune(row.Stride))
	}
}

// TestSpellingsOfANumber: a fraction is read as itself in whatever way it is written.
func TestSpellingsOfANumber(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		a, b := random.Int64N(100000), random.Int64N(999)+1
		sign := [...]string{"", "-", "−", "+"}[random.IntN(4)]
		want := big.NewRat(a, b)
		if sign == "-" || sign == "−" {
			want.Neg(want)
		}
		spellings := []string{
			fmt.Sprintf("%s%d/%d", sign, a, b),
			fmt.Sprintf("%s%d / %d", sign, a, b),
			fmt.Sprintf(`%s\frac{%d}{%d}`, sign, a, b),
			fmt.Sprintf(`\boxed{%s\dfrac{%d}{%d}}`, sign, a, b),
			fmt.Sprintf("The answer is %s%d/%d, as 7 shows", sign, a, b),
			fmt.Sprintf("x = %s%d/%d", sign, a, b),
		}
		if a%b != 0 && a > b {
			spellings = append(spellings, fmt.Sprintf("%s%d %d/%d", sign, a/b, a%b, b), fmt.Sprintf(`%s%d\frac{%d}{%d}`, sign, a/b, a%b, b))
		}
		if b == 1 || a%b == 0 {
			spellings = append(spellings, sign+grouped(a/b), fmt.Sprintf("%s$%d.00", sign, a/b), fmt.Sprintf("%s%de0 apples", sign, a/b))
		}
		for _, text := range spellings {
			lit, _, ok := readNumber(text)
			if !ok {
				t.Fatalf("%q holds no number", text)
			}
			got, err := lit.value.rat()
			if err != nil || got.Cmp(want) != 0 {
				t.Fatalf("%q is %v, %v, want %v", text, got, err, want)
			}
		}
	}
}

// TestLastNumberFromWindows: searching a long line from windows at its end finds what searching all of it finds.
func TestLastNumberFromWindows(t *testing.T) {
	pieces := []string{"1 1/2 cups ", "2.5 × 10^3 kg ", "and then ", "2024-05-01 ", "$1,234.50 ", "x_1 = ", `\frac{3}{4} `, "m^2 ", "- 7 ", "(2)^3 ", "1.2.3 ", "50% "}
	random := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		var b strings.Builder
		for b.Len() < 3*firstWindow {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteString(strings.Repeat("no more ", random.IntN(200)))
		line := b.String()
		var want literal
		for at := 0; ; at = want.end {
			lit, ok := nextNumber(line, at)
			if !ok {
				break
			}
			want = lit
		}
		got, ok := lastNumber(line)
		if !ok || got.start != want.start || got.end != want.end {
			t.Fatalf("found %q at %d, want %q at %d", line[got.start:got.end], got.start, line[want.start:want.end], want.start)
		}
	}
}

func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TestLettersAnnounced: every option is read from every way to announce it, and from no other.
func TestLettersAnnounced(t *testing.T) {
	forms := []string{
		"%c", "(%c)", "%c.", "**%c**", "The answer is %c", "The answer is (%c).", "Answer: %c", "The correct option is **%c**", `\boxed{%c}`,
		"Therefore, (%c).", "答案是%c。", "La réponse est %c.", "Ответ: %c", "<answer>%c</answer>", "Not Z. It is (%c).", "I pick\n%c",
	}
	for letter := 'A'; letter <= 'J'; letter++ {
		for _, form := range forms {
			got := choiceReader{'J'}.read(fmt.Sprintf(form, letter))
			if got.letter != byte(letter) {
				t.Errorf("%q reads as %q", fmt.Sprintf(form, letter), string(rune(got.letter)))
			}
			if got := (choiceReader{byte(letter) - 1}).read(fmt.Sprintf(form, letter)); letter > 'A' && got.found() {
				t.Errorf("%q reads as %q though the options end before", fmt.Sprintf(form, letter), string(rune(got.letter)))
			}
		}
	}
}

// TestWordLists: no listed word is longer than the bound, and no announcing word may stand between another and its
// answer, which keeps walking through a text linear.
func TestWordLists(t *testing.T) {
	for word, class := range words {
		if len(word) > maxWord {
			t.Errorf("%q has %d bytes", word, len(word))
		}
		if class&anyMark != 0 && class&(isWord|fillWord) != 0 {
			t.Errorf("%q announces and joins", word)
		}
		if strings.ToLower(word) != word {
			t.Errorf("%q is not in lower case", word)
		}
	}
}

// TestReasonsHideTheGold: no reason holds the gold, whatever the verdict.
func TestReasonsHideTheGold(t *testing.T) {
	for _, kind := range []string{"exact_match", "includes", "multiple_choice", "numeric"} {
		for _, gold := range []any{"1234567", "Answer: C", []any{"98765", "B. Paris"}, 4711} {
			for _, answer := range []string{"", "1234567", "C", "17", "x\nAnswer: C"} {
				v := verdictOf(t, `{"kind":"`+kind+`"}`, textRow(t, answer, gold))
				for _, secret := range []string{"1234567", "Answer: C", "98765", "Paris", "4711"} {
					if strings.Contains(v.Reason, secret) {
						t.Errorf("%s of %q against %v: the reason is %q", kind, answer, gold, v.Reason)
					}
				}
				if v.Reason == "" {
					t.Errorf("%s of %q against %v gives no reason", kind, answer, gold)
				}
			}
		}
	}
}

// TestFailureClasses: an answer without anything to read is no_answer, one over a bound check_limit.
func TestFailureClasses(t *testing.T) {
	for _, c := range []struct {
		kind, answer, gold string
		want               judge.FailureClass
		extracted          any
	}{
		{"exact_match", "", "x", judge.NoAnswer, nil},
		{"exact_match", "y", "x", judge.WrongAnswer, nil},
		{"exact_match", "so\ny", "x", judge.WrongAnswer, "y"},
		{"exact_match", "so\n" + strings.Repeat("é", 200), "x", judge.WrongAnswer, strings.Repeat("é", 100) + "…"},
		{"exact_match", "so\nx", "x", "", "x"},
		{"includes", " ", "x", judge.NoAnswer, nil},
		{"includes", "y", "x", judge.WrongAnswer, nil},
		{"multiple_choice", "none", "B", judge.NoAnswer, nil},
		{"multiple_choice", "Answer: A or B", "B", judge.NoAnswer, nil},
		{"multiple_choice", "Answer: (a)", "B", judge.WrongAnswer, "A"},
		{"multiple_choice", "B", "B", "", "B"},
		{"numeric", "none", "7", judge.NoAnswer, nil},
		{"numeric", "0^-1", "7", judge.NoAnswer, "0^-1"},
		{"numeric", "cost: -$1,234.50 each", "7", judge.WrongAnswer, "-$1,234.50"},
		{"numeric", "1 1/2", "1.5", "", "1 1/2"},
		{"numeric", "10^10^8", "7", judge.CheckLimit, "10^10^8"},
		{"numeric", "2^99999999999999999999", "7", judge.CheckLimit, "2^99999999999999999999"},
		{"numeric", "1 × 10^99999999999999", "7", judge.CheckLimit, "1 × 10^99999999999999"},
		{"numeric", "1/10^10^8", "7", judge.CheckLimit, "1/10^10^8"},
		{"numeric", strings.Repeat("7", 20000), "7", judge.CheckLimit, strings.Repeat("7", 200) + "…"},
	} {
		v := verdictOf(t, `{"kind":"`+c.kind+`"}`, textRow(t, c.answer, c.gold))
		if v.FailureClass != c.want || v.Meta["extracted"] != c.extracted {
			t.Errorf("%s of %.40q: class %q, extracted %v, want %q, %v", c.kind, c.answer, v.FailureClass, v.Meta["extracted"], c.want, c.extracted)
		}
	}
}
