package regexcheck

import (
	"regexp"
	"strings"
	"testing"
)

// benchPatterns are one pattern of each kind with what makes a text of filler match at its end. goSyntax is what Go's regexp is
// given instead, "" where it has no such thing.
var benchPatterns = []struct{ name, pattern, flags, hit, goSyntax string }{
	{"literal", `quick brown`, "", "quick brown", `quick brown`},
	{"ignore case", `the answer`, "I", "The ANSWER", `(?i)the answer`},
	{"alternation", `apple|banana|cherry`, "", "cherry", `apple|banana|cherry`},
	{"class", `[A-Z][0-9]{2}`, "", "Q42", `[A-Z][0-9]{2}`},
	{"lazy", `<b>.*?</b>`, "", "<b>x</b>", `<b>.*?</b>`},
	{"counted group", `(?:\d{1,3}\.){3}\d{1,3}`, "", "10.0.0.1", `(?:\d{1,3}\.){3}\d{1,3}`},
	{"anchors", `^end: \w+$`, "M", "\nend: ok\n", `(?m)^end: \w+$`},
	{"look-ahead", `\w+(?=!)`, "", "yes!", ""},
	{"look-behind", `(?<=\$)\d+`, "", "$15", ""},
	{"back-reference", `\b(\w+) \1\b`, "", "the the ", ""},
	{"boxed", `\\boxed\{([^{}]*)\}`, "", `\boxed{42}`, `\\boxed\{([^{}]*)\}`},
	{"unicode word", `(\w+)@(\w+)`, "", "über@größe", `([\pL\pN_]+)@([\pL\pN_]+)`},
}

var benchFiller = strings.Repeat("Lorem ipsum dolor sit amet, consectetur adipiscing elit; sed do eiusmod tempor 7 incididunt.\n", 11)[:999] + "\n"

func BenchmarkSearch(b *testing.B) {
	for _, bp := range benchPatterns {
		f, err := ParseFlags(bp.flags)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Compile(bp.pattern, f)
		if err != nil {
			b.Fatal(err)
		}
		for _, text := range []struct{ name, text string }{{"hit", benchFiller + bp.hit}, {"miss", benchFiller}} {
			b.Run(bp.name+"/"+text.name, func(b *testing.B) {
				for b.Loop() {
					if m, err := p.Search(text.text); err != nil || m.Found != (text.name == "hit") {
						b.Fatal(m, err)
					}
				}
			})
			if bp.goSyntax == "" {
				continue
			}
			b.Run(bp.name+"/"+text.name+"/go", func(b *testing.B) {
				re := regexp.MustCompile(bp.goSyntax)
				for b.Loop() {
					re.FindStringSubmatchIndex(text.text)
				}
			})
		}
	}
}
