package regexcheck

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCompile looks for patterns that crash the parser or the matcher, and checks what must hold of every answer.
func FuzzCompile(f *testing.F) {
	for _, r := range corpus(f, "semantics.jsonl") {
		f.Add(r.Pattern, r.FinalText, strings.Join(r.Flags, ""))
	}
	f.Fuzz(func(t *testing.T, pattern, text, letters string) {
		flags, err := ParseFlags(letters)
		if err != nil {
			return
		}
		p, err := Compile(pattern, flags)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Pos > len(pattern) {
				t.Fatalf("%v", err)
			}
			return
		}
		m, err := p.Search(text)
		if err != nil {
			return
		}
		size := len(decode(text, nil))
		for _, g := range m.Groups {
			if g.Took && (g.Start < 0 || g.End < g.Start || g.End > size || len(decode(g.Text, nil)) != g.End-g.Start) {
				t.Fatalf("group %+v in %d characters", g, size)
			}
		}
		if full, err := p.FullMatch(text); err == nil && full.Found && !m.Found {
			t.Fatal("all of the text matches, and nothing in it")
		}
	})
}

// FuzzMemory compares plain back-tracking with the memory of failures on generated patterns.
func FuzzMemory(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		for i := range 20 {
			g := newGenerator(r, i%4 == 3)
			pattern, letters := g.pattern(), g.flags()
			flags, _ := ParseFlags(letters)
			p, err := Compile(pattern, flags)
			if err != nil || p.prog.residue {
				continue
			}
			for _, text := range g.texts() {
				plain, err1 := p.runAllowed(text, modeSearch, 1<<40)
				memory, err2 := p.runAllowed(text, modeSearch, -1)
				plain.Steps, memory.Steps = 0, 0
				if err1 == nil && err2 == nil && !reflect.DeepEqual(plain, memory) {
					t.Fatalf("%q %s in %q: plain %+v, memory %+v", pattern, letters, text, plain, memory)
				}
			}
		}
	})
}

// TestAgainstGo compares patterns that mean the same in Go's regexp: ASCII, and no repeat of what can be empty.
func TestAgainstGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	parts := []string{"a", "b", "c", "[ab]", "[^b]", ".", `\d`, `\bab`, "a*", "b+?", "a{1,2}", "(a)", "(a|b)", "(?:ab)+", "(b|ab)*?", "c??", "^", `(?:a|b(c))`, "|", "|"}
	for range 3000 {
		var pattern, text strings.Builder
		for range 1 + r.IntN(6) {
			pattern.WriteString(parts[r.IntN(len(parts))])
		}
		for range r.IntN(12) {
			text.WriteByte("aabbc1 \n"[r.IntN(8)])
		}
		re := regexp.MustCompile(pattern.String())
		want := re.FindStringSubmatchIndex(text.String())
		m, err := mustCompile(t, pattern.String(), "").Search(text.String())
		var got []int
		for _, g := range m.Groups {
			got = append(got, g.Start, g.End)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q in %q: %v, %v, want %v", pattern.String(), text.String(), got, err, want)
		}
	}
}

func TestDecodeAgreesWithGo(t *testing.T) {
	for _, s := range []string{"", "abc", "äöü€😀", "a\xffb", "\xe2\x82", "\xf0\x9f\x98"} {
		if got, want := decode(s, nil), []rune(s); !utf8.ValidString(s) && len(got) != len(want) || utf8.ValidString(s) && string(got) != s {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
