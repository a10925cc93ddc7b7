package codecheck_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
)

// suiteOf puts tests of a language into the form that rows carry.
func suiteOf(t testing.TB, fields map[string]any) codecheck.Tests {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

// Tests of the function double in several languages, one way or another in one process with the program.
var (
	cTests    = map[string]any{"format": "program_append", "code": "#include <assert.h>\nint main(void) { assert(twice(2) == 4); assert(twice(5) == 10); }\n"}
	cppTests  = map[string]any{"format": "program_append", "code": "#undef NDEBUG\n#include <assert.h>\nint main() {\n  assert (twice(2) == 4);\n  assert (twice(5) == 10);\n}\n"}
	rustTests = map[string]any{"format": "program_append", "code": "fn main() {\n    assert_eq!(twice(2), 4);\n    assert_eq!(twice(5), 10);\n}\n"}
	javaTests = map[string]any{"format": "program_append", "code": "public class Main {\n  public static void main(String[] args) {\n    Solution s = new Solution();\n    List<Boolean> correct = Arrays.asList(s.twice(2) == 4, s.twice(5) == 10);\n    if (correct.contains(false)) { throw new AssertionError(); }\n  }\n}\n"}
	goAppend  = map[string]any{"format": "program_append", "code": "func main() {\n\tif Twice(2) != 4 { panic(\"wrong\") }\n\tif Twice(5) != 10 { panic(\"wrong\") }\n}\n"}
	goTests   = map[string]any{"format": "test_files", "solution_file": "twice.go", "run": []string{"go", "test", "./..."}, "files": map[string]string{
		"go.mod": "module twice\n\ngo 1.21\n", "twice_test.go": "package twice\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal(\"two\")\n\t}\n}\n\nfunc TestFive(t *testing.T) {\n\tif Twice(5) != 10 {\n\t\tt.Fatal(\"five\")\n\t}\n}\n"}}
	bashTests = map[string]any{"format": "program_append", "code": "[ \"$(twice 2)\" = 4 ] || exit 1\n[ \"$(twice 5)\" = 10 ] || exit 1\n"}
	tsTests   = map[string]any{"format": "program_append", "code": "import * as assert from 'assert';\nassert.deepEqual(twice(2), 4);\nassert.deepEqual(twice(5), 10);\n"}
	jsTests   = map[string]any{"format": "program_append", "code": "console.assert(twice(2) === 4);\nconsole.assert(twice(5) === 10);\n", "prelude": "console.assert = (c) => { if (!c) throw new Error('no') };"}
)

// unityTests are two tests with Unity, built and run by commands of their own.
func unityTests(t testing.TB) map[string]any {
	t.Helper()
	for _, r := range multilangRows(t, "c") {
		files, _ := r.Privileged.Tests["files"].(map[string]any)
		if files == nil {
			continue
		}
		mine := map[string]any{
			"test_twice.c": "#include \"test-framework/unity.h\"\nint twice(int);\nvoid setUp(void) {}\nvoid tearDown(void) {}\nstatic void test_two(void) { TEST_ASSERT_EQUAL_INT(4, twice(2)); }\nstatic void test_five(void) { TEST_ASSERT_EQUAL_INT(10, twice(5)); }\nint main(void) {\n  UNITY_BEGIN();\n  RUN_TEST(test_two);\n  RUN_TEST(test_five);\n  return UNITY_END();\n}\n",
		}
		for _, name := range []string{"unity.c", "unity.h", "unity_internals.h"} {
			mine["test-framework/"+name] = files["test-framework/"+name]
		}
		return map[string]any{"format": "test_files", "files": mine, "solution_file": "twice.c", "run": []string{"./tests"},
			"build": []string{"gcc", "-std=c99", "-o", "tests", "test_twice.c", "twice.c", "test-framework/unity.c"}}
	}
	t.Fatal("no row with Unity")
	return nil
}

// Programs that want a pass without solving the task are not paid, and honest ones that use the same means are.
func TestForgedPassesAreNotPaid(t *testing.T) {
	r, unity := runner(t), unityTests(t)
	tests := []struct {
		name, language string
		tests          map[string]any
		answer         string
		paid           bool
	}{
		{"C: honest", "c", cTests, "int twice(int n) { return 2 * n; }", true},
		{"C: wrong", "c", cTests, "int twice(int n) { return n + 2; }", false},
		{"C: exit in the call", "c", cTests, "#include <stdlib.h>\nint twice(int n) { exit(0); }", false},
		{"C: before main", "c", cTests, "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\nint twice(int n) { return 0; }", false},
		{"C: honest constructor", "c", cTests, "static int two;\n__attribute__((constructor)) static void f(void) { two = 2; }\nint twice(int n) { return two * n; }", true},
		{"C: abort caught", "c", cTests, "#include <signal.h>\n#include <unistd.h>\nstatic void h(int s) { _exit(0); }\nint twice(int n) { signal(SIGABRT, h); return 0; }", false},
		{"C: exit code mended", "c", cTests, "#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>\nstatic void h(void) { _exit(0); }\nstatic void s(int n) { exit(1); }\nint twice(int n) { atexit(h); signal(SIGABRT, s); return 0; }", false},
		{"C: assert taken away", "c", map[string]any{"format": "program_append", "code": "int main(void) { assert(twice(2) == 4); assert(twice(5) == 10); }\n"}, "#define assert(x) ((void)0)\nint twice(int n) { return 0; }", false},
		{"C++: honest", "cpp", cppTests, "#include <vector>\nint twice(int n) { return 2 * n; }", true},
		{"C++: static object", "cpp", cppTests, "#include <unistd.h>\nstruct S { S() { _exit(0); } } s;\nint twice(int n) { return 0; }", false},
		{"C++: static destructor", "cpp", cppTests, "#include <unistd.h>\n#include <csignal>\n#include <cstdlib>\nstruct S { ~S() { _exit(0); } } s;\nint twice(int n) { std::signal(SIGABRT, [](int) { std::exit(1); }); return 0; }", false},
		{"C++: equal to everything", "cpp", cppTests, "struct Any { template <class T> bool operator==(const T &) const { return true; } };\nAny twice(int n) { return {}; }", false},
		{"C++: a pass line", "cpp", cppTests, "#include <cstdio>\n#include <cstdlib>\nint twice(int n) { puts(\"all tests passed\"); exit(0); }", false},
		{"Rust: honest", "rust", rustTests, "fn twice(n: i64) -> i64 { 2 * n }", true},
		{"Rust: exit", "rust", rustTests, "fn twice(n: i64) -> i64 { std::process::exit(0) }", false},
		{"Rust: the macro replaced", "rust", rustTests, "macro_rules! assert_eq { ($($t:tt)*) => { () } }\nfn twice(n: i64) -> i64 { 0 }", false},
		{"Rust: the panic hook", "rust", rustTests, "fn twice(n: i64) -> i64 { std::panic::set_hook(Box::new(|_| std::process::exit(0))); 0 }", false},
		{"Rust: equal to everything", "rust", rustTests, "#[derive(Debug)] struct Any; impl PartialEq<i32> for Any { fn eq(&self, _: &i32) -> bool { true } }\nfn twice(n: i64) -> Any { Any }", false},
		{"Java: honest", "java", javaTests, "import java.util.*;\nclass Solution { int twice(int n) { return 2 * n; } }", true},
		{"Java: exit", "java", javaTests, "import java.util.*;\nclass Solution { int twice(int n) { System.exit(0); return 0; } }", false},
		{"Java: halt in a static block", "java", javaTests, "import java.util.*;\nclass Solution { static { Runtime.getRuntime().halt(0); } int twice(int n) { return 0; } }", false},
		{"Java: a shutdown hook", "java", javaTests, "import java.util.*;\nclass Solution { int twice(int n) { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); return 0; } }", false},
		{"Java: Arrays replaced", "java", javaTests, "import java.util.List;\nclass Arrays { static List<Boolean> asList(Object... x) { return List.of(true); } }\nclass Solution { int twice(int n) { return 0; } }", false},
		{"Java: the error replaced", "java", javaTests, "import java.util.*;\nclass AssertionError extends RuntimeException { AssertionError() { System.exit(0); } }\nclass Solution { int twice(int n) { return 0; } }", false},
		{"Go appended: honest", "go", goAppend, "package main\n\nfunc Twice(n int) int { return 2 * n }", true},
		{"Go appended: exit", "go", goAppend, "package main\n\nimport \"os\"\n\nfunc Twice(n int) int { os.Exit(0); return 0 }", false},
		{"Go appended: recover", "go", goAppend, "package main\n\nfunc panic(any) {}\nfunc Twice(n int) int { return 0 }", false},
		{"Go: honest", "go", goTests, "package twice\n\nfunc Twice(n int) int { return 2 * n }", true},
		{"Go: wrong", "go", goTests, "package twice\n\nfunc Twice(n int) int { return n + 2 }", false},
		{"Go: exit", "go", goTests, "package twice\n\nimport \"syscall\"\n\nfunc Twice(n int) int { syscall.Exit(0); return 0 }", false},
		{"Go: init", "go", goTests, "package twice\n\nimport \"syscall\"\n\nfunc init() { println(\"PASS\"); syscall.Exit(0) }\nfunc Twice(n int) int { return 0 }", false},
		{"Go: a report", "go", goTests, "package twice\n\nimport (\n\t\"fmt\"\n\t\"syscall\"\n)\n\nfunc Twice(n int) int {\n\tfmt.Print(\"\\x16=== RUN   TestTwo\\n\\x16--- PASS: TestTwo (0.00s)\\n\\x16=== RUN   TestFive\\n\\x16--- PASS: TestFive (0.00s)\\nPASS\\n\")\n\tsyscall.Exit(0)\n\treturn 0\n}", false},
		{"Go: no test asked for", "go", goTests, "package twice\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.run=^$\") }\nfunc Twice(n int) int { return 0 }", false},
		{"Go: honest init", "go", goTests, "package twice\n\nimport \"os\"\n\nvar two int\n\nfunc init() { two = 1 + len(os.Args[:1]) }\nfunc Twice(n int) int { return two * n }", true},
		{"Unity: honest", "c", unity, "#include <stdio.h>\nint twice(int n) { printf(\"twice\"); return 2 * n; }", true},
		{"Unity: wrong", "c", unity, "int twice(int n) { return n + 2; }", false},
		{"Unity: exit", "c", unity, "#include <stdlib.h>\nint twice(int n) { exit(0); }", false},
		{"Unity: a report", "c", unity, "#include <stdio.h>\n#include <unistd.h>\nint twice(int n) { puts(\"test_twice.c:8:test_two:PASS\\ntest_twice.c:9:test_five:PASS\\n\\n-----------------------\\n2 Tests 0 Failures 0 Ignored\\nOK\"); fflush(stdout); _exit(0); }", false},
		{"Unity: before main", "c", unity, "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void f(void) { puts(\"2 Tests 0 Failures 0 Ignored\\nOK\"); fflush(stdout); _exit(0); }\nint twice(int n) { return 0; }", false},
		{"Unity: the counters", "c", unity, "struct UNITY_STORAGE_T; extern char Unity[]; int twice(int n) { for (int i = 40; i < 80; i++) Unity[i] = 0; return 0; }", false},
		{"Unity: failing taken away", "c", unity, "void UnityFail(const char *m, unsigned l) {}\nint twice(int n) { return 0; }", false},
		{"Unity: skipped", "c", unity, "void UnityIgnore(const char *, unsigned);\nint twice(int n) { UnityIgnore(0, 1); return 0; }", false},
		{"Bash: honest", "bash", bashTests, "twice() { echo $((2 * $1)); }", true},
		{"Bash: exit", "bash", bashTests, "exit 0", false},
		{"Bash: test replaced", "bash", bashTests, "[() { return 0; }\ntwice() { echo 0; }", false},
		{"TypeScript: honest", "typescript", tsTests, "const twice = (n: number): number => 2 * n;", true},
		{"TypeScript: honest with a type error", "typescript", tsTests, "const twice = (n: string): number => 2 * n;", true},
		{"TypeScript: exit", "typescript", tsTests, "process.exit(0);\nconst twice = (n: number): number => 0;", false},
		{"TypeScript: return", "typescript", tsTests, "const twice = (n: number): number => 0;\nreturn;", false},
		{"JavaScript: honest", "javascript", jsTests, "const twice = (n) => 2 * n;", true},
		{"JavaScript: exit", "javascript", jsTests, "function twice(n) { process.exit(0); }", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.Toolchain(tt.language); err != nil {
				t.Skip(err)
			}
			rep := check(t, codecheck.Task{Language: tt.language, Answer: tt.answer + "\n", Tests: suiteOf(t, tt.tests)})
			if want := map[bool]float64{true: 1}[tt.paid]; rep.Reward != want || !rep.Status.Judged() {
				t.Errorf("reward %v (%s, %s: %s %s), want %v", rep.Reward, rep.Status, rep.Integrity, rep.Reason, rep.Compiler, want)
			}
			if tt.paid && strings.Contains(tt.name, "honest") && rep.Integrity == codecheck.InProcess {
				t.Errorf("judged %s: no decoy was made", rep.Integrity)
			}
		})
	}
}
