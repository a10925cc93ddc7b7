package regexcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// pythonPatterns is how many generated patterns are compared with CPython; REGEXCHECK_PATTERNS asks for more. The comparison is made
// where python3 is version 3.11, and nowhere else.
const pythonPatterns = 2000

// A python is a running oracle.
type python struct {
	in  io.WriteCloser
	out *bufio.Reader
}

type pythonAnswer struct {
	Error  *string
	Pos    *int
	Slow   bool
	Groups int
	Names  map[string]int
	Out    []any
}

func startPython(t *testing.T) *python {
	t.Helper()
	v, err := exec.Command("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if err != nil || strings.TrimSpace(string(v)) != "3.11" {
		t.Skip("needs python3 of version 3.11")
	}
	cmd := exec.Command("python3", "testdata/oracle.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &python{in, bufio.NewReader(out)}
}

func (p *python) ask(t *testing.T, pattern, flags string, texts []string) pythonAnswer {
	t.Helper()
	q, err := json.Marshal(map[string]any{"p": pattern, "f": flags, "t": texts})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.in.Write(append(q, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var a pythonAnswer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// spans returns the answer in the oracle's form.
func spansOf(m Match) any {
	if !m.Found {
		return nil
	}
	var out []any
	for _, g := range m.Groups {
		out = append(out, []any{float64(g.Start), float64(g.End)})
	}
	return out
}

// compare asks both about one pattern and returns what differs, "" if nothing does.
func compare(t *testing.T, py *python, pattern, flags string, texts []string) string {
	t.Helper()
	want := py.ask(t, pattern, flags, texts)
	if want.Slow {
		return ""
	}
	f, err := ParseFlags(flags)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(pattern, f)
	if (err != nil) != (want.Error != nil) {
		w := "none"
		if want.Error != nil {
			w = *want.Error
		}
		return fmt.Sprintf("error %v, want %s", err, w)
	}
	if err != nil {
		return compareErrors(err.(*SyntaxError), want)
	}
	if p.NumGroups() != want.Groups || len(p.index) != len(want.Names) {
		return fmt.Sprintf("%d groups, %v, want %d, %v", p.NumGroups(), p.index, want.Groups, want.Names)
	}
	for i, w := range want.Out {
		text, how := texts[i/3], mode(i%3)
		if w == "broken" {
			continue
		}
		for _, plain := range []int64{plainSteps, -1} {
			if plain < 0 && p.prog.residue {
				continue
			}
			m, err := p.runAllowed(text, how, plain)
			if got := spansOf(m); err != nil || !reflect.DeepEqual(got, w) {
				return fmt.Sprintf("mode %d (memory %v) of %q: %v, %v, want %v", how, plain < 0, text, got, err, w)
			}
		}
	}
	return ""
}

func compareErrors(got *SyntaxError, want pythonAnswer) string {
	pos := -1
	if want.Pos != nil {
		pos = *want.Pos
	}
	if got.Pos != pos {
		return fmt.Sprintf("error %v at %d, want %s at %d", got.Msg, got.Pos, *want.Error, pos)
	}
	return ""
}

// TestAgainstPython compares generated patterns and texts with CPython, once with plain back-tracking and once with memory.
func TestAgainstPython(t *testing.T) {
	py := startPython(t)
	n := pythonPatterns
	if s := os.Getenv("REGEXCHECK_PATTERNS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	seed, _ := strconv.ParseUint(os.Getenv("REGEXCHECK_SEED"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 1))
	bad := 0
	for i := range n {
		g := newGenerator(r, i%4 == 3)
		pattern, flags := g.pattern(), g.flags()
		if i%5 == 4 {
			pattern = g.mangle(pattern)
		}
		if diff := compare(t, py, pattern, flags, g.texts()); diff != "" {
			t.Errorf("%q %s: %s", pattern, flags, diff)
			if bad++; bad > 30 {
				t.Fatal("too many differences")
			}
		}
	}
}

// TestExhaustiveAgainstPython compares every pattern of a few signs with CPython on every short text. It takes minutes, so it is
// run on request only: REGEXCHECK_EXHAUSTIVE holds the signs, such as "ab()|*?", and REGEXCHECK_LENGTH how many.
func TestExhaustiveAgainstPython(t *testing.T) {
	signs := os.Getenv("REGEXCHECK_EXHAUSTIVE")
	if signs == "" {
		t.Skip("REGEXCHECK_EXHAUSTIVE is not set")
	}
	length, err := strconv.Atoi(os.Getenv("REGEXCHECK_LENGTH"))
	if err != nil {
		t.Fatal(err)
	}
	py := startPython(t)
	texts := []string{"", "a", "b", "aa", "ab", "ba", "aab", "aba", "abb", "baa", "aaab", "abab"}
	digits := make([]int, 0, length)
	for count := 0; len(digits) <= length; count++ {
		var b strings.Builder
		for _, d := range digits {
			b.WriteByte(signs[d])
		}
		if diff := compare(t, py, b.String(), "", texts); diff != "" {
			t.Errorf("%q: %s", b.String(), diff)
		}
		i := 0
		for ; i < len(digits); i++ {
			if digits[i]++; digits[i] < len(signs) {
				break
			}
			digits[i] = 0
		}
		if i == len(digits) {
			digits = append(digits, 0)
		}
	}
}
