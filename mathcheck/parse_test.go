package mathcheck

import (
	"errors"
	"strings"
	"testing"
)

func TestParseReadsOneNotationAsTheOther(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"fractions without braces", `\frac12`, "div(1,2)"},
		{"program notation", "sqrt(2)*x**2", "mul(pow(sym(x),2),root(2,2))"},
		{"an implicit product", "2xy", "mul(2,x,y)"},
		{"a mixed number", `2\frac{1}{2}`, "mixed(2,div(1,2))"},
		{"an improper one is a product", `2\frac{3}{2}`, "mul(2,div(3,2))"},
		{"division from left to right", "1/2x", "mul(div(1,2),x)"},
		{"a function without brackets", `\sin 2x\cos y`, `mul(fn"cos"(y),fn"sin"(mul(2,x)))`},
		{"a power of a function", `\sin^2 x`, `pow(fn"sin"(x),2)`},
		{"an inverse function", `\tan^{-1} 1`, `fn"arctan"(1)`},
		{"grouped digits", "1,234,567", "1234567"},
		{"a list with blanks", "1, 234", "list(1,234)"},
		{"commas in brackets", "(1,234)", `tuple"()"(1,234)`},
		{"a half-open interval", "[0,1)", `tuple"[)"(0,1)`},
		{"a unit", `5\text{ km/h}`, `quantity"km/h"(5)`},
		{"a base", "204_5", `base"204"#5()`},
		{"a missing brace", `\sqrt{3`, "root(3,2)"},
		{"superscripts", "x²", "pow(sym(x),2)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := parse(fold(tt.text), false)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(n.canon(), "sym(x)", "x"); got != strings.ReplaceAll(tt.want, "sym(x)", "x") {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseRefusesWhatItCannotReadAsAWhole(t *testing.T) {
	for _, s := range []string{"", `\frac{}{}`, `\frac{1}{}2}`, "4 2 1", `\frac{1}{2}0`, "(3-9)(5-15", "1+++++2", "3 +", "^2", "a b )", "7'", `\unknown{3}`, "x = ", "[1,2,3)"} {
		if n, err := parse(s, false); err == nil {
			t.Errorf("%q is read as %s", s, n.canon())
		}
	}
	if _, err := parse(strings.Repeat("(", 400)+"1"+strings.Repeat(")+1", 400), false); !errors.Is(err, errDeep) {
		t.Errorf("deep nesting: %v", err)
	}
}

func TestNumeralsKeepTheirValue(t *testing.T) {
	tests := []struct{ text, want string }{
		{"0.50", "1/2"}, {".5", "1/2"}, {"42.", "42"}, {"1e3", "1000"}, {"2.5E-1", "1/4"}, {`0.1\overline{6}`, "1/6"}, {"0.(3)", "1/3"},
		{"0.333...", "1/3"}, {`1{,}000`, "1000"}, {`12\,345`, "12345"}, {"1 000 000", "1000000"}, {"007", "7"},
	}
	for _, tt := range tests {
		n, err := parse(tt.text, false)
		if err != nil || n.op != opNum {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if r, ok := n.num.rat(); !ok || r.RatString() != tt.want {
			t.Errorf("%q is %v, want %s", tt.text, r, tt.want)
		}
	}
}
