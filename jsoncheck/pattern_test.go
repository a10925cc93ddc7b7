package jsoncheck

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// both compiles a pattern for Go's engine and for the matcher of states and positions.
func both(src string) (fast *regexp.Regexp, slow *program, ok bool) {
	tree, err := parseECMA(src)
	if err != nil {
		return nil, nil, false
	}
	var b strings.Builder
	if !tree.goSyntax(&b) {
		return nil, nil, false
	}
	fast, err = regexp.Compile(b.String())
	if err != nil {
		return nil, nil, false
	}
	var a assembler
	slow, err = a.compile(tree, false)
	return fast, slow, err == nil
}

// slowMatch reports what the matcher says, and whether it stayed within its steps.
func slowMatch(p *program, text string) (match, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if err, is := r.(error); !is || !errors.Is(err, errMatchSteps) {
				panic(r)
			}
			match, ok = false, false
		}
	}()
	return p.matches(text), true
}

// TestBothEnginesAgree compares the engines on made-up patterns; a look-around for each pattern is checked against
// its own definition.
func TestBothEnginesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "[ab]", "[^a]", ".", "(", "(?:", ")", ")", "|", "*", "+", "?", "{2}", "{0,2}", "{1,}", "^", "$", `\b`, `\B`, `\w`, `\s`, "é"}
	texts := []string{"", "a", "b", "ab", "ba", "aab", "abab", "é a", "a b", "aé", "bbbb", "ab ab", "\n"}
	compared := 0
	for range 8_000 {
		var b strings.Builder
		for range 1 + random.IntN(7) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		src := b.String()
		fast, slow, ok := both(src)
		if !ok {
			continue
		}
		compared++
		ahead, behind := assemble(t, "^(?="+src+")"), assemble(t, "(?<="+src+")$")
		for _, text := range texts {
			want := fast.MatchString(text)
			if got, ok := slowMatch(slow, text); !ok || got != want {
				t.Fatalf("%q on %q: got %v, %v, want %v", src, text, got, ok, want)
			}
			begins := mustGo(t, "^(?:"+src+")").MatchString(text)
			if got, ok := slowMatch(ahead, text); !ok || got != begins {
				t.Fatalf("ahead %q on %q: got %v, %v, want %v", src, text, got, ok, begins)
			}
			ends := mustGo(t, "(?:"+src+")$").MatchString(text)
			if got, ok := slowMatch(behind, text); !ok || got != ends {
				t.Fatalf("behind %q on %q: got %v, %v, want %v", src, text, got, ok, ends)
			}
		}
	}
	if compared < 1_000 {
		t.Errorf("only %d patterns were well-formed", compared)
	}
}

func assemble(t *testing.T, src string) *program {
	t.Helper()
	tree, err := parseECMA(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	var a assembler
	p, err := a.compile(tree, false)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return p
}

func mustGo(t *testing.T, src string) *regexp.Regexp {
	t.Helper()
	fast, _, ok := both(src)
	if !ok {
		t.Fatalf("%s does not compile", src)
	}
	return fast
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"^a{2}$", `(?=a)\w|[^b-d]`, `\u{1F600}\p{L}`, "(a|b)*?c", `(?<!x)y`} {
		f.Add(s, "aab c")
	}
	f.Fuzz(func(t *testing.T, src, text string) {
		p, err := compilePattern(src)
		if err != nil || p.err != nil {
			return
		}
		if fast, slow, ok := both(src); ok {
			if got, ok := slowMatch(slow, text); ok && got != fast.MatchString(text) {
				t.Fatalf("%q on %q: %v", src, text, got)
			}
		} else if p.code != nil {
			slowMatch(p.code, text)
		}
	})
}
