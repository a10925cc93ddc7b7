package codecheck_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

// hello are tests that want the line "hi".
const hello = `{"format": "stdin_stdout", "inputs": ["x\n"], "outputs": ["hi\n"]}`

// What a compiler can be made to do: read the host's files, run programs, fill memory, disk and time. Nothing of it is paid, comes late or
// is shown, and honest programs that use the same means pass.
func TestHostileCompilations(t *testing.T) {
	r := runner(t)
	canary := t.TempDir() + "/canary"
	if err := os.WriteFile(canary, []byte("\"LEAK_HOSTFILE\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cHi := "#include <stdio.h>\nint main(void) { puts(\"hi\"); }\n"
	goHi := "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hi\") }\n"
	javaHi := "public class Main { public static void main(String[] a) { System.out.println(\"hi\"); } }\n"
	tests := []struct {
		name, language, answer string
		paid                   bool
	}{
		{"C: includes a file of the host", "c", "#include <stdio.h>\nconst char *s =\n#include \"" + canary + "\"\n;\nint main(void) { puts(s); }\n", false},
		{"C: includes shadow", "c", "#include \"/etc/shadow\"\n" + cHi, false},
		{"C: includes bytes of the host", "c", "#include <stdio.h>\n__asm__(\".globl s\\ns: .incbin \\\"" + canary + "\\\"\\n.byte 0\\n\");\nextern char s[];\nint main(void) { puts(s); }\n", false},
		{"C: includes an own file", "c", "#include <stdio.h>\n__asm__(\".data\\n.globl s\\ns: .incbin \\\"main.c\\\"\\n.byte 0\\n.text\\n\");\nextern char s[];\nint main(void) { puts(s[0] == '#' ? \"hi\" : \"no\"); }\n", true},
		{"C: a device that never ends", "c", "#include \"/dev/zero\"\n" + cHi, false},
		{"C: a header that includes itself", "c", "#include \"main.c\"\n" + cHi, false},
		{"C: macros that double", "c", "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(B(x)))\nint f(void) { return 0 C(+ 1); }\n" + cHi, false},
		{"C: a huge array in the file", "c", "char big[1L << 31] = {1};\n" + cHi, false},
		{"C: honest macros", "c", "#define A(x) x x x x\nint f(void) { return 0 A(A(+ 1)); }\n" + cHi, true},
		{"C: a plug-in by a pragma", "c", "#pragma GCC optimize \"-fplugin=/work/evil.so\"\n" + cHi, true},
		{"C++: a template that never ends", "cpp", "template <int N> struct F { static const long v = F<N + 1>::v + F<N + 2>::v; };\n#include <cstdio>\nint main() { printf(\"%ld\", F<0>::v); }\n", false},
		{"C++: endless constexpr", "cpp", "constexpr int f(int n) { int s = 0; for (long i = 0; i < 1L << 40; i++) s += i; return s + n; }\n#include <cstdio>\nint main() { constexpr int x = f(1); printf(\"%d\", x); }\n", false},
		{"C++: honest constexpr", "cpp", "#include <cstdio>\nconstexpr int f(int n) { int s = 0; for (int i = 0; i < 100; i++) s += i; return s; }\nstatic_assert(f(1) == 4950);\nint main() { puts(\"hi\"); }\n", true},
		{"Rust: includes a file of the host", "rust", "fn main() { println!(\"{}\", include_str!(\"" + canary + "\")); }\n", false},
		{"Rust: includes its own", "rust", "fn main() { if include_str!(\"main.rs\").len() > 9 { println!(\"hi\"); } }\n", true},
		{"Rust: macros that double", "rust", "macro_rules! m { ($($x:tt)*) => { m!($($x)* $($x)*) } }\nfn main() { m!(a b c d); }\n", false},
		{"Rust: endless const", "rust", "const fn f() -> u64 { let mut i = 0u64; while i < u64::MAX { i += 1; } i }\n#[allow(long_running_const_eval)] const X: u64 = f();\nfn main() { println!(\"{}\", X); }\n", false},
		{"Rust: the environment of the compiler", "rust", "fn main() { println!(\"{}\", option_env!(\"VX_CANARY_ENV\").unwrap_or(\"hi\")); }\n", true},
		{"Go: cgo", "go", "package main\n\n// #cgo CFLAGS: -fplugin=/work/evil.so\n// #include \"/etc/shadow\"\nimport \"C\"\n\nfunc main() { println(C.int(1)) }\n", false},
		{"Go: generate is not run", "go", "package main\n\n//go:generate sh -c \"touch /tmp/verifyd-generated\"\n" + strings.TrimPrefix(goHi, "package main\n"), true},
		{"Go: embeds a file of the host", "go", "package main\n\nimport _ \"embed\"\n\n//go:embed " + canary + "\nvar s string\n\nfunc main() { println(s) }\n", false},
		{"Go: a huge array", "go", "package main\n\nvar big = [1 << 36]byte{1}\n\nfunc main() { println(big[0]) }\n", false},
		{"Go: honest", "go", goHi, true},
		{"Java: an annotation processor is not run", "java", "import javax.annotation.processing.*;\nimport java.util.*;\nimport javax.lang.model.element.*;\n@SupportedAnnotationTypes(\"*\")\npublic class Main extends AbstractProcessor {\n  public boolean process(Set<? extends TypeElement> a, RoundEnvironment e) { System.exit(0); return true; }\n  public static void main(String[] a) { System.out.println(\"hi\"); }\n}\n", true},
		{"Java: deep generics", "java", "import java.util.*;\npublic class Main { static <A, B extends List<? super Map<? super A, ? super B>>> B f(A a) { return null; }\n  public static void main(String[] x) { " + strings.Repeat("f(", 400) + "1" + strings.Repeat(")", 400) + "; System.out.println(\"no\"); } }\n", false},
		{"Java: honest", "java", javaHi, true},
		{"TypeScript: types that never end", "typescript", "type F<N extends any[]> = F<[...N, 1]>;\ntype X = F<[]>;\nconsole.log(\"hi\");\n", true},
		{"TypeScript: a reference to a file", "typescript", "/// <reference path=\"" + canary + "\" />\nconsole.log(\"hi\");\n", true},
		{"TypeScript: imports a file of the host", "typescript", "import x = require(\"" + canary + "\");\nconsole.log(x);\n", false},
		{"Bash: sources a file of the host", "bash", ". " + canary + " 2>&1; cat " + canary + " /etc/shadow 2>&1\n", false},
		{"Bash: honest", "bash", "read x; echo hi\n", true},
		{"JavaScript: reads a file of the host", "javascript", "console.log(require('fs').readFileSync('" + canary + "', 'utf8'))\n", false},
	}
	limits := sandbox.Limits{Wall: 3 * time.Second, CPU: 3 * time.Second, Memory: 256 * sandbox.MiB}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.Toolchain(tt.language); err != nil {
				t.Skip(err)
			}
			rep := check(t, codecheck.Task{Language: tt.language, Answer: tt.answer, Tests: parse(t, hello), Limits: limits})
			if want := map[bool]float64{true: 1}[tt.paid]; rep.Reward != want || !rep.Status.Judged() {
				t.Errorf("reward %v (%s: %s %.300s), want %v", rep.Reward, rep.Status, rep.Reason, rep.Compiler, want)
			}
			if text := fmt.Sprint(rep.Reason, rep.Compiler); strings.Contains(text, "LEAK_") || strings.Contains(text, "root:") {
				t.Errorf("shown: %.300s", text)
			}
			if own := rep.Usage.Own; own > 30*time.Second {
				t.Errorf("own time %v", own)
			}
		})
	}
	t.Cleanup(func() {
		if _, err := os.Stat("/tmp/verifyd-generated"); err == nil {
			t.Error("go generate was run, and outside")
		}
	})
}
