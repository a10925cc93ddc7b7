package codecheck

import "regexp"

// The frameworks whose reports are understood.
var (
	// unity is the C framework ThrowTheSwitch Unity: FILE:LINE:NAME:PASS a line.
	unity = Framework{
		Name: "unity", Sign: regexp.MustCompile(`#\s*include\s+["<][^">]*unity\.h`),
		Tests: regexp.MustCompile(`\bRUN_TEST\s*\(\s*(\w+)`), Skip: regexp.MustCompile(`\bTEST_IGNORE(?:_MESSAGE)?\b`),
		Result: regexp.MustCompile(`[^\s:]+:\d+:(?P<name>\w+):(?P<status>PASS|FAIL|IGNORE)\b`), Pass: "PASS", Skips: "IGNORE",
		Decoys: []Insertion{
			{regexp.MustCompile(`(?m)^[ \t]*int\s+main\s*\(`), "static void test_{first}(void) { TEST_ASSERT_EQUAL_INT(1, 2); } static void test_{last}(void) { TEST_ASSERT_EQUAL_INT(2, 1); } "},
			{regexp.MustCompile(`\bRUN_TEST\s*\(`), "RUN_TEST(test_{first}); "},
			{regexp.MustCompile(`\b(?:return\s+)?UNITY_END\s*\(`), "RUN_TEST(test_{last}); "},
		},
	}

	// goTest is go test. The package's tests are compiled once and run without the go command: what it caches and prints round the tests is not
	// wanted, and the folder it works in may be its own temporary one, where it ignores go.mod. In this mode each line of
	// the framework's own begins with a control character.
	goTest = Framework{
		Name: "go test", Sign: regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:\w+\s+)?"testing"`), Command: []string{"go", "test"}, Default: []string{"go", "test"},
		Compile: []string{"go", "test", "-c", "-o", "{bin}", "{dir}"}, Run: []string{"{bin}", "-test.v=test2json", "-test.paniconexit0"},
		Tests: regexp.MustCompile(`(?m)^func\s+(Test\w*)\s*\(\s*\w+\s+\*testing\.T\s*\)`), Skip: regexp.MustCompile(`\.Skip(?:f|Now)?\(`),
		Result: regexp.MustCompile(`\x16--- (?P<status>PASS|FAIL|SKIP): (?P<name>\S+) \(`), Pass: "PASS", Skips: "SKIP", Safe: true,
		Decoys: []Insertion{
			{regexp.MustCompile(`(?m)^func\s+Test`), "func Test{first}(t *testing.T) { t.Error(1) }\n"},
			{nil, "\nfunc Test{last}(t *testing.T) { t.Error(2) }\n"},
		},
	}

	// cargoTest is libtest, as cargo test and rustc --test run it.
	cargoTest = Framework{
		Name: "cargo test", Sign: regexp.MustCompile(`#\[test\]`), Command: []string{"cargo", "test"}, Default: []string{"cargo", "test"},
		Add:   []string{"--no-fail-fast"},
		Tests: regexp.MustCompile(`#\[test\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?fn\s+(\w+)`), Skip: regexp.MustCompile(`#\[ignore`),
		Result: regexp.MustCompile(`(?m)^test (?P<name>[\w:]+)(?: - should panic)? \.\.\. (?P<status>ok|FAILED|ignored)`), Pass: "ok", Skips: "ignored", Safe: true,
		Decoys: []Insertion{
			{regexp.MustCompile(`#\[test\]`), "#[test] #[allow(non_snake_case)] fn a{first}() { assert_eq!(1, 2); }\n"},
			{nil, "\n#[test] #[allow(non_snake_case)] fn z{last}() { assert_eq!(2, 1); }\n"},
		},
	}

	// bats is the Bash Automated Testing System, whose report is TAP where nobody watches.
	bats = Framework{
		Name: "bats", Sign: regexp.MustCompile(`(?m)^\s*@test\s`), Command: []string{"bats"},
		Add: []string{"--tap"}, Skip: regexp.MustCompile(`(?m)^\s*skip\b`),
		Result: regexp.MustCompile(`(?m)^(?P<status>(?:not )?ok) \d+ (?P<name>[^\n]*)`), Pass: "ok",
		Decoys: []Insertion{
			{regexp.MustCompile(`(?m)^\s*@test\s`), "\n@test \"{first}\" { [ 1 = 2 ]; }\n"},
			{nil, "\n@test \"{last}\" { [ 2 = 1 ]; }\n"},
		},
	}
)
