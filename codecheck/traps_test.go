package codecheck_test

import (
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox"
)

// What languages and their tools do unexpectedly.
func TestTrapsOfLanguages(t *testing.T) {
	r := runner(t)
	echo := `{"format": "stdin_stdout", "inputs": ["one\r\ntwo\r\n"], "outputs": ["one\ntwo\n"]}`
	hi := `{"format": "stdin_stdout", "inputs": [""], "outputs": ["hi"]}`
	long := strings.Repeat("a", 4096)
	tests := []struct {
		name, language, answer, tests string
		want                          codecheck.Status
	}{
		{"Java: a public class of another name", "java", "public class Answer { public static void main(String[] a) { System.out.println(\"hi\"); } }", hi, codecheck.Passed},
		{"Java: main in a class that is not public", "java", "class Helper { }\nclass Run { static String s = \"class X {\"; public static void main(String... a) { System.out.println(\"hi\"); } }", hi, codecheck.Passed},
		{"Java: a package", "java", "package a.b;\npublic class Main { public static void main(String[] a) { System.out.println(\"hi\"); } }", hi, codecheck.Passed},
		{"Java: records and nested classes", "java", "public class Main { record P(int x) {}\n static class Q { P p = new P(1); }\n public static void main(String[] a) { if (new Q().p.x() == 1) System.out.println(\"hi\"); } }", hi, codecheck.Passed},
		{"Java: a deep recursion has room", "java", "public class Main { static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } public static void main(String[] a) { if (f(200000) == 200000) System.out.println(\"hi\"); } }", hi, codecheck.Passed},
		{"Rust: what its edition allows", "rust", "async fn f() {}\nfn main() { let v: Vec<i32> = [1, 2].into_iter().collect(); let Some(x) = v.first() else { return }; if *x == 1 { let y = 3; println!(\"{}\", if y == 3 { \"hi\" } else { \"\" }); } }", hi, codecheck.Passed},
		{"C: no newline at the end", "c", "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; } // end", hi, codecheck.Passed},
		{"C: line ends of Windows", "c", "#include <stdio.h>\r\n#define TWO 1 + \\\r\n 1\r\nint main(void) { puts(TWO == 2 ? \"hi\" : \"no\"); return 0; }\r\n", hi, codecheck.Passed},
		{"Bash: line ends of Windows", "bash", "if true; then\r\n  echo hi\r\nfi\r\n", hi, codecheck.Passed},
		{"C: mathematics and threads are linked", "c", "#include <stdio.h>\n#include <math.h>\n#include <pthread.h>\nstatic void *f(void *x) { *(double *)x = sqrt(*(double *)x); return 0; }\nint main(int n, char **v) { double d = n * 4; pthread_t t; pthread_create(&t, 0, f, &d); pthread_join(t, 0); puts(d == 2 ? \"hi\" : \"no\"); }", hi, codecheck.Passed},
		{"C++: a large header", "cpp", "#include <bits/stdc++.h>\nusing namespace std;\nint main() { cout << \"hi\" << endl; }", hi, codecheck.Passed},
		{"C: ends before it reads its input", "c", "#include <stdio.h>\nint main(void) { puts(\"hi\"); }", `{"format": "stdin_stdout", "inputs": ["` + strings.Repeat(long, 64) + `"], "outputs": ["hi"]}`, codecheck.Passed},
		{"Bash: ends before it reads its input", "bash", "echo hi", `{"format": "stdin_stdout", "inputs": ["` + strings.Repeat(long, 64) + `"], "outputs": ["hi"]}`, codecheck.Passed},
		{"C: line ends of Windows in the output", "c", "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }", echo, codecheck.Passed},
		{"JavaScript: line ends of Windows", "javascript", "const l = require('fs').readFileSync(0, 'utf8').split(/\\r?\\n/)\r\nconsole.log(l[0] + '\\n' + l[1])\r\n", echo, codecheck.Passed},
		{"Bash: output of exactly the limit", "bash", "head -c 4096 /dev/zero | tr '\\0' a", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["` + long + `"]}`, codecheck.Passed},
		{"Bash: output of one more", "bash", "head -c 4097 /dev/zero | tr '\\0' a", `{"format": "stdin_stdout", "inputs": [""], "outputs": ["` + long + `"]}`, codecheck.OutputLimit},
		{"Node: console.assert that fails goes on", "javascript", "console.assert(false); console.log('hi')", hi, codecheck.Passed},
		{"TypeScript: a type error does not count", "typescript", "const x: number = 'hi'; console.log(x)", hi, codecheck.Passed},
		{"TypeScript: unless asked", "typescript", "const x: number = 'hi'; console.log(x)", strings.Replace(hi, "{", `{"strict": true, `, 1), codecheck.CompileError},
		{"TypeScript: and then right ones pass", "typescript", "const x: string = 'hi'; console.log(x)", strings.Replace(hi, "{", `{"strict": true, `, 1), codecheck.Passed},
		{"TypeScript: enumerations and namespaces are emitted", "typescript", "enum E { A = 1, B }\nnamespace N { export const x = E.B }\nclass P { constructor(public x: number) {} }\nconsole.log(new P(N.x).x === 2 ? 'hi' : 'no')", hi, codecheck.Passed},
		{"Go: unused is an error", "go", "package main\n\nimport \"os\"\n\nfunc main() { println(1) }", hi, codecheck.CompileError},
		{"Go: the program's own memory limit", "go", "package main\n\nimport \"fmt\"\n\nvar keep []byte\n\nfunc main() {\n\tfor i := 0; i < 3000; i++ {\n\t\tkeep = make([]byte, 1<<20)\n\t}\n\tfmt.Println(\"hi\")\n}", hi, codecheck.Passed},
		{"Bash: what its commands say together", "bash", "echo out; echo err >&2; exit 3", `{"format": "cli_cases", "solution_file": "x.sh", "run": ["bash", "x.sh"], "cases": [{"args": [], "exit": 3, "output": "out\nerr", "output_mode": "equal"}]}`, codecheck.Passed},
		{"a command with arguments", "bash", "echo \"$2-$1\"", `{"format": "cli_cases", "cases": [{"args": ["a b", "*"], "exit": "zero", "output": "^\\*-a b$", "output_mode": "regexp"}]}`, codecheck.Passed},
		{"a command in C", "c", "#include <stdio.h>\nint main(int n, char **v) { puts(v[1]); return n; }", `{"format": "cli_cases", "cases": [{"args": ["x"], "exit": "nonzero", "output": "x"}]}`, codecheck.Passed},
		{"a wrong exit code", "bash", "echo a", `{"format": "cli_cases", "cases": [{"args": [], "exit": "nonzero", "output": "a"}]}`, codecheck.TestsFailed},
		{"a tool that is none of the language's", "c", "int main(void) {}", `{"format": "stdin_stdout", "inputs": [""], "outputs": [""], "file": "a.c", "build": ["make"], "run": ["./a"]}`, codecheck.BrokenTests},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := r.Toolchain(tt.language); err != nil {
				t.Skip(err)
			}
			limits := sandbox.Limits{Wall: 10 * time.Second}
			if strings.Contains(tt.name, "output of") {
				limits.Output = 4096
			}
			rep := check(t, codecheck.Task{Language: tt.language, Answer: tt.answer, Tests: parse(t, tt.tests), Limits: limits})
			if rep.Status != tt.want {
				t.Errorf("got %s (%s %.300s), want %s", rep.Status, rep.Reason, rep.Compiler, tt.want)
			}
		})
	}
}

// Names of tests are those of their framework, where it is known.
func TestFrameworksNameTheirTests(t *testing.T) {
	r := runner(t)
	cargo := map[string]any{"format": "test_files", "solution_file": "src/lib.rs", "run": []string{"cargo", "test"}, "files": map[string]string{
		"Cargo.toml": "[package]\nname = \"twice\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "tests/twice.rs": "use twice::*;\n\n#[test]\nfn two() {\n    assert_eq!(twice(2), 4);\n}\n\n#[test]\nfn five() {\n    assert_eq!(twice(5), 10);\n}\n"}}
	rustc := map[string]any{"format": "test_files", "solution_file": "twice.rs", "build": []string{"rustc", "--edition", "2021", "--test", "-o", "t", "test.rs"}, "run": []string{"./t"}, "files": map[string]string{
		"test.rs": "mod twice;\n\n#[test]\nfn two() {\n    assert_eq!(twice::twice(2), 4);\n}\n\n#[test]\nfn five() {\n    assert_eq!(twice::twice(5), 10);\n}\n"}}
	bats := map[string]any{"format": "test_files", "solution_file": "twice.sh", "run": []string{"bats", "twice.bats"}, "files": map[string]string{
		"twice.bats": "#!/usr/bin/env bats\n\n@test \"two\" {\n  run bash twice.sh 2\n  [ \"$output\" = 4 ]\n}\n\n@test \"five\" {\n  run bash twice.sh 5\n  [ \"$output\" = 10 ]\n}\n"}}
	rust := "pub fn twice(n: i32) -> i32 { 2 * n }\n"
	tests := []struct {
		name, language string
		tests          map[string]any
		answer         string
		passed         string // names of tests that passed
	}{
		{"cargo test", "rust", cargo, rust, "two five"},
		{"cargo test, one wrong", "rust", cargo, strings.Replace(rust, "2 * n", "n + 2", 1), "two"},
		{"cargo test, forged", "rust", cargo, "pub fn twice(n: i32) -> i32 { println!(\"\\ntest two ... ok\\ntest five ... ok\"); std::process::exit(0) }\n", ""},
		{"rustc --test", "rust", rustc, rust, "two five"},
		{"rustc --test, one wrong", "rust", rustc, strings.Replace(rust, "2 * n", "n + 2", 1), "two"},
		{"bats", "bash", bats, "echo $((2 * $1))", "two five"},
		{"bats, one wrong", "bash", bats, "echo $(($1 + 2))", "two"},
		{"unity", "c", unityTests(t), "int twice(int n) { return 2 * n; }", "test_two test_five"},
		{"go test", "go", goTests, "package twice\n\nfunc Twice(n int) int { return n + 2 }", "TestTwo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			chain, err := r.Toolchain(tt.language)
			if err != nil {
				t.Skip(err)
			}
			if tool := tt.tests["run"].([]string)[0]; !strings.HasPrefix(tool, "./") && chain.Tools[tool] == nil {
				t.Skipf("%s is not here", tool)
			}
			rep := check(t, codecheck.Task{Language: tt.language, Answer: tt.answer, Tests: suiteOf(t, tt.tests), Score: codecheck.ScoreFraction})
			passed := map[string]bool{}
			for _, c := range rep.Tests.Cases {
				if c.Passed {
					passed[c.Name[strings.LastIndexByte(c.Name, ':')+1:]] = true
				}
			}
			if rep.Status == codecheck.Tampering {
				passed = nil
			}
			for _, name := range strings.Fields(tt.passed) {
				if !passed[name] {
					t.Errorf("%s did not pass: %s %s %s %v", name, rep.Status, rep.Reason, rep.Compiler, rep.Tests)
				}
			}
			if len(passed) > len(strings.Fields(tt.passed)) {
				t.Errorf("passed: %v", passed)
			}
			if all := len(strings.Fields(tt.passed)) == 2; (rep.Reward == 1) != all {
				t.Errorf("reward %v (%s)", rep.Reward, rep.Status)
			}
		})
	}
}
