package codecheck_test

import (
	"os"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox/namespace"
)

// tenth is the language that docs/LANGUAGES.md adds, text for text; the test compares the two.
func tenth() codecheck.Language {
	type Appended = codecheck.Appended
	return []codecheck.Language{
		{
			Name: "lua", Aliases: []string{"lua5.4"}, File: "main.lua", Tool: []string{"lua5.4", "lua"}, Run: []string{"{exe}", "{src}"},
			Image: "debian:stable-slim",
			Appended: Appended{
				Comment: "--", Single: true, Asserts: []string{"assert"},
				After: "io.open('{mark}', 'w'):close()\n",
			},
			Hello: "print('ok ' .. math.tointeger(io.read('n')) + 1)\n",
		},
	}[0]
}

// words are a text without its layout.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// A language is added by a value in the table alone: the one of the page judges as the others do.
func TestTenthLanguage(t *testing.T) {
	page, err := os.ReadFile("../docs/LANGUAGES.md")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile("tenth_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, snippet, _ := strings.Cut(string(page), "```go\n")
	snippet, _, ok := strings.Cut(snippet, "```")
	if !ok || !strings.Contains(words(string(self)), words(snippet)) {
		t.Error("the value on the page is not the one that is tried here")
	}
	runner(t) // skips where there are no walls
	box, err := namespace.New(namespace.Config{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := codecheck.New(box, codecheck.Config{Languages: append(codecheck.Languages(), tenth())})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Toolchain("lua"); err != nil {
		t.Skip(err)
	}
	if err := r.SelfTest(t.Context(), "lua"); err != nil {
		t.Error(err)
	}
	appended := `{"format": "program_append", "code": "assert(twice(2) == 4)\nassert(twice(5) == 10)\n"}`
	for _, tt := range []struct {
		name, answer, tests string
		want                codecheck.Status
	}{
		{"a right program", "```lua\nfunction twice(n) return 2 * n end\n```", appended, codecheck.Passed},
		{"a wrong one", "function twice(n) return n + 2 end", appended, codecheck.TestsFailed},
		{"an early exit", "function twice(n) os.exit(0) end", appended, codecheck.EarlyExit},
		{"assert replaced", "function twice(n) end\nfunction assert() end", appended, codecheck.Tampering},
		{"a command", "print(arg[1])", `{"format": "cli_cases", "cases": [{"args": ["x"], "exit": "zero", "output": "x"}]}`, codecheck.Passed},
		{"a file of the host", "print(io.open('/etc/shadow'):read('a'))", `{"format": "stdin_stdout", "inputs": [""], "outputs": [""]}`, codecheck.RuntimeError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep, err := r.Check(t.Context(), codecheck.Task{Language: "lua", Answer: tt.answer, Tests: parse(t, tt.tests)})
			if err != nil || rep.Status != tt.want {
				t.Errorf("got %s (%s), %v; want %s", rep.Status, rep.Reason, err, tt.want)
			}
		})
	}
}
