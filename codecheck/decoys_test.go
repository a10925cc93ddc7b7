package codecheck

import (
	"archive/tar"
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/verifyd/verifyd/sandbox"
)

// appendedOf is how tests stand behind a program of a language.
func appendedOf(t *testing.T, language string) Appended {
	t.Helper()
	l, ok := FindLanguage(Languages(), language)
	if !ok {
		t.Fatalf("no language %s", language)
	}
	return l.Appended
}

func TestDecoysChangeWhatIsExpected(t *testing.T) {
	tests := []struct{ name, language, tests, want string }{
		{"a number", "cpp", "assert (f(2) == 4);", "assert (f(2) == 5);"},
		{"several", "cpp", "assert(f(1) == 1.5 && g(2) == 'a');", "assert(f(1) == 2.5 && g(2) == 'x');"},
		{"a text", "cpp", `assert (f("a==b") == "x\"y");`, `assert (f("a==b") == "xx\"y");`},
		{"a raw text", "cpp", `assert (f(1) == R"(a)b)");`, `assert (f(1) == R"(xa)b)");`},
		{"a list", "cpp", "assert (f(1) == vector<int>({1, 2}));", "assert (f(1) == vector<int>({2, 3}));"},
		{"what a function gives is left", "cpp", "assert (f(1) == abs(3)); assert (f(2) == true);", "assert (f(1) == abs(3)); assert (f(2) == false);"},
		{"what is computed is left", "cpp", "assert (f(1) == 7 % 2); assert (f(2) == 9);", "assert (f(1) == 7 % 2); assert (f(2) == 8);"},
		{"helpers are left", "cpp", "if (a.size() == 0) return true; assert(f(1) == 3);", "if (a.size() == 0) return true; assert(f(1) == 4);"},
		{"else the sense", "cpp", "assert (same(f(1), g(2)));", "assert (!(same(f(1), g(2))));"},
		{"a condition", "cpp", "int main() { if (f(2) != 4) return 1; }", "int main() { if (f(2) != 5) return 1; }"},
		{"comments are no tests", "cpp", "// assert(f(1) == 2)\n/* assert(f(1) == 2) */ assert(f(1) == 2);", "// assert(f(1) == 2)\n/* assert(f(1) == 2) */ assert(f(1) == 3);"},
		{"Rust's macro", "rust", `assert_eq!(f(vec![1, 2]), vec![3, 4]);`, `assert_eq!(f(vec![1, 2]), vec![4, 5]);`},
		{"an owned text", "rust", `assert_eq!(f("a"), String::from("b"));`, `assert_eq!(f("a"), String::from("xb"));`},
		{"a lifetime is no character", "rust", "fn x<'a>(s: &'a str) {} assert_eq!(f('b'), 'c');", "fn x<'a>(s: &'a str) {} assert_eq!(f('b'), 'x');"},
		{"a lone claim", "rust", "assert!(f(3));", "assert!(!(f(3)));"},
		{"Java's lists", "java", "Arrays.asList(s.f(5) == 5, s.g(1).equals(Arrays.asList(1, 2)))", "Arrays.asList(s.f(5) == 6, s.g(1).equals(Arrays.asList(2, 3)))"},
		{"what is thrown", "java", "if (correct.contains(false)) {\n throw new AssertionError(); }", "if (!(correct.contains(false))) {\n throw new AssertionError(); }"},
		{"Go's conditions", "go", "if f(2) != 4 {\n\tpanic(1)\n}", "if f(2) != 5 {\n\tpanic(1)\n}"},
		{"Bash's", "bash", `[ "$(f 2)" = 4 ] || exit 1`, `[ "$(f 2)" = 5 ] || exit 1`},
		{"nothing", "cpp", "int main() { run(); }", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := appendedOf(t, tt.language).decoy(tt.tests)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMarksStandAtTheEnd(t *testing.T) {
	c, _ := appendedOf(t, "c").mark("int main ( int n, char **v )\n{ if (n) { return 0; } f(\"}\"); /* } */ }\n", "M")
	for _, want := range []string{"int tm ( int n, char **v )", "/* } */ return 0;}", "int r = tm(n, v);", `"/work/M"`} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
	java, _ := appendedOf(t, "java").mark("public class Main {\n  public static void main(String[] a) throws Exception { }\n}", "M")
	if !strings.Contains(java, "{ tm(a); new java.io.File") || !strings.Contains(java, "public static void tm(String[] a) throws Exception") {
		t.Error(java)
	}
	if _, ok := appendedOf(t, "java").mark("class X {}", "M"); ok {
		t.Error("a text without an entry was marked")
	}
}

func TestBuildCacheCompilesOnce(t *testing.T) {
	var c buildCache
	var once sync.WaitGroup
	ok := built{files: []sandbox.File{{Name: "main"}}, res: sandbox.Result{Status: sandbox.OK}}
	for range 8 {
		once.Go(func() {
			if b, _, err := c.get(context.Background(), buildKey{1}, func() (built, error) { return ok, nil }); err != nil || len(b.files) != 1 {
				t.Error(b, err)
			}
		})
	}
	once.Wait()
	late := built{res: sandbox.Result{Status: sandbox.Timeout}}
	for range 2 {
		if _, _, err := c.get(t.Context(), buildKey{2}, func() (built, error) { return late, nil }); err != nil {
			t.Error(err)
		}
	}
	if c.made != 3 {
		t.Errorf("%d compilations, want 1 and 2: what met a limit is not kept", c.made)
	}
	big := built{files: []sandbox.File{{Name: "main", Data: make([]byte, maxBuilt/3)}}, res: sandbox.Result{Status: sandbox.OK}}
	for i := range 4 {
		_, _, _ = c.get(t.Context(), buildKey{byte(10 + i)}, func() (built, error) { return big, nil })
	}
	if c.size > maxBuilt || c.order.Len() != len(c.known) {
		t.Errorf("%d bytes, %d and %d entries", c.size, c.order.Len(), len(c.known))
	}
}

func TestUnpackBelievesNothing(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "./Main.class", Mode: 0o644, Size: 2}, {Name: "./sub/t", Mode: 0o755, Size: 2}, {Name: "./Main.java", Size: 2}, {Name: "../up", Size: 2},
		{Name: "/abs", Size: 2}, {Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, {Name: "./Main.class", Size: 2},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			_, _ = w.Write([]byte("xy"))
		}
	}
	_ = w.Close()
	var names []string
	for _, f := range unpack(b.Bytes(), []sandbox.File{{Name: "/work/Main.java"}}) {
		names = append(names, f.Name)
		if !f.ReadOnly || f.Exec != (f.Name == "sub/t") {
			t.Errorf("%+v", f)
		}
	}
	if want := []string{"Main.class", "sub/t"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if got := unpack(b.Bytes()[:600], nil); len(got) > 1 {
		t.Errorf("of half an archive: %v", got)
	}
}

func TestComplaintsHideTests(t *testing.T) {
	l, _ := FindLanguage(Languages(), "cpp")
	j := &judgement{lang: l, task: Task{Tests: Tests{Format: ProgramAppend, Code: "int main() { assert(f(secret)); }", Prelude: "int a;\nint b;"}}}
	j.rep.Extracted = "int f() {\n  return x;\n}"
	res := sandbox.Result{Stderr: sandbox.Output{Data: []byte("main.cpp: In function 'int f()':\nmain.cpp:4:10: error: 'x' was not declared\n    4 |   return x;\nmain.cpp:7:20: error: too many arguments secret\n")}}
	if got, want := j.complaint(res), "main.cpp:2:10: error: 'x' was not declared"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	j.task.Tests = Tests{Format: StdinStdout}
	if got := j.complaint(res); !strings.Contains(got, "secret") {
		t.Errorf("got %q: all of it is the candidate's", got)
	}
}
