package regexcheck_test

import (
	"errors"
	"fmt"

	"github.com/verifyd/verifyd/regexcheck"
)

func Example() {
	flags, err := regexcheck.ParseFlags("I")
	if err != nil {
		panic(err)
	}
	p, err := regexcheck.Compile(`answer:\s*(?P<value>\d+)(?=\D|$)`, flags)
	if err != nil {
		panic(err)
	}
	m, err := p.Search("Die Lösung. Answer: ٤٢")
	if err != nil {
		panic(err)
	}
	i, _ := p.GroupIndex("value")
	start, end := m.Span()
	fmt.Println(m.Found, start, end, m.Groups[i].Text)
	// Output: true 12 22 ٤٢
}

func ExampleSyntaxError() {
	_, err := regexcheck.Compile(`(?P<year>\d{4})-(?P<year>\d\d)`, 0)
	var syntax *regexcheck.SyntaxError
	fmt.Println(errors.As(err, &syntax), syntax.Pos)
	fmt.Println(err)
	// Output:
	// true 20
	// regexcheck: bad pattern: redefinition of group name "year" as group 2; was group 1 at position 20
}
