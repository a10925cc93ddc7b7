package mathcheck

import "testing"

func TestEqualConstantsAreProven(t *testing.T) {
	tests := []struct{ name, a, b string }{
		{"square factors", `\sqrt{117}`, `3\sqrt{13}`},
		{"a denested root", `\sqrt{5+2\sqrt{6}}`, `\sqrt2+\sqrt3`},
		{"a denested cube root", `\sqrt[3]{2+\sqrt5}`, `\frac{1+\sqrt5}{2}`},
		{"a rationalised denominator", `\frac{1}{\sqrt3-1}`, `\frac{\sqrt3+1}{2}`},
		{"a fractional power", `2^{3/2}`, `2\sqrt2`},
		{"the imaginary unit", `\sqrt{-16}`, "4i"},
		{"a golden angle", `\cos 36^\circ`, `\frac{1+\sqrt5}{4}`},
		{"a product of cosines", `\cos 20^\circ\cos 40^\circ\cos 80^\circ`, `\frac18`},
		{"a multiple of π", `\sin\frac{5\pi}{12}`, `\frac{\sqrt6+\sqrt2}{4}`},
		{"a tangent", `\tan 15^\circ`, `2-\sqrt3`},
		{"a sum of logarithms", `\ln 12`, `2\ln 2+\ln 3`},
		{"a logarithm of a root", `\ln\sqrt2`, `\frac{\ln 2}{2}`},
		{"a logarithm of a power of e", `\ln(e^3)`, "3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := Equal(tt.a, tt.b); !v.Equal || v.Status != Proven {
				t.Errorf("%s = %s: %+v", tt.a, tt.b, v)
			}
		})
	}
}

func TestUnequalConstantsAreRefuted(t *testing.T) {
	tests := []struct{ name, a, b string }{
		{"the fortieth decimal", `\sqrt{2}+10^{-40}`, `\sqrt{2}`},
		{"the six-hundredth decimal", `\sqrt{2}+10^{-600}`, `\sqrt{2}`},
		{"a root close to one", `2^{\frac{1}{2^{1000}}}`, "1"},
		{"almost an integer", `e^{\pi\sqrt{163}}`, "262537412640768744"},
		{"a sum of roots", `\sqrt{5+\sqrt{6}}`, `\sqrt2+\sqrt3`},
		{"neighbouring angles", `\sin 46^\circ`, `\frac{\sqrt{10-2\sqrt5}}{4}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := Equal(tt.a, tt.b); v.Equal || v.Status != Proven {
				t.Errorf("%s and %s: %+v", tt.a, tt.b, v)
			}
		})
	}
}
