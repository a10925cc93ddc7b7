package codecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// Errors of ParseTests, to be told apart with errors.Is.
var (
	ErrNoTests     = errors.New("no tests")     // absent, null, empty text or list: there is nothing to check with
	ErrBrokenTests = errors.New("broken tests") // tests that no program could be checked with
)

// Format is the form of tests, in the words of WIRE.md.
type Format string

// The forms.
const (
	Asserts     Format = "asserts"      // Code runs after the program in the same namespace; also a bare text of tests
	CheckFn     Format = "check_fn"     // Check defines check(candidate), called with EntryPoint
	FnCall      Format = "fn_call"      // FnName is called with Inputs[i] and must give Outputs[i]
	StdinStdout Format = "stdin_stdout" // the program is run with Stdin[i] and must print Stdout[i]
	Unittest    Format = "unittest"     // Code, or Files with TestFile and SolutionFile
	Pytest      Format = "pytest"       // the same, collected by pytest's rules

	ProgramAppend Format = "program_append" // Code stands behind the program in one file
	TestFiles     Format = "test_files"     // Files beside the program, SolutionFile; a framework's or an own runner
	CLICases      Format = "cli_cases"      // the program is run with CLI's arguments and input
)

// Tests are parsed tests. The zero value means that there are none.
type Tests struct {
	Format Format

	Code              string // asserts; unittest and pytest that share a namespace with the program
	Check, EntryPoint string // check_fn
	PromptPlus        bool   // the program is Task.Prompt + the completion, byte for byte
	Cut               bool   // of a completion, what stands before the next statement at the left margin counts

	FnName, Class   string // fn_call: a method of a new Class object per case where Class is set
	Prelude         string // source before the program
	Inputs, Outputs []json.RawMessage
	Stdin, Stdout   []string
	Others          [][]string // stdin_stdout with Compare.AnyOf: the right answers of a case beside Stdout
	Compare         Compare
	Checker         Checker // decides in place of Compare where it has Code

	Files                  map[string]string // unittest and pytest by files
	TestFile, SolutionFile string

	File       string    // what the program is saved as; empty: what its language says
	Build, Run []string  // commands; the first word is a tool of the language or begins with ./
	Strict     bool      // what the compiler complains of counts also where it goes on
	CLI        []CLICase // cli_cases

	Groups  []Group       // for ScoreFraction
	Numbers []int         // of Inputs or Stdin: their places before a sample was drawn; nil means all were taken
	FirstN  int           // for ScoreFirstN; 0 means all
	Timeout time.Duration // own time of a run; 0: that of the limits
	Limits  sandbox.Limits
}

// wireTests is the JSON form of Tests.
type wireTests struct {
	Format       string            `json:"format"`
	Code         *string           `json:"code"`
	Asserts      []string          `json:"asserts"`
	Check        string            `json:"check"`
	EntryPoint   string            `json:"entry_point"`
	Assemble     string            `json:"assemble"`
	Cut          bool              `json:"cut"`
	FnName       string            `json:"fn_name"`
	Class        string            `json:"class"`
	Prelude      string            `json:"prelude"`
	Inputs       []json.RawMessage `json:"inputs"`
	Outputs      []json.RawMessage `json:"outputs"`
	Compare      json.RawMessage   `json:"compare"`
	Checker      Checker           `json:"checker"`
	Files        map[string]string `json:"files"`
	TestFile     string            `json:"test_file"`
	SolutionFile string            `json:"solution_file"`
	File         string            `json:"file"`
	Build        []string          `json:"build"`
	Run          []string          `json:"run"`
	Strict       bool              `json:"strict"`
	Cases        []wireCLI         `json:"cases"`
	Groups       []wireGroup       `json:"groups"`
	Sample       Sample            `json:"sample"`
	FirstN       int               `json:"first_n"`
	Timeout      float64           `json:"timeout_s"`
	Limits       json.RawMessage   `json:"limits"`
}

