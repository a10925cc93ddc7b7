package main

import (
	"embed"
	"slices"
)

// dockerfiles holds one Dockerfile a language. Each is made from a base of the user's choice (the build argument BASE) with packages of
// that base alone, so that it can be built where only a mirror of Debian is to be had. The folder images at the top of the repository
// is a link to them: in a folder with Go files Dockerfile.c would be compiled.
//
//go:embed images/Dockerfile.*
var dockerfiles embed.FS

// imageLanguage is what an image serves. The program prints "ok" where the image is whole.
type imageLanguage struct {
	Name    string
	File    string // name of the program's source
	Program string
	Compile []string // in the work folder, before Run; nil where there is nothing to compile
	Run     []string
	Env     []string // variables that its tools want
}

// dockerfile is the text that builds the image.
func (l imageLanguage) dockerfile() []byte {
	ending := l.Name
	if ending == "go" {
		ending = "golang" // the go command takes a file named Dockerfile.go for a program
	}
	text, err := dockerfiles.ReadFile("images/Dockerfile." + ending)
	if err != nil {
		panic("verifyd: " + err.Error()) // each language of the table has one, as the test says
	}
	return text
}

// findImageLanguage gives a language by name.
func findImageLanguage(name string) (imageLanguage, bool) {
	i := slices.IndexFunc(imageLanguages, func(l imageLanguage) bool { return l.Name == name })
	if i < 0 {
		return imageLanguage{}, false
	}
	return imageLanguages[i], true
}

func imageLanguageNames() []string {
	var names []string
	for _, l := range imageLanguages {
		names = append(names, l.Name)
	}
	return names
}

var imageLanguages = []imageLanguage{
	{Name: "bash", File: "try.sh", Program: "declare -A m=([a]=ok); echo ${m[a]}\n", Run: []string{"/bin/bash", "try.sh"}},
	{Name: "c", File: "try.c", Program: "#include <stdio.h>\nint main(void) { puts(\"ok\"); return 0; }\n", Compile: []string{"gcc", "-O1", "-o", "try", "try.c"}, Run: []string{"./try"}},
	{Name: "cpp", File: "try.cpp", Program: "#include <iostream>\n#include <vector>\nint main() { std::vector<const char *> v{\"ok\"}; std::cout << v[0] << std::endl; }\n", Compile: []string{"g++", "-std=c++20", "-o", "try", "try.cpp"}, Run: []string{"./try"}},
	{Name: "go", File: "try.go", Program: "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"ok\") }\n", Compile: []string{"go", "build", "-o", "try", "try.go"}, Run: []string{"./try"}, Env: []string{"GOCACHE=/tmp/cache", "GOFLAGS=-mod=mod", "GO111MODULE=off", "CGO_ENABLED=0"}},
	{Name: "java", File: "Try.java", Program: "public class Try { public static void main(String[] a) { System.out.println(\"ok\"); } }\n", Compile: []string{"javac", "Try.java"}, Run: []string{"java", "-Xshare:auto", "-XX:+UseSerialGC", "-Xmx256m", "Try"}},
	{Name: "javascript", File: "try.js", Program: "console.log([\"ok\"].at(0))\n", Run: []string{"node", "try.js"}},
	{Name: "python", File: "try.py", Program: "import json, math\nprint(json.loads('\"ok\"'))\n", Run: []string{"python3", "-I", "try.py"}},
	{Name: "rust", File: "try.rs", Program: "fn main() { println!(\"{}\", vec![\"ok\"][0]); }\n", Compile: []string{"rustc", "-o", "try", "try.rs"}, Run: []string{"./try"}},
	{Name: "typescript", File: "try.ts", Program: "const word: string = \"ok\";\nconsole.log(word);\n", Compile: []string{"tsc", "try.ts"}, Run: []string{"node", "try.js"}},
}
