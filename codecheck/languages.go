package codecheck

// Languages is the table of built-in languages. docs/LANGUAGES.md describes its fields and how another language is added.
func Languages() []Language {
	return []Language{
		{
			Name: "python", Aliases: []string{"python3", "py", "py3"}, Tags: []string{"python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "ipython", "ipython3", "python2"},
			File: "solution.py", Run: []string{"{exe}", "-I", "-B", "-X", "utf8", "{src}"},
			Case: []string{"{exe}", "-I", "-S", "-B", "-X", "utf8", "-c", pythonSite + pythonScript, "{packages}", "{src}"},
			Tool: []string{"python3.11", "python3"}, Find: findPython, Env: []string{"PYTHONDONTWRITEBYTECODE=1"}, Harness: "python",
			Warm: []string{"vd_script", "{src}"}, Image: "python:3.11-slim", Module: "python",
		},
		{
			Name: "javascript", Aliases: []string{"js", "node", "nodejs"}, Tags: []string{"mjs", "cjs", "jsx", "ecmascript"}, File: "main.js",
			Tool: []string{"node", "nodejs"}, Find: findNode, Harness: "javascript", Run: []string{"{exe}", "{src}"}, Image: "node:20-slim", Module: "javascript",
		},
		{
			Name: "typescript", Aliases: []string{"ts"}, Tags: []string{"tsx", "mts", "cts"}, File: "main.ts", Tool: []string{"node", "nodejs"}, Find: findTypeScript,
			Compile: []string{"tsc", "--target", "ES2020", "--module", "commonjs", "main.ts"}, Product: "main.js", Run: []string{"{exe}", "{bin}"},
			Factors: LimitFactors{CompileWall: 2}, Image: "node:20-slim",
		},
		{
			Name: "c", Tags: []string{"h"}, File: "main.c", Sources: []string{".h"}, Tool: []string{"gcc", "cc", "clang"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu17", "-O2", "-o", "{bin}", "{src}", "-lm", "-pthread"}, Run: []string{"{bin}"},
			Image: "gcc:12",
		},
		{
			Name: "cpp", Aliases: []string{"c++", "cxx"}, Tags: []string{"cc", "hpp"}, File: "main.cpp", Sources: []string{".cc", ".cxx", ".h", ".hpp"},
			Tool: []string{"g++", "c++", "clang++"}, Find: findCompiler,
			Compile: []string{"{exe}", "-std=gnu++20", "-O2", "-o", "{bin}", "{src}", "-pthread"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 2}, Image: "gcc:12",
		},
		{
			Name: "go", Aliases: []string{"golang"}, File: "main.go", Tool: []string{"go"}, Find: findGo,
			Compile: []string{"{exe}", "build", "-o", "{bin}", "{src}"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 6, CompileMemory: 4}, Image: "golang:1",
		},
		{
			Name: "rust", Aliases: []string{"rs"}, File: "main.rs", Tool: []string{"rustc"}, Find: findRust,
			Compile: []string{"{exe}", "--edition", "2021", "-O", "-o", "{bin}", "{src}"}, Run: []string{"{bin}"},
			Factors: LimitFactors{CompileWall: 3, CompileMemory: 2}, Image: "rust:1-slim",
		},
		{
			Name: "java", File: "Main.java", Tool: []string{"javac"}, Find: findJava,
			Compile: []string{"{exe}", "-encoding", "UTF-8", "{src}"}, Run: []string{"java", "-Xss64m", "-cp", ".", "Main"},
			Factors: LimitFactors{CompileWall: 3, CompileMemory: 2}, Image: "eclipse-temurin:17",
		},
		{
			Name: "bash", Aliases: []string{"sh", "shell"}, Tags: []string{"zsh", "shellscript"}, File: "main.sh",
			Run: []string{"{exe}", "{src}"}, Tool: []string{"bash"}, Find: findCompiler, Image: "debian:stable-slim",
		},
	}
}