// ParseTests reads tests as a row or a spec carries them: an object with a format, a bare text, or a list of texts. Its
// errors wrap ErrNoTests or ErrBrokenTests and quote no test. Unknown keys of the object are left alone, as those of a
// row are.
func ParseTests(raw json.RawMessage) (Tests, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return Tests{}, fmt.Errorf("tests: %w", ErrNoTests)
	}
	switch raw[0] {
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return Tests{}, broken("not readable")
		}
		return textTests(text)
	case '[':
		var texts []string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return Tests{}, broken("a list of tests must hold texts only")
		}
		return textTests(strings.Join(texts, "\n"))
	case '{':
		var w wireTests
		if err := json.Unmarshal(raw, &w); err != nil {
			return Tests{}, broken("a field has the wrong type" + fieldOf(err))
		}
		return w.tests()
	}
	return Tests{}, broken("want an object, a text or a list of texts")
}

// textTests are the tests of a bare text: assertions, test_ functions, unittest classes.
func textTests(text string) (Tests, error) {
	if strings.TrimSpace(text) == "" {
		return Tests{}, fmt.Errorf("tests: %w: the text is empty", ErrNoTests)
	}
	return Tests{Format: Asserts, Code: text}, nil
}

func (w wireTests) tests() (Tests, error) {
	t := Tests{
		Format: Format(w.Format), Check: w.Check, EntryPoint: w.EntryPoint, FnName: w.FnName, Class: w.Class, Prelude: w.Prelude,
		Checker: w.Checker, Files: w.Files, TestFile: w.TestFile, SolutionFile: w.SolutionFile, FirstN: w.FirstN, Cut: w.Cut,
		File: w.File, Build: w.Build, Run: w.Run, Strict: w.Strict,
	}
	if w.File != "" && !cleanName(w.File) {
		return Tests{}, broken("file: want a clean relative path")
	}
	switch w.Assemble {
	case "":
	case "prompt_plus_completion":
		t.PromptPlus = true
	default:
		return Tests{}, broken("assemble: unknown value")
	}
	if w.Timeout < 0 || w.Timeout > 1e6 || w.FirstN < 0 {
		return Tests{}, broken("timeout_s and first_n must be positive")
	}
	t.Timeout = time.Duration(w.Timeout * float64(time.Second))
	var err error
	if len(w.Limits) > 0 && string(w.Limits) != "null" {
		if t.Limits, err = ParseLimits(w.Limits); err != nil {
			return Tests{}, broken("limits: " + err.Error())
		}
	}
	if t.Compare, err = parseCompare(w.Compare); err != nil {
		return Tests{}, broken(err.Error())
	}
	if err := w.fill(&t); err != nil {
		return t, err
	}
	what := "assert"
	if len(t.Inputs) > 0 || len(t.Stdin) > 0 || len(t.CLI) > 0 {
		what = "case"
	}
	if t.Groups, err = parseGroups(w.Groups, what); err != nil {
		return t, err
	}
	return t, t.draw(w.Sample)
}

// fill reads and checks the fields that belong to the format.
func (w wireTests) fill(t *Tests) error {
	switch t.Format {
	case Asserts:
		if w.Code != nil {
			t.Code = *w.Code
		} else {
			t.Code = strings.Join(w.Asserts, "\n")
		}
		return wantText(t.Code, "code")
	case CheckFn:
		return wantText(t.Check, "check")
	case FnCall, StdinStdout:
		return w.fillCases(t)
	case Unittest, Pytest:
		return w.fillSuite(t)
	case ProgramAppend:
		if w.Code != nil {
			t.Code = *w.Code
		}
		return wantText(t.Code, "code")
	case TestFiles:
		return w.fillFiles(t)
	case CLICases:
		return w.fillCLI(t)
	case "":
		return broken("format is missing")
	}
	return broken(fmt.Sprintf("format %.40q is not known", w.Format))
}

