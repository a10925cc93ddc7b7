package textsim_test

import (
	"fmt"

	"github.com/verifyd/verifyd/textsim"
)

func Example() {
	edit, err := textsim.Edit("kitten", "sitting", true)
	fmt.Printf("%.4f %v\n", edit, err)
	fmt.Printf("%.4f\n", textsim.RougeN("the cat sat", "the cat is here", 1))
	fmt.Printf("%.4f\n", textsim.BLEU("the cat sat on the mat", "the cat is on the mat", textsim.AddOne))
	// Output:
	// 0.5714 <nil>
	// 0.5714
	// 0.4855
}
