package codecheck_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/verifyd/verifyd/codecheck"
)

func ExampleExtract() {
	answer := "First a try:\n```python\nx = 1\n```\nBetter:\n```Python\nx = 2\n```\nOutput:\n```\n2\n```\n"
	python, _ := codecheck.FindLanguage(codecheck.Languages(), "python")
	code, how := codecheck.Extract(answer, python)
	fmt.Printf("%q by %s\n", code, how)
	// Output: "x = 2\n" by fence:tagged
}

func ExampleParseTests() {
	tests, err := codecheck.ParseTests(json.RawMessage(`{"format": "fn_call", "fn_name": "add", "inputs": [[1, 2]], "outputs": [3]}`))
	fmt.Println(tests.Format, tests.FnName, len(tests.Inputs), err)
	_, err = codecheck.ParseTests(json.RawMessage(`null`))
	fmt.Println(errors.Is(err, codecheck.ErrNoTests))
	// Output:
	// fn_call add 1 <nil>
	// true
}