func (w wireTests) fillCases(t *Tests) error {
	if w.Checker.Language != "" {
		if _, ok := FindLanguage(Languages(), w.Checker.Language); !ok {
			return broken("checker: the language is not known")
		}
	}
	if w.Outputs == nil && w.Checker.Code != "" {
		w.Outputs = make([]json.RawMessage, len(w.Inputs))
		for i := range w.Outputs {
			w.Outputs[i] = json.RawMessage("null")
		}
	}
	if len(w.Inputs) != len(w.Outputs) {
		return broken(fmt.Sprintf("%d inputs and %d outputs", len(w.Inputs), len(w.Outputs)))
	}
	if len(w.Inputs) == 0 {
		return fmt.Errorf("tests: %w: inputs is empty", ErrNoTests)
	}
	if t.Format == FnCall {
		for i, in := range w.Inputs {
			if in = bytes.TrimSpace(in); len(in) == 0 || in[0] != '[' {
				return broken(fmt.Sprintf("inputs[%d]: want a list of arguments", i))
			}
		}
		t.Inputs, t.Outputs = w.Inputs, w.Outputs
		return wantName(t.FnName, "fn_name")
	}
	t.Stdin, t.Stdout = make([]string, len(w.Inputs)), make([]string, len(w.Inputs))
	if t.Compare.AnyOf {
		t.Others = make([][]string, len(w.Inputs))
	}
	for i := range w.Inputs {
		if json.Unmarshal(w.Inputs[i], &t.Stdin[i]) != nil || t.readOutput(i, w.Outputs[i]) != nil {
			return broken(fmt.Sprintf("inputs[%d], outputs[%d]: want texts", i, i))
		}
	}
	return nil
}

// readOutput reads what case i should print: a text, or with Compare.AnyOf a list of texts, each of them right.
func (t *Tests) readOutput(i int, raw json.RawMessage) error {
	var answers []string
	if t.Compare.AnyOf && json.Unmarshal(raw, &answers) == nil && len(answers) > 0 {
		t.Stdout[i], t.Others[i] = answers[0], answers[1:]
		return nil
	}
	return json.Unmarshal(raw, &t.Stdout[i])
}

func (w wireTests) fillSuite(t *Tests) error {
	if w.Code != nil {
		t.Code = *w.Code
		return wantText(t.Code, "code")
	}
	if len(t.Files) == 0 {
		return fmt.Errorf("tests: %w: neither code nor files", ErrNoTests)
	}
	if _, ok := t.Files[t.TestFile]; !ok {
		return broken("test_file names no file")
	}
	if !strings.HasSuffix(t.SolutionFile, ".py") || t.SolutionFile != path.Clean(t.SolutionFile) || strings.HasPrefix(t.SolutionFile, "../") || path.IsAbs(t.SolutionFile) {
		return broken("solution_file: want the path of a Python file")
	}
	for name := range t.Files {
		if !cleanName(name) {
			return broken("files: want clean relative paths")
		}
	}
	return wantText(t.Files[t.TestFile], "test_file")
}

// cleanName reports whether a name stays below the folder it is put in.
func cleanName(name string) bool {
	return name != "" && name == path.Clean(name) && name != "." && name != ".." && !strings.HasPrefix(name, "../") && !path.IsAbs(name) && !strings.ContainsRune(name, 0)
}

func wantText(text, field string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("tests: %w: %s is empty", ErrNoTests, field)
	}
	return nil
}

func wantName(name, field string) error {
	if strings.TrimSpace(name) == "" {
		return broken(field + " is missing")
	}
	return nil
}

func broken(what string) error { return fmt.Errorf("tests: %w: %s", ErrBrokenTests, what) }

// fieldOf names the field of a JSON type error without its value.
func fieldOf(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) && t.Field != "" {
		return ": " + t.Field
	}
	return ""
}
