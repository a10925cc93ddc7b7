package regexcheck

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func mustCompile(t testing.TB, pattern, flags string) *Pattern {
	t.Helper()
	f, err := ParseFlags(flags)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pattern, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseFlags(t *testing.T) {
	for _, c := range []struct {
		name, letters, want string
		bad                 bool
	}{
		{"no letters are no flags", "", "", false},
		{"order does not matter", "XI", "IX", false},
		{"a letter may come twice", "MM", "M", false},
		{"all letters", "AXSMI", "IMSXA", false},
		{"lower case is refused", "i", "", true},
		{"L is refused", "L", "", true},
	} {
		got, err := ParseFlags(c.letters)
		if got.String() != c.want || (err != nil) != c.bad {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestGroupsAndNames(t *testing.T) {
	p := mustCompile(t, `(?P<a>x)|(y)(?P<größe>z)?`, "")
	if p.NumGroups() != 3 || !reflect.DeepEqual(p.GroupNames(), []string{"", "a", "", "größe"}) {
		t.Errorf("%d groups %q", p.NumGroups(), p.GroupNames())
	}
	if i, ok := p.GroupIndex("größe"); i != 3 || !ok {
		t.Errorf("group größe is %d, %v", i, ok)
	}
	if _, ok := p.GroupIndex("b"); ok {
		t.Error("there is no group b")
	}
	m, err := p.Search("äöyz")
	want := Match{Found: true, Steps: m.Steps, Groups: []Group{
		{Text: "yz", Start: 2, End: 4, Took: true},
		{Name: "a", Start: -1, End: -1},
		{Text: "y", Start: 2, End: 3, Took: true},
		{Name: "größe", Text: "z", Start: 3, End: 4, Took: true},
	}}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestNoMatch(t *testing.T) {
	m, err := mustCompile(t, "a", "").Search("b")
	if s, e := m.Span(); err != nil || m.Found || s != -1 || e != -1 || m.Groups != nil {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestTextsThatAreNoUTF8(t *testing.T) {
	for _, c := range []struct {
		name, pattern, text string
		start, end          int
	}{
		{"a surrogate of three bytes is one character", `\ud800x`, "ä\xed\xa0\x80x", 1, 3},
		{"a surrogate in the pattern itself", "\xed\xa0\x80", "a\xed\xa0\x80", 1, 2},
		{"a pair of them is two", `^..$`, "\xed\xa0\xbd\xed\xb8\x80", 0, 2},
		{"a stray byte is one replacement character", `\ufffd`, "a\xff", 1, 2},
		{"cut off in the middle", `..$`, "\xe2\x82", 0, 2},
		{"the character U+FFFD", "\ufffd+", "a\xff\ufffd", 1, 3},
	} {
		m, err := mustCompile(t, c.pattern, "").Search(c.text)
		if s, e := m.Span(); err != nil || s != c.start || e != c.end {
			t.Errorf("%s: %d, %d, %v, want %d, %d", c.name, s, e, err, c.start, c.end)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		pattern, want string
		pos           int
	}{
		{"a(b", "missing ), unterminated subpattern", 1},
		{"a)", "unbalanced parenthesis", 1},
		{"a**", "multiple repeat", 2},
		{"*a", "nothing to repeat", 0},
		{"^*", "nothing to repeat", 1},
		{"[b-a]", "bad character range b-a", 1},
		{"[a", "unterminated character set", 0},
		{`(?<=a+)b`, "look-behind requires fixed-width pattern", -1},
		{"a(?i)b", "global flags not at the start of the expression", 1},
		{`\1(a)`, "invalid group reference 1", 1},
		{`(a\1)`, "cannot refer to an open group", 2},
		{`(?(2)a)`, "invalid group reference 2", 3},
		{`\q`, `bad escape \q`, 0},
		{`a\`, "bad escape (end of pattern)", 1},
		{"a{2,1}", "min repeat greater than max repeat", 2},
		{"a{4294967295}", "the repetition number is too large", -1},
		{"(?L)a", "bad inline flags: cannot use 'L' flag with a str pattern", 3},
		{`\N{NO SUCH}`, `undefined character name "NO SUCH"`, 0},
		{strings.Repeat("(", 600) + strings.Repeat(")", 600), "groups nested too deeply", 500},
	} {
		_, err := Compile(c.pattern, 0)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Msg != c.want || syntax.Pos != c.pos {
			t.Errorf("%.20q: %v, want %s at %d", c.pattern, err, c.want, c.pos)
		}
	}
}

// TestStepBound asks for what is exponential or of a high power even with memory, and expects the same end each time.
func TestStepBound(t *testing.T) {
	for _, c := range []struct{ name, pattern, text string }{
		{"groups referred to later", `(a*)(a*)(a*)(a*)(a*)b\1\2\3\4\5$`, strings.Repeat("a", 300) + "b"},
		{"many empty rounds", `(?:){4294967294}`, ""},
		{"limited repeats within each other", `(?:(?:a{0,50}){0,50}){0,50}$`, strings.Repeat("a", 3000) + "!"},
	} {
		p := mustCompile(t, c.pattern, "")
		first, err := p.Search(c.text)
		if !errors.Is(err, ErrSteps) || first.Found {
			t.Errorf("%s: %+v, %v, want ErrSteps", c.name, first, err)
		}
		if over := first.Steps - p.Bound(len(c.text)); over < 0 || over > 1<<16 {
			t.Errorf("%s: given up after %d steps, bound %d", c.name, first.Steps, p.Bound(len(c.text)))
		}
		if again, _ := p.Search(c.text); again.Steps != first.Steps {
			t.Errorf("%s: %d steps, then %d", c.name, first.Steps, again.Steps)
		}
	}
}

// TestDeepTexts makes choices at each of many positions: a recursive matcher would use up its stack.
func TestDeepTexts(t *testing.T) {
	text := strings.Repeat("ab", 300_000)
	for _, pattern := range []string{`(?:a|b)*$`, `(a|b)*$`, `(?:(a)|(b))*?$`, `^(?:a|b|ab)*+$`, `(?s:(?=.)(?:a|b))+\Z`} {
		m, err := mustCompile(t, pattern, "").Search(text)
		if _, end := m.Span(); err != nil || end != len(text) {
			t.Errorf("%s: %d, %v", pattern, end, err)
		}
	}
}

// TestLongPatterns builds patterns that are long, and asks them.
func TestLongPatterns(t *testing.T) {
	for _, c := range []struct{ name, pattern string }{
		{"alternatives", "(?i)(?:" + strings.Repeat("abcdq|", 10_000) + "x)"},
		{"groups", strings.Repeat("(a)?", 15_000)},
		{"references", "(a)" + strings.Repeat(`(?:\1|b)*`, 7_000)},
		{"nested loops", strings.Repeat("(?:", 490) + "a|b" + strings.Repeat(")*", 490)},
		{"sets without regard to case", "(?i)" + strings.Repeat(`[\u0000-\uffff]`, 4_000)},
	} {
		p := mustCompile(t, c.pattern, "")
		if _, err := p.Search(strings.Repeat("a", 1000) + "!"); err != nil && !errors.Is(err, ErrSteps) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestFormatPatternNeedsDotAll is a public report (StarsfieldAI/R1-V 65): without S, a dot stops at the first line of the reasoning.
func TestFormatPatternNeedsDotAll(t *testing.T) {
	const pattern, text = `<think>.*?</think>\s*<answer>.*?</answer>`, "<think>a\nb</think><answer>1</answer>"
	for flags, want := range map[string]bool{"": false, "I": false, "S": true} {
		if m, err := mustCompile(t, pattern, flags).FullMatch(text); err != nil || m.Found != want {
			t.Errorf("flags %q: %v, %v, want %v", flags, m.Found, err, want)
		}
	}
}

// TestConcurrentUse asks one pattern from many goroutines.
func TestConcurrentUse(t *testing.T) {
	p := mustCompile(t, `(\w+) (?=\1)`, "I")
	done := make(chan string)
	for i := range 8 {
		go func() {
			text := strings.Repeat("x", i+1) + " " + strings.Repeat("x", i+1)
			for range 200 {
				if m, err := p.Search(text); err != nil || m.Groups[1].Text != text[:i+1] {
					done <- text
					return
				}
			}
			done <- ""
		}()
	}
	for range 8 {
		if text := <-done; text != "" {
			t.Errorf("wrong answer in %q", text)
		}
	}
}
