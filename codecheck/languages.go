package codecheck

import "regexp"

// Languages is the table of built-in languages. docs/LANGUAGES.md describes its fields and how another language is added.
func Languages() []Language {
	return []Language{
		{
			Name: "python", Aliases: []string{"python3", "py", "py3"}, Tags: []string{"python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "ipython", "ipython3", "python2"},
			File: "solution.py", Run: []string{"{exe}", "-I", "-B", "-X", "utf8", "{src}"},
			Case: []string{"{exe}", "-I", "-S", "-B", "-X", "utf8", "-c", pythonSite + pythonScript, "{packages}", "{src}"},
			Tool: []string{"python3.11", "python3"}, Find: findPython, Env: []string{"PYTHONDONTWRITEBYTECODE=1"}, Harness: "python",
			Warm: []string{"vd_script", "{src}"}, Image: "python:3.11-slim", Module: "python",
			Hello: "print('ok', int(input()) + 1)\n",
		},
		{
			Name: "javascript", Aliases: []string{"js", "node", "nodejs"}, Tags: []string{"mjs", "cjs", "jsx", "ecmascript"}, File: "main.js",
			Tool: []string{"node", "nodejs"}, Find: findNode, Harness: "javascript", Run: []string{"{exe}", "{src}"}, Warm: []string{"vd_script", "{src}"}, Image: "node:20-slim", Module: "javascript",
			Appended: scriptTests,
			Hello:    "console.log('ok', Number(require('fs').readFileSync(0, 'utf8')) + 1)\n",
		},
		{
			Name: "typescript", Aliases: []string{"ts"}, Tags: []string{"tsx", "mts", "cts"}, File: "main.ts", Tool: []string{"node", "nodejs"}, Find: findTypeScript,
			Compile: []string{"tsc", "--target", "ES2020", "--module", "commonjs", "main.ts"}, Product: "main.js", Run: []string{"{exe}", "{bin}"}, Harness: "javascript",
			Factors: LimitFactors{CompileWall: 2}, Image: "node:20-slim",
			Strict:   []string{"tsc-strict", "--target", "ES2020", "--module", "commonjs", "--noEmitOnError", "main.ts"},
			Appended: scriptTests,
			Hello:    "declare const require: any;\nconst n: number = Number(require('fs').readFileSync(0, 'utf8'));\nconsole.log('ok', n + 1);\n",
		},
		{
			Name: "c", Tags: []string{"h"}, File: "main.c", Sources: []string{".h"}, Tool: []string{"gcc", "cc", "clang"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu17", "-O2", "-o", "{bin}", "{src}", "-lm", "-pthread"}, Run: []string{"{bin}"},
			Image: "gcc:12",
			Appended: Appended{
				Comment: "//", Entry: regexp.MustCompile(`\bint\s+(main)\s*\(([^)]*)\)\s*\{`), Args: "n, v", Close: "return 0;",
				After:   "int {id}(const char *, unsigned) __asm__(\"creat\");\nint main(int n, char **v) { (void)n, (void)v; int r = {entry}({args}); if (!r) {id}(\"{mark}\", 0600); return r; }\n",
				Asserts: []string{"assert"}, Expect: regexp.MustCompile(`!=\s*([^&|;{}]+?)\)\s*\{?\s*(?:return|exit|abort|std::abort)\b`),
			},
			Frameworks: []Framework{unity},
			Hello:      "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; printf(\"ok %d\\n\", n + 1); }\n",
		},
		{
			Name: "cpp", Aliases: []string{"c++", "cxx"}, Tags: []string{"cc", "hpp"}, File: "main.cpp", Sources: []string{".cc", ".cxx", ".h", ".hpp"},
			Tool: []string{"g++", "c++", "clang++"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu++20", "-O2", "-o", "{bin}", "{src}", "-pthread"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 2}, Image: "gcc:12",
			Appended: Appended{
				Comment: "//", Entry: regexp.MustCompile(`\bint\s+(main)\s*\(([^)]*)\)\s*\{`), Args: "n, v", Close: "return 0;",
				After:   "extern \"C\" int {id}(const char *, unsigned) __asm__(\"creat\");\nint main(int n, char **v) { (void)n, (void)v; int r = {entry}({args}); if (!r) {id}(\"{mark}\", 0600); return r; }\n",
				Asserts: []string{"assert"}, Expect: regexp.MustCompile(`!=\s*([^&|;{}]+?)\)\s*\{?\s*(?:return|exit|abort|std::abort)\b`),
			},
			Hello: "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << \"ok \" << n + 1 << std::endl; }\n",
		},
		{
			Name: "go", Aliases: []string{"golang"}, File: "main.go", Tool: []string{"go"}, Find: findGo,
			Env:     []string{"GOMEMLIMIT={heap}MiB"}, // the collector does not know the job's limit
			Compile: []string{"{exe}", "build", "-ldflags=-s -w", "-o", "{bin}", "{src}"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 6, CompileMemory: 4}, Image: "golang:1",
			Appended: Appended{
				Comment: "//", Entry: regexp.MustCompile(`\bfunc\s+(main)\s*\(\s*\)\s*\{`), Head: regexp.MustCompile(`(?m)^package[ \t]+\w+`),
				Import: "; import vdos \"os\"", After: "func main() { {entry}(); if f, err := vdos.Create(\"{mark}\"); err == nil { f.Close() } }\n",
				Expect: regexp.MustCompile(`!=\s*([^{&|;]+?)\s*\{\s*(?:panic|os\.Exit|log\.Fatal)`),
			},
			Frameworks: []Framework{goTest},
			Hello:      "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar n int\n\tfmt.Scan(&n)\n\tfmt.Println(\"ok\", n+1)\n}\n",
		},
		{
			Name: "rust", Aliases: []string{"rs"}, File: "main.rs", Tool: []string{"rustc"}, Find: findRust,
			Compile: []string{"{exe}", "--edition", "2021", "-O", "-C", "strip=symbols", "-o", "{bin}", "{src}"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 3, CompileMemory: 2}, Image: "rust:1-slim",
			Appended: Appended{
				Comment: "//", Entry: regexp.MustCompile(`\bfn\s+(main)\s*\(\s*\)[^{;]*\{`),
				After:   "fn main() { let r = {entry}(); {id}(r) }\n#[allow(non_snake_case)] fn {id}<T: ::std::fmt::Debug>(r: T) { if ::std::format!(\"{:?}\", r).starts_with(\"Err\") { ::std::process::exit(1) } let _ = ::std::fs::File::create(\"{mark}\"); }\n",
				Asserts: []string{"assert!"}, Equal: []Equal{{"assert_eq!", 1}},
			},
			Frameworks: []Framework{cargoTest},
			Hello:      "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"ok {}\", s.trim().parse::<i32>().unwrap() + 1); }\n",
		},
		{
			Name: "java", File: "Main.java", Tool: []string{"javac"}, Find: findJava,
			Compile: []string{"{exe}", "-encoding", "UTF-8", "-d", ".", "{src}"}, Run: []string{"java", "-Xss64m", "-cp", ".", "{unit}"},
			Factors: LimitFactors{CompileWall: 3, CompileMemory: 2}, Image: "eclipse-temurin:17",
			Names: javaNames,
			Appended: Appended{
				Comment: "//", Entry: regexp.MustCompile(`\bpublic\s+static\s+void\s+(main)\s*\([^)]*\)[^{;]*\{`),
				Before:  "public static void main(String[] a) throws Throwable { {entry}(a); new java.io.File(\"{mark}\").createNewFile(); }\n",
				Asserts: []string{"asList", "List.of", "assertTrue"}, Equal: []Equal{{"equals", 0}, {"assertEquals", 0}}, Fail: "throw",
				Expect: regexp.MustCompile(`!=\s*([^&|;{}]+?)\)\s*\{?\s*throw`),
			},
			Hello: "public class Hello { public static void main(String[] a) { System.out.println(\"ok \" + (new java.util.Scanner(System.in).nextInt() + 1)); } }\n",
		},
		{
			Name: "bash", Aliases: []string{"sh", "shell"}, Tags: []string{"zsh", "shellscript"}, File: "main.sh",
			Run: []string{"{exe}", "{src}"}, Tool: []string{"bash", "sh"}, Find: findBash, Image: "debian:stable-slim",
			Appended: Appended{Comment: "#", Single: true, After: "code=$?; [ $code = 0 ] && : >{mark}; exit $code\n",
				Expect: regexp.MustCompile(`\s(?:==?|-eq)\s+([^\s\]]+)\s+\]`)},
			Frameworks: []Framework{bats},
			Hello:      "read n; echo ok $((n + 1))\n",
		},
	}
}

// scriptTests are tests behind a program in JavaScript or TypeScript where the harness does not keep the two apart.
var scriptTests = Appended{
	Comment: "//", Single: true, After: "require(\"fs\").writeFileSync(\"{mark}\", \"\");\n", Fail: "throw",
	Expect:  regexp.MustCompile(`!==?\s*([^&|;{}]+?)\)\s*\{?\s*throw`),
	Asserts: []string{"console.assert", "assert", "assert.ok"},
	Equal:   []Equal{{"assert.equal", 1}, {"assert.strictEqual", 1}, {"assert.deepEqual", 1}, {"assert.deepStrictEqual", 1}},
}
