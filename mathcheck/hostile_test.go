package mathcheck

import (
	"strings"
	"testing"
)

// hostile are inputs made to hang, crash or be paid. Their cost is bounded by counted steps; the benchmark over them
// shows what a step costs.
func hostile() map[string][2]string {
	rep := strings.Repeat
	return map[string][2]string{
		"power tower":             {`9^{9^{9^{9}}}`, `9^{9^{9^{8}}}`},
		"large power":             {"1", `10^{10^{8}}`},
		"small power":             {"0.058755018", `0.05^{8755018}`},
		"large binomial power":    {"x", `(1+x)^{10^7}`},
		"sum of far scales":       {"1", `2^{10^7}+2^{-10^7}+\sqrt{2}`},
		"nested braces":           {"1", rep("{", 10000) + "2" + rep("}", 10000)},
		"open brackets":           {"1", rep("(", 50000)},
		"open left":               {"1", rep(`\left(`, 20000)},
		"nested fractions":        {"1", rep(`\frac{1}{`, 5000) + "2" + rep("}", 5000)},
		"nested roots":            {"1", rep(`\sqrt{2+`, 3000) + "1" + rep("}", 3000)},
		"open text":               {"1", rep(`\text{`, 10000)},
		"many boxes":              {"7", rep(`\boxed{1} `, 100)},
		"open boxes":              {"1", rep(`\boxed{`, 15000)},
		"a million digits":        {"1", rep("7", 1_000_000)},
		"a million ones":          {"1", `\boxed{` + rep("1+", 500_000) + "1}"},
		"many signs":              {"1", rep("-", 50000) + "1"},
		"many plus-minus":         {"1", rep(`\pm 1`, 200)},
		"many bars":               {"1", rep("|x", 30000)},
		"many powers":             {"1", rep("2^", 20000) + "2"},
		"many markers":            {"1", rep("answer ", 14000)},
		"many list members":       {rep(`\sqrt{2}+1,`, 250) + "1", rep(`\sqrt{3}+1,`, 250) + "1"},
		"nested sums":             {"1", `\sum_{k=1}^{2000}\sum_{j=1}^{2000} jk`},
		"nested sines":            {rep(`\sin(`, 100) + "x" + rep(")", 100), rep(`\sin(`, 101) + "x" + rep(")", 101)},
		"large factorials":        {"1", `2500!\cdot 2499!\cdot 2498!`},
		"factorial of factorials": {"5", `(((10^{10})!)!)!`},
		"nested determinants":     {"1", rep(`\begin{vmatrix}1&2\\3&`, 40) + "1" + rep(`\end{vmatrix}`, 40)},
		"power of a matrix":       {"1", `\begin{pmatrix}a&b&c\\d&e&f\\g&h&k\end{pmatrix}^6`},
		"nested equations":        {"x=1", rep(`\frac{1}{x+`, 60) + "y" + rep("}", 60) + "=0"},
		"huge exponent":           {"42", "1e999999999"},
		"huge root index":         {"5", `\sqrt[10^{9}]{5}`},
	}
}

func TestHostileInputsAreNeverPaid(t *testing.T) {
	for name, in := range hostile() {
		t.Run(name, func(t *testing.T) {
			if v := Equal(in[0], in[1]); v.Equal {
				t.Errorf("paid: %+v", v)
			}
			if v := Equal(in[1], in[0]); v.Equal {
				t.Errorf("paid the other way round: %+v", v)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, in := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Equal(in[0], in[1])
			}
		})
	}
}
