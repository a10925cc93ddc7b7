package mathcheck_test

import (
	"fmt"

	"github.com/verifyd/verifyd/mathcheck"
)

func ExampleEqual() {
	fmt.Println(mathcheck.Equal(`\frac{1}{2}`, "The answer is $0.5$.").Equal)
	fmt.Println(mathcheck.Equal(`(2,\infty)`, `\boxed{x > 2}`).Equal)
	fmt.Println(mathcheck.Equal(`\sqrt{2}+\sqrt{3}`, `\sqrt{5+2\sqrt{6}}`).Status)
	fmt.Println(mathcheck.Equal("42", `\boxed{41 \text{ or } 42}`).Equal)
	// Output:
	// true
	// true
	// proven
	// false
}

func ExampleCompile() {
	gold, err := mathcheck.Compile("x^2-1", mathcheck.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, output := range []string{`\boxed{(x-1)(x+1)}`, `\boxed{(x-1)^2}`, "I do not know."} {
		v := gold.Check(output)
		fmt.Println(v.Equal, v.Status)
	}
	// Output:
	// true proven
	// false proven
	// false no_answer
}

func ExampleCompileAny() {
	gold, _ := mathcheck.CompileAny([]string{"12", "a dozen"}, mathcheck.Options{})
	fmt.Println(gold.Check("A dozen.").Equal)
	// Output: true
}

func ExampleReading() {
	span, kind, form := mathcheck.Reading(`So $x = \boxed{\frac{1}{2}}$.`)
	fmt.Println(span, kind, form)
	// Output: \frac{1}{2} number div(1,2)
}
