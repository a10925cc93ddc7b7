package instructcheck_test

import (
	"encoding/json"
	"fmt"

	"github.com/verifyd/verifyd/instructcheck"
)

func ExampleCompile() {
	in, err := instructcheck.Compile("length_constraints:number_words", map[string]json.RawMessage{
		"num_words": json.RawMessage("4"),
		"relation":  json.RawMessage(`"at least"`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"I don't know why.", "<think>one two three four</think>No."} {
		result := in.Check(instructcheck.NewAnswer(text), false)
		fmt.Println(result.Holds, result.Reason)
	}
	_, err = instructcheck.Compile("length_constraints:number_words", nil)
	fmt.Println(err)
	// Output:
	// true 4 words, at least 4 asked for
	// false 1 words, at least 4 asked for
	// num_words: missing
}

func ExampleText_InLanguage() {
	holds, why := instructcheck.NewText("De bibliotheek gaat om negen uur open.").InLanguage("de")
	fmt.Println(holds, why)
	// Output: false the text looks like nl, not de
}
